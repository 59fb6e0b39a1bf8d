import { useCallback, useEffect, useRef, useState } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import { MAX_QUERY_ROWS } from '../../../contract/limits.ts'
import type { TargetFormat } from '../../../contract/formats.ts'
import type { ConvertProgress, ConvertResult, EngineClient } from '../../../engine/client.ts'
import { isAbort } from '../../../lib/abort.ts'
import { useSession } from '../../../session/context.tsx'
import type { Session } from '../../../session/session.ts'
import { defaultOptions, planFrom, type ImportPlan } from '../../../tables/plan.ts'
import { announce } from '../../../ui/announce.ts'
import { useDatasets } from '../context.tsx'
import { ANSWER_SETTINGS, answerFile, answerPlan } from '../model/answer-file.ts'
import { explain, type Problem } from '../model/problems.ts'
import { pageSql, tableName } from '../model/sql.ts'

export type ExportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: ConvertProgress | null }
  | { readonly kind: 'done'; readonly target: TargetFormat; readonly result: ConvertResult; readonly partial: boolean }
  | { readonly kind: 'failed'; readonly problem: Problem }

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
  const [state, setState] = useState<ExportState>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  const made = useRef<readonly { readonly id: string }[]>([])
  const forget = useCallback(async () => {
    const outputs = made.current
    made.current = []
    for (const { id } of outputs) await engine.outputs.remove(id)
  }, [engine])
  useEffect(
    () => () => {
      running.current?.abort()
      void forget()
    },
    [forget],
  )
  const start = async (target: TargetFormat): Promise<void> => {
    const abort = new AbortController()
    running.current = abort
    setState({ kind: 'running', progress: null })
    try {
      await forget()
      const source = await sourceOf(session, engine, dataset, table, abort.signal)
      const result = await engine.convert(
        source.file,
        { jobId: crypto.randomUUID(), plan: source.plan, target, options: defaultOptions(target) },
        { signal: abort.signal, onProgress: (progress) => setState({ kind: 'running', progress }) },
      )
      made.current = result.outputs
      setState({ kind: 'done', target, result, partial: source.partial })
      announce('The file is ready')
    } catch (error) {
      setState(
        isAbort(error) ? { kind: 'idle' } : { kind: 'failed', problem: explain(error, 'The table wasn’t exported') },
      )
    }
  }
  return { state, start, cancel: () => running.current?.abort() }
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
