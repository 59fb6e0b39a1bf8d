import { isAbort } from '../../lib/abort.ts'
import type { FunctionInfo } from '../../lib/duckdb-sql/index.ts'
import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'
import { EngineError } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { textRows } from './text-rows.ts'
import { Attachments } from './attachments.ts'
import { Binder, notRunToExplain, pivots, type Admitted } from './binder.ts'
import { Catalog, LOCAL, ownTable, type Listed } from './catalog.ts'
import { MACROS, readDialect, readMacros } from './dialect.ts'
import { readExplain } from './explain/explain.ts'
import { Explainer } from './explain/explainer.ts'
import { CATALOG_MACROS } from './gate/catalog-functions.ts'
import { Changer } from './changer.ts'
import { keptName } from './gate/changes.ts'
import { readCommand } from './gate/commands.ts'
import type { DuckDB } from './duckdb.ts'
import { KeptTables } from './kept/kept-tables.ts'
import { TEMPORARY } from './gate/temporary.ts'
import { KEPT } from './kept/place.ts'
import type { TableStorage } from '../storage/tables.ts'
import { JSON_MACROS } from './functions/json/macros.ts'
import { GIVEN_MACRO } from './functions/own-names.ts'
import { TRUNC_MACROS } from './functions/date-trunc.ts'
import { ZONE_EDIT_MACROS } from './functions/zones/macros.ts'
import { DatabaseFiles } from './place/database-files.ts'
import { PlacedTables, type Reading } from './place/placed-tables.ts'
import type { Spill } from '../storage/spill.ts'
import type { OpenTableFile } from './place/table-file.ts'
import { Provision, type Need } from './place/provision.ts'
import type { Written } from './problems/problems.ts'
import type { SessionCalls, StatementCall, TemporaryTable } from './protocol.ts'
import type {
  PlanOperator,
  ResultColumn,
  ScriptStatement,
  SessionTables,
  SqlProblem,
  TransactionState,
} from './session-types.ts'
import { listAll, listsAll, showNames, type TextRows } from './explain/show.ts'
import { refused } from './gate/refusals.ts'
import { known, type Outcome } from './outcome.ts'
import { RowReader } from './row-reader.ts'
import { SessionState } from './session-state.ts'
import { splitScript, type Statement } from './statement.ts'
import { checkpoint } from '../../lib/yielding.ts'

const MEMORY_LIMIT = '2GB'
/** Limit of DuckDB's memory for loaded columns of files that are queried in place, in bytes. */
const PLACED_BUDGET = 2 ** 30
const QUIET = (): void => undefined

export interface SqlEngineOptions {
  /** DuckDB's memory limit, in its notation. */
  readonly memoryLimit?: string
  /**
   * For untrusted statements: they can only read, errors suggest no names, and each statement starts from the same
   * state. The caller must run them one at a time, and may not check statements meanwhile.
   */
  readonly readOnly?: boolean
  /** How many files stay attached after the statements that needed them; all by default. */
  readonly keptFiles?: number
  /** Opens files that are queried in place. */
  readonly openFile?: OpenTableFile
  /** Memory for loaded columns of such files, in bytes. */
  readonly placedBudget?: number
  /** Storage for persistent tables; without it, none can be created. */
  readonly storage?: TableStorage | null
  /** Where intermediate results go that exceed the memory; without it, such statements fail. */
  readonly spill?: Spill | null
}

/** DuckDB over tables' files. Runs one statement at a time, and can check others meanwhile. */
export class SqlEngine {
  private readonly db: Database
  private readonly catalog: Catalog
  private readonly binder: Binder
  private readonly state: SessionState
  private readonly kept: KeptTables
  private readonly placed: PlacedTables
  private readonly provision: Provision
  private readonly reader: RowReader
  private readonly explainer: Explainer
  private readonly changer: Changer
  private readonly readOnly: boolean
  private readonly spill: Spill | null
  private letGo = QUIET
  /** Bytes on the disk that the last statement needed beyond the memory. */
  spilled = 0

