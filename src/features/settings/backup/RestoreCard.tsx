import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import { useRef, useState } from 'react'
import { formatBytes } from '../../../lib/bytes.ts'
import type { BackupContents } from '../../../session/session.ts'
import { useSession } from '../../../session/context.tsx'
import { announce } from '../../../ui/overlays/announce.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { plural } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { Card } from '../parts.tsx'
import { useWorkspaces } from '../use-console.ts'
import { formatDay } from '../keys/expiry.ts'
import { type Task, TaskProgress, useTask } from './use-task.tsx'
import css from '../Settings.module.css'
import own from './Backup.module.css'

/** Most notes in the message: nobody would read more. */
const SHOWN_NOTES = 3

interface Looked {
  readonly file: File
  readonly contents: BackupContents
}

/** Replaces everything with a backup, after the person has seen what that means. */
export function RestoreCard({ reason }: { readonly reason: string | undefined }) {
  const { local } = useSession()
  const looking = useTask()
  const restoring = useTask()
  const [looked, setLooked] = useState<Looked | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const look = (file: File): void =>
    looking.start(async (options) => {
      if (!local) return
      const contents = await local.inspectBackup(file, options)
      options.signal.throwIfAborted()
      setLooked({ file, contents })
    })
  const restore = ({ file }: Looked): void =>
    restoring.start(async (options) => {
      if (!local) return
      const { datasets, workspaces, extras, notes } = await local.restore(file, options)
      setLooked(null)
      announce('Backup restored')
      toast({
        title: 'Backup restored',
        description: [
          `${[plural(workspaces.length, 'workspace'), plural(datasets, 'dataset'), ...extras].join(', ')}.`,
          ...notes.slice(0, SHOWN_NOTES),
          ...(notes.length > SHOWN_NOTES ? [`And ${notes.length - SHOWN_NOTES} more like these.`] : []),
        ].join(' '),
      })
    })
  return (
    <Card
      title="Restore a backup"
      foot={
        looking.running ? (
          <TaskProgress label="Checking the backup" task={looking} />
        ) : (
          <>
            <Button
              icon={<ArchiveRestore aria-hidden />}
              disabled={!local}
              aria-describedby={reason}
              onClick={() => input.current?.click()}
            >
              Choose a backup…
            </Button>
            <input
              ref={input}
              type="file"
              accept=".zip,application/zip"
              aria-label="Backup file"
              className="visually-hidden"
              tabIndex={-1}
              disabled={!local}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                event.currentTarget.value = ''
                if (file) look(file)
              }}
            />
          </>
        )
      }
    >
      <p className={css.words}>
        A backup <strong>replaces all workspaces, datasets and keys</strong>: you see first what’s in the file and what
        goes. Recipes, and what SQL keeps, are added to what’s here. All of it is checked before anything changes.
      </p>
      {looking.error ? (
        <ProblemNotice problem={looking.error}>
          <p>Nothing was changed.</p>
        </ProblemNotice>
      ) : null}
      {looked ? (
        <RestoreDialog
          looked={looked}
          task={restoring}
          onRestore={() => restore(looked)}
          onClose={() => {
            restoring.cancel()
            setLooked(null)
          }}
        />
      ) : null}
    </Card>
  )
}

interface DialogProps {
  readonly looked: Looked
  readonly task: Task
  readonly onRestore: () => void
  readonly onClose: () => void
}

function RestoreDialog({ looked: { file, contents }, task, onRestore, onClose }: DialogProps) {
  const { workspaces, datasets, tables, bytes, keys, extras } = contents
  return (
    <Dialog
      title="Restore this backup?"
      description={`“${file.name}”, made ${formatDay(contents.createdAt.getTime())} by Rowhouse ${contents.appVersion}`}
      open
      onClose={onClose}
      action={
        <Button look="danger" disabled={task.running} onClick={onRestore}>
          Replace everything
        </Button>
      }
    >
      <div className={own.sides}>
        <section className={own.side}>
          <h3>In the backup</h3>
          <p>
            {plural(workspaces.length, 'workspace')}, {plural(datasets, 'dataset')} with {plural(tables, 'table')} (
            {formatBytes(bytes)}), {plural(keys, 'API key')}
          </p>
          <ul>
            {workspaces.slice(0, 8).map(({ name, slug, datasets: count }) => (
              <li key={slug}>
                {name} <span>{plural(count, 'dataset')}</span>
              </li>
            ))}
            {workspaces.length > 8 ? <li>and {workspaces.length - 8} more</li> : null}
          </ul>
          {extras.length > 0 ? (
            <>
              <p>Added to what’s here:</p>
              <ul>
                {extras.map((what) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
            </>
          ) : null}
        </section>
        <Replaced />
      </div>
      <p className={css.words}>
        It can’t be undone. Keys that aren’t in the backup stop working; this app makes itself a new one where it needs
        it.
      </p>
      {task.running ? <TaskProgress label="Restoring" task={task} /> : null}
      {task.error ? <ProblemNotice problem={task.error} /> : null}
    </Dialog>
  )
}

/** What would be replaced. */
function Replaced() {
  const workspaces = useWorkspaces().data ?? []
  return (
    <section className={own.side} data-tone="bad">
      <h3>Is replaced</h3>
      <p>What the service holds in this browser now:</p>
      <ul>
        {workspaces.slice(0, 8).map(({ id, name }) => (
          <li key={id}>{name}, with its datasets and keys</li>
        ))}
        {workspaces.length > 8 ? <li>and {workspaces.length - 8} more</li> : null}
      </ul>
    </section>
  )
}
