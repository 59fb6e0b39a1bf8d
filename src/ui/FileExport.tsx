import CircleCheck from 'lucide-react/icons/circle-check'
import { formatBytes } from '../lib/bytes.ts'
import { plural } from './format.ts'
import { Notice } from './Notice.tsx'
import { Progress } from './Progress.tsx'
import css from './FileExport.module.css'

interface RunningProps {
  /** Null until the first word of it. */
  readonly progress: {
    readonly phase: 'convert' | 'verify'
    readonly rows: number
    readonly bytes: number
    readonly totalBytes: number
  } | null
}

/** How far a file is that is made for downloading. */
export function ExportRunning({ progress }: RunningProps) {
  const words = progress?.phase === 'verify' ? 'Reading the file back and comparing' : 'Writing the file'
  return (
    <div className={css.running}>
      <Progress
        label={words}
        value={progress && progress.totalBytes > 0 ? progress.bytes / progress.totalBytes : null}
      />
      <p className={css.faint}>
        {words}
        {progress ? `: ${plural(progress.rows, 'row')}` : ''}
      </p>
    </div>
  )
}

interface ReceiptProps {
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** What the format is called. */
  readonly format: string
  /** What it was made of: `as the table`. */
  readonly source: string
  readonly rows: number
  readonly columns: number
  /** Rows that couldn't be read. */
  readonly rejected: number
  /** What the file holds otherwise than its source; each is shown once. */
  readonly changes: readonly string[]
}

const SHOWN_CHANGES = 20

/** The proof that a file holds what it was made of. */
export function ExportReceipt({ name, size, format, source, rows, columns, rejected, changes }: ReceiptProps) {
  const different = [...new Set(changes)]
  return (
    <section aria-label="Receipt">
      <Notice tone={rejected > 0 ? 'warn' : 'good'} live="status" flush icon={<CircleCheck aria-hidden />}>
        <p>
          <strong>
            {name}, {formatBytes(size)}
          </strong>
        </p>
        <p>
          Read back as {format} and compared: {plural(rows, 'row')} and {plural(columns, 'column')} hold the same values{' '}
          {source}.
        </p>
        {rejected > 0 ? <p>{plural(rejected, 'row')} couldn’t be read and isn’t in it.</p> : null}
        {different.slice(0, SHOWN_CHANGES).map((change) => (
          <p key={change} className={css.faint}>
            {change}
          </p>
        ))}
        {different.length > SHOWN_CHANGES ? (
          <p className={css.faint}>and {plural(different.length - SHOWN_CHANGES, 'more change')}</p>
        ) : null}
      </Notice>
    </section>
  )
}
