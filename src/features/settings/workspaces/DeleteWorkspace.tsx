import type { Workspace } from '../../../contract/schemas.ts'
import { useSession } from '../../../session/context.tsx'
import { formatBytes } from '../../../lib/bytes.ts'
import { plural } from '../../../ui/format.ts'
import { ConfirmAction } from '../parts.tsx'
import { useUsageOf } from '../use-console.ts'
import css from '../Settings.module.css'

/** Deletes a workspace with its contents, after its name was typed. */
export function DeleteWorkspace({
  workspace,
  onClose,
}: {
  readonly workspace: Workspace
  readonly onClose: () => void
}) {
  const { console, workspaceId } = useSession()
  const { data } = useUsageOf(workspace.id)
  return (
    <ConfirmAction
      title={`Delete “${workspace.name}”?`}
      action="Delete workspace"
      danger
      phrase={workspace.name}
      open
      work={async () => console?.deleteWorkspace(workspace.id)}
      topics={['workspaces', 'datasets', 'keys']}
      done={`Workspace ${workspace.name} deleted`}
      onClose={onClose}
    >
      <ul className={css.consequences}>
        <li>
          {data ? (
            <>
              <strong>
                {plural(data.storage.dataset_count, 'dataset')} with {plural(data.storage.table_count, 'table')} (
                {formatBytes(data.storage.used_bytes)})
              </strong>{' '}
              and {plural(data.keys.length, 'key')} go with it.
            </>
          ) : (
            'Its datasets and keys go with it.'
          )}
        </li>
        <li>It can’t be undone: a backup made before is the only way back.</li>
        {workspace.id === workspaceId ? <li>It’s the one that’s open: another one is opened instead.</li> : null}
      </ul>
    </ConfirmAction>
  )
}
