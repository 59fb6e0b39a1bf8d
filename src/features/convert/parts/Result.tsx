import { useNow } from '../../../ui/hooks/use-now.ts'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import FileDown from 'lucide-react/icons/file-down'
import { useState } from 'react'
import { formatInfo } from '../../../contract/formats.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { Button } from '../../../ui/Button.tsx'
import { formatCount, formatWhen } from '../../../ui/format.ts'
import { isHeld, type JobResult } from '../model/job.ts'
import { failedChecks, whyHeld } from '../../../tables/outputs.ts'
import { useDownload } from '../queue-actions.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { RejectedRowsTable } from '../../shared/RejectedRowsTable.tsx'
import { CheckList } from './CheckList.tsx'
import { Receipt } from './Receipt.tsx'
import panel from '../panels/Panel.module.css'
import css from './Card.module.css'

interface Props {
  readonly fileName: string
  readonly result: JobResult
  /** Whether settings have changed since the conversion. */
  readonly stale: boolean
  readonly open: boolean
  /** Shows the rejected rows; without it they're shown here. */
  readonly onReview?: (() => void) | undefined
  readonly onAgree: () => void
}

const SHOWN = 20

/** The result of a conversion: its files, rejected rows, and the receipt. */
export function Result({ fileName, result, stale, open, onReview, onAgree }: Props) {
  const [reviewing, setReviewing] = useState(false)
  const download = useDownload()
  const now = useNow()
  const held = isHeld(result)
  const several = result.outputs.length > 1 || stale
  return (
    <div className={css.result}>
      {stale ? (
        <p className={css.quiet}>
          Below is what was made {formatWhen(result.finishedAt, now)} as {formatInfo(result.target).displayName}, with
          the settings of then. It’s kept until the next conversion is done.
        </p>
      ) : null}
      {held ? <Held result={result} onReview={onReview ?? (() => setReviewing(!reviewing))} onAgree={onAgree} /> : null}
      {held && reviewing ? (
        <div className={css.details}>
          <RejectedRowsTable rows={result.rejected} />
          <p className={panel.foot}>
            {result.rejectedCount > result.rejected.length
              ? `The first ${result.rejected.length} of ${formatCount(result.rejectedCount)}. All of them can be downloaded as CSV.`
              : `All ${formatCount(result.rejectedCount)} of them. They’re set aside unchanged, never dropped silently.`}
          </p>
        </div>
      ) : null}
      {!held && result.rejectedFile ? (
        <p className={css.quiet}>
          {whyHeld(result)}. <RejectedDownload file={result.rejectedFile} />
        </p>
      ) : null}
      {several ? (
        <ul className={css.outputs} aria-label="Files made">
          {result.outputs.slice(0, SHOWN).map((output) => (
            <li key={output.id}>
              <span className={css.outputName}>{output.name}</span>
              <span className={css.outputSize}>{formatBytes(output.size)}</span>
              <Button
                size="small"
                look="quiet"
                icon={<FileDown aria-hidden />}
                disabled={held}
                aria-label={`Save ${output.name}`}
                onClick={() => download([output], output.name)}
              >
                Save
              </Button>
            </li>
          ))}
          {result.outputs.length > SHOWN ? (
            <li>and {formatCount(result.outputs.length - SHOWN)} more, all in the ZIP file that “Download” gives.</li>
          ) : null}
        </ul>
      ) : null}
      <Receipt fileName={fileName} result={result} open={open} />
    </div>
  )
}

function RejectedDownload({ file }: { readonly file: JobResult['outputs'][number] }) {
  const download = useDownload()
  return (
    <Button size="small" onClick={() => download([file], file.name)}>
      Download rejected rows
    </Button>
  )
}

interface HeldProps extends Pick<Props, 'result' | 'onAgree'> {
  readonly onReview: () => void
}

function Held({ result, onReview, onAgree }: HeldProps) {
  const { rejectedFile, rejectedCount } = result
  const failed = failedChecks(result)
  return (
    <Notice
      tone="warn"
      live="alert"
      icon={<TriangleAlert aria-hidden />}
      actions={
        <>
          {rejectedCount > 0 ? (
            <Button size="small" onClick={onReview}>
              Review rows
            </Button>
          ) : null}
          {rejectedFile ? <RejectedDownload file={rejectedFile} /> : null}
          <Button
            size="small"
            onClick={(event) => {
              const card = event.currentTarget.closest('section')
              onAgree()
              // This button disappears; the next step is the card's download.
              requestAnimationFrame(() => card?.querySelector<HTMLButtonElement>('header button')?.focus())
            }}
          >
            {rejectedCount > 0 ? 'Use the file without them' : 'Use the file anyway'}
          </Button>
        </>
      }
    >
      <p>
        <strong>{whyHeld(result)}</strong>
      </p>
      <CheckList checks={failed} />
      <p>
        {rejectedCount > 0
          ? 'Look at them first: the file is held until you accept it without them.'
          : 'The file is held until you accept it as it is.'}
      </p>
    </Notice>
  )
}
