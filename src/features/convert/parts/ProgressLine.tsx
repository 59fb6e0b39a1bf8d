import { timeLeft, type Pace } from '../../shared/pace.ts'
import type { ServicePhase, ServiceProgress } from '../model/job.ts'
import type { ConvertProgress, InspectProgress } from '../../../engine/client.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { formatCount, formatDuration, plural } from '../../../ui/format.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { Steps } from '../../../ui/Steps.tsx'
import css from './Card.module.css'

const share = (bytes: number, total: number): number | null => (total > 0 ? bytes / total : null)

/** Progress along the card's edge, where it takes no space. */
export function ReadingBar({ progress }: { readonly progress: InspectProgress | null }) {
  return (
    <div className={css.edge}>
      <Progress label="Reading" value={progress ? share(progress.bytes, progress.totalBytes) : null} />
    </div>
  )
}

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
  const shaping = progress?.phase === 'shape'
  const verifying = progress !== null && progress.phase !== 'convert' && !shaping
  const through = progress !== null && progress.bytes >= progress.totalBytes
  return (
    <div className={css.progress}>
      <Steps label="Steps" steps={['Convert', 'Verify', 'Download']} at={verifying ? 1 : 0} />
      <Progress
        label={progress?.phase === 'verify' ? 'Verifying' : 'Converting'}
        value={progress ? share(progress.bytes, progress.totalBytes) : null}
      />
      <p className={css.figures}>
        <span className={css.phase}>{phaseName(progress?.phase, through)}</span>
        {progress ? (
          <>
            {progress.tables > 1 ? (
              <span>
                table {progress.table + 1} of {progress.tables}
              </span>
            ) : null}
            {progress.files === undefined ? null : (
              <span>
                file {formatCount((progress.file ?? 0) + 1)} of {formatCount(progress.files)}
              </span>
            )}
            <span>{plural(progress.rows, 'row')}</span>
            {shaping ? null : (
              <span>
                {formatBytes(progress.bytes)} of {formatBytes(progress.totalBytes)}
              </span>
            )}
            {pace.rate && !through ? <span>{formatBytes(pace.rate)}/s</span> : null}
            {left === null || shaping || left < 1000 ? null : <span>{formatDuration(left)} left</span>}
          </>
        ) : null}
      </p>
    </div>
  )
}

function phaseName(phase: ConvertProgress['phase'] | undefined, through: boolean): string {
  if (phase === 'verify') return 'Reading the new file back and comparing'
  if (phase === 'shape') return 'Running the statement, and writing what it gives'
  if (phase === 'split') return 'Writing each file, reading it back and comparing'
  // Compressing a workbook or writing a Parquet footer takes time after the last bytes.
  return through ? 'Finishing the file' : 'Converting'
}

const SERVICE_STEPS: readonly { readonly phase: ServicePhase; readonly label: string; readonly doing: string }[] = [
  { phase: 'prepare', label: 'Prepare', doing: 'Making the planned table, to send it as Parquet' },
  { phase: 'sign', label: 'Sign', doing: 'Asking for a place to upload to' },
  { phase: 'upload', label: 'Upload', doing: 'Uploading' },
  { phase: 'convert', label: 'Convert', doing: 'The service is converting' },
  { phase: 'download', label: 'Download', doing: 'Downloading' },
  { phase: 'verify', label: 'Verify', doing: 'Reading the new file and comparing it with yours' },
]

/** Progress of a conversion through the service. */
export function ServiceLine({
  progress,
  pace,
  prepares,
}: {
  readonly progress: ServiceProgress | undefined
  readonly pace: Pace
  /** Whether the first step is needed. */
  readonly prepares: boolean
}) {
  const steps = SERVICE_STEPS.filter(({ phase }) => prepares || phase !== 'prepare')
  const at = Math.max(0, progress ? steps.findIndex(({ phase }) => phase === progress.phase) : 0)
  const total = progress?.totalBytes ?? null
  const bytes = progress?.bytes ?? 0
  return (
    <div className={css.progress}>
      <Steps label="Steps" steps={steps.map(({ label }) => label)} at={at} />
      <Progress label={steps[at]?.label ?? 'Converting'} value={total === null ? null : share(bytes, total)} />
      <p className={css.figures}>
        <span className={css.phase}>{steps[at]?.doing}</span>
        {total === null ? null : (
          <span>
            {formatBytes(bytes)} of {formatBytes(total)}
          </span>
        )}
        {pace.rate && total !== null && bytes < total ? <span>{formatBytes(pace.rate)}/s</span> : null}
      </p>
    </div>
  )
}
