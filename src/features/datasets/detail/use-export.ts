import { useCallback } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import { MAX_QUERY_ROWS } from '../../../contract/limits.ts'
import type { TargetFormat } from '../../../contract/formats.ts'
import type { ConvertProgress, ConvertResult, EngineClient } from '../../../engine/client.ts'
import { useSession } from '../../../session/context.tsx'
import type { Session } from '../../../session/session.ts'
import { defaultOptions, planFrom, type ImportPlan } from '../../../tables/plan.ts'
import { announce } from '../../../ui/announce.ts'
import { useTask, type TaskState } from '../../../ui/use-task.ts'
import { useDatasets } from '../context.tsx'
import { ANSWER_SETTINGS, answerFile, answerPlan } from '../model/answer-file.ts'
import { pageSql, tableName } from '../model/sql.ts'

/** A table's file, with what it is. */
export interface Exported {
  readonly target: TargetFormat
  readonly result: ConvertResult
  /** Not all of the table's rows. */
  readonly partial: boolean
}

export type ExportState = TaskState<ConvertProgress, Exported>

interface Source {
  readonly file: File
  readonly plan: ImportPlan
  /** Not all of the table's rows. */
  readonly partial: boolean
}

/** Converts a table to a file. What it made is removed when the caller is gone. */
export function useExport(dataset: DatasetDetails, table: DatasetTable) {
  const session = useSession()
  const { engine } = useDatasets()
  const discard = useCallback(
    async ({ result }: Exported) => {
      for (const { id } of result.outputs) await engine.outputs.remove(id)
    },
    [engine],
  )
  const { state, start: begin, cancel } = useTask<ConvertProgress, Exported>(discard)
  const start = (target: TargetFormat): Promise<void> =>
    begin(async (signal, onProgress) => {
      const source = await sourceOf(session, engine, dataset, table, signal)
      const result = await engine.convert(
        source.file,
        { jobId: crypto.randomUUID(), plan: source.plan, target, options: defaultOptions(target) },
        { signal, onProgress },
      )
      announce('The file is ready')
      return { target, result, partial: source.partial }
    })
  return { state, start, cancel }
}

/** The table as a file for the engine: its own, or, of a service that gives none, its first rows. */
async function sourceOf(
  session: Session,
  engine: EngineClient,
  dataset: DatasetDetails,
  table: DatasetTable,
  signal: AbortSignal,
): Promise<Source> {
  const local = await session.local?.tableFile(dataset.id, table.name)
  signal.throwIfAborted()
  if (local) {
    const file = new File([local.file], `${fileName(table.name)}.duckdb`)
    const { inspection } = await engine.inspect(file, { format: 'duckdb' }, { signal })
    return { file, plan: planFrom(inspection), partial: false }
  }
  const name = tableName(session.slug, dataset.name, table.name)
  const answer = await session.api.query(pageSql(name, [], MAX_QUERY_ROWS, 0), { signal, timeoutSeconds: 120 })
  const file = answerFile(answer, `${fileName(table.name)}.csv`)
  const { inspection } = await engine.inspect(file, { format: 'csv', settings: ANSWER_SETTINGS }, { signal })
  return { file, plan: answerPlan(inspection, table.schema), partial: table.rowCount > answer.rows.length }
}

// oxlint-disable-next-line no-control-regex -- control characters are what it takes out
const REFUSED = /[\u0000-\u001f\u007f-\u009f/\\:*?"<>|]/g

/** A name that every file system takes. */
const fileName = (name: string): string => name.replaceAll(REFUSED, '_').slice(0, 120) || 'table'