  private constructor(db: Database, folder: string, options: SqlEngineOptions) {
    const { readOnly = false, keptFiles = Infinity, placedBudget = PLACED_BUDGET } = options
    if (!db.checker) throw new Error('statements need two connections')
    this.db = db
    this.state = new SessionState(db)
    const inTransaction = (): boolean => this.state.transaction !== null
    this.placed = new PlacedTables(db, { openFile: options.openFile ?? null, budget: placedBudget, inTransaction })
    const attachments = new Attachments(db, folder, keptFiles, readOnly ? null : this.placed)
    this.kept = new KeptTables(db, attachments, { folder, storage: options.storage ?? null, inTransaction })
    this.catalog = new Catalog(db, {
      attachments,
      databases: new DatabaseFiles(db, folder),
      kept: readOnly ? null : this.kept,
      inUse: () => db.guest.isRunning || inTransaction(),
    })
    this.binder = new Binder(db, db.checker, this.catalog, this.state, readOnly)
    this.provision = new Provision(db, this.placed, inTransaction)
    this.reader = new RowReader(db, this.binder, this.placed, this.state.zone)
    this.explainer = new Explainer(db, this.catalog, this.binder, (plan) => this.placed.renamed(plan))
    const { binder, state, kept, placed } = this
    this.changer = new Changer(db, { binder, state, kept, placed })
    this.readOnly = readOnly
    this.spill = options.spill ?? null
  }

  static async open(duckdb: DuckDB, options: SqlEngineOptions = {}): Promise<SqlEngine> {
    const folder = duckdb.folder()
    const own = options.readOnly ? {} : { searched: LOCAL.workspace, settable: true }
    const db = await duckdb.open({
      folder,
      memoryLimit: options.memoryLimit ?? MEMORY_LIMIT,
      spill: options.spill ?? null,
      checker: true,
      ...own,
    })
    const engine = new SqlEngine(db, folder, options)
    engine.letGo = duckdb.extend(db, engine.state.zone)
    db.run(MACROS + JSON_MACROS + ZONE_EDIT_MACROS + TRUNC_MACROS)
    if (options.readOnly) return engine
    db.run(`${CATALOG_MACROS} ${GIVEN_MACRO} CREATE SCHEMA memory.${KEPT}; CREATE SCHEMA memory.${TEMPORARY};`)
    engine.state.lookIn([], new Set())
    return engine
  }

  /** Sets the tables that statements can use from now on. */
  use(tables: SessionTables): void {
    this.catalog.use(tables)
  }

  split(script: string): ScriptStatement[] {
    return splitScript(script, this.db.bindings.tokenize(script))
  }

  async check(call: StatementCall, signal: AbortSignal): Promise<SqlProblem[]> {
    try {
      const written = this.read(call, null)
      // In a transaction, only the running connection may see some tables, and an error would end the transaction.
      if (this.state.transaction || written.open || this.shown(written)) return []
      const given = await this.prepare(written, call, signal)
      // Checking would copy the table into memory at each keystroke.
      const name = this.keptIn(given)
      return name !== null && this.kept.isClosed(name) ? [] : this.binder.problems(given)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      // Blank text and comments aren't an error.
      if (error.code !== 'sql-not-allowed') return []
      const { from = 0, to = call.sql.length, suggestions = [] } = (error.details ?? {}) as Partial<SqlProblem>
      return [{ from, to, message: error.message, suggestions }]
    }
  }

  async describe(call: StatementCall, signal: AbortSignal): Promise<ResultColumn[] | null> {
    const { parameters } = call
    if (this.state.transaction) return null
    try {
      const read = this.read(call, Object.keys(parameters).length > 0 ? parameters : null)
      const admitted = this.binder.admit(await this.prepare(read, call, signal))
      return 'columns' in admitted && !read.prepares ? [...admitted.columns] : null
    } catch (error) {
      if (error instanceof EngineError) return null
      throw error
    }
  }

  temporary(): TemporaryTable[] {
    return this.binder.own.tables()
  }

  /** Whether a transaction is open or has failed. */
  get transaction(): TransactionState {
    return this.state.transaction
  }

  macros(): FunctionInfo[] {
    return readMacros((sql) => this.db.run(sql))
  }

  dialect(): SessionCalls['dialect']['result'] {
    return readDialect(this.db)
  }

