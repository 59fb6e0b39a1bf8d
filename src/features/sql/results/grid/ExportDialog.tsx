import FileDown from 'lucide-react/icons/file-down'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect } from 'react'
import { EngineError, type EngineClient, type Output, type ResultSet } from '../../../../engine/client.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ExportReceipt, ExportRunning } from '../../../../ui/FileExport.tsx'
import { plural } from '../../../../ui/format.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { saveFile } from '../../../../ui/save.ts'
import { toast } from '../../../../ui/toasts.ts'
import { type ExportFormat, useExport, type ExportState } from './export.ts'
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
  if (state.kind === 'running') return <ExportRunning progress={state.progress} />
  const { result } = state
  const [output] = result.outputs
  const [receipt] = output?.receipts ?? []
  if (!output || !receipt) return null
  return (
    <ExportReceipt
      name={output.name}
      size={output.size}
      format={format.label}
      source="as the result"
      rows={receipt.found.rows}
      columns={receipt.found.columns.length}
      rejected={result.rejectedCount}
      changes={[...receipt.notes, ...receipt.changes].map(({ message }) => message)}
    />
  )
}
