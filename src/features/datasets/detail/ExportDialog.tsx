import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { explain } from '../../shared/problem.ts'
import FileDown from 'lucide-react/icons/file-down'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import { formatInfo, TARGET_FORMATS, type TargetFormat } from '../../../contract/formats.ts'
import { MAX_QUERY_ROWS } from '../../../contract/limits.ts'
import type { Output } from '../../../engine/client.ts'
import { useSession } from '../../../session/context.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, Select } from '../../../ui/Field.tsx'
import { ExportReceipt, ExportRunning } from '../../../ui/FileExport.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { saveFile } from '../../../ui/save.ts'
import { toast } from '../../../ui/toasts.ts'
import { useDatasets } from '../context.tsx'
import { useExport, type Exported, type ExportState } from './use-export.ts'

interface Props {
  readonly dataset: DatasetDetails
  readonly table: DatasetTable
  readonly onClose: () => void
}

const FORMATS = TARGET_FORMATS.map(({ id, displayName }) => ({ value: id, label: displayName }))

/** A table as a file: which format, how far it is, and the proof that it holds what the table does. */
export default function ExportDialog({ dataset, table, onClose }: Props) {
  const { local } = useSession()
  const { engine } = useDatasets()
  const [target, setTarget] = useState<TargetFormat>('csv')
  const { state, start, cancel } = useExport(dataset, table)
  const running = state.kind === 'running'
  const ready = state.kind === 'done' && state.result.target === target ? state.result : null
  const save = (outputs: readonly Output[]): void => {
    for (const output of outputs) {
      engine.outputs.file(output).then(
        (file) => saveFile(file, output.name),
        (error: unknown) => toast({ title: explain(error, 'The file wasn’t saved').message, tone: 'bad' }),
      )
    }
  }
  return (
    <Dialog
      title={`Export “${table.name}”`}
      description={`${plural(table.rowCount, 'row')}, ${plural(table.schema.length, 'column')}`}
      open
      onClose={onClose}
      cancel="Close"
      action={
        running ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : ready ? (
          <Button look="primary" icon={<FileDown aria-hidden />} onClick={() => save(ready.result.outputs)}>
            Download
          </Button>
        ) : (
          <Button look="primary" onClick={() => void start(target)}>
            Export
          </Button>
        )
      }
    >
      <Field label="Format">
        {(ids) => <Select {...ids} value={target} options={FORMATS} disabled={running} onChange={setTarget} />}
      </Field>
      {local === null && table.rowCount > MAX_QUERY_ROWS ? (
        <Notice tone="warn" flush icon={<TriangleAlert aria-hidden />}>
          <p>
            This service answers at most {formatCount(MAX_QUERY_ROWS)} rows: the file will hold the first of them, not
            all {formatCount(table.rowCount)}.
          </p>
        </Notice>
      ) : null}
      <State state={state} />
    </Dialog>
  )
}

function State({ state }: { readonly state: ExportState }) {
  if (state.kind === 'idle') return null
  if (state.kind === 'failed') return <ProblemNotice problem={explain(state.error, 'The table wasn’t exported')} />
  if (state.kind === 'running') return <ExportRunning progress={state.progress} />
  return <Receipt exported={state.result} />
}

function Receipt({ exported }: { readonly exported: Exported }) {
  const { result, target, partial } = exported
  const [output] = result.outputs
  const [receipt] = output?.receipts ?? []
  if (!output || !receipt) return null
  return (
    <ExportReceipt
      name={output.name}
      size={output.size}
      format={formatInfo(target).displayName}
      source={partial ? 'as the first rows of the table' : 'as the table'}
      rows={receipt.found.rows}
      columns={receipt.found.columns.length}
      rejected={result.rejectedCount}
      changes={receipt.changes.map(({ message }) => message)}
    />
  )
}
