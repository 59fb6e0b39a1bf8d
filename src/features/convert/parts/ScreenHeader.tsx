import Download from 'lucide-react/icons/download'
import { Button } from '../../../ui/Button.tsx'
import { plural } from '../../../ui/format.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import type { StoredJob } from '../context.tsx'
import { canConvert, isBusy, isHeld, type Job } from '../model/job.ts'
import { useQueueActions } from '../queue-actions.ts'
import { AddFiles } from './AddFiles.tsx'
import { CombineButton, SelectAll } from './Selection.tsx'
import css from '../ConvertScreen.module.css'

interface Props {
  readonly live: readonly Job[]
  readonly stored: readonly StoredJob[]
}

/** The queue as a whole: what state it's in, and what can be done with all of it. */
export function ScreenHeader({ live, stored }: Props) {
  const { convertAll, downloadAll, cancelAll, clearFinished } = useQueueActions()
  const open = live.filter((job) => canConvert(job) || (job.stage.kind === 'reading' && !job.wanted)).length
  const busy = live.filter((job) => isBusy(job) || job.wanted).length
  const results = [
    ...live.map((job) => (job.stage.kind === 'done' ? job.result : null)),
    ...stored.map(({ record, state }) => (state === 'finished' ? record.result : null)),
  ].filter((result) => result !== null)
  const ready = results.filter((result) => !isHeld(result)).length
  return (
    <PageHeader
      title="Convert"
      summary={summary(live.filter(({ combination }) => !combination).length + stored.length, busy, results.length)}
      className={css.header}
      aside={
        <>
          <SelectAll live={live} />
          {results.length > 0 ? (
            <Button size="small" look="quiet" className={css.clear} onClick={clearFinished}>
              Clear finished
            </Button>
          ) : null}
        </>
      }
      actions={
        <>
          <AddFiles />
          <CombineButton live={live} />
          {busy > 1 ? <Button onClick={cancelAll}>Cancel all</Button> : null}
          <Button onClick={downloadAll} disabled={ready === 0} icon={<Download aria-hidden />}>
            Download all
          </Button>
          <Button look={open > 1 ? 'primary' : 'secondary'} onClick={convertAll} disabled={open === 0}>
            Convert all
          </Button>
        </>
      }
    />
  )
}

function summary(files: number, busy: number, finished: number): string {
  const parts = [plural(files, 'file')]
  if (busy > 0) parts.push(`${busy} under way`)
  if (finished > 0) parts.push(`${finished} converted`)
  return parts.join(' · ')
}
