import { IN_TEMPORARY } from './gate/temporary.ts'
import type { RecordBatch } from 'apache-arrow'
import { transferType } from '../arrow/duckdb-types.ts'
import { normalizeBatch } from '../arrow/normalize.ts'
import type { Database } from '../storage/database.ts'
import type { Binder } from './binder.ts'
import { changeMessage, keptName, type Change } from './gate/changes.ts'
import type { Command, Prepared } from './gate/commands.ts'
import { refused, VALUES } from './gate/refusals.ts'
import { callsOwn, engineName } from './functions/own-names.ts'
import { quoteIdentifier, quoteText } from '../../lib/duckdb-sql/names.ts'
import type { KeptTables } from './kept/kept-tables.ts'
import { castReturned } from './returning.ts'
import { countOf, type Outcome, type Said } from './outcome.ts'
import type { PlacedTables, Reading } from './place/placed-tables.ts'
import type { Written } from './problems/problems.ts'
import type { StatementCall } from './protocol.ts'
import type { SessionState } from './session-state.ts'
import type { MadeBy } from './session-types.ts'
import { checkpoint } from '../../lib/yielding.ts'

/** Statements that report the number of changed rows. */
const COUNTED: ReadonlySet<Change['verb']> = new Set(['insert', 'update', 'delete', 'merge', 'truncate'])
const KEPT_TRANSACTION = 'The transaction is kept: what it made of tables in my stays in this browser.'

/** The parts of a session that statements change. */
interface Changed {
  readonly binder: Binder
  readonly state: SessionState
  readonly kept: KeptTables
  readonly placed: PlacedTables
}

/** Runs statements that change the session's objects or persistent tables. They must have been admitted. */
export class Changer {
  private readonly db: Database
  private readonly binder: Binder
  private readonly state: SessionState
  private readonly kept: KeptTables
  private readonly placed: PlacedTables

  constructor(db: Database, { binder, state, kept, placed }: Changed) {
    this.db = db
    this.binder = binder
    this.state = state
    this.kept = kept
    this.placed = placed
  }

  async change(change: Change, written: Written, call: StatementCall, reading: Reading): Promise<Said> {
    const idle = change.conditional && this.binder.own.has(change) === (change.verb === 'create')
    const run = async (): Promise<string> => {
      const count = countOf(await this.apply(written.toEngine(change.text), written, reading))
      if (change.verb === 'create' && !idle) this.renameColumns(change, written)
      if (change.kind === 'variable') this.state.hasVariables = true
      if (!idle && (count > 0 || !COUNTED.has(change.verb))) this.touch(change)
      return changeMessage(change, count, idle, this.state.transaction !== null)
    }
    const { value: message, kept } = await this.keeping(change, run, call, reading.signal)
    return { message, kept, made: idle ? [] : this.made(change, call) }
  }

  /**
   * In a table or view created from a query, renames columns that have our functions' internal names to DuckDB's names.
   */
  private renameColumns(made: Change, written: Written): void {
    if (made.kind !== 'table' && made.kind !== 'view') return
    if (!callsOwn(made.text) && !made.text.includes(IN_TEMPORARY)) return
    const columns = this.binder.own.columns(made)
    const renamed = columns.filter(({ name }) => engineName(name) !== name)
    if (renamed.length === 0) return
    if (made.query) {
      // A view's column names are part of its definition.
      const names = columns.map(({ name }) => quoteIdentifier(engineName(name))).join(', ')
      const query = written.toEngine(made.query.text)
      this.db.guest.query(`CREATE OR REPLACE VIEW ${columns[0].reference} (${names}) AS ${query}`)
      return
    }
    for (const { reference, name } of renamed) {
      const own = quoteIdentifier(engineName(name))
      this.db.guest.query(`ALTER TABLE ${reference} RENAME ${quoteIdentifier(name)} TO ${own}`)
    }
  }

  prepare(prepared: Prepared, call: StatementCall): Promise<Said> {
    return Promise.resolve({ message: this.state.prepare(prepared), made: [madeBy('prepared', call)] })
  }

  /** What the session has gained from a change that has just run; nothing yet while a transaction is open. */
  private made(change: Change, call: StatementCall): readonly MadeBy[] {
    if (keptName(change) !== null || change.verb === 'maintain') return []
    const by = madeBy(change.kind, call)
    // Variables aren't transactional.
    if (change.kind === 'variable') return [by]
    this.state.hasMade(by)
    return this.state.transaction === null ? this.state.takeMade() : []
  }

  private touch(change: Change): void {
    const name = keptName(change)
    if (name !== null) this.kept.touch(name)
  }

