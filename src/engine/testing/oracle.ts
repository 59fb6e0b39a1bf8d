import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'

/* Native DuckDB, the judge of what we convert. Tests only. */

let connection: Promise<DuckDBConnection> | undefined

async function connect(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:')
  return instance.connect()
}

/** A query's rows as native DuckDB gives them, integers beyond 2^53 as text, dates in ISO form. */
export async function nativeRows(sql: string): Promise<unknown[][]> {
  connection ??= connect()
  const reader = await (await connection).runAndReadAll(sql)
  return reader.getRowsJson()
}

/** A query's rows, every value as native DuckDB's own text. */
export async function nativeText(sql: string): Promise<(string | null)[][]> {
  return (await nativeRows(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)) as (string | null)[][]
}

/** Column names and types, as native DuckDB tells them. */
export async function nativeTypes(sql: string): Promise<[name: string, type: string][]> {
  const rows = await nativeRows(`SELECT column_name, column_type FROM (DESCRIBE ${sql})`)
  return rows as [string, string][]
}

/** A session of native DuckDB: what each statement gives, every value as text. */
export async function nativeSession(): Promise<(sql: string) => Promise<(string | null)[][]>> {
  const own = await connect()
  return async (sql) => {
    const rows = (await own.runAndReadAll(sql)).getRowsJson()
    return rows.map((row) =>
      row.map((value) => (value === null ? null : typeof value === 'string' ? value : JSON.stringify(value))),
    )
  }
}

/** What native DuckDB calls the columns of each statement, one after another in a session of its own. */
export async function nativeNames(statements: readonly string[]): Promise<string[][]> {
  const own = await connect()
  const names: string[][] = []
  for (const sql of statements) names.push((await own.runAndReadAll(sql)).columnNames())
  return names
}
