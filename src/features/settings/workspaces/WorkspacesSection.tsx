import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useId, useState } from 'react'
import type { Workspace } from '../../../contract/schemas.ts'
import { PLAN_LIMITS } from '../../../contract/limits.ts'
import { useSession, useSessionStore } from '../../../session/context.tsx'
import { announce } from '../../../ui/overlays/announce.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { formatCount, formatWhen } from '../../../ui/format.ts'
import { Card, ConsoleSection, placeOf } from '../parts.tsx'
import { useAction, useWorkspaces } from '../use-console.ts'
import { DeleteWorkspace } from './DeleteWorkspace.tsx'
import { WorkspaceDialog } from './WorkspaceDialog.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import css from '../Settings.module.css'
import { capitalized } from '../../../lib/text.ts'

type Asking = { readonly what: 'create' } | { readonly what: 'edit' | 'delete'; readonly workspace: Workspace } | null

export default function WorkspacesSection() {
  const { connection } = useSession()
  const workspaces = useWorkspaces()
  const [asking, setAsking] = useState<Asking>(null)
  const all = workspaces.data ?? []
  const close = (): void => setAsking(null)
  return (
    <>
      <ConsoleSection
        id="workspaces"
        action="New workspace"
        what="its workspaces"
        onAction={() => setAsking({ what: 'create' })}
      >
        <Card title={`Workspaces ${placeOf(connection)}`} flush>
          {workspaces.error ? (
            <div className={css.cardBody}>
              <ProblemNotice problem={workspaces.error} />
            </div>
          ) : null}
          <ul className={css.list}>
            {all.map((workspace) => (
              <WorkspaceRow
                key={workspace.id}
                workspace={workspace}
                only={all.length === 1}
                onEdit={() => setAsking({ what: 'edit', workspace })}
                onDelete={() => setAsking({ what: 'delete', workspace })}
              />
            ))}
          </ul>
        </Card>
      </ConsoleSection>
      {asking?.what === 'create' ? <WorkspaceDialog workspace={null} others={all} onClose={close} /> : null}
      {asking?.what === 'edit' ? <WorkspaceDialog workspace={asking.workspace} others={all} onClose={close} /> : null}
      {asking?.what === 'delete' ? <DeleteWorkspace workspace={asking.workspace} onClose={close} /> : null}
    </>
  )
}

interface RowProps {
  readonly workspace: Workspace
  /** Whether it's the only workspace. */
  readonly only: boolean
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function WorkspaceRow({ workspace, only, onEdit, onDelete }: RowProps) {
  const { workspaceId, local } = useSession()
  const store = useSessionStore()
  const now = useNow()
  const reason = useId()
  const title = useId()
  const { id, name, slug, plan, created_at } = workspace
  const open = useAction(async () => {
    await store.switchWorkspace(id)
    announce(`Workspace ${name} is open`)
  }, ['datasets'])
  const current = id === workspaceId
  const kept = only
    ? 'It can’t be deleted as long as it’s the only one.'
    : current && !local
      ? 'It’s the one that’s open: switch to another one to delete it.'
      : null
  return (
    <li className={css.row} aria-labelledby={title}>
      <div className={css.rowMain}>
        <p className={css.rowName}>
          <span id={title}>{name}</span>
          {current ? <Badge tone="accent">Open</Badge> : null}
        </p>
        <Facts>
          <span>
            In SQL: <code>{slug}</code>
          </span>
          <span>
            {capitalized(plan)}: {formatCount(PLAN_LIMITS[plan].hour)} requests an hour
          </span>
          <span>Created {formatWhen(Date.parse(created_at), now)}</span>
        </Facts>
        {open.error ? <ProblemNotice problem={open.error} /> : null}
        {kept ? (
          <p id={reason} className={css.reason}>
            {kept}
          </p>
        ) : null}
      </div>
      <div className={css.rowActions}>
        {current ? null : (
          <Button
            size="small"
            aria-label={`Switch to ${name}`}
            disabled={open.busy}
            onClick={() => void open.run(undefined)}
          >
            Switch
          </Button>
        )}
        <Button size="small" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          size="small"
          look="danger"
          aria-label={`Delete ${name}`}
          aria-describedby={kept ? reason : undefined}
          disabled={kept !== null}
          onClick={onDelete}
        >
          Delete
        </Button>
      </div>
    </li>
  )
}
