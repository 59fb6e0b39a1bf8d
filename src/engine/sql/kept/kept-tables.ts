import { quoteIdentifier, quoteText } from '../../../lib/duckdb-sql/names.ts'
import { EngineError } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { physicalName } from '../../storage/file-names.ts'
import type { NamedTable } from '../../storage/table-types.ts'
import { MemoryTables, type PendingTable, type TableStorage } from '../../storage/tables.ts'
import type { Attachments } from '../attachments.ts'
import { textRows } from '../text-rows.ts'
import { foldAscii } from '../names.ts'
import { refused } from '../gate/refusals.ts'
import type { KeptChange, KeptTable, KeptVersion } from '../session-types.ts'
import { oneStatement } from '../statement.ts'
import { KEPT } from './place.ts'
import { copiedFrom, readDefinition, type Definition } from './definition.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/** A table as the engine has it. */
interface Shown {
  readonly name: string
  readonly fileId: string
  /** The name of the table in its file. */
  readonly physical: string
  /** The file's table, as a statement reads it. */
  readonly source: string
}

interface Saving {
  /** What new files are made under; none where nothing can be kept. */
  readonly creationId?: string | undefined
  readonly signal: AbortSignal
}

/** Which tables a transaction changes: those that stay, or those of the session. */
type Side = 'kept' | 'own'

const ROW = '__row'

/**
 * Tables that outlive the session. Each is a file: a view over it until a statement changes it, then a table in memory
 * whose new version is written to a file of its own before the statement is said to be done.
 */
export class KeptTables {
  /** Called when names mean something else than before. */
  changed: () => void = () => undefined
  private readonly db: Database
  private readonly attachments: Attachments
  private readonly folder: string
  private readonly storage: TableStorage | null
  private readonly inTransaction: () => boolean
  /** As the page has them, by their names as the engine compares them. */
  private known = new Map<string, KeptTable>()
  private readonly shown = new Map<string, Shown>()
  private readonly touched = new Set<string>()
  private side: Side | null = null
  /** Files that are attached and no view is over: a statement that runs may still read them. */
  private readonly stale = new Set<string>()
  /** Names that a statement is changing, null while none is: until it's done, no other version takes their place. */
  private changing: ReadonlySet<string> | null = null

  /** @param storage where new versions are written; null where nothing can be kept */
  constructor(
    db: Database,
    attachments: Attachments,
    {
      folder,
      storage,
      inTransaction,
    }: { readonly folder: string; readonly storage: TableStorage | null; readonly inTransaction: () => boolean },
  ) {
    this.db = db
    this.attachments = attachments
    this.folder = folder
    this.storage = storage
    this.inTransaction = inTransaction
  }

  /** Every table that there is. */
  get all(): NamedTable[] {
    return Array.from(this.known.values(), named)
  }

  /** Tables by the names that plans have for them. */
  get readable(): [string, NamedTable][] {
    return Array.from(this.shown.values(), (table) => [table.physical, named(table)])
  }

  /** What there is from now on. Of what a statement is changing, or a transaction sees, once that is over. */
  use(tables: readonly KeptTable[]): void {
    this.known = new Map(tables.map((table) => [foldAscii(table.name), table]))
    this.reconcile()
  }

  private reconcile(): void {
    this.letGo()
    if (this.changing || this.inTransaction()) return
    for (const [key, { fileId }] of this.shown) if (this.known.get(key)?.fileId !== fileId) this.drop(key)
  }

  /** Makes a view of a table's file, unless its version is there. */
  async ensure({ table, fileId }: NamedTable, file: Blob): Promise<void> {
    const key = foldAscii(table)
    const isWanted = (): boolean =>
      !this.changing?.has(key) &&
      !this.inTransaction() &&
      this.known.get(key)?.fileId === fileId &&
      this.shown.get(key)?.fileId !== fileId
    if (!isWanted()) return
    const { source, physical } = await this.attachments.attach(fileId, file)
    if (!isWanted()) return
    this.stale.delete(fileId)
    this.drop(key)
    this.db.run(`CREATE VIEW ${placeOf(table)} AS FROM ${source}`)
    this.shown.set(key, { name: table, fileId, physical, source })
    this.changed()
  }

  /** Whether a name is of a table that can be changed only once it's in memory. */
  isClosed(name: string): boolean {
    return this.there().get(foldAscii(name))?.kind === 'view'
  }

