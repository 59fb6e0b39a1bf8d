import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
// oxlint-disable-next-line no-restricted-imports -- a test double, in no build
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { ServiceFormat } from '../../contract/schemas.ts'
import { TablesError, type Tables } from '../ports.ts'
import { answer, identifier } from './statement.ts'

/** SQL to read each format. Native DuckDB can't read Excel, which goes through CSV. */
const READERS: Readonly<Record<ServiceFormat, (file: string) => string>> = {
  csv: (file) => `read_csv('${file}')`,
  tsv: (file) => `read_csv('${file}', delim = '\t')`,
  json: (file) => `read_json('${file}')`,
  parquet: (file) => `read_parquet('${file}')`,
  xlsx: (file) => `read_csv('${file}')`,
}
const WRITERS: Readonly<Record<ServiceFormat, string>> = {
  csv: 'FORMAT csv, HEADER',
  tsv: "FORMAT csv, HEADER, DELIMITER '\t'",
  json: 'FORMAT json, ARRAY true',
  parquet: 'FORMAT parquet',
  xlsx: 'FORMAT csv, HEADER',
}

export interface TestTables extends Tables {
  /** Ids of the existing files. */
  readonly files: ReadonlySet<string>
}

let connecting: Promise<DuckDBConnection> | null = null
// Statements run one after the other, since the instance's attached catalogs are shared.
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  connecting ??= DuckDBInstance.create(':memory:', { threads: '1' }).then((instance) => instance.connect())
  const connected = connecting
  const mine = last.then(async () => work(await connected))
  last = mine.catch(() => {})
  return mine
}

/** `Tables` for unit tests, on a native DuckDB in memory. */
export function createTestTables(): TestTables {
  const creating = new Set<string>()
  const files = new Set<string>()

  const remove = async (fileId: string) => {
    if (files.delete(fileId)) await inTurn((connection) => connection.run(`DROP TABLE ${identifier(fileId)}`))
  }

  return {
    files,
    async whileCreating(creationId, work) {
      creating.add(creationId)
      try {
        return await work()
      } finally {
        creating.delete(creationId)
      }
    },
    async ingest(source, { creationId, format, onto }, signal) {
      const fileId = `${creationId}/${crypto.randomUUID()}`
      const rows = await inTurn((connection) =>
        withFile(source, format, async (file) => {
          signal.throwIfAborted()
          return load(connection, fileId, READERS[format](file), onto)
        }),
      )
      files.add(fileId)
      return {
        fileId,
        rowCount: rows[0]?.[2] ?? 0,
        byteSize: source.size,
        schema: rows.map(([name, type]) => ({ name, type })),
      }
    },
    query: (request, signal) => inTurn((connection) => answer(connection, request, signal)),
    convert: (source, { from, to }, use, signal) =>
      withFile(source, from, async (file) => {
        signal.throwIfAborted()
        const out = `${file}.out`
        await inTurn((connection) =>
          reading(() => connection.run(`COPY (FROM ${READERS[from](file)}) TO '${out}' (${WRITERS[to]})`)),
        )
        const bytes = await readFile(out)
        return use(new Blob([to === 'xlsx' ? await toWorkbook(bytes) : bytes]))
      }),
    remove,
    async sweep(keep) {
      const before = [...files].filter((fileId) => !creating.has(fileId.split('/')[0] ?? ''))
      const kept = await keep()
      for (const fileId of before) if (!kept.has(fileId)) await remove(fileId)
    },
  }
}

async function load(
  connection: DuckDBConnection,
  fileId: string,
  reader: string,
  onto?: string,
): Promise<[string, string, number][]> {
  const table = identifier(fileId)
  const rows = onto === undefined ? `FROM ${reader}` : `FROM ${identifier(onto)} UNION ALL BY NAME FROM ${reader}`
  await reading(() => connection.run(`CREATE TABLE ${table} AS ${rows}`))
  const schema = await connection.runAndReadAll(
    `SELECT column_name, data_type, (SELECT count(*)::INTEGER FROM ${table}) FROM duckdb_columns() WHERE table_name = '${fileId}' ORDER BY column_index`,
  )
  return schema.getRowsJson() as [string, string, number][]
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const message = (error as Error).message.split('\n')[0] ?? ''
    throw new TablesError('unreadable', message, { place: 'row 1, column 1', cause: error })
  }
}

async function withFile<T>(source: Blob, format: ServiceFormat, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-'))
  try {
    const file = path.join(folder, 'source')
    const bytes = new Uint8Array(await source.arrayBuffer())
    await writeFile(file, format === 'xlsx' ? await fromWorkbook(bytes) : bytes)
    return await work(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function fromWorkbook(bytes: Uint8Array): Promise<string> {
  const { read, utils } = await import('xlsx')
  const { SheetNames, Sheets } = read(bytes)
  const sheet = Sheets[SheetNames[0] ?? '']
  if (!sheet) throw new TablesError('unreadable', 'The workbook has no sheet')
  return utils.sheet_to_csv(sheet)
}

async function toWorkbook(csv: Uint8Array): Promise<ArrayBuffer> {
  const { read, write } = await import('xlsx')
  return write(read(csv, { raw: true }), { type: 'array', bookType: 'xlsx' }) as ArrayBuffer
}
