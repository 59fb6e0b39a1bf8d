import { checkpoint } from '../../lib/abort.ts'
import { printType } from '../../tables/types.ts'
import { normalizeBatch } from '../arrow/normalize.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { EngineError } from '../errors.ts'
import type {
  PlanOperator,
  ResultColumn,
  RunSummary,
  ScriptStatement,
  SessionTables,
  SqlProblem,
} from './session-types.ts'
import { Attachments } from './attachments.ts'
import { transferType } from '../arrow/duckdb-types.ts'
import { CLOCK } from './clock.ts'
import { readExplain, renderPlan } from './explain.ts'
import type { PlanNode } from './bound-plan.ts'
import { showNames } from './show.ts'
import type { Statement } from './statement.ts'
import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'
import { Binder, EXPLAIN_COLUMNS, explained } from './binder.ts'
import { SessionCatalog } from './catalog.ts'
import { readDialect } from './dialect.ts'
import { Gatherer, type Gathered } from './gather.ts'
import type { OwnChange } from './own-tables.ts'
import { planLines, planTree } from './plan-tree.ts'
import type { Written } from './problems.ts'
import type { SessionCalls, StatementCall, TemporaryTable } from './protocol.ts'
import { splitScript } from './script.ts'

const MEMORY_LIMIT = '2GB'
/** What the page keeps of one result, in bytes. */
const RESULT_LIMIT = 2 * 2 ** 30
/** How long rows are taken from the engine before messages are looked at, in milliseconds. */
const SLICE = 12

/** Where a statement's rows go. */
export interface RunOutput {
  columns(columns: readonly ResultColumn[]): void
  /** Resolves when there's room for more. */
  rows(rows: Gathered): Promise<void>
}

export interface SessionEngineOptions {
  /** DuckDB's memory, in its notation. */
  readonly memoryLimit?: string
  /** Bytes of a result that are kept. */
  readonly resultLimit?: number
}

/** One session: statements one at a time, and looks at others meanwhile. */
export class SessionEngine {
  private readonly db: Database
  private readonly catalog: SessionCatalog
  private readonly binder: Binder
  private readonly resultLimit: number

  private constructor(db: Database, folder: string, resultLimit: number) {
    if (!db.checker) throw new Error('a session needs two connections')
    this.db = db
    this.catalog = new SessionCatalog(db, new Attachments(db, folder, Infinity))
    this.binder = new Binder(db, db.checker, this.catalog)
    this.resultLimit = resultLimit
    db.run(CLOCK)
  }

  static async open({
    memoryLimit = MEMORY_LIMIT,
    resultLimit = RESULT_LIMIT,
  }: SessionEngineOptions = {}): Promise<SessionEngine> {
    const folder = `/${crypto.randomUUID()}/`
    return new SessionEngine(await openDatabase({ folder, memoryLimit, checker: true }), folder, resultLimit)
  }

  use(tables: SessionTables): void {
    this.catalog.use(tables)
  }

  split(script: string): ScriptStatement[] {
    return splitScript(script, this.db.bindings.tokenize(script))
  }

  async check(call: StatementCall, signal: AbortSignal): Promise<SqlProblem[]> {
    let written: Written
    try {
      written = await this.prepare(call, null, signal)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      // Nothing but white space and comments isn't wrong.
      if (error.code !== 'sql-not-allowed') return []
      return [{ from: 0, to: call.sql.length, message: error.message, suggestions: [] }]
    }
    return this.shown(written) ? [] : this.binder.problems(written)
  }

  async describe(call: StatementCall, signal: AbortSignal): Promise<ResultColumn[] | null> {
    const { parameters } = call
    try {
      const written = await this.prepare(call, Object.keys(parameters).length > 0 ? parameters : null, signal)
      const admitted = this.binder.admit(written)
      return 'columns' in admitted ? [...admitted.columns] : null
    } catch (error) {
      if (error instanceof EngineError) return null
      throw error
    }
  }

  /** Takes a statement apart, and makes what it may be about known to the engine. */
  private async prepare(
    { sql, tables, files }: StatementCall,
    values: StatementCall['parameters'] | null,
    signal: AbortSignal,
  ): Promise<Written> {
    const written = this.binder.read(sql, values)
    const toEngine = await this.catalog.ensure(written.statement, tables, files)
    await checkpoint(signal)
    return { ...written, toEngine }
  }

  temporary(): TemporaryTable[] {
    return this.binder.temporary()
  }

  dialect(): SessionCalls['dialect']['result'] {
    return readDialect(this.db)
  }

