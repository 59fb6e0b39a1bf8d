import FileDown from 'lucide-react/icons/file-down'
import { useCallback, type ReactNode } from 'react'
import type { TargetFormat } from '../../contract/formats.ts'
import type { ConvertProgress, ConvertResult, EngineClient } from '../../engine/client.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { groupNotes } from '../../tables/changes/note-groups.ts'
import type { ImportPlan, Note, WriteOptions } from '../../tables/plan.ts'
import { announce } from '../../ui/overlays/announce.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { plural } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { saveFile } from '../../ui/save.ts'
import { toastProblem } from '../../ui/overlays/toasts.ts'
import { useTask, type TaskState } from '../../ui/hooks/use-task.ts'
import { explain } from './problem.ts'
import { NoteText } from './NoteText.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import css from './ExportDialog.module.css'

/** The source of an export. */
export interface ExportSource {
  readonly file: File
  readonly plan: ImportPlan
  /** Whether rows are missing. */
  readonly partial: boolean
}

/** An exported file, with its properties. */
interface Exported {
  readonly target: TargetFormat
  readonly result: ConvertResult
  readonly partial: boolean
}

/** Exports a file like a conversion. Its output is removed when the caller unmounts. */
export function useExport(engine: EngineClient, sourceOf: (signal: AbortSignal) => Promise<ExportSource>) {
  const discard = useCallback(
    async ({ result }: Exported) => {
      for (const { id } of result.outputs) await engine.outputs.remove(id)
    },
    [engine],
  )
  const { state, start: begin, cancel } = useTask<ConvertProgress, Exported>(discard)
  const start = useCallback(
    (target: TargetFormat, options: WriteOptions): Promise<void> =>
      begin(async (signal, onProgress) => {
        const { file, plan, partial } = await sourceOf(signal)
        signal.throwIfAborted()
        const request = { jobId: crypto.randomUUID(), plan, target, options }
        const result = await engine.convert(file, request, { signal, onProgress })
        announce('The file is ready')
        return { target, result, partial }
      }),
    [begin, engine, sourceOf],
  )
  return { state, start, cancel }
}

interface Props {
  readonly title: string
  readonly description: string
  readonly engine: EngineClient
  readonly state: TaskState<ConvertProgress, Exported>
  /** Whether the exported file has the current choices. */
  readonly ready: boolean
  /** Title of the error: “The table wasn’t exported”. */
  readonly failure: string
  /** Shown before there's a file. */
  readonly idle?: ReactNode
  /** Describes the exported file: its format, and its source (`as the table`). */
  readonly describe: (made: Exported) => { readonly format: string; readonly source: string; readonly notes: boolean }
  readonly onExport: () => void
  readonly onCancel: () => void
  readonly onClose: () => void
  /** Choices, and what to know before. */
  readonly children: ReactNode
}

/** Exports rows to a file: shows progress, and a receipt. */
export function ExportDialog(props: Props) {
  const { title, description, engine, state, ready, onExport, onCancel, onClose, children } = props
  const save = ({ outputs }: ConvertResult): void => {
    for (const output of outputs) {
      engine.outputs.file(output).then(
        (file) => saveFile(file, output.name),
        (error: unknown) => toastProblem(explain(error, 'The file wasn’t saved')),
      )
    }
  }
  return (
    <Dialog
      title={title}
      description={description}
      open
      onClose={onClose}
      cancel="Close"
      action={
        state.kind === 'running' ? (
          <Button onClick={onCancel}>Cancel</Button>
        ) : state.kind === 'done' && ready ? (
          <Button look="primary" icon={<FileDown aria-hidden />} onClick={() => save(state.result.result)}>
            Download
          </Button>
        ) : (
          <Button look="primary" onClick={onExport}>
            Export
          </Button>
        )
      }
    >
      {children}
      <State {...props} />
    </Dialog>
  )
}

function State({ state, failure, idle = null, describe }: Pick<Props, 'state' | 'failure' | 'idle' | 'describe'>) {
  if (state.kind === 'idle') return idle
  if (state.kind === 'failed') return <ProblemNotice problem={explain(state.error, failure)} />
  if (state.kind === 'running') return <ExportRunning progress={state.progress} />
  const { result } = state.result
  const [output] = result.outputs
  const [receipt] = output?.receipts ?? []
  if (!output || !receipt) return null
  const { format, source, notes } = describe(state.result)
  return (
    <ExportReceipt
      name={output.name}
      size={output.size}
      format={format}
      source={source}
      rows={receipt.found.rows}
      columns={receipt.found.columns.length}
      rejected={result.rejectedCount}
      changes={[...(notes ? receipt.notes : []), ...receipt.changes]}
    />
  )
}

interface RunningProps {
  /** Null until there's a first report. */
  readonly progress: {
    readonly phase: ConvertProgress['phase']
    readonly rows: number
    readonly bytes: number
    readonly totalBytes: number
  } | null
}

/** Progress of a file to download. */
function ExportRunning({ progress }: RunningProps) {
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
  /** The format's name. */
  readonly format: string
  /** What it was compared with: `as the table`. */
  readonly source: string
  readonly rows: number
  readonly columns: number
  /** Number of rows that couldn't be read. */
  readonly rejected: number
  /** Differences from the source. Equal ones are shown once, with their columns. */
  readonly changes: readonly Note[]
}

const SHOWN_CHANGES = 20

/** The proof that a file contains the same as its source. */
function ExportReceipt({ name, size, format, source, rows, columns, rejected, changes }: ReceiptProps) {
  const different = groupNotes(changes)
  return (
    <section aria-label="Receipt">
      <Notice tone={rejected > 0 ? 'warn' : 'good'} live="status" flush>
        <p>
          <strong>
            {name}, {formatBytes(size)}
          </strong>
        </p>
        {rejected > 0 ? (
          <p>
            {plural(rejected, 'row')} couldn’t be read and {rejected === 1 ? 'isn’t' : 'aren’t'} in it.
          </p>
        ) : null}
        <p>
          Read back as {format} and compared: {plural(rows, 'row')} and {plural(columns, 'column')} hold the same values{' '}
          {source}
          {different.length > 0 ? ', but for this:' : '.'}
        </p>
        {different.slice(0, SHOWN_CHANGES).map((change) => (
          <p key={`${change.code} ${change.message}`} className={css.faint}>
            <NoteText group={change} />
          </p>
        ))}
        {different.length > SHOWN_CHANGES ? (
          <p className={css.faint}>and {plural(different.length - SHOWN_CHANGES, 'more change')}</p>
        ) : null}
      </Notice>
    </section>
  )
}
