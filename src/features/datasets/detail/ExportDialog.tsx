import { useCallback, useState } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import { formatInfo, TARGET_FORMATS, type TargetFormat } from '../../../contract/formats.ts'
import { MAX_QUERY_ROWS } from '../../../contract/limits.ts'
import type { EngineClient } from '../../../engine/client.ts'
import { useSession } from '../../../session/context.tsx'
import type { Session } from '../../../session/session.ts'
import { defaultOptions } from '../../../tables/plan.ts'
import { SelectField } from '../../../ui/fields/Field.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { fileName } from '../../../ui/save.ts'
import { ExportDialog, useExport, type ExportSource } from '../../shared/ExportDialog.tsx'
import { useDatasets } from '../context.tsx'
import { answerFile, answerPlan } from '../model/answer-file.ts'
import { pageSql, tableName } from '../model/sql.ts'
import { planFrom } from '../../../tables/edits.ts'
import { PLAIN_CSV } from '../../../tables/settings.ts'

interface Props {
  readonly dataset: DatasetDetails
  readonly table: DatasetTable
  readonly onClose: () => void
}

const FORMATS = TARGET_FORMATS.map(({ id, displayName }) => ({ value: id, label: displayName }))

/** Exports a table to a file in a chosen format. */
export default function TableExport({ dataset, table, onClose }: Props) {
  const session = useSession()
  const { engine } = useDatasets()
  const [target, setTarget] = useState<TargetFormat>('csv')
  const { state, start, cancel } = useExport(
    engine,
    useCallback((signal) => sourceOf(session, engine, dataset, table, signal), [session, engine, dataset, table]),
  )
  return (
    <ExportDialog
      title={`Export “${table.name}”`}
      description={`${plural(table.rowCount, 'row')}, ${plural(table.schema.length, 'column')}`}
      engine={engine}
      state={state}
      ready={state.kind === 'done' && state.result.target === target}
      failure="The table wasn’t exported"
      describe={(made) => ({
        format: formatInfo(made.target).displayName,
        source: made.partial ? 'as the first rows of the table' : 'as the table',
        notes: false,
      })}
      onExport={() => void start(target, defaultOptions(target))}
      onCancel={cancel}
      onClose={onClose}
    >
      <SelectField
        label="Format"
        value={target}
        options={FORMATS}
        disabled={state.kind === 'running'}
        onChange={setTarget}
      />
      {session.local === null && table.rowCount > MAX_QUERY_ROWS ? (
        <Notice tone="warn" flush>
          <p>
            This service answers at most {formatCount(MAX_QUERY_ROWS)} rows: the file will hold the first of them, not
            all {formatCount(table.rowCount)}.
          </p>
        </Notice>
      ) : null}
    </ExportDialog>
  )
}

/**
 * The table as a file for the engine: the stored file or, if the service doesn't provide that, a file with its first
 * rows.
 */
async function sourceOf(
  session: Session,
  engine: EngineClient,
  dataset: DatasetDetails,
  table: DatasetTable,
  signal: AbortSignal,
): Promise<ExportSource> {
  const stored = await session.local?.tableFile(dataset.id, table.name)
  signal.throwIfAborted()
  if (stored) {
    const file = new File([stored], fileName(table.name, 'duckdb', 'table'))
    const { inspection } = await engine.inspect(file, { format: 'duckdb' }, { signal })
    return { file, plan: planFrom(inspection), partial: false }
  }
  const name = tableName(session.slug, dataset.name, table.name)
  const answer = await session.api.query(pageSql(name, [], MAX_QUERY_ROWS, 0), { signal, timeoutSeconds: 120 })
  const file = answerFile(answer, fileName(table.name, 'csv', 'table'))
  const { inspection } = await engine.inspect(file, { format: 'csv', settings: PLAIN_CSV }, { signal })
  return { file, plan: answerPlan(inspection, table.schema), partial: table.rowCount > answer.rows.length }
}