  /**
   * Runs one statement.
   * @throws {EngineError} `sql-error`, `sql-not-allowed`, `unknown-table`, `out-of-memory`; the signal's reason
   */
  async run(call: StatementCall, signal: AbortSignal, output: RunOutput): Promise<RunSummary> {
    const begun = performance.now()
    const written = await this.prepare(call, call.parameters, signal)
    const answered = this.shown(written)
    if (answered) return this.stream(this.literal(answered), signal, output, begun)
    // Nothing is awaited from here until the engine has bound the statement itself: what was found out holds.
    const admitted = this.binder.admit(written)
    if (!('columns' in admitted)) return this.change(admitted, written, signal, output, begun)
    const inner = explained(written.statement)
    if (inner) {
      const rows = await this.explainText(inner, written, signal)
      return this.stream(this.literal({ columns: EXPLAIN_COLUMNS, rows }), signal, output, begun)
    }
    return this.stream({ ...wrapped(written.statement, admitted.columns), written }, signal, output, begun)
  }

  /** @throws {EngineError} as `run` */
  async explain({ analyze, ...call }: SessionCalls['explain']['request'], signal: AbortSignal): Promise<PlanOperator> {
    const written = await this.prepare(call, call.parameters, signal)
    const change = this.binder.authorize(written)
    const part = explained(written.statement) ?? written.statement
    if (change && analyze)
      throw new EngineError('sql-not-allowed', 'A statement that changes something isn’t run to be explained.', {
        remedy: 'Explain it without running it.',
      })
    return this.tree(change ? { ...part, text: change.text } : part, analyze, written, signal)
  }

  private async tree(part: Statement, analyze: boolean, written: Written, signal: AbortSignal): Promise<PlanOperator> {
    const plans = await this.plans(
      analyze ? 'EXPLAIN (ANALYZE, FORMAT JSON)\n' : 'EXPLAIN (FORMAT JSON)\n',
      part,
      written,
      signal,
    )
    const json = plans.get('analyzed_plan') ?? plans.get('physical_plan')
    if (json === undefined) throw new EngineError('internal', 'The engine gave no plan.')
    const tree = planTree(json, this.catalog.readable)
    if (tree) return tree
    // What it finds out without running anything, such as a stored table's count, it doesn't measure.
    if (analyze) return this.tree(part, false, written, signal)
    throw new EngineError('internal', 'The engine gave no plan.')
  }

  private async plans(
    prefix: string,
    part: Statement,
    written: Written,
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    try {
      const batches = await this.db.guest.queryInSlices(prefix + written.toEngine(part.text), () => checkpoint(signal))
      return new Map(
        batches.flatMap((batch) =>
          Array.from(
            { length: batch.numRows },
            (_, row) => [String(batch.getChildAt(0)?.get(row)), String(batch.getChildAt(1)?.get(row))] as const,
          ),
        ),
      )
    } catch (error) {
      signal.throwIfAborted()
      const skipped = written.statement.text.length - part.text.length
      const offset = new TextEncoder().encode(written.statement.text.slice(0, skipped)).length
      throw this.binder.failure(error, written, prefix.length - offset).error
    }
  }

  /** What EXPLAIN gives as rows. */
  private async explainText(inner: Statement, written: Written, signal: AbortSignal): Promise<string[][]> {
    if (written.statement.tokens[1]?.text.toLowerCase() === 'analyze') {
      return [['analyzed_plan', planLines(await this.tree(inner, true, written, signal)).join('\n')]]
    }
    const plans = await this.plans('EXPLAIN (FORMAT JSON)\n', inner, written, signal)
    const stages = new Map(Array.from(plans, ([stage, plan]) => [stage, JSON.parse(plan) as PlanNode[]]))
    const json = readExplain(written.statement)?.json ?? false
    return renderPlan(stages, json, this.catalog.readable).rows.map((row) => row.map(String))
  }

  private async change(
    change: OwnChange,
    written: Written,
    signal: AbortSignal,
    output: RunOutput,
    begun: number,
  ): Promise<RunSummary> {
    output.columns([])
    const idle = change.conditional && this.binder.has(change.name) === (change.verb === 'create')
    let count = 0
    try {
      this.binder.forget()
      const batches = await this.db.guest.queryInSlices(written.toEngine(change.text), () => checkpoint(signal))
      for (const batch of batches)
        for (let row = 0; row < batch.numRows; row++) count += Number(batch.getChildAt(0)?.get(row) ?? 0)
    } catch (error) {
      signal.throwIfAborted()
      throw this.binder.failure(error, written, 0).error
    } finally {
      // Also of one that was cancelled or failed: it may have been done by then.
      this.binder.forget()
    }
    const totalMs = performance.now() - begun
    return { rows: 0, bytes: 0, firstMs: totalMs, totalMs, message: messageOf(change, count, idle), leftOut: false }
  }

