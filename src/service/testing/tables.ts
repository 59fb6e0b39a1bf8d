import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
// oxlint-disable-next-line no-restricted-imports -- a test double, in no build
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { ServiceFormat } from '../../contract/schemas.ts'
import { TablesError, type QueryAnswer, type ReadableTable, type Tables } from '../ports.ts'

/** What reads a file and what writes one. Native DuckDB has no Excel of its own: tests of that are the browser's. */
const READERS: Readonly<Partial<Record<ServiceFormat, (file: string) => string>>> = {
  csv: (file) => `read_csv('${file}')`,
  tsv: (file) => `read_csv('${file}', delim = '\t')`,
  json: (file) => `read_json('${file}')`,
  parquet: (file) => `read_parquet('${file}')`,
}
const WRITERS: Readonly<Partial<Record<ServiceFormat, string>>> = {
  csv: 'FORMAT csv, HEADER',
  tsv: "FORMAT csv, HEADER, DELIMITER '\t'",
  json: 'FORMAT json, ARRAY true',
  parquet: 'FORMAT parquet',
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** `Tables` for unit tests, on a native DuckDB in memory: what it's told to read and write, without the browser. */
export function createTestTables(): Tables {
  let connecting: Promise<DuckDBConnection> | null = null
  const creating = new Set<string>()
  const files = new Set<string>()
  // Names of attached catalogs are the instance's: one statement after the other.
  let last: Promise<unknown> = Promise.resolve()

  const connect = () => {
    connecting ??= DuckDBInstance.create(':memory:').then((instance) => instance.connect())
    return connecting
  }
  const inTurn = <T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    const mine = last.then(async () => work(await connect()))
    last = mine.catch(() => {})
    return mine
  }
  const remove = async (fileId: string) => {
    if (files.delete(fileId)) await inTurn((connection) => connection.run(`DROP TABLE ${identifier(fileId)}`))
  }

  return {
    async whileCreating(creationId, work) {
      creating.add(creationId)
      try {
        return await work()
      } finally {
        creating.delete(creationId)
      }
    },
    async ingest(source, { creationId, format }, signal) {
      signal.throwIfAborted()
      const fileId = `${creationId}/${crypto.randomUUID()}`
      const schema = await inTurn((connection) =>
        withFile(source, async (file) => {
          const table = identifier(fileId)
          await reading(() => connection.run(`CREATE TABLE ${table} AS SELECT * FROM ${readerOf(format)(file)}`))
          return connection.runAndReadAll(
            `SELECT column_name, data_type, (SELECT count(*)::INTEGER FROM ${table}) FROM duckdb_columns() WHERE table_name = '${fileId}' ORDER BY column_index`,
          )
        }),
      )
      files.add(fileId)
      const rows = schema.getRowsJson() as [string, string, number][]
      return {
        fileId,
        rowCount: rows[0]?.[2] ?? 0,
        byteSize: source.size,
        schema: rows.map(([name, type]) => ({ name, type })),
      }
    },
    query: (request, signal) => inTurn((connection) => answer(connection, request, signal)),
    convert: (source, { from, to }, use, signal) =>
      withFile(source, async (file) => {
        signal.throwIfAborted()
        const options = WRITERS[to]
        if (!options) throw new TablesError('unreadable', `this test double doesn't write ${to}`)
        await inTurn((connection) =>
          reading(() => connection.run(`COPY (FROM ${readerOf(from)(file)}) TO '${file}.out' (${options})`)),
        )
        return use(new Blob([await readFile(`${file}.out`)]))
      }),
    remove,
    async sweep(keep) {
      const before = [...files].filter((fileId) => !creating.has(fileId.split('/')[0] ?? ''))
      const kept = await keep()
      for (const fileId of before) if (!kept.has(fileId)) await remove(fileId)
    },
  }
}

async function answer(
  connection: DuckDBConnection,
  { sql, readable, maxRows }: Parameters<Tables['query']>[0],
  signal: AbortSignal,
): Promise<QueryAnswer> {
  signal.throwIfAborted()
  const workspaces = [...new Set(readable.map(({ workspace }) => workspace))].map(identifier)
  try {
    for (const workspace of workspaces) await connection.run(`ATTACH ':memory:' AS ${workspace}`)
    for (const { workspace, dataset, table, fileId } of readable) {
      const schema = `${identifier(workspace)}.${identifier(dataset)}`
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
      await connection.run(`CREATE VIEW ${schema}.${identifier(table)} AS FROM memory.main.${identifier(fileId)}`)
    }
    const reader = await connection.runAndReadUntil(sql, maxRows + 1)
    const rows = reader.getRowsJson()
    return { columns: reader.deduplicatedColumnNames(), rows: rows.slice(0, maxRows), truncated: rows.length > maxRows }
  } catch (error) {
    const table = unknownTable(sql, readable)
    if (table !== null) throw new TablesError('unknown-table', `There is no table ${table}`, { table, cause: error })
    throw new TablesError('sql', (error as Error).message, { cause: error })
  } finally {
    for (const workspace of workspaces) await connection.run(`DETACH DATABASE IF EXISTS ${workspace}`)
  }
}

/** The first name of three parts that isn't readable, as it was written. */
function unknownTable(sql: string, readable: readonly ReadableTable[]): string | null {
  const known = new Set(
    readable.map(({ workspace, dataset, table }) => `${workspace}.${dataset}.${table}`.toLowerCase()),
  )
  const names = sql.match(/(?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+)){2}/g) ?? []
  return names.find((name) => !known.has(name.replaceAll('"', '').toLowerCase())) ?? null
}

function readerOf(format: ServiceFormat): (file: string) => string {
  const read = READERS[format]
  if (!read) throw new TablesError('unreadable', `this test double doesn't read ${format}`)
  return read
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new TablesError('unreadable', (error as Error).message, { cause: error })
  }
}

async function withFile<T>(source: Blob, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-'))
  try {
    const file = path.join(folder, 'source')
    await writeFile(file, new Uint8Array(await source.arrayBuffer()))
    return await work(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
