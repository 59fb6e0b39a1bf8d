import CircleCheck from 'lucide-react/icons/circle-check'
import FileDown from 'lucide-react/icons/file-down'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect } from 'react'
import { EngineError, type EngineClient, type Output, type ResultSet } from '../../../engine/client.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { plural } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { saveFile } from '../../../ui/save.ts'
import { toast } from '../../../ui/toasts.ts'
import type { ExportFormat } from './model/export-formats.ts'
import { useExport, type ExportState } from './use-export.ts'
import css from './Result.module.css'

interface Props {
  readonly set: ResultSet
  readonly engine: EngineClient
  readonly title: string
  readonly format: ExportFormat
  /** Rows that the result lacks: the file will too. */
  readonly partial: boolean
  readonly onClose: () => void
}

/** The whole result as a file: how far it is, and the proof that it holds what the result does. */
export default function ExportDialog({ set, engine, title, format, partial, onClose }: Props) {
  const { state, start, cancel } = useExport(set, engine, title)
  useEffect(() => void start(format, format.options), [start, format])
  const save = (outputs: readonly Output[]): void => {
    for (const output of outputs) {
      engine.outputs.file(output).then(
        (file) => saveFile(file, output.name),
        (error: unknown) => toast({ title: 'The file wasn’t saved', description: words(error), tone: 'bad' }),
      )
    }
  }
  return (
    <Dialog
      title={`Export as ${format.label}`}
      description={`${plural(set.rowCount, 'row')}, ${plural(set.columns.length, 'column')}`}
      open
      onClose={onClose}
      cancel="Close"
      action={
        state.kind === 'running' ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : state.kind === 'done' ? (
          <Button look="primary" icon={<FileDown aria-hidden />} onClick={() => save(state.result.outputs)}>
            Download
          </Button>
        ) : (
          <Button look="primary" onClick={() => void start(format, format.options)}>
            Export
          </Button>
        )
      }
    >
      {partial ? (
        <Notice tone="warn" flush icon={<TriangleAlert aria-hidden />}>
          <p>Rows were left out of this result, so they aren’t in the file either.</p>
        </Notice>
      ) : null}
      <State state={state} format={format} />
    </Dialog>
  )
}

function words(error: unknown): string {
  if (error instanceof EngineError) return [error.message, error.remedy].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : 'Try again.'
}

function State({ state, format }: { readonly state: ExportState; readonly format: ExportFormat }) {
  if (state.kind === 'idle') return <p className={css.faint}>It was cancelled. Nothing was kept.</p>
  if (state.kind === 'failed') {
    return (
      <Notice tone="bad" live="alert" flush icon={<TriangleAlert aria-hidden />}>
        <p>The result wasn’t exported. {words(state.error)}</p>
      </Notice>
    )
  }
  if (state.kind === 'running') {
    const { progress } = state
    const label = progress?.phase === 'verify' ? 'Reading the file back and comparing' : 'Writing the file'
    return (
      <div className={css.running}>
        <Progress
          label={label}
          value={progress && progress.totalBytes > 0 ? progress.bytes / progress.totalBytes : null}
        />
        <p className={css.faint}>
          {label}
          {progress ? `: ${plural(progress.rows, 'row')}` : ''}
        </p>
      </div>
    )
  }
  const { result } = state
  const [output] = result.outputs
  const [receipt] = output?.receipts ?? []
  if (!output || !receipt) return null
  const changes = [...new Set(receipt.changes.map(({ message }) => message))]
  return (
    <section aria-label="Receipt">
      <Notice tone={result.rejectedCount > 0 ? 'warn' : 'good'} live="status" flush icon={<CircleCheck aria-hidden />}>
        <p>
          <strong>
            {output.name}, {formatBytes(output.size)}
          </strong>
        </p>
        <p>
          Read back as {format.label} and compared: {plural(receipt.found.rows, 'row')} and{' '}
          {plural(receipt.found.columns.length, 'column')} hold the same values as the result.
        </p>
        {changes.slice(0, 5).map((message) => (
          <p key={message} className={css.faint}>
            {message}
          </p>
        ))}
        {changes.length > 5 ? <p className={css.faint}>and {plural(changes.length - 5, 'more change')}</p> : null}
      </Notice>
    </section>
  )
}