  /** Brings a table into memory, for a statement to be bound that changes it. */
  async open(name: string, signal: AbortSignal): Promise<void> {
    const key = foldAscii(name)
    const shown = this.shown.get(key)
    if (!shown || !this.isClosed(name)) return
    await this.whileChanging([key], async () => {
      const { guest } = this.db
      const definition = this.definition(shown.source.split('.')[0] ?? '', shown.physical)
      const at = placeOf(shown.name)
      const alone = !this.inTransaction()
      if (alone) guest.query('BEGIN')
      try {
        guest.query(`DROP VIEW ${at}`)
        guest.query(definition.create(at))
        await guest.queryInSlices(copiedFrom(shown.source, at, definition), () => checkpoint(signal))
        if (alone) guest.query('COMMIT')
      } catch (error) {
        if (alone) guest.query('ROLLBACK')
        throw error
      }
      this.changed()
    })
  }

  /**
   * To be called before a change runs.
   * @throws {EngineError} `sql-not-allowed` where its transaction changes tables of the other kind
   */
  begin(side: Side): void {
    if (!this.inTransaction()) return
    if (this.side !== null && this.side !== side)
      throw refused(
        'One transaction changes either tables in my or tables of this tab, not both.',
        'COMMIT first, and change the others after it.',
      )
    this.side = side
  }

  /** Remembers that a table may have changed. */
  touch(name: string): void {
    this.touched.add(foldAscii(name))
  }

  /**
   * Runs a statement, and keeps what has changed unless it's within a transaction. Where that fails, nothing has changed.
   * @param names of tables that it may change
   */
  async keeping<T>(
    names: readonly string[],
    run: () => Promise<T>,
    saving: Saving,
  ): Promise<{ readonly value: T; readonly kept: readonly KeptChange[] }> {
    const keys = [...names.map(foldAscii), ...this.touched]
    if (keys.length === 0) return { value: await run(), kept: [] }
    return this.whileChanging(keys, async () => {
      try {
        const value = await run()
        return { value, kept: this.inTransaction() ? [] : await this.save(saving) }
      } catch (error) {
        if (!this.inTransaction()) this.undo(keys)
        throw error
      }
    })
  }

  /** To be called when a transaction has ended, unless `keeping` did that. */
  ended(): void {
    this.side = null
    this.touched.clear()
    this.reconcile()
  }

