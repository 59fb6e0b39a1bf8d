import { lazy, Suspense, useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { DatasetDetails } from '../../../api/client.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { creationPath, useCreation, useDatasets } from '../context.tsx'

const CreateDialog = lazy(() => import('../create/CreateDialog.tsx'))

interface Props {
  readonly dataset: DatasetDetails
  readonly onClose: () => void
}

/** The dialog that adds to the dataset; where another one is being made, that comes first. */
export function AddTables({ dataset, onClose }: Props) {
  const { creation } = useDatasets()
  const navigate = useNavigate()
  const { draft } = useCreation()
  const { id, name, tables } = dataset
  useEffect(() => {
    const columnsOf = (table: (typeof tables)[number]): string[] => table.schema.map((column) => column.name)
    const into = { id, name, tables: tables.map((table) => ({ name: table.name, columns: columnsOf(table) })) }
    if (creation.begin(into)) return () => creation.leave()
    const other = creationPath(creation.snapshot())
    toast({
      title: 'Finish what you began first',
      description: 'Files for another dataset are waiting: create it or discard it, then add to this one.',
      action: { label: 'Show', run: () => void navigate(other) },
    })
    onClose()
    return undefined
  }, [creation, id, name, tables, navigate, onClose])
  return draft.into?.id === id ? (
    <Suspense>
      <CreateDialog onClose={onClose} />
    </Suspense>
  ) : null
}