  /**
   * Runs one statement: attaches the tables that it may use, authorizes it, and passes on its outcome.
   * @param call `limit`: number of rows that suffice
   * @param take its second argument is notes about names in the statement
   * @param progress called with the share that is done, or that was read of a file queried in place
   * @throws {EngineError} `sql-error`, `sql-not-allowed`, `unknown-table`, `out-of-memory`; the signal's reason
   */
  async run<T>(
    call: StatementCall & { readonly limit?: number },
    signal: AbortSignal,
    take: (outcome: Outcome, notes: readonly string[]) => Promise<T>,
    progress: Reading['progress'] = QUIET,
  ): Promise<T> {
    try {
      const read = this.read(call, call.parameters)
      const command = this.readOnly ? null : readCommand(read.statement)
      this.state.assertRuns(command)
      if (!this.readOnly && !read.prepares && listsAll(read.statement)) {
        await this.prepare(read, call, signal)
        return await this.run({ ...call, sql: listAll(this.listed()) }, signal, take, progress)
      }
      const shown = this.shown(read)
      if (shown) return await take(known(shown), [])
      const given = await this.prepare(read, call, signal)
      const outcome = command
        ? ({ kind: 'change', apply: () => this.changer.obey(command, given, call, signal) } as const)
        : await this.outcome(given, call, { signal, progress })
      return await take(outcome, read.notes ?? [])
    } catch (error) {
      throw this.failed(error)
    } finally {
      this.letGo()
      this.spilled = this.spill?.giveBack(() => this.db.hasSpilled()) ?? 0
      this.clearAfter(call.sql)
    }
  }

  private async outcome(
    written: Written,
    call: StatementCall & { limit?: number },
    reading: Reading,
  ): Promise<Outcome> {
    const { signal } = reading
    const { prepares } = written
    await this.open(written, signal)
    await this.provide(written, call, reading)
    for (;;) {
      // No `await` from here until the engine has bound the statement, so that what was checked still holds.
      const admitted = await this.admit(written, reading)
      if (prepares) return { kind: 'change', apply: () => this.changer.prepare(prepares, call) }
      const explained = 'columns' in admitted ? readExplain(written.statement, !this.readOnly) : null
      const part = explained?.analyze ? explained.statement : explained ? null : written.statement
      const need = part && this.needOf(admitted, part, written)
      const flow = 'columns' in admitted && !explained ? (need?.flow ?? null) : null
      if (need && !flow) {
        await this.placed.load(need.columns, reading)
        continue
      }
      if (!('columns' in admitted)) {
        if (admitted.returning !== null) return this.changer.returned(admitted, written, call, reading)
        return { kind: 'change', apply: () => this.changer.change(admitted, written, call, reading) }
      }
      if (explained) return known(await this.explainer.explained(explained, written, signal))
      return this.reader.rows(written, { columns: admitted.columns, limit: call.limit, flow }, reading)
    }
  }

  /** In a transaction, an error during binding would end it. Loads the rows beforehand that binding may read. */
  private async provide({ statement }: Written, { tables }: StatementCall, reading: Reading): Promise<void> {
    if (this.placed.isEmpty) return
    this.placed.show(this.db.guest)
    if (!this.state.transaction || !pivots(statement)) return
    const ids = new Set(tables.map(({ fileId }) => fileId))
    const named = [...this.catalog.readable].filter(([, { fileId }]) => ids.has(fileId))
    await this.placed.loadWhole(new Set(named.map(([physical]) => physical)), reading)
    this.placed.show(this.db.guest)
  }

  /** The persistent table that a statement would change or explain a change of. */
  private keptIn({ statement, prepares }: Written): string | null {
    if (this.readOnly || readCommand(statement)) return null
    const part = prepares ? prepares.statement : (readExplain(statement, true)?.statement ?? statement)
    const change = this.binder.readChange(part)
    return change && keptName(change)
  }

  private async open(written: Written, signal: AbortSignal): Promise<void> {
    const name = this.keptIn(written)
    if (name !== null) await this.kept.open(name, signal)
  }

  /**
   * Admits a statement. If it has a PIVOT, which reads rows during binding, first loads those of files that are queried
   * in place.
   */
  private async admit(given: Written, reading: Reading): Promise<ReturnType<Binder['admit']>> {
    for (;;) {
      try {
        return this.binder.admit(given)
      } catch (error) {
        if (!(await this.placed.loadMissing(error, reading))) throw error
        this.placed.show(this.db.guest)
      }
    }
  }

