import ClipboardCopy from 'lucide-react/icons/clipboard-copy'
import Database from 'lucide-react/icons/database'
import Eye from 'lucide-react/icons/eye'
import FileCode from 'lucide-react/icons/file-code'
import Pencil from 'lucide-react/icons/pencil'
import TextCursorInput from 'lucide-react/icons/text-cursor-input'
import Trash2 from 'lucide-react/icons/trash-2'
import Upload from 'lucide-react/icons/upload'
import type { ReactNode } from 'react'
import { toast } from '../../../../ui/toasts.ts'
import { useSql } from '../../context.tsx'
import { explainImport } from '../imports.ts'
import type { SchemaTreeProps } from '../../parts.ts'
import { selectStatement, type TreeRow } from './nodes.ts'

export interface Action {
  readonly key: string
  readonly label: string
  readonly icon: ReactNode
  /** The key that does the same. */
  readonly keys?: string
  readonly run: () => void
}

type ActionCallbacks = Pick<SchemaTreeProps, 'onInsert' | 'onPreview' | 'onPublish' | 'onOpenDataset'> & {
  readonly onRename: (localId: string) => void
}

/** What can be done with a line, in groups. */
export function useActions(callbacks: ActionCallbacks): (row: TreeRow) => readonly (readonly Action[])[] {
  const { tables } = useSql().local
  const publish = async (id: string): Promise<void> => {
    try {
      callbacks.onPublish([await tables.publication(id)])
    } catch (error) {
      const { message, remedy } = explainImport(error)
      toast({ title: message, description: remedy ?? '', tone: 'bad' })
    }
  }
  return ({ kind, reference, table, datasetId, localId }) => {
    const groups: Action[][] = []
    if (reference !== null && kind !== 'dataset') {
      const insert: Action = {
        key: 'insert',
        label: 'Insert name',
        icon: <TextCursorInput aria-hidden />,
        keys: 'Enter',
        run: () => callbacks.onInsert(reference),
      }
      groups.push(kind === 'table' && table ? [insert, ...ofTable(table, callbacks)] : [insert])
    }
    if (reference !== null) {
      groups.push([
        { key: 'copy', label: 'Copy name', icon: <ClipboardCopy aria-hidden />, run: () => void copy(reference) },
      ])
    }
    if (datasetId !== null && kind !== 'column') {
      groups.push([
        {
          key: 'open',
          label: 'Open dataset',
          icon: <Database aria-hidden />,
          run: () => callbacks.onOpenDataset(datasetId),
        },
      ])
    }
    if (localId !== null && kind === 'table') {
      groups.push([
        {
          key: 'rename',
          label: 'Rename…',
          icon: <Pencil aria-hidden />,
          keys: 'F2',
          run: () => callbacks.onRename(localId),
        },
        {
          key: 'publish',
          label: 'Publish as a dataset…',
          icon: <Upload aria-hidden />,
          run: () => void publish(localId),
        },
        {
          key: 'remove',
          label: 'Remove',
          icon: <Trash2 aria-hidden />,
          keys: 'Delete',
          run: () => void tables.remove(localId).catch(() => undefined),
        },
      ])
    }
    return groups
  }
}

function ofTable(table: NonNullable<TreeRow['table']>, { onInsert, onPreview }: ActionCallbacks): Action[] {
  return [
    {
      key: 'select',
      label: 'Insert SELECT',
      icon: <FileCode aria-hidden />,
      run: () => onInsert(selectStatement(table)),
    },
    { key: 'preview', label: 'Show first rows', icon: <Eye aria-hidden />, run: () => onPreview(table.reference) },
  ]
}

async function copy(name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(name)
    toast({ title: 'Copied', description: name })
  } catch {
    toast({ title: 'The browser doesn’t let the page copy', description: name, tone: 'bad' })
  }
}
