import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { ResultColumn, ResultSet, RunningStatement } from '../../../engine/client.ts'

/* Results of given texts, and native DuckDB in place of a session. Tests only. */

export type Texts = readonly (readonly (string | null)[])[]

/** @param rows texts by row and column */
export function resultOf(columns: readonly ResultColumn[], rows: Texts): ResultSet {
  const text = (row: number, column: number): string | null => rows[row]?.[column] ?? null
  return {
    columns,
    rowCount: rows.length,
    bytes: 0,
    status: 'complete',
    text,
    value: text,
    subscribe: () => () => undefined,
    file: () => Promise.reject(new Error('no file')),
    dispose: () => undefined,
  }
}

let connection: Promise<DuckDBConnection> | undefined

async function connect(): Promise<DuckDBConnection> {
  const opened = await (await DuckDBInstance.create(':memory:')).connect()
  await opened.run("SET TimeZone = 'UTC'")
  return opened
}

export async function nativeResult(sql: string): Promise<ResultSet> {
  connection ??= connect()
  const native = await connection
  const shape = await native.runAndReadAll(`DESCRIBE ${sql}`)
  const columns = shape.getRowsJson().map(([name, type]) => ({ name: String(name), type: String(type) }))
  const renamed = columns.map((_, i) => `c${i}`)
  const list = renamed.map((name) => `CAST(${name} AS VARCHAR)`).join(', ')
  const reader = await native.runAndReadAll(`SELECT ${list} FROM (\n${sql}\n) AS t(${renamed.join(', ')})`)
  return resultOf(columns, reader.getRowsJson() as (string | null)[][])
}

/** Runs statements as a session does, and keeps them. */
export function nativeSession(): {
  readonly statements: string[]
  readonly run: (sql: string, options?: { readonly signal?: AbortSignal }) => Promise<RunningStatement>
} {
  const statements: string[] = []
  return {
    statements,
    run: async (sql, { signal } = {}) => {
      signal?.throwIfAborted()
      statements.push(sql)
      const result = await nativeResult(sql)
      const summary = { rows: result.rowCount, bytes: 0, firstMs: 0, totalMs: 0, message: null, leftOut: false }
      return { result, done: Promise.resolve(summary) }
    },
  }
}
