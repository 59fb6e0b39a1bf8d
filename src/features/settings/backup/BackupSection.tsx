import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { saveFile } from '../../../ui/save.ts'
import Download from 'lucide-react/icons/download'
import { useId, useState } from 'react'
import { formatBytes } from '../../../lib/bytes.ts'
import { useSession } from '../../../session/context.tsx'
import { announce } from '../../../ui/overlays/announce.tsx'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/overlays/toasts.ts'
import { Card, ConfirmAction, placeOf, RemoteNotice, SectionHeading } from '../parts.tsx'
import { RestoreCard } from './RestoreCard.tsx'
import { TaskProgress, useTask } from './use-task.tsx'
import Trash from 'lucide-react/icons/trash-2'
import css from '../Settings.module.css'

export default function BackupSection() {
  const { local, connection } = useSession()
  const reason = useId()
  return (
    <>
      <SectionHeading id="backup" />
      {local ? null : (
        <div id={reason}>
          <RemoteNotice>
            What is {placeOf(connection)} is backed up there; on a Rowhouse server by <code>rowhouse backup FILE</code>.
          </RemoteNotice>
        </div>
      )}
      <DownloadCard reason={local ? undefined : reason} />
      <RestoreCard reason={local ? undefined : reason} />
      <EraseCard reason={local ? undefined : reason} />
    </>
  )
}

function DownloadCard({ reason }: { readonly reason: string | undefined }) {
  const { local } = useSession()
  const task = useTask()
  const download = (): void =>
    task.start(async (options) => {
      if (!local) return
      const file = await local.backup(options)
      saveFile(file, file.name)
      announce('Backup downloaded')
      toast({ title: 'Backup made', description: `${file.name}, ${formatBytes(file.size)}` })
    })
  return (
    <Card
      title="Download a backup"
      foot={
        task.running ? (
          <TaskProgress label="Making the backup" task={task} />
        ) : (
          <Button
            look="primary"
            icon={<Download aria-hidden />}
            disabled={!local}
            aria-describedby={reason}
            onClick={download}
          >
            Download backup
          </Button>
        )
      }
    >
      <p className={css.words}>
        One file with <strong>all workspaces, datasets and recipes</strong> of this browser, with SQL’s tabs, saved
        queries, history and local tables, and the fingerprints of the API keys (keys themselves aren’t kept anywhere).
        Uploads and conversions aren’t in it.
      </p>
      <p className={css.words}>
        It isn’t encrypted: whoever has the file can read your tables and queries. Keep it where you’d keep those.
      </p>
      <p className={css.words}>
        It also moves all of it to a Rowhouse server, but for recipes and what SQL keeps:{' '}
        <code>rowhouse restore FILE</code> there takes the file. <code>rowhouse backup FILE</code> there makes one of a
        server, which can be restored here.
      </p>
      {task.error ? <ProblemNotice problem={task.error} /> : null}
    </Card>
  )
}

/** Removes everything that Rowhouse stores in this browser. */
function EraseCard({ reason }: { readonly reason: string | undefined }) {
  const { local } = useSession()
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Erase everything"
      foot={
        <Button
          look="danger"
          icon={<Trash aria-hidden />}
          disabled={!local}
          aria-describedby={reason}
          onClick={() => setOpen(true)}
        >
          Erase everything…
        </Button>
      }
    >
      <p className={css.words}>
        Removes all that Rowhouse keeps in this browser: workspaces, datasets, keys, conversions, recipes, local tables,
        queries, settings, and the app’s own files for offline use.
      </p>
      <ConfirmAction
        title="Erase everything?"
        action="Erase everything"
        danger
        phrase="erase"
        open={open}
        work={async () => {
          await local?.erase()
          // Starts again as on a first visit.
          location.reload()
        }}
        onClose={() => setOpen(false)}
      >
        <ul className={css.consequences}>
          <li>
            <strong>All datasets of all workspaces</strong>, all keys, all conversions, and all that SQL keeps in this
            browser are gone.
          </li>
          <li>Programs that use a key of this browser are refused.</li>
          <li>A backup that you downloaded is the only way back. Files that you downloaded stay.</li>
          <li>The page starts again, and so do other tabs of Rowhouse.</li>
        </ul>
      </ConfirmAction>
    </Card>
  )
}