  private needOf(admitted: Admitted, part: Statement, written: Written): Need | null {
    if ('columns' in admitted) return this.provision.of(part, written)
    // DuckDB can't explain these.
    if (admitted.verb === 'comment' || admitted.verb === 'maintain') return null
    return this.provision.of({ ...part, text: admitted.text }, written)
  }

  /**
   * The bound plan of a reading statement, serialized by DuckDB as JSON. Doesn't run it.
   * @throws {EngineError} as `run`
   */
  async plan(call: StatementCall, signal: AbortSignal): Promise<{ columns: readonly ResultColumn[]; plan: string }> {
    try {
      const given = await this.prepare(this.read(call, call.parameters), call, signal)
      const admitted = this.binder.admit(given)
      if (!('columns' in admitted)) throw refused('A statement that changes something has no plan.', 'Run it.')
      return { columns: admitted.columns, plan: this.binder.serializedPlan(given) }
    } finally {
      this.clearAfter(call.sql)
    }
  }

  /** @throws {EngineError} as `run` */
  async explain(call: SessionCalls['explain']['request'], signal: AbortSignal): Promise<PlanOperator> {
    try {
      this.state.assertRuns(null)
      return await this.planned(call, signal)
    } catch (error) {
      throw this.failed(error)
    } finally {
      this.spill?.giveBack(() => this.db.hasSpilled())
    }
  }

  private async planned({ analyze, ...call }: SessionCalls['explain']['request'], signal: AbortSignal) {
    const given = await this.prepare(this.read(call, call.parameters), call, signal)
    await this.open(given, signal)
    const change = this.binder.authorize(given)
    const part = readExplain(given.statement, true)?.statement ?? given.statement
    if (change && analyze) throw notRunToExplain()
    const reading = { signal, progress: QUIET }
    for (let need = analyze ? this.provision.of(part, given) : null; need; need = this.provision.of(part, given))
      await this.placed.load(need.columns, reading)
    return this.explainer.tree(change ? { ...part, text: change.text } : part, analyze, given, signal)
  }

  /** @returns a more specific error, if known */
  private failed(error: unknown): unknown {
    this.state.afterFailure()
    this.placed.forget(this.db.guest)
    const better = this.spill?.takeFailure() ?? error
    return isAbort(error) ? error : better
  }

  private read({ sql, files }: StatementCall, values: StatementCall['parameters'] | null): Written {
    this.catalog.addFiles(files)
    return this.binder.read(sql, values)
  }

  /** Creates the views that a statement may need. */
  private async prepare(written: Written, { tables }: StatementCall, signal: AbortSignal): Promise<Written> {
    const ready = this.catalog.ready(written.statement, tables)
    if (ready) {
      signal.throwIfAborted()
      return { ...written, toEngine: ready }
    }
    const toEngine = await this.catalog.ensure(written.statement, tables)
    await checkpoint(signal)
    return { ...written, toEngine }
  }

  /** All tables that there are for statements. */
  private listed(): Listed[] {
    return [...this.catalog.listed, ...this.binder.own.tables().map(({ schema, table }) => ownTable(schema, table))]
  }

  /** Removes what a statement that only reads leaves behind, so that the next one can't see it. */
  private clearAfter(sql: string): void {
    if (!this.readOnly) return
    // PIVOT leaves a temporary type with the values that it found.
    if (/pivot/i.test(sql)) {
      const types = `SELECT type_name FROM duckdb_types() WHERE database_name = 'temp' AND NOT internal AND type_name LIKE '__pivot%'`
      for (const connection of [this.db.guest, this.db.checker ?? []].flat())
        for (const [name] of connection.query(types).flatMap(textRows))
          connection.query(`DROP TYPE temp.main.${quoteIdentifier(name)}`)
    }
    this.catalog.clear()
  }

  /** The result of SHOW and DESCRIBE for names, from our own catalog rather than the engine's. */
  private shown({ statement, prepares }: Written): TextRows | null {
    if (prepares || !/^(?:show|describe)$/i.test(statement.tokens[0].text)) return null
    const { own } = this.binder
    return showNames(
      statement,
      this.catalog.all,
      this.readOnly ? null : { tables: own.tables(), schemas: own.schemas() },
    )
  }
}
