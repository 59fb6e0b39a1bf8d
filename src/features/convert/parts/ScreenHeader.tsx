import Download from 'lucide-react/icons/download'
import { Button } from '../../../ui/Button.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { PageHeader } from '../../../ui/Page.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useConvert, type StoredJob } from '../context.tsx'
import { isHeld, jobsToCancel, jobsToConvert, type Job, type JobResult } from '../model/job.ts'
import { useQueueActions } from '../queue-actions.ts'
import { AddFiles } from './AddFiles.tsx'
import { SelectionBar } from './selection/SelectionBar.tsx'
import css from '../ConvertScreen.module.css'

interface Props {
  readonly live: readonly Job[]
  readonly stored: readonly StoredJob[]
}

/** The state of the whole queue, and actions for all of it. */
export function ScreenHeader({ live, stored }: Props) {
  const { convertAll, downloadAll, cancelAll, clearFinished } = useQueueActions()
  const open = jobsToConvert(live).length
  const reading = live.filter(({ stage }) => stage.kind === 'reading').length
  const { receiptChecks } = useConvert()
  const receipts = useStore(receiptChecks).length
  /** A single file has these actions on its card. */
  const several = live.length + stored.length > 1
  const busy = jobsToCancel(live).length
  const failed =
    live.filter(({ stage }) => stage.kind === 'failed').length + stored.filter(({ state }) => state === 'failed').length
  const files = live.filter(({ combination }) => !combination)
  const storedResults = stored.flatMap(({ record, state }) => (state === 'finished' && record.result) || [])
  const results = [...resultsOf(live), ...storedResults]
  const ready = results.filter((result) => !isHeld(result)).length
  return (
    <PageHeader
      title="Convert"
      summary={summary(
        files.length + stored.length,
        receipts,
        reading,
        busy,
        resultsOf(files).length + storedResults.length,
        failed,
      )}
      className={css.header}
      aside={
        several && results.length > 0 ? (
          <Button size="small" look="quiet" className={css.clear} onClick={clearFinished}>
            Clear finished
          </Button>
        ) : null
      }
      actions={
        <>
          <AddFiles />
          {busy > 1 ? <Button onClick={cancelAll}>Cancel all</Button> : null}
          {several ? (
            <Button
              look={open === 0 && ready > 0 ? 'primary' : 'secondary'}
              onClick={downloadAll}
              disabled={ready === 0}
              icon={<Download aria-hidden />}
            >
              Download all
            </Button>
          ) : null}
          {live.length > 1 ? (
            <Button look={open > 0 ? 'primary' : 'secondary'} onClick={convertAll} disabled={open === 0}>
              Convert all
            </Button>
          ) : null}
        </>
      }
    >
      <SelectionBar live={live} />
    </PageHeader>
  )
}

const resultsOf = (jobs: Props['live']): JobResult[] =>
  jobs.flatMap(({ stage, result }) => (stage.kind === 'done' && result) || [])

function summary(
  files: number,
  receipts: number,
  reading: number,
  busy: number,
  finished: number,
  failed: number,
): string {
  const parts = files > 0 || receipts === 0 ? [plural(files, 'file')] : []
  if (receipts > 0) parts.push(plural(receipts, 'receipt'))
  if (reading > 0) parts.push(`${formatCount(reading)} being read`)
  if (busy > 0) parts.push(`${busy} under way`)
  if (finished > 0) parts.push(`${formatCount(finished)} converted`)
  if (failed > 0) parts.push(`${formatCount(failed)} failed`)
  return parts.join(' · ')
}
