import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'

/* Native DuckDB, whose results tests compare with ours. Tests only. */

let connection: Promise<DuckDBConnection> | undefined

async function connect(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:')
  return instance.connect()
}

/** A query's rows, with integers beyond 2^53 as text and dates in ISO format. */
export async function nativeRows(sql: string): Promise<unknown[][]> {
  connection ??= connect()
  const reader = await (await connection).runAndReadAll(sql)
  return reader.getRowsJson()
}

/** A query's rows, with every value cast to VARCHAR. */
export async function nativeText(sql: string): Promise<(string | null)[][]> {
  return (await nativeRows(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)) as (string | null)[][]
}

/** A query's column names and types. */
export async function nativeTypes(sql: string): Promise<[name: string, type: string][]> {
  const rows = await nativeRows(`SELECT column_name, column_type FROM (DESCRIBE ${sql})`)
  return rows as [string, string][]
}

/** Opens a session, which returns each statement's rows with every value as text. */
export async function nativeSession(): Promise<(sql: string) => Promise<(string | null)[][]>> {
  const own = await connect()
  return async (sql) => {
    const rows = (await own.runAndReadAll(sql)).getRowsJson()
    return rows.map((row) =>
      row.map((value) => (value === null ? null : typeof value === 'string' ? value : JSON.stringify(value))),
    )
  }
}

/** The column names of statements that are run one after another in a new session. */
export async function nativeNames(statements: readonly string[]): Promise<string[][]> {
  const own = await connect()
  const names: string[][] = []
  for (const sql of statements) names.push((await own.runAndReadAll(sql)).columnNames())
  return names
}
