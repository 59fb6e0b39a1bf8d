import type { ConvertProgress, InspectProgress } from '../../../engine/client.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { formatDuration, plural } from '../../../ui/format.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { timeLeft, type Pace } from '../model/pace.ts'
import css from './Card.module.css'

const share = (bytes: number, total: number): number | null => (total > 0 ? bytes / total : null)

export function ReadingLine({
  progress,
  wanted,
}: {
  readonly progress: InspectProgress | null
  readonly wanted: boolean
}) {
  return (
    <div className={css.progress}>
      <Progress label="Reading" value={progress ? share(progress.bytes, progress.totalBytes) : null} />
      <p className={css.figures}>
        <span className={css.phase}>Reading all of it, to be sure of every column</span>
        {progress ? (
          <>
            <span>{plural(progress.rows, 'row')}</span>
            <span>
              {formatBytes(progress.bytes)} of {formatBytes(progress.totalBytes)}
            </span>
          </>
        ) : null}
        {wanted ? <span>Converts when that is done</span> : null}
      </p>
    </div>
  )
}

export function ConvertingLine({ progress, pace }: { readonly progress: ConvertProgress | null; readonly pace: Pace }) {
  const left = progress ? timeLeft(pace, progress.bytes, progress.totalBytes) : null
  const verifying = progress?.phase === 'verify'
  const through = progress !== null && progress.bytes >= progress.totalBytes
  return (
    <div className={css.progress}>
      <Steps verifying={verifying} />
      <Progress
        label={verifying ? 'Verifying' : 'Converting'}
        value={progress ? share(progress.bytes, progress.totalBytes) : null}
      />
      <p className={css.figures}>
        <span className={css.phase}>{phaseName(verifying, through)}</span>
        {progress ? (
          <>
            {progress.tables > 1 ? (
              <span>
                table {progress.table + 1} of {progress.tables}
              </span>
            ) : null}
            <span>{plural(progress.rows, 'row')}</span>
            <span>
              {formatBytes(progress.bytes)} of {formatBytes(progress.totalBytes)}
            </span>
            {pace.rate && !through ? <span>{formatBytes(pace.rate)}/s</span> : null}
            {left === null || left < 1000 ? null : <span>{formatDuration(left)} left</span>}
          </>
        ) : null}
      </p>
    </div>
  )
}

function phaseName(verifying: boolean, through: boolean): string {
  if (verifying) return 'Reading the new file back and comparing'
  // A workbook is packed, a Parquet file gets its footer: that takes a while, and no bytes are left to count.
  return through ? 'Finishing the file' : 'Converting'
}

function Steps({ verifying }: { readonly verifying: boolean }) {
  return (
    <ol className={css.steps} aria-label="Steps">
      <li data-state={verifying ? 'done' : 'now'} aria-current={verifying ? undefined : 'step'}>
        Convert
      </li>
      <li data-state={verifying ? 'now' : 'next'} aria-current={verifying ? 'step' : undefined}>
        Verify
      </li>
      <li data-state="next">Download</li>
    </ol>
  )
}
