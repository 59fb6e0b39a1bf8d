import { quoteName, quoteText } from '../../lib/duckdb-sql/names.ts'
import type { Connection, Database } from '../storage/database.ts'
import { UTC, type ZoneSetting } from './functions/zones/functions.ts'
import type { TimeZone } from './functions/zones/zone.ts'
import type { Command, Prepared } from './gate/commands.ts'
import { refused } from './gate/refusals.ts'
import type { Setting } from './gate/settings.ts'
import type { MadeBy, TransactionState } from './session-types.ts'
import type { Statement } from './statement.ts'

/** What a session keeps from one statement to the next beside tables. */
export class SessionState {
  /** Prepared statements, by their folded names. */
  readonly prepared = new Map<string, Statement>()
  /** By whose clocks times with a zone are read and shown. */
  readonly zone: ZoneSetting = { zone: UTC }
  /** Whether there are variables, which only the connection that runs statements has. */
  hasVariables = false
  private phase: 'none' | 'open' | 'failed' = 'none'
  /** Statements whose changes aren't kept yet. */
  private making: MadeBy[] = []
  private readonly db: Database

  constructor(db: Database) {
    this.db = db
  }

  get transaction(): TransactionState {
    return this.phase === 'none' ? null : this.phase
  }

  /** The connection that sees what statements see; null while it's taken, and when any does. */
  get seeing(): Connection | null {
    return (this.phase === 'open' || this.hasVariables) && !this.db.guest.isRunning ? this.db.guest : null
  }

  /**
   * Begins or ends a transaction.
   * @returns what is to be said of it
   * @throws what the engine throws: there's one already, or none
   */
  transact(kind: 'begin' | 'commit' | 'rollback', sql: string): string {
    const failed = this.phase === 'failed'
    if (kind === 'rollback' || failed) this.making = []
    try {
      this.db.guest.query(sql)
    } catch (error) {
      // The engine has given it up by then: there's nothing left to roll back.
      if (kind === 'commit') {
        this.phase = 'none'
        this.making = []
      }
      throw error
    }
    this.phase = kind === 'begin' ? 'open' : 'none'
    if (kind === 'begin')
      return 'A transaction has begun: COMMIT keeps what follows, ROLLBACK or closing this tab undoes it.'
    if (kind === 'commit' && !failed) return 'The transaction is kept, until this tab closes.'
    return failed ? 'The transaction is undone, since one of its statements had failed.' : 'The transaction is undone.'
  }

  /** Remembers a statement that has changed something, within the transaction if there is one. */
  hasMade(by: MadeBy): void {
    this.making.push(by)
  }

  /** Statements whose changes are kept, and that weren't given before; none while a transaction is open. */
  takeMade(): readonly MadeBy[] {
    return this.phase === 'none' ? this.making.splice(0) : []
  }

  /** @returns what is to be said of it */
  setZone(zone: TimeZone): string {
    const isSame = zone === this.zone.zone
    this.zone.zone = zone
    return isSame
      ? `Nothing was changed by timezone: times with a zone are in ${zone.name} already.`
      : `Times with a zone are read and shown in ${zone.name}, until this tab closes.`
  }

  /**
   * @returns what is to be said of it
   * @throws what the engine throws of a value that it doesn't know
   */
  set({ name, value }: Setting): string {
    this.db.guest.query(value === null ? `RESET GLOBAL ${name}` : `SET GLOBAL ${name} = ${quoteText(value)}`)
    return value === null ? `${name} is back to its default.` : `${name} is ${value} until this tab closes.`
  }

  /** @returns what is to be said of it */
  prepare({ name, statement }: Prepared): string {
    this.prepared.set(name, statement)
    return `Prepared ${quoteName(name)}: EXECUTE ${quoteName(name)} runs it, until this tab closes.`
  }

  /** @returns what is to be said of it */
  deallocate(name: string): string {
    if (!this.prepared.delete(name)) return `Nothing was changed: there is no prepared statement ${quoteName(name)}.`
    return `Removed the prepared statement ${quoteName(name)}.`
  }

  /** To be called when a statement failed or was cancelled: the engine may have given up the transaction. */
  afterFailure(): void {
    if (this.phase !== 'open') return
    try {
      this.db.guest.query('SELECT 1')
    } catch {
      this.phase = 'failed'
    }
  }

  /** @throws {EngineError} `sql-not-allowed` for what can't run in a transaction that has failed */
  assertRuns(command: Command | null): void {
    if (this.phase !== 'failed' || command?.kind === 'commit' || command?.kind === 'rollback') return
    throw refused('A statement of this transaction failed: nothing else runs in it.', 'Run ROLLBACK, and begin again.')
  }
}
