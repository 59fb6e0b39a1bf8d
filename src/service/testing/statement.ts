// oxlint-disable-next-line no-restricted-imports -- a test double, in no build
import { DuckDBTypeId, type DuckDBConnection, type DuckDBType, type Json } from '@duckdb/node-api'
import { TablesError, type QueryAnswer, type ReadableTable, type Tables } from '../ports.ts'

/* Runs a statement on the tests' native DuckDB, and returns the answer in the contract's format. */

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

const READING = /^\(*\s*(?:select|from|with|values|describe|desc|summarize|show|explain|pivot|unpivot|table)\b/i
const REACHING_OUT = /\b(?:read_\w+|glob|parquet_\w+|sniff_csv|copy|getenv)\s*\(|\bfrom\s+'/i

/** Runs a statement with views of the readable tables under their names, in temporary catalogs. */
export async function answer(
  connection: DuckDBConnection,
  { sql, readable, maxRows, timeoutMs }: Parameters<Tables['query']>[0],
  signal: AbortSignal,
): Promise<QueryAnswer> {
  signal.throwIfAborted()
  await onlyReading(connection, sql)
  const workspaces = [...new Set(readable.map(({ workspace }) => workspace))].map(identifier)
  const end = performance.now() + timeoutMs
  const isLate = () => performance.now() >= end
  // Repeated, since an interrupt between two statements has no effect.
  const timer = setInterval(() => {
    if (isLate() || signal.aborted) connection.interrupt()
  }, 10)
  try {
    for (const workspace of workspaces) await connection.run(`ATTACH ':memory:' AS ${workspace}`)
    for (const { workspace, dataset, table, fileId } of readable) {
      const schema = `${identifier(workspace)}.${identifier(dataset)}`
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
      await connection.run(`CREATE VIEW ${schema}.${identifier(table)} AS FROM memory.main.${identifier(fileId)}`)
    }
    const reader = await connection.runAndReadUntil(sql, maxRows + 1)
    const types = reader.columnTypes()
    const rows = reader.getRowsJson().map((row) => row.map((value, index) => jsonValue(value, types[index])))
    return {
      columns: uniqueNames(reader.columnNames()),
      rows: rows.slice(0, maxRows),
      truncated: rows.length > maxRows,
    }
  } catch (error) {
    signal.throwIfAborted()
    if (isLate())
      throw new TablesError('timeout', `The statement took longer than ${timeoutMs / 1000} s and was stopped.`)
    throw failure(error, unknownTable(sql, readable))
  } finally {
    clearInterval(timer)
    for (const workspace of workspaces) await connection.run(`DETACH DATABASE IF EXISTS ${workspace}`)
  }
}

async function onlyReading(connection: DuckDBConnection, sql: string): Promise<void> {
  const text = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').trim()
  const statements = await connection.extractStatements(sql).catch(() => null)
  // DuckDB counts PIVOT as two statements.
  if (statements && statements.count !== 1 && !/\bpivot\b/i.test(text)) {
    throw new TablesError('not-allowed', 'Send exactly one statement.')
  }
  if (statements && (!READING.test(text) || REACHING_OUT.test(text))) {
    throw new TablesError('not-allowed', 'Only statements that read tables can be run.')
  }
}

function failure(error: unknown, table: string | null): TablesError {
  if (table !== null) return new TablesError('unknown-table', `There is no table ${table}`, { table, cause: error })
  const message = (error as Error).message
  const [, line, before = '', caret = ''] = /LINE (\d+)(: )[^\n]*\n( *)\^/.exec(message) ?? []
  const at = line === undefined ? {} : { line: Number(line), column: caret.length - `LINE ${line}${before}`.length + 1 }
  return new TablesError('sql', message.split('\n')[0] ?? '', { ...at, cause: error })
}

/** The first name with three parts that isn't a readable table, as written. */
function unknownTable(sql: string, readable: readonly ReadableTable[]): string | null {
  const known = new Set(
    readable.map(({ workspace, dataset, table }) => `${workspace}.${dataset}.${table}`.toLowerCase()),
  )
  const names = sql.match(/(?:"(?:[^"]|"")+"|\w+)(?:\.(?:"(?:[^"]|"")+"|\w+)){2}/g) ?? []
  return (
    names.find(
      (name) =>
        !known.has(name.replace(/"((?:[^"]|"")*)"/g, (_, inner: string) => inner.replaceAll('""', '"')).toLowerCase()),
    ) ?? null
  )
}

function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let i = 1; taken.has(unique); i++) unique = `${name}_${i}`
    taken.add(unique)
    return unique
  })
}

const SMALL = new Set([DuckDBTypeId.BIGINT, DuckDBTypeId.UBIGINT])

/** Converts DuckDB's JSON to the contract's: numbers if they're exact, timestamps in ISO 8601 with microseconds. */
function jsonValue(value: Json, type: DuckDBType | undefined): Json {
  if (typeof value !== 'string' || !type) return value
  if (SMALL.has(type.typeId)) return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (type.typeId === DuckDBTypeId.TIMESTAMP) return moment(value)
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ) return `${moment(value.replace(/\+00$/, ''))}Z`
  if (type.typeId === DuckDBTypeId.TIME) return micros(value)
  return value
}

const moment = (text: string): string => micros(text.replace(' ', 'T'))
const micros = (text: string): string => {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(6, '0')}`
}