  private keeping<T>(change: Change, run: () => Promise<T>, call: StatementCall, signal: AbortSignal) {
    const name = keptName(change)
    if (change.kind !== 'variable' && change.verb !== 'maintain') this.kept.begin(name === null ? 'own' : 'kept')
    return this.kept.keeping(name === null ? [] : [name], run, { ...call, signal })
  }

  /** The rows of a change with RETURNING. Reading them makes the change. */
  async returned(change: Change, written: Written, call: StatementCall, reading: Reading): Promise<Outcome> {
    const types = this.binder.returningTypes(change, written)
    const transfers = types.map((type) => ({ ...transferType(type), from: type }))
    const wanting = transfers.find(({ cast }) => cast)
    const text = written.toEngine(change.text)
    const sql = wanting ? castReturned(text, written.statement, this.returning(change), transfers) : text
    if (sql === null) {
      const what = `RETURNING can’t give a value of type ${wanting?.from} that has no name.`
      throw refused(what, 'Name each expression with AS: RETURNING a + 1 AS b.')
    }
    const run = async (): Promise<RecordBatch[]> => {
      const found = await this.apply(sql, written, reading)
      if (found.some(({ numRows }) => numRows > 0)) this.touch(change)
      return found
    }
    const { value: batches, kept } = await this.keeping(change, run, call, reading.signal)
    const names = batches[0]?.schema.fields.map(({ name }) => name) ?? []
    const own = transfers.map(({ type }) => type)
    const read = async function* (): AsyncGenerator<RecordBatch, void, undefined> {
      for (const batch of batches) yield normalizeBatch(batch, own, names)
    }
    const columns = names.map((name, i) => ({ name, type: types[i] }))
    return { kind: 'rows', columns, types: own, read, kept, made: this.made(change, call) }
  }

  private returning(change: Change): Parameters<typeof castReturned>[2] {
    return { at: change.returning ?? 0, columns: this.binder.own.columns(change).map(({ name }) => name) }
  }

  /** @param sql for the engine */
  private async apply(sql: string, written: Written, reading: Reading): Promise<RecordBatch[]> {
    const { guest } = this.db
    const { signal, progress } = reading
    const pause = (): Promise<void> => {
      progress(guest.progress())
      return checkpoint(signal)
    }
    try {
      this.binder.forget()
      return await guest.queryInSlices(sql, pause)
    } catch (error) {
      signal.throwIfAborted()
      if (await this.placed.loadMissing(error, reading)) {
        this.placed.show(guest)
        return await this.apply(sql, written, reading)
      }
      throw this.binder.failure(error, written, 0)
    } finally {
      // Even after an error or cancellation, since the change may have been made by then.
      this.binder.forget()
    }
  }

  /** @throws {EngineError} `sql-not-allowed` where the engine knows no such setting */
  private assertSetting(name: string): void {
    const [batch] = this.db.run(
      `SELECT 1 FROM system.main.duckdb_settings() WHERE name = ${quoteText(name)} OR list_contains(aliases, ${quoteText(name)})`,
    )
    if ((batch?.numRows ?? 0) === 0) throw refused(`There is no setting ${name}.`, VALUES)
  }

  /** @returns the message for people */
  async obey(command: Command, written: Written, call: StatementCall, signal: AbortSignal): Promise<Said> {
    if (command.kind === 'idle') {
      if (command.setting !== undefined) this.assertSetting(command.setting)
      return { message: command.message }
    }
    if (command.kind === 'deallocate')
      return { message: this.state.deallocate(command.name), made: [madeBy('prepared', call)] }
    if (command.kind === 'zone') return { message: this.state.setZone(command.zone), made: [madeBy('zone', call)] }
    if (command.kind === 'setting' || command.kind === 'places') {
      const { state, binder } = this
      try {
        const message =
          command.kind === 'setting' ? state.set(command.setting) : state.lookIn(command.schemas, binder.own.schemas())
        return { message, made: [madeBy('setting', call)] }
      } catch (error) {
        throw this.binder.failure(error, written, 0)
      } finally {
        this.binder.forget()
      }
    }
    const { kind } = command
    const run = async (): Promise<string> => {
      const keeps = kind === 'commit' && this.state.transaction === 'open'
      try {
        return await Promise.resolve(this.state.transact(kind, written.statement.text))
      } catch (error) {
        throw this.binder.failure(error, written, 0)
      } finally {
        if (kind !== 'begin') this.placed.afterTransaction(this.db.guest)
        if (!keeps) this.kept.ended()
        this.binder.forget()
      }
    }
    const { value, kept } = await this.kept.keeping([], run, { ...call, signal })
    return { message: kept.length > 0 ? KEPT_TRANSACTION : value, kept, made: this.state.takeMade() }
  }
}

const madeBy = (kind: MadeBy['kind'], { sql, parameters }: StatementCall): MadeBy => ({ kind, sql, parameters })