  private async whileChanging<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = this.changing
    this.changing = new Set(keys)
    try {
      return await work()
    } finally {
      this.changing = before
      this.reconcile()
    }
  }

  /** Writes each table that changed to a file of its own: all of them, or none. */
  private async save({ creationId, signal }: Saving): Promise<KeptChange[]> {
    const there = this.there()
    for (const key of this.moved()) this.touched.add(key)
    const pending: PendingTable[] = []
    try {
      const changes: KeptChange[] = []
      for (const key of this.touched) {
        const now = there.get(key)
        const before = this.shown.get(key)
        if (now?.kind === 'table') {
          const after = await this.write(now.name, creationId, pending, signal)
          changes.push({ name: now.name, before: before?.fileId ?? null, after })
        } else if (!now && before) changes.push({ name: before.name, before: before.fileId, after: null })
      }
      this.settle(changes)
      return changes
    } catch (error) {
      const reason = signal.aborted ? error : (pending.find(({ failure }) => failure)?.failure ?? error)
      for (const each of pending) await each.discard().catch(() => undefined)
      throw reason
    }
  }

  private settle(changes: readonly KeptChange[]): void {
    for (const { name, before, after } of changes) {
      const key = foldAscii(name)
      if (before !== null) this.attachments.release(before)
      this.shown.delete(key)
      this.known.delete(key)
      if (!after) continue
      const { fileId } = after
      this.shown.set(key, { name, fileId, physical: physicalName(fileId), source: placeOf(name) })
      this.known.set(key, { name, fileId })
    }
    this.side = null
    this.touched.clear()
  }

  /** What is in memory and wasn't kept goes: the next statement finds the tables as their files have them. */
  private undo(keys: readonly string[]): void {
    for (const key of new Set([...keys, ...this.touched, ...this.moved()])) this.drop(key)
    this.side = null
    this.touched.clear()
  }

  /** Names that are there and weren't, or the other way round. */
  private moved(): string[] {
    const there = this.there()
    return [...there.keys(), ...this.shown.keys()].filter((key) => this.shown.has(key) !== there.has(key))
  }

  private drop(key: string): void {
    const shown = this.shown.get(key)
    const there = this.there().get(key)
    if (there) this.db.run(`DROP ${there.kind} ${placeOf(there.name)}`)
    if (shown) this.stale.add(shown.fileId)
    this.letGo()
    this.shown.delete(key)
    if (there || shown) this.changed()
  }

  private letGo(): void {
    if (this.db.guest.isRunning) return
    for (const fileId of this.stale) this.attachments.release(fileId)
    this.stale.clear()
  }

  private async write(
    name: string,
    creationId: string | undefined,
    made: PendingTable[],
    signal: AbortSignal,
  ): Promise<KeptVersion> {
    const { db, folder, storage } = this
    if (!storage || creationId === undefined)
      throw refused('No table can be kept here.', 'Leave out my. before its name: then it’s of this tab.')
    const definition = this.definition('memory', name, KEPT)
    definition.assertKept((each) => this.isMacro(each))
    const path = `${folder}${crypto.randomUUID()}.db`
    const pending = await storage.create(creationId, db, path)
    made.push(pending)
    const catalog = `f_${crypto.randomUUID().replaceAll('-', '')}`
    const target = `${catalog}.main.${physicalName(pending.fileId)}`
    const pause = (): Promise<void> => checkpoint(signal)
    db.run(`ATTACH ${quoteText(path)} AS ${catalog}`)
    try {
      db.run(definition.create(target))
      await db.guest.queryInSlices(copiedFrom(placeOf(name), target, definition), pause)
      db.run(`CHECKPOINT ${catalog}`)
    } finally {
      db.run(`DETACH ${catalog}`)
    }
    const file = await pending.commit()
    if (pending.failure) throw pending.failure
    const { fileId } = pending
    try {
      const { source, physical } = await this.attachments.attach(fileId, file)
      const sums: string[] = []
      for (const table of [placeOf(name), source]) sums.push(await this.sum(table, pause))
      const stored = this.definition(source.split('.')[0] ?? '', physical)
      if (new Set(sums).size > 1 || stored.columns !== definition.columns) throw notKept()
      const [rows] = sums[0]?.split(' ') ?? []
      const version = { fileId, rowCount: Number(rows), byteSize: file.size, schema: this.columns(name) }
      return storage instanceof MemoryTables ? { ...version, stored: file } : version
    } finally {
      this.attachments.release(fileId)
    }
  }

  private async sum(table: string, pause: () => Promise<void>): Promise<string> {
    const sql = `SELECT count(*) || ' ' || coalesce(sum(hash(${ROW})::HUGEINT), 0) FROM ${table} AS ${ROW}`
    const [[sum = ''] = []] = (await this.db.guest.queryInSlices(sql, pause)).flatMap(textRows)
    return sum
  }

  /** How a table is made, in the engine's words. */
  private definition(catalog: string, name: string, schema = 'main'): Definition {
    const [[sql = ''] = []] = this.rows(
      `SELECT sql FROM system.main.duckdb_tables() WHERE database_name = '${catalog}' AND schema_name = '${schema}'
        AND table_name = ${quoteText(name)}`,
    )
    return readDefinition(oneStatement(sql, this.db.bindings.tokenize(sql)))
  }

  private columns(name: string): KeptVersion['schema'] {
    return this.rows(
      `SELECT column_name, data_type FROM system.main.duckdb_columns() WHERE database_name = 'memory'
        AND schema_name = '${KEPT}' AND table_name = ${quoteText(name)} ORDER BY column_index ASC`,
    ).map(([column = '', type = '']) => ({ name: column, type }))
  }

  /** Whether the session has made a macro of that name. */
  private isMacro(name: string): boolean {
    const found = this.rows(
      `SELECT DISTINCT function_name FROM system.main.duckdb_functions() WHERE database_name = 'memory' AND NOT internal`,
    )
    return found.some(([each = '']) => foldAscii(each) === name)
  }

  /** What is in the schema, as statements see it. */
  private there(): ReadonlyMap<string, { readonly name: string; readonly kind: 'table' | 'view' }> {
    const where = `database_name = 'memory' AND schema_name = '${KEPT}'`
    const rows = this.rows(`
      SELECT table_name, 'table' FROM system.main.duckdb_tables() WHERE ${where}
      UNION ALL SELECT view_name, 'view' FROM system.main.duckdb_views() WHERE ${where}`)
    return new Map(
      rows.map(([name = '', kind]) => [foldAscii(name), { name, kind: kind === 'view' ? 'view' : 'table' }]),
    )
  }

  private rows(sql: string): string[][] {
    const { db } = this
    return (this.inTransaction() && !db.guest.isRunning ? db.askGuest(sql) : db.run(sql)).flatMap(textRows)
  }
}

const named = ({ name, fileId }: KeptTable): NamedTable => ({ workspace: KEPT, dataset: '', table: name, fileId })

const placeOf = (name: string): string => `memory.${KEPT}.${quoteIdentifier(name)}`

function notKept(): EngineError {
  return new EngineError('verification', 'What was written of the table isn’t what is in it, so nothing was changed.', {
    remedy: 'Make sure that there’s room on the disk, and try again.',
  })
}
