import { foldName } from '../../lib/names.ts'
import { quoteIdentifier, quoteName, quoteText } from '../../lib/duckdb-sql/names.ts'
import type { Connection, Database } from '../storage/database.ts'
import { LOCAL } from './catalog.ts'
import { KEPT } from './kept/place.ts'
import { UTC, type ZoneSetting } from './functions/zones/functions.ts'
import type { TimeZone } from './functions/zones/zone.ts'
import type { Command, Prepared } from './gate/commands.ts'
import { TEMPORARY } from './gate/temporary.ts'
import { refused } from './gate/refusals.ts'
import type { Setting } from './gate/settings.ts'
import type { MadeBy, TransactionState } from './session-types.ts'
import type { Statement } from './statement.ts'

/** The end of every search path: our own macros are in memory's `main`. */
const SEARCHED = `memory.main,memory.${TEMPORARY},${LOCAL.workspace}.${LOCAL.dataset}`

/** The state of a session besides tables. */
export class SessionState {
  /** Prepared statements by folded name. */
  readonly prepared = new Map<string, Statement>()
  /** Time zone for parsing and showing TIMESTAMP WITH TIME ZONE. */
  readonly zone: ZoneSetting = { zone: UTC }
  /** Schemas in which unqualified names are looked up first. */
  private places: readonly string[] = []
  /** Whether variables are set. Only the connection that runs statements has them. */
  hasVariables = false
  private phase: 'none' | 'open' | 'failed' = 'none'
  /** Changes of the open transaction. */
  private making: MadeBy[] = []
  /** How texts without a collation are compared: what SET SESSION says, or else SET alone. */
  private collation: { readonly session: string | null; readonly global: string | null } = {
    session: null,
    global: null,
  }
  private readonly db: Database

  constructor(db: Database) {
    this.db = db
  }

  /** The schema in which what has none in its statement is made, as it's compared. */
  get schema(): string {
    return foldName(this.places[0] ?? 'main')
  }

  get transaction(): TransactionState {
    return this.phase === 'none' ? null : this.phase
  }

  /**
   * The connection with the statements' view of variables and transactions; null while it's busy, or if any connection
   * will do.
   */
  get seeing(): Connection | null {
    return (this.phase === 'open' || this.hasVariables) && !this.db.guest.isRunning ? this.db.guest : null
  }

  /**
   * Begins or ends a transaction.
   * @returns the message for people
   * @throws the engine's error, if a transaction is already or not yet open
   */
  transact(kind: 'begin' | 'commit' | 'rollback', sql: string): string {
    const failed = this.phase === 'failed'
    if (kind === 'rollback' || failed) this.making = []
    try {
      this.db.guest.query(sql)
    } catch (error) {
      // The engine has already rolled it back.
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

  /** Records a change, for the open transaction if there is one. */
  hasMade(by: MadeBy): void {
    this.making.push(by)
  }

  /** Committed changes that weren't returned before; none while a transaction is open. */
  takeMade(): readonly MadeBy[] {
    return this.phase === 'none' ? this.making.splice(0) : []
  }

  /** @returns the message for people */
  setZone(zone: TimeZone): string {
    const isSame = zone === this.zone.zone
    this.zone.zone = zone
    return isSame
      ? `Nothing was changed by timezone: times with a zone are in ${zone.name} already.`
      : `Times with a zone are read and shown in ${zone.name}, until this tab closes.`
  }

  /**
   * @returns the message for people
   * @throws the engine's error for an invalid value
   */
  set({ name, value, ofSession }: Setting): string {
    if (name === 'default_collation') {
      const collation = { ...this.collation, [ofSession ? 'session' : 'global']: value }
      value = collation.session ?? collation.global
      this.db.setCollation(value ?? '')
      this.collation = collation
    } else this.db.guest.query(value === null ? `RESET GLOBAL ${name}` : `SET GLOBAL ${name} = ${quoteText(value)}`)
    return value ? `${name} is ${value} until this tab closes.` : `${name} is back to its default.`
  }

  /**
   * Sets the schemas of unqualified names: objects are looked up in all of them, and created in the first.
   * @param schemas empty for the default
   * @param own the session's schemas, folded
   * @returns the message for people
   * @throws {EngineError} `sql-not-allowed` for a schema that there isn't
   */
  lookIn(schemas: readonly string[], own: ReadonlySet<string>): string {
    const isThere = (name: string): boolean => name === 'main' || (own.has(name) && name !== KEPT && name !== TEMPORARY)
    const missing = schemas.find((schema) => !isThere(foldName(schema)))
    if (missing !== undefined && foldName(missing) === KEPT)
      throw refused('Names by themselves can’t be looked up in my.', 'Write my. before the name of each table in it.')
    if (missing !== undefined && foldName(missing) === LOCAL.workspace)
      throw refused('Names by themselves are looked up in local anyway.', 'Leave this statement out.')
    if (missing !== undefined && /^temp(?:\.main)?$/.test(foldName(missing)))
      throw refused(
        'Names by themselves can’t be looked up in temp.',
        'Leave this statement out: the name of a TEMP table finds it, by itself or as temp.name.',
      )
    if (missing !== undefined)
      throw refused(
        `You have no schema ${missing}.`,
        `Create it first: CREATE SCHEMA ${quoteName(missing)}. For tables elsewhere, write the full name: local.<name>, my.<name> or workspace.dataset.table.`,
      )
    const path = [...schemas.map((schema) => `memory.${quoteIdentifier(schema)}`), SEARCHED].join()
    for (const connection of [this.db.guest, this.db.checker]) connection?.query(`SET search_path = ${quoteText(path)}`)
    const isSame = schemas.join() === this.places.join()
    this.places = schemas
    const all = [...new Set([...schemas, 'main'])].map(quoteName).join(', then in ')
    return isSame
      ? `Nothing was changed: names are looked up in ${all} already.`
      : `Names are looked up in ${all}, until this tab closes.`
  }

  /** @returns the message for people */
  prepare({ name, statement }: Prepared): string {
    this.prepared.set(name, statement)
    return `Prepared ${quoteName(name)}: EXECUTE ${quoteName(name)} runs it, until this tab closes.`
  }

  /** @returns the message for people */
  deallocate(name: string): string {
    if (!this.prepared.delete(name)) return `Nothing was changed: there is no prepared statement ${quoteName(name)}.`
    return `Removed the prepared statement ${quoteName(name)}.`
  }

  /** Call after a statement failed or was cancelled: the engine may have aborted the transaction. */
  afterFailure(): void {
    if (this.phase !== 'open') return
    try {
      this.db.guest.query('SELECT 1')
    } catch {
      this.phase = 'failed'
    }
  }

  /** @throws {EngineError} `sql-not-allowed` for statements that can't run in a failed transaction */
  assertRuns(command: Command | null): void {
    if (this.phase !== 'failed' || command?.kind === 'commit' || command?.kind === 'rollback') return
    throw refused('A statement of this transaction failed: nothing else runs in it.', 'Run ROLLBACK, and begin again.')
  }
}