  private async stream(query: Query, signal: AbortSignal, output: RunOutput, begun: number): Promise<RunSummary> {
    const { columns, before, after, written } = query
    output.columns(columns)
    const types = columns.map(({ type }) => transferType(type).type)
    const names = columns.map(({ name }) => name)
    const gatherer = new Gatherer()
    const sent = { rows: 0, bytes: 0, firstMs: null as number | null, leftOut: false }
    const send = async (gathered: Gathered | null): Promise<void> => {
      if (!gathered) return
      sent.rows += gathered.message.rows
      sent.bytes += gathered.bytes
      await output.rows(gathered)
    }
    let rested = performance.now()
    const rest = async (): Promise<void> => {
      await send(gatherer.overdue())
      await checkpoint(signal)
      rested = performance.now()
    }
    try {
      for await (const batch of this.db.guest.stream(before + written.toEngine(written.statement.text) + after, rest)) {
        sent.firstMs ??= performance.now() - begun
        await send(gatherer.add(normalizeBatch(batch, types, undefined, names)))
        if (sent.bytes >= this.resultLimit) {
          sent.leftOut = true
          break
        }
        if (performance.now() - rested > SLICE) await rest()
      }
    } catch (error) {
      signal.throwIfAborted()
      throw this.binder.failure(error, written, before.length).error
    }
    await send(gatherer.flush())
    const totalMs = performance.now() - begun
    const { rows, bytes, firstMs, leftOut } = sent
    return { rows, bytes, firstMs: firstMs ?? totalMs, totalMs, message: null, leftOut }
  }

  /** What SHOW statements about names give: the session's, not the engine's. */
  private shown({ statement }: Written): ReturnType<typeof showNames> {
    return /^(?:show|describe)$/i.test(statement.tokens[0].text)
      ? showNames(statement, [...this.catalog.all, ...this.ownTables()])
      : null
  }

  private ownTables(): { workspace: string; dataset: string; table: string; fileId: string }[] {
    return this.binder
      .temporary()
      .map(({ name }) => ({ workspace: 'memory', dataset: 'main', table: name, fileId: '' }))
  }

  /** A query of rows that are known. */
  private literal({
    columns,
    rows,
  }: {
    readonly columns: readonly ResultColumn[]
    readonly rows: readonly (readonly unknown[])[]
  }): Query {
    const quoted = rows.map((row) => `(${row.map((value) => `'${String(value).replaceAll("'", "''")}'`).join(', ')})`)
    const values = quoted.length > 0 ? quoted.join(', ') : `(${columns.map(() => "''").join(', ')})`
    const sql = `SELECT * FROM (VALUES ${values}) AS t(${columns.map(({ name }) => quoteIdentifier(name)).join(', ')})`
    const written = this.binder.read(quoted.length > 0 ? sql : `${sql} LIMIT 0`, {})
    return { columns, before: '', after: '', written }
  }
}

/** A statement with what the engine is given around it. */
interface Query {
  readonly columns: readonly ResultColumn[]
  readonly before: string
  readonly after: string
  readonly written: Written
}

/** Casts what Arrow has no exact form for; leaves the statement alone when there's nothing to cast. */
function wrapped({ tokens }: Statement, columns: readonly ResultColumn[]): Omit<Query, 'written'> {
  const carriers = columns.map(({ type }) => transferType(type))
  const isQuery = !/^(?:describe|desc|summarize|show)$/i.test(tokens[0].text)
  if (isQuery && carriers.every(({ cast }) => !cast)) return { columns, before: '', after: '' }
  const list = carriers.map(({ type, cast }, i) => (cast ? `CAST(c${i} AS ${printType(type)})` : `c${i}`) + ` AS c${i}`)
  const names = carriers.map((_, i) => `c${i}`)
  return { columns, before: `SELECT ${list.join(', ')} FROM (\n`, after: `\n) AS result(${names.join(', ')})` }
}

/** @param idle whether it was to be done only if something was otherwise than it is */
function messageOf({ verb, kind, name }: OwnChange, count: number, idle: boolean): string {
  if (idle) return `Nothing was changed: there is ${verb === 'create' ? 'already a' : 'no'} temporary ${kind} ${name}.`
  const rows = count === 1 ? '1 row' : `${count.toLocaleString('en-US')} rows`
  const what = `the temporary ${kind} ${name}`
  switch (verb) {
    case 'create':
      return `Created ${what}${count > 0 ? ` with ${rows}` : ''}, which is gone when this tab closes.`
    case 'insert':
      return `Added ${rows} to ${what}, which is gone when this tab closes.`
    case 'update':
      return `Changed ${rows} of ${what}, which is gone when this tab closes.`
    case 'delete':
    case 'truncate':
      return `Removed ${rows} of ${what}.`
    case 'drop':
      return `Removed ${what}.`
    case 'alter':
      return `Changed ${what}, which is gone when this tab closes.`
  }
}
