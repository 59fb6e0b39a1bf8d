import { useNow } from '../../../ui/hooks/use-now.ts'
import { explain, inWords } from '../../shared/problem.ts'
import { canCreate, canWrite, NO_WRITE } from '../model/access.ts'
import Globe from 'lucide-react/icons/globe'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { DatasetDetails } from '../../../api/client.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { useSession } from '../../../session/context.tsx'
import { Badge, Tag } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { formatWhen, plural } from '../../../ui/format.ts'
import { PageHeader } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/overlays/toasts.ts'
import { GONE } from '../Unsaved.tsx'
import { SIZE_HINT } from '../model/filters.ts'
import { type useDeleteDataset, useLimitReason } from '../queries.ts'
import css from './Detail.module.css'

interface Props {
  readonly dataset: DatasetDetails
  readonly remove: ReturnType<typeof useDeleteDataset>
  readonly onAdd: () => void
}

/** A summary of the dataset, and actions. */
export function Header({ dataset, remove, onAdd }: Props) {
  const { scopes } = useSession()
  const { name, visibility, tags, description, tables, createdAt, updatedAt, id } = dataset
  const now = useNow()
  const rows = tables.reduce((sum, table) => sum + table.rowCount, 0)
  const bytes = tables.reduce((sum, table) => sum + table.byteSize, 0)
  const changed = updatedAt.getTime() > createdAt.getTime()
  return (
    <PageHeader
      title={name}
      aside={
        <>
          <Badge
            tone={visibility === 'public' ? 'accent' : 'neutral'}
            icon={visibility === 'public' ? <Globe aria-hidden /> : <LockKeyhole aria-hidden />}
          >
            {visibility === 'public' ? 'Public' : 'Private'}
          </Badge>
          {tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </>
      }
      actions={
        <>
          {canCreate(scopes) ? (
            <Button icon={<Plus aria-hidden />} onClick={onAdd}>
              Add tables or rows
            </Button>
          ) : null}
          <DeleteButton dataset={dataset} remove={remove} />
        </>
      }
    >
      {description ? <p className={css.description}>{description}</p> : null}
      <Facts className={css.facts}>
        <span>{plural(tables.length, 'table')}</span>
        <span>{plural(rows, 'row')}</span>
        <span title={SIZE_HINT}>{formatBytes(bytes)} stored</span>
        <span title={createdAt.toISOString()}>created {formatWhen(createdAt.getTime(), now)}</span>
        {changed ? <span title={updatedAt.toISOString()}>changed {formatWhen(updatedAt.getTime(), now)}</span> : null}
        <span className={css.id}>
          <code>{id}</code>
          <CopyButton label="Copy the dataset’s id" text={id} bare />
        </span>
      </Facts>
    </PageHeader>
  )
}

function DeleteButton({ dataset, remove }: Omit<Props, 'onAdd'>) {
  const { scopes } = useSession()
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  const limit = useLimitReason()
  const refused = canWrite(scopes, dataset.id) ? limit : NO_WRITE
  const confirm = (): void => {
    const gone = (): void => {
      toast({ title: `“${dataset.name}” was deleted`, tone: 'good' })
      void navigate('/datasets', { state: GONE })
    }
    // Not in the mutation's callbacks, which aren't called if the component unmounts first because the dataset is gone.
    remove.mutateAsync().then(gone, () => undefined)
  }
  return (
    <>
      <Button
        look="quiet"
        icon={<Trash aria-hidden />}
        disabled={refused !== null}
        aria-describedby={refused ? 'delete-refused' : undefined}
        onClick={() => setAsking(true)}
      >
        Delete dataset
      </Button>
      {refused ? (
        <p id="delete-refused" className={css.refused}>
          {refused}
        </p>
      ) : null}
      {asking ? (
        <ConfirmDialog
          open
          danger
          title={`Delete “${dataset.name}”?`}
          action="Delete dataset"
          phrase={dataset.name}
          busy={remove.isPending}
          error={remove.error ? inWords(explain(remove.error, 'It wasn’t deleted')) : null}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p>
            Its {plural(dataset.tables.length, 'table')} and all their rows are removed for good, for everyone who reads
            them. The files that they came from stay as they are.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
