import { openTableFile } from '../convert/stored/table-file.ts'
import { tools } from '../sql/result/tools.ts'
import type {
  DatabaseTable,
  DroppedFile,
  KeptChange,
  ParameterValue,
  ResultSet,
  RunSummary,
  SessionTables,
} from '../sql/session-types.ts'
import { WASM } from '../sql/duckdb.ts'
import { SqlEngine, type SqlEngineOptions } from '../sql/engine.ts'
import { streamStatement, type RunOutput } from '../sql/stream.ts'
import type { StatementCall } from '../sql/protocol.ts'
import type { NamedTable } from '../storage/table-types.ts'
import type { Loaded } from './tables.ts'

/* A SQL session without workers. Tests only. */

const QUIET = new AbortController().signal

export interface Ran {
  readonly summary: RunSummary
  readonly result: ResultSet
  /** Every cell as text. */
  readonly cells: (string | null)[][]
}

export class Session {
  readonly engine: SqlEngine
  private readonly files = new Map<string, Blob>()
  private tables: SessionTables = { published: [], local: [] }

  private readonly resultLimit: number | undefined

  private constructor(engine: SqlEngine, resultLimit: number | undefined) {
    this.engine = engine
    this.resultLimit = resultLimit
  }

  static async open({ resultLimit, ...options }: SqlEngineOptions & { resultLimit?: number } = {}): Promise<Session> {
    return new Session(await SqlEngine.open(WASM, { openFile: openTableFile, ...options }), resultLimit)
  }

  /**
   * @param name its parts, such as `['ws', 'Sales 2024', 'orders']`, or `['name']` for a local table
   * @param dropped the file that the table was created from
   * @param database which of that file's tables it is, if that is a DuckDB file
   */
  add(
    name: readonly string[],
    {
      stored: { fileId },
      file,
    }: Pick<Loaded, 'file'> & { readonly stored: Partial<Loaded['stored']> & { readonly fileId: string } },
    dropped?: DroppedFile,
    database?: DatabaseTable,
  ): void {
    const { published, local } = this.tables
    this.files.set(fileId, file)
    if (name.length === 1) {
      const origin = { ...(dropped ? { file: dropped } : {}), ...(database ? { database } : {}) }
      this.use({ published, local: [...local, { name: name[0], fileId, ...origin }] })
    } else {
      const [workspace, dataset, table] = name
      this.use({ published: [...published, { workspace, dataset, table, fileId }], local })
    }
  }

  use(tables: SessionTables): void {
    this.tables = tables
    this.engine.use(tables)
  }

  /** Replaces versions of kept tables, like the page. */
  keep(changes: readonly KeptChange[]): void {
    if (changes.length === 0) return
    const kept = new Map(this.tables.kept?.map((table) => [table.name, table]))
    for (const { name, after } of changes) {
      kept.delete(name)
      if (!after) continue
      kept.set(name, { name, fileId: after.fileId })
      if (after.stored) this.files.set(after.fileId, after.stored)
    }
    this.use({ ...this.tables, kept: [...kept.values()] })
  }

  call(sql: string, parameters: Readonly<Record<string, ParameterValue>> = {}): StatementCall {
    const { published, local, kept = [] } = this.tables
    const named: NamedTable[] = local.map(({ name, fileId }) => ({
      workspace: 'local',
      dataset: 'main',
      table: name,
      fileId,
    }))
    const stay = kept.map(({ name, fileId }) => ({ workspace: 'my', dataset: '', table: name, fileId }))
    const creationId = crypto.randomUUID()
    return { sql, parameters, tables: [...published, ...named, ...stay], files: this.files, creationId }
  }

  /** Runs a statement without a result. @returns the message about it */
  async change(sql: string): Promise<string | null> {
    const none: RunOutput = { columns: () => undefined, rows: () => undefined, flush: () => Promise.resolve() }
    const summary = await streamStatement(this.engine, this.call(sql), QUIET, none, this.resultLimit)
    this.keep(summary.kept ?? [])
    return summary.message
  }

  async run(
    sql: string,
    options: { parameters?: Readonly<Record<string, ParameterValue>>; signal?: AbortSignal; taken?: () => void } = {},
  ): Promise<Ran> {
    let growing: ReturnType<typeof tools.createResultSet> | null = null
    const output: RunOutput = {
      columns: (columns) => {
        growing = tools.createResultSet(columns)
      },
      rows: ({ message }) => {
        growing?.add(message)
        options.taken?.()
      },
      flush: () => Promise.resolve(),
    }
    const call = this.call(sql, options.parameters)
    const summary = await streamStatement(this.engine, call, options.signal ?? QUIET, output, this.resultLimit)
    this.keep(summary.kept ?? [])
    const result = opened(growing)
    result.end('complete')
    const { set } = result
    const cells = Array.from({ length: set.rowCount }, (_, row) =>
      set.columns.map((__, column) => set.text(row, column)),
    )
    return { summary, result: set, cells }
  }
}

function opened(growing: unknown): ReturnType<typeof tools.createResultSet> {
  if (!growing) throw new Error('no columns came')
  return growing as ReturnType<typeof tools.createResultSet>
}
