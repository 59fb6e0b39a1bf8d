import { stat } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { EngineError } from '../../engine/errors.ts'
import { physicalName } from '../../engine/storage/file-names.ts'
import type { NamedTable, StatementResult } from '../../engine/storage/table-types.ts'
import { uniqueNames } from '../../tables/names.ts'
import type { Log } from '../http/log.ts'
import type { QueryCalls, QueryRequest } from '../tables/calls.ts'
import { valueOf } from './answer.ts'
import { errorCode, Unreachable, type ClickHouse } from './client.ts'
import { roleOf, type Layout } from './statements.ts'
import type { ClickHouseTables } from './tables.ts'
import { readPlan, Untranslatable, type PlanNode } from './translate/plan.ts'
import type { KnownTable } from './translate/context.ts'
import { translate, type Translation } from './translate/statement.ts'

/** Milliseconds for which ClickHouse isn't used after it couldn't be reached, nor a table loaded after that failed. */
const LEFT_ALONE = 30_000

/** Numbers of ClickHouse's errors. */
const UNKNOWN_TABLE = 60
const UNKNOWN_DATABASE = 81

interface ExecutorOptions extends Layout {
  readonly client: ClickHouse
  readonly tables: Pick<ClickHouseTables, 'find' | 'load' | 'forget'>
  /** The smallest size of a table's file in bytes for which statements run in ClickHouse. */
  readonly fromBytes: number
  /** Checks and binds a statement in DuckDB. */
  readonly plan: (request: QueryRequest, signal: AbortSignal) => Promise<QueryCalls['plan']['result']>
  readonly log: Log
  /** Called with the reason if a statement can't be translated. */
  readonly why?: (reason: string) => void
}

interface Wanted extends QueryRequest {
  /** The tables that the statement may refer to. */
  readonly named: readonly NamedTable[]
  readonly timeoutMs: number
}

/** Runs statements about large tables in ClickHouse if it's known that the answer is the same as DuckDB's. */
export class Executor {
  private readonly options: ExecutorOptions
  private loading: Promise<void> = Promise.resolve()
  /** When a table may be loaded, by its file's id: never if it was loaded, is being loaded or waits for it. */
  private readonly nextLoad = new Map<string, number>()
  private leftAloneUntil = 0

  constructor(options: ExecutorOptions) {
    this.options = options
  }

  /** @returns null if DuckDB must run it: it can't be translated, its tables are small, or ClickHouse failed */
  async answer(wanted: Wanted, signal: AbortSignal): Promise<StatementResult | null> {
    if (performance.now() < this.leftAloneUntil || !/^\s*(?:select|with|from)\b/i.test(wanted.sql)) return null
    const large = await this.large(wanted)
    if (large.size === 0) return null
    try {
      return await this.run(wanted, large, signal)
    } catch (error) {
      signal.throwIfAborted()
      this.heed(error)
      return null
    }
  }

  /** Waits for tables that are being loaded. */
  async loaded(): Promise<void> {
    await this.loading
  }

  private async run(wanted: Wanted, large: ReadonlySet<string>, signal: AbortSignal): Promise<StatementResult | null> {
    const { plan: bind, tables, client } = this.options
    const begun = performance.now()
    const { columns, plan: json } = await bind(wanted, signal)
    const plan = readPlan(json)
    const scanned = scannedTables(plan)
    if (!scanned.some((name) => large.has(name))) throw new Untranslatable('no large table')
    const found = await tables.find(scanned)
    if (found.size < scanned.length)
      this.load(
        wanted,
        scanned.filter((name) => !found.has(name)),
      )
    const translation = translate(plan, tableOf(found), wanted)
    if (translation.types.length !== columns.length) throw new Untranslatable('other columns')
    const rows = await client.select(translation.sql, {
      timeoutMs: Math.max(1000, wanted.timeoutMs - (performance.now() - begun)),
      maxRows: translation.rows,
      roles: translation.tables.map((name) => roleOf(this.options, name)),
      signal,
    })
    // If it isn't determined which rows to return, DuckDB must decide.
    return rows.length > translation.rows || (translation.skips && ties(rows))
      ? null
      : answerOf(rows, translation, columns)
  }

  /** Names of the tables that are large enough for ClickHouse to be worthwhile. */
  private async large({ named, files }: Wanted): Promise<ReadonlySet<string>> {
    const names = new Set<string>()
    for (const { fileId } of named) {
      const place = files.get(fileId)
      const size = place === undefined ? 0 : (await stat(place)).size
      if (size >= this.options.fromBytes) names.add(physicalName(fileId))
    }
    return names
  }

  /** Loads tables in the background, one at a time, while DuckDB runs the statement. */
  private load({ named, files }: Wanted, names: readonly string[]): void {
    const { tables, log } = this.options
    for (const table of named) {
      const place = files.get(table.fileId)
      const isDue = performance.now() >= (this.nextLoad.get(table.fileId) ?? 0)
      if (place === undefined || !isDue || !names.includes(physicalName(table.fileId))) continue
      this.nextLoad.set(table.fileId, Infinity)
      this.loading = this.loading
        .then(() => tables.load(table, place))
        .catch((error: unknown) => {
          this.nextLoad.set(table.fileId, performance.now() + LEFT_ALONE)
          if (error instanceof Unreachable) this.leaveAlone()
          log('warn', 'a table couldn’t be loaded into ClickHouse', { code: errorCode(error) ?? null }, error)
        })
    }
  }

  private heed(error: unknown): void {
    // DuckDB will run the statement and report the same error.
    if (error instanceof EngineError) return
    if (error instanceof Untranslatable) {
      this.options.why?.(error.message)
      return
    }
    const code = errorCode(error)
    if (code === UNKNOWN_TABLE || code === UNKNOWN_DATABASE) {
      this.options.tables.forget()
      this.nextLoad.clear()
    } else if (error instanceof Unreachable) this.leaveAlone()
    this.options.log('warn', 'ClickHouse didn’t run a statement: DuckDB does', { code: code ?? null }, error)
  }

  private leaveAlone(): void {
    this.leftAloneUntil = performance.now() + LEFT_ALONE
  }
}

function tableOf(found: ReadonlyMap<string, KnownTable>): (name: string) => KnownTable {
  return (name) => {
    const table = found.get(name)
    if (!table) throw new Untranslatable('a table that isn’t in ClickHouse')
    return table
  }
}

function scannedTables(node: PlanNode): string[] {
  const own = node.type === 'LOGICAL_GET' && node.function_data?.table ? [node.function_data.table] : []
  return [...own, ...(node.children ?? []).flatMap(scannedTables)]
}

/** Whether the first two rows are equal in what they're sorted by, which is their last value. */
const ties = ([first, second]: readonly unknown[][]): boolean => second !== undefined && first?.at(-1) === second.at(-1)

function answerOf(
  rows: readonly unknown[][],
  { types, skips }: Translation,
  columns: StatementResult['columns'],
): StatementResult {
  const names = uniqueNames(columns.map(({ name }) => name))
  return {
    columns: columns.map(({ type }, i) => ({ name: names[i], type })),
    rows: (skips ? rows.slice(1) : rows).map((row) => types.map((type, i) => valueOf(row[i], type))),
    truncated: false,
  }
}
