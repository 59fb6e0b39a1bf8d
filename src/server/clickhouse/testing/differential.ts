import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EngineError } from '../../../engine/errors.ts'
import { LOCAL } from '../../../engine/sql/catalog.ts'
import { SqlEngine } from '../../../engine/sql/engine.ts'
import { answerOf, openQueryEngine } from '../../../engine/sql/query.ts'
import type { ParameterValue, SessionTables } from '../../../engine/sql/session-types.ts'
import type { NamedTable, StatementResult } from '../../../engine/storage/table-types.ts'
import { load, type Loaded } from '../../../engine/testing/tables.ts'
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
 * that the result doesn't need; `duckdb`, that it didn't; `refused`, that DuckDB can't even bind the statement.
 */
export interface Outcome {
  readonly kind: 'same' | 'different' | 'failed' | 'duckdb' | 'refused'
  /** Why ClickHouse didn't answer, or what differs. */
  readonly detail: string
}

export interface Given extends SessionTables {
  readonly parameters?: Readonly<Record<string, ParameterValue>>
}

export interface Differential {
  /** Loads a file into both engines. */
  add(name: readonly [workspace: string, dataset: string, table: string], file: File): Promise<void>
  /** Loads a table's file into both engines, unless they have it. */
  addStored(known: NamedTable, loaded: Loaded): Promise<void>
  /**
   * @param settled whether the statement determines the order of rows
   * @param given what it may use; by default all tables that `add` loaded
   */
  run(sql: string, settled: boolean, given?: Given): Promise<Outcome>
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
  const service = await openQueryEngine(builtDuckDB(), { keptFiles: 64 })
  // Only a session has local tables.
  const session = await SqlEngine.open(builtDuckDB(), { keptFiles: 64 })
  const engineFor = ({ published, local }: Given): SqlEngine => {
    const engine = local.length > 0 ? session : service
    engine.use({ published, local })
    return engine
  }
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
  let refused: string | null = null
  let given: Given = { published: [], local: [] }
  const executor = new Executor({
    ...settings,
    client,
    tables,
    plan: async ({ sql, tables: all }) => {
      const { parameters = {} } = given
      try {
        return await engineFor(given).plan({ sql, tables: all, files, parameters }, QUIET)
      } catch (error) {
        refused = said(error)
        throw error
      }
    },
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
  const addStored: Differential['addStored'] = async (known, { file }) => {
    if (files.has(known.fileId)) return
    const place = path.join(folder, `${files.size}.db`)
    writeFileSync(place, new Uint8Array(await file.arrayBuffer()))
    files.set(known.fileId, file)
    places.set(known.fileId, place)
    await tables.load(known, place)
  }
  return {
    async add([workspace, dataset, table], file) {
      const loaded = await load(file)
      const known = { workspace, dataset, table, fileId: loaded.stored.fileId }
      named.push(known)
      await addStored(known, loaded)
    },
    addStored,
    async run(sql, settled, own = { published: named, local: [] }) {
      refused = null
      given = own
      const local = own.local.map(({ name, fileId }) => ({ ...LOCAL, table: name, fileId }))
      const all = [...own.published, ...local]
      why = all.length === 0 ? 'no tables' : 'not a SELECT, or more rows than asked for'
      const request = { sql, tables: all, files: places, maxRows: MAX_ROWS, named: all, timeoutMs: LONGEST }
      const ours = await executor.answer(request, QUIET)
      if (!ours) return refused === null ? { kind: 'duckdb', detail: why } : { kind: 'refused', detail: refused }
      const call = { sql, tables: all, files, parameters: own.parameters ?? {}, limit: MAX_ROWS + 1 }
      const theirs = await engineFor(own)
        .run(call, QUIET, (outcome) => answerOf(outcome, MAX_ROWS))
        .catch(said)
      if (typeof theirs === 'string') return { kind: 'failed', detail: theirs }
      const [a, b] = [told(ours, settled), told(theirs, settled)]
      return a === b ? { kind: 'same', detail: '' } : { kind: 'different', detail: differing(a, b) }
    },
    async end() {
      await client.close()
      await server.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function said(error: unknown): string {
  if (error instanceof EngineError) return `${error.code}: ${error.message}`
  throw error
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
