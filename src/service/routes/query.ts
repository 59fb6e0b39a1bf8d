import { MAX_QUERY_ROWS } from '../../contract/limits.ts'
import { jsonOf } from '../../lib/json.ts'
import type { Handler, Deps } from '../call.ts'
import { successOf, type Principal } from '../http.ts'
import type { DatasetRecord, QueryAnswer, ReadableTable, Records } from '../ports.ts'
import { canRead } from './access.ts'
import { queryFailure } from './tables-errors.ts'

/** `POST /query`: runs one reading statement on the tables that the key may read. */
export function query({ ports }: Deps): Handler<'query'> {
  return async ({ context, principal, body, signal, now }) => {
    const readable = await readableTables(ports.records, principal)
    const started = performance.now()
    let answer: QueryAnswer
    try {
      answer = await ports.tables.query(
        { sql: body.sql, readable, timeoutMs: body.timeout_seconds * 1000, maxRows: MAX_QUERY_ROWS },
        signal,
      )
    } catch (error) {
      throw queryFailure(error)
    }
    const took = performance.now() - started
    const data = {
      columns: answer.columns,
      rows: answer.rows.map((row) => Object.fromEntries(answer.columns.map((name, index) => [name, row[index]]))),
      count: answer.rows.length,
      execution_time: `${Math.round(took * 10) / 10}ms`,
      ...(answer.truncated ? { truncated: true } : {}),
    }
    const { executor } = answer
    return successOf(context, now, jsonOf(data), executor === undefined ? {} : { 'X-Rowhouse-Executor': executor })
  }
}

/** The tables that a key may read: those of its workspace by its scopes, and public ones of all workspaces. */
async function readableTables(records: Records, principal: Principal): Promise<ReadableTable[]> {
  const own = principal.workspace
  const [mine, open, workspaces] = await records.read(['workspaces', 'datasets'], async (transaction) => {
    const found = await transaction.by('datasets', 'visibility', 'public')
    // A server may have thousands of workspaces: read only those with readable datasets.
    const shown = new Set([own.id, ...found.map(({ workspaceId }) => workspaceId)])
    return [
      await transaction.by('datasets', 'workspaceId', own.id),
      found,
      await transaction.some('workspaces', [...shown]),
    ]
  })
  const slugs = new Map(workspaces.map(({ id, slug }) => [id, slug]))
  const datasets = new Map<string, DatasetRecord>()
  for (const dataset of [...mine, ...open]) if (canRead(principal, dataset)) datasets.set(dataset.id, dataset)
  return Array.from(datasets.values()).flatMap((dataset) => {
    const workspace = slugs.get(dataset.workspaceId)
    if (workspace === undefined) return []
    return dataset.tables.map(({ name, fileId }) => ({ workspace, dataset: dataset.name, table: name, fileId }))
  })
}
