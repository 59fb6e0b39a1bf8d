import type { RecordBatch } from 'apache-arrow'
import { checkpoint } from '../../lib/abort.ts'
import { normalizeBatch } from '../arrow/normalize.ts'
import type { Connection, Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { EngineError } from '../errors.ts'
import type { NamedTable, StatementResult } from '../storage/table-types.ts'
import { uniqueNames } from '../../tables/names.ts'
import { printType } from '../../tables/types.ts'
import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'
import { Attachments, type Attachment } from './attachments.ts'
import { transferType } from '../arrow/duckdb-types.ts'
import { CLOCK } from './clock.ts'
import { statementError, unknownTable } from './errors.ts'
import { described, readExplain, renderPlan } from './explain.ts'
import { guardWords } from './guard.ts'
import { scannedTables, type PlanNode } from './bound-plan.ts'
import type { RunRequest } from './query-protocol.ts'
import { reach, type Place, type Reach } from './names.ts'
import { showNames } from './show.ts'
import { oneStatement, type Statement } from './statement.ts'
import { makeCellValue } from './result/json-values.ts'

export type Answer = Omit<StatementResult, 'durationMs'>

const MEMORY_LIMIT = '1GB'

interface View {
  readonly table: NamedTable
  readonly attachment: Attachment
}

/** Runs reading statements over tables' files, one at a time, each as if it were the first. */
export class QueryEngine {
  private readonly db: Database
  private readonly attachments: Attachments

  private constructor(db: Database, folder: string, kept?: number) {
    this.db = db
    this.attachments = new Attachments(db, folder, kept)
    db.run(CLOCK)
  }

  /** @param options for tests: files that stay attached, DuckDB's memory */
  static async open({
    kept,
    memoryLimit = MEMORY_LIMIT,
  }: { kept?: number; memoryLimit?: string } = {}): Promise<QueryEngine> {
    const folder = `/${crypto.randomUUID()}/`
    return new QueryEngine(await openDatabase({ folder, memoryLimit }), folder, kept)
  }

  /**
   * Runs exactly one reading statement.
   * @throws {EngineError} `sql-error`, `sql-not-allowed`, `unknown-table`, `out-of-memory`
   */
  async run(request: RunRequest, signal: AbortSignal): Promise<Answer> {
    const statement = oneStatement(request.sql, this.db.bindings.tokenize(request.sql))
    guardWords(statement)
    const shown = showNames(statement, request.tables)
    if (shown) return shown
    const views = await this.attach(request)
    const names = reach(
      statement,
      views.map(({ table }) => table),
    )
    const catalogs = new Set(views.flatMap(({ table }) => names.places(table).map(({ catalog }) => catalog)))
    try {
      for (const catalog of catalogs) this.db.run(`ATTACH ':memory:' AS ${quoteIdentifier(catalog)}`)
      for (const view of views) this.createViews(view, names.places(view.table))
      await checkpoint(signal)
      const readable = new Map(views.map(({ table, attachment }) => [attachment.physical, table]))
      return await new Run(this.db.guest, { statement, names, readable }, signal).answer(request.maxRows)
    } finally {
      this.forgetPivots(statement)
      for (const catalog of catalogs) this.db.run(`DETACH DATABASE IF EXISTS ${quoteIdentifier(catalog)}`)
      this.attachments.trim()
    }
  }

  /** PIVOT makes a temporary type of the values that it finds, and leaves it. */
  private forgetPivots({ tokens }: Statement): void {
    if (!tokens.some(({ text }) => /^pivot/i.test(text))) return
    const [batch] = this.db.guest.query(`
      SELECT type_name FROM duckdb_types() WHERE database_name = 'temp' AND NOT internal AND type_name LIKE '__pivot%'
    `)
    for (const name of batch?.getChildAt(0) ?? [])
      this.db.guest.query(`DROP TYPE temp.main.${quoteIdentifier(String(name))}`)
  }

  private async attach({ tables, files }: RunRequest): Promise<View[]> {
    const views: View[] = []
    for (const table of tables) {
      const file = files.get(table.fileId)
      if (!file) {
        this.attachments.detach(table.fileId)
        continue
      }
      views.push({ table, attachment: await this.attachments.attach(table.fileId, file) })
    }
    return views
  }

  private createViews({ attachment }: View, places: readonly Place[]): void {
    for (const { catalog, schema, name } of places) {
      const at = `${quoteIdentifier(catalog)}.${quoteIdentifier(schema)}`
      this.db.run(`
        CREATE SCHEMA IF NOT EXISTS ${at};
        CREATE VIEW ${at}.${quoteIdentifier(name)} AS FROM ${attachment.source};
      `)
    }
  }
}

interface Prepared {
  readonly statement: Statement
  readonly names: Reach
  /** By physical name. */
  readonly readable: ReadonlyMap<string, NamedTable>
}

/** One statement. */
class Run {
  private readonly connection: Connection
  private readonly statement: Statement
  private readonly names: Reach
  private readonly readable: ReadonlyMap<string, NamedTable>
  private readonly signal: AbortSignal

  constructor(connection: Connection, { statement, names, readable }: Prepared, signal: AbortSignal) {
    this.connection = connection
    this.statement = statement
    this.names = names
    this.readable = readable
    this.signal = signal
  }

  async answer(maxRows: number): Promise<Answer> {
    const explained = readExplain(this.statement)
    if (explained) {
      const plans = this.authorized(explained.statement)
      return renderPlan(plans, explained.json, this.readable)
    }
    const inner = described(this.statement)
    if (inner) this.authorized(inner)
    this.authorized(this.statement)
    await checkpoint(this.signal)
    return this.rows(maxRows)
  }

  /** The statement's plans by their stage, none of which does anything that it may not. */
  private authorized(statement: Statement): ReadonlyMap<string, readonly PlanNode[]> {
    const [batch] = this.query('EXPLAIN (FORMAT JSON)\n', statement, '')
    const plans = new Map<string, readonly PlanNode[]>()
    for (let row = 0; row < batch.numRows; row++) {
      const [stage, plan] = [batch.getChildAt(0)?.get(row) as string, batch.getChildAt(1)?.get(row) as string]
      plans.set(stage, JSON.parse(plan) as PlanNode[])
    }
    const bound = plans.get('logical_plan')
    if (!bound) throw new EngineError('internal', 'The engine gave no plan.')
    for (const physical of scannedTables(bound)) {
      if (!this.readable.has(physical)) throw unknownTable(physical === '' ? '' : 'that the statement reads')
    }
    return plans
  }

  private async rows(maxRows: number): Promise<Answer> {
    const columns = this.columns()
    const carriers = columns.map(({ type }) => transferType(type))
    const list = carriers.map(
      ({ type, cast }, i) => (cast ? `CAST(c${i} AS ${printType(type)})` : `c${i}`) + ` AS c${i}`,
    )
    const names = carriers.map((_, i) => `c${i}`)
    const before = `SELECT ${list.join(', ')} FROM (\n`
    const after = `\n) AS result(${names.join(', ')}) LIMIT ${maxRows + 1}`
    const batches = await this.queryInSlices(before, after)
    const types = carriers.map(({ type }) => type)
    const rows: unknown[][] = []
    for (const batch of batches) {
      const cells = normalizeBatch(batch, types).data.children.map((data, i) => makeCellValue(types[i], data))
      for (let row = 0; row < batch.numRows && rows.length < maxRows; row++) rows.push(cells.map((cell) => cell(row)))
      await checkpoint(this.signal)
    }
    const total = batches.reduce((sum, batch) => sum + batch.numRows, 0)
    const given = uniqueNames(columns.map(({ name }) => name))
    return { columns: columns.map(({ type }, i) => ({ name: given[i], type })), rows, truncated: total > maxRows }
  }

  /** Names and types of what the statement gives. */
  private columns(): { name: string; type: string }[] {
    const first = this.statement.tokens[0].text.toLowerCase()
    const asQuery = /^(describe|desc|summarize|show)$/.test(first)
    const [batch] = asQuery
      ? this.query('DESCRIBE FROM (\n', this.statement, '\n)')
      : this.query('DESCRIBE ', this.statement, '')
    return Array.from({ length: batch.numRows }, (_, row) => ({
      name: batch.getChildAt(0)?.get(row) as string,
      type: batch.getChildAt(1)?.get(row) as string,
    }))
  }

  private query(before: string, statement: Statement, after: string): RecordBatch[] {
    try {
      return this.connection.query(before + this.names.toEngine(statement.text) + after)
    } catch (error) {
      throw statementError(error, { statement: this.statement, before: before.length - this.offset(statement) })
    }
  }

  /** Bytes before a part of the statement. */
  private offset(part: Statement): number {
    const at = this.statement.text.length - part.text.length
    return part === this.statement ? 0 : new TextEncoder().encode(this.statement.text.slice(0, at)).length
  }

  private async queryInSlices(before: string, after: string): Promise<RecordBatch[]> {
    const { statement } = this
    try {
      return await this.connection.queryInSlices(before + this.names.toEngine(statement.text) + after, () =>
        checkpoint(this.signal),
      )
    } catch (error) {
      this.signal.throwIfAborted()
      throw statementError(error, { statement, before: before.length })
    }
  }
}
