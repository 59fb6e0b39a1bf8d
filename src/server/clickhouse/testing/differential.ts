import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EngineError } from '../../../engine/errors.ts'
import type { SqlEngine } from '../../../engine/sql/engine.ts'
import { answerQuery, openQueryEngine, planQuery } from '../../../engine/sql/query.ts'
import type { NamedTable, StatementResult } from '../../../engine/storage/table-types.ts'
import { load } from '../../../engine/testing/tables.ts'
import type { QueryRequest } from '../../tables/calls.ts'
import { builtDuckDB } from '../../testing/native.ts'
import { connect } from '../client.ts'
import { Executor } from '../executor.ts'
import { exportTable } from '../export-role.ts'
import type { ClickHouseSettings } from '../../settings.ts'
import { ClickHouseTables } from '../tables.ts'
import { startClickHouse } from './chdb.ts'

/* Runs statements in both engines and compares: if ClickHouse answers, its answer must be DuckDB's. */

const MAX_ROWS = 10_000
const LONGEST = 20_000
const QUIET = new AbortController().signal

/**
 * `same` and `different` mean that ClickHouse answered; `failed`, that it did, but DuckDB failed because of a value
 * that the result doesn't need; `duckdb`, that it didn't.
 */
export interface Outcome {
  readonly kind: 'same' | 'different' | 'failed' | 'duckdb'
  /** Why ClickHouse didn't answer, or what differs. */
  readonly detail: string
}

export interface Differential {
  /** Loads a file into both engines. */
  add(name: readonly [workspace: string, dataset: string, table: string], file: File): Promise<void>
  /** @param settled whether the statement determines the order of rows */
  run(sql: string, settled: boolean): Promise<Outcome>
  end(): Promise<void>
}

export async function openDifferential(): Promise<Differential> {
  const server = await startClickHouse()
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-differential-'))
  const settings: ClickHouseSettings = {
    url: server.url,
    user: 'default',
    password: '',
    reader: { user: 'default', password: '' },
    prefix: 'rowhouse_',
    cluster: null,
    fromBytes: 0,
    memoryBytes: 4 * 2 ** 30,
  }
  const client = connect(settings)
  const engine = await openQueryEngine(builtDuckDB(), { keptFiles: 64 })
  const duckdb = builtDuckDB()
  const exported = duckdb.folder()
  const writer = await duckdb.open({ folder: exported })
  let made = 0
  const tables = new ClickHouseTables({
    ...settings,
    client,
    write: async (place) => {
      const parquet = path.join(folder, `${made++}.parquet`)
      return { ...(await exportTable(writer, exported, place, parquet)), parquet }
    },
  })
  let why = ''
  const executor = new Executor({
    ...settings,
    client,
    tables,
    plan: ({ sql, tables: all }) => planQuery(engine, { sql, tables: all, files }, QUIET),
    log: (_level, message, _fields, cause) => {
      why = `${message}: ${cause instanceof Error ? cause.message : String(cause)}`
    },
    why: (reason) => {
      why = reason
    },
  })
  const named: NamedTable[] = []
  const files = new Map<string, File>()
  const places = new Map<string, string>()
  return {
    async add([workspace, dataset, table], file) {
      const { stored, file: database } = await load(file)
      const place = path.join(folder, `${named.length}.db`)
      writeFileSync(place, new Uint8Array(await database.arrayBuffer()))
      const known = { workspace, dataset, table, fileId: stored.fileId }
      named.push(known)
      files.set(stored.fileId, database)
      places.set(stored.fileId, place)
      await tables.load(known, place)
    },
    async run(sql, settled) {
      why = ''
      const request: QueryRequest = { sql, tables: named, files: places, maxRows: MAX_ROWS }
      const ours = await executor.answer({ ...request, named, timeoutMs: LONGEST }, QUIET)
      if (!ours) return { kind: 'duckdb', detail: why }
      const own = await inDuckDB(engine, { sql, tables: named, files, maxRows: MAX_ROWS })
      if (typeof own === 'string') return { kind: 'failed', detail: own }
      const [a, b] = [told(ours, settled), told(own, settled)]
      return a === b ? { kind: 'same', detail: '' } : { kind: 'different', detail: differing(a, b) }
    },
    async end() {
      await client.close()
      await server.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function inDuckDB(
  engine: SqlEngine,
  request: Parameters<typeof answerQuery>[1],
): Promise<StatementResult | string> {
  try {
    return await answerQuery(engine, request, QUIET)
  } catch (error) {
    if (error instanceof EngineError) return `${error.code}: ${error.message}`
    throw error
  }
}

function told({ columns, rows, truncated }: StatementResult, settled: boolean): string {
  const lines = rows.map((row) => JSON.stringify(row.map((value) => (Object.is(value, -0) ? '-0' : value))))
  return JSON.stringify([columns, truncated, lines.length]) + '\n' + (settled ? lines : lines.toSorted()).join('\n')
}

function differing(ours: string, own: string): string {
  const [a, b] = [ours.split('\n'), own.split('\n')]
  const at = a.findIndex((line, i) => line !== b[i])
  return `ClickHouse ${a[at] ?? 'nothing'}, DuckDB ${b[at] ?? 'nothing'}`
}
