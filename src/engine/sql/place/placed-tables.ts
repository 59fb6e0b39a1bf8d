import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import type { Column } from '../../../tables/types.ts'
import type { FormatId } from '../../../contract/formats.ts'
import { Connection, type Database } from '../../storage/database.ts'
import type { PlanNode } from '../gate/authorize.ts'
import { textRows } from '../text-rows.ts'
import { filtersOf, partsQuery } from './filters.ts'
import type { Flowing } from './flow.ts'
import { HeldRows } from './held-rows.ts'
import { columnsNamed, withoutMarkers, type Columns } from './markers.ts'
import { PlacedFile } from './placed-file.ts'
import { assertWhole, tooLarge } from './problems.ts'
import type { OpenTableFile } from './table-file.ts'
import { checkpoint } from '../../../lib/yielding.ts'
import { formatOfSignature } from '../../formats/registry.ts'

/** Formats whose files state their columns and row counts, and can be read column by column. */
const IN_PLACE: ReadonlySet<FormatId | null> = new Set(['parquet', 'arrow'])
/** Leading bytes that identify a format. */
const HEAD = 16
/** Size of the parts that are queried separately; the first one is whatever is read first. */
const PART_ROWS = 262_144
const PART_BYTES = 48 * 2 ** 20

/**
 * Row groups are skipped only if at most this share of the file's rows remains. Otherwise it's better to read and keep
 * whole columns.
 */
const MOST_OF_FILE = 0.5

const NOTHING: Columns = new Map()

export interface Reading {
  readonly signal: AbortSignal
  /** Called with the share of the file's rows that has been read. */
  readonly progress: (fraction: number | null) => void
}

/** How DuckDB sees a table. */
export interface Attachment {
  /** Quoted name for SQL. */
  readonly source: string
  /** Name in plans. */
  readonly physical: string
}

interface Options {
  /** Null if all files are to be imported before they are queried. */
  readonly openFile: OpenTableFile | null
  /** Bytes of columns to keep in memory for later statements. */
  readonly budget: number
  readonly inTransaction: () => boolean
}

/**
 * Tables whose files are queried in place. The columns and the row count are known from the start; a column's rows are
 * read when a statement needs them, and kept while memory allows.
 */
export class PlacedTables {
  private readonly db: Database
  private readonly loader: Connection
  private readonly options: Options
  /** By id, least recently used first. */
  private readonly tables = new Map<string, PlacedFile>()
  /** The rows under each connection's views. */
  private readonly views = new Map<Connection, Map<string, HeldRows | null>>()
  /** Replaced rows that an open transaction may still use. */
  private readonly leftover: HeldRows[] = []

  constructor(db: Database, options: Options) {
    this.db = db
    this.loader = new Connection(db.bindings)
    this.options = options
  }

  get isEmpty(): boolean {
    return this.tables.size === 0
  }

  /** The format of a file that can be queried in place; null for others. */
  async takes(file: File): Promise<FormatId | null> {
    if (!this.options.openFile) return null
    const format = formatOfSignature(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()))
    return IN_PLACE.has(format) ? format : null
  }

  /** @throws {EngineError} if the file can't be read */
  async attach(file: File, format: FormatId): Promise<Attachment> {
    const { openFile } = this.options
    if (!openFile) throw new Error('files aren’t queried where they lie here')
    const placed = new PlacedFile(file, await openFile(file, format, new AbortController().signal))
    this.tables.set(placed.id, placed)
    // Needed where the view is created that uses it.
    this.db.run(placed.viewOver(null))
    if (this.db.checker) this.show(this.db.checker)
    return { source: placed.named, physical: placed.physical }
  }

  /** Drops a file and its loaded rows. Nothing may use it any more, and no transaction may be open. */
  release({ physical }: Attachment): void {
    const table = [...this.tables.values()].find((each) => each.physical === physical)
    if (!table) return
    this.tables.delete(table.id)
    for (const [connection, known] of this.views) {
      connection.query(table.withoutView)
      known.delete(table.id)
    }
    this.db.run(table.withoutView)
    table.held?.drop()
  }

  /**
   * Creates a connection's views. Call before binding a statement that runs.
   * @param instead shows no rows of any table, or these rows of one table, instead of the loaded ones
   */
  show(connection: Connection, instead?: 'nothing' | { readonly id: string; readonly held: HeldRows }): void {
    const known = this.views.get(connection) ?? new Map<string, HeldRows | null>()
    this.views.set(connection, known)
    for (const table of this.tables.values()) {
      const held = instead === 'nothing' ? null : instead?.id === table.id ? instead.held : table.held
      if (known.get(table.id) === held) continue
      connection.query(table.viewOver(held))
      known.set(table.id, held)
    }
  }

  /** Call if a connection's views may have been rolled back. */
  forget(connection: Connection): void {
    this.views.delete(connection)
  }

  /** Call after a connection's transaction has ended. */
  afterTransaction(connection: Connection): void {
    this.forget(connection)
    for (const held of this.leftover.splice(0)) held.drop()
  }

  /** The columns with markers in a plan or an error that aren't loaded. */
  missing(text: string): Columns {
    const found = new Map<string, Set<number>>()
    for (const [id, columns] of columnsNamed(text)) {
      const table = this.tables.get(id)
      const absent = [...columns].filter((each) => table?.columns[each] && !table.held?.columns.includes(each))
      if (absent.length > 0) found.set(id, new Set(absent))
    }
    return found
  }

  /** A plan with the names that the person knows. */
  renamed(plan: string): string {
    return withoutMarkers(plan, (id, column) => {
      const name = this.tables.get(id)?.columns[column]?.name
      return name === undefined ? undefined : JSON.stringify(name).slice(1, -1)
    })
  }

  /**
   * Loads the columns that a statement needs.
   * @param needed all of them, including loaded ones
   * @throws {EngineError} `out-of-memory` if they exceed the budget
   */
  async load(needed: Columns, reading: Reading): Promise<void> {
    for (const [id, columns] of needed) {
      const table = this.tables.get(id)
      if (!table) continue
      this.tables.delete(id)
      this.tables.set(id, table)
      await this.loadTable(table, columns, new Set(needed.keys()), reading)
    }
  }

  /**
   * Loads the columns that an error reports as not loaded. Useless within a transaction, which the error has ended.
   * @returns whether there were any
   */
  async loadMissing(error: unknown, reading: Reading): Promise<boolean> {
    const missing = error instanceof Error ? this.missing(error.message) : NOTHING
    if (missing.size === 0 || this.options.inTransaction()) return false
    const all = Array.from(missing, ([id, columns]) => {
      const there = this.tables.get(id)?.held?.columns ?? []
      return [id, new Set([...there, ...columns])] as const
    })
    await this.load(new Map(all), reading)
    return true
  }

  /** As `load`, for all columns of tables, given by their names in plans. */
  async loadWhole(physical: ReadonlySet<string>, reading: Reading): Promise<void> {
    const tables = [...this.tables.values()].filter((table) => physical.has(table.physical))
    await this.load(new Map(tables.map(({ id, columns }) => [id, new Set(columns.keys())])), reading)
  }

  private async loadTable(
    table: PlacedFile,
    columns: ReadonlySet<number>,
    inUse: ReadonlySet<string>,
    reading: Reading,
  ): Promise<void> {
    for (;;) {
      const there = table.held?.columns ?? []
      const wanted = table.chosen([...columns].filter((each) => !there.includes(each)))
      if (wanted.size === 0) return
      const filled = new HeldRows(this.db, this.loader, table.physical, wanted)
      let whole = false
      try {
        whole = await this.readInto(filled, table, wanted, inUse, reading)
        if (whole) {
          this.adopt(table, filled)
          return
        }
      } finally {
        if (!whole) this.letGo(filled)
      }
      // Make room by dropping columns that the statement doesn't need.
      if (there.every((each) => columns.has(each))) throw tooLarge(table, wanted, this.options.budget)
      this.keep(table, null)
    }
  }

  /** @returns whether all rows fit */
  private async readInto(
    filled: HeldRows,
    table: PlacedFile,
    wanted: ReadonlyMap<number, Column>,
    inUse: ReadonlySet<string>,
    { signal, progress }: Reading,
  ): Promise<boolean> {
    progress(0)
    const all = { limit: null, parts: null }
    for await (const { batch } of table.read(wanted, all, { signal, progress: () => undefined })) {
      filled.add(batch)
      progress(table.rows === 0 ? null : filled.rows / table.rows)
      while (this.bytes + filled.bytes > this.options.budget) if (!this.evict(inUse)) return false
      await checkpoint(signal)
    }
    filled.finish()
    assertWhole(table, filled.rows)
    progress(null)
    return true
  }

  private get bytes(): number {
    return [...this.tables.values()].reduce((sum, { held }) => sum + (held?.bytes ?? 0), 0)
  }

  /**
   * Drops the columns of the least recently used table.
   * @returns whether there was one
   */
  private evict(inUse: ReadonlySet<string>): boolean {
    for (const [id, table] of this.tables) {
      if (!table.held || inUse.has(id)) continue
      this.keep(table, null)
      return true
    }
    return false
  }

  /** Adds columns to the loaded ones. */
  private adopt(table: PlacedFile, added: HeldRows): void {
    const { held } = table
    if (!held) {
      this.keep(table, added)
      return
    }
    const all = new HeldRows(this.db, this.loader, table.physical, table.chosen([...held.columns, ...added.columns]))
    const names = Array.from(table.chosen(all.columns).values(), ({ name }) => quoteIdentifier(name))
    this.loader.query(
      `INSERT INTO ${all.source} SELECT ${names.join(', ')} FROM ${held.source} POSITIONAL JOIN ${added.source}`,
    )
    all.rows = added.rows
    all.bytes = held.bytes + added.bytes
    this.keep(table, all)
    this.letGo(added)
  }

  /** Replaces the table's loaded rows. */
  private keep(table: PlacedFile, rows: HeldRows | null): void {
    const before = table.held
    table.held = rows
    // The checker needs the new views at once, since statements are checked meanwhile.
    if (this.db.checker) this.show(this.db.checker)
    if (before) this.letGo(before)
  }

  private letGo(held: HeldRows): void {
    if (this.options.inTransaction()) this.leftover.push(held)
    else held.drop()
  }

  /**
   * The parts of a table's file that may have rows which the statement's filters accept; null if it's as well to read
   * all.
   * @param explain gives the statement's plan over the current views
   */
  partsFor(connection: Connection, id: string, explain: () => readonly PlanNode[]): ReadonlySet<number> | null {
    const table = this.tables.get(id)
    if (!table || table.parts.length < 2) return null
    connection.query(table.viewOfFilters)
    this.views.get(connection)?.delete(id)
    try {
      const filters = filtersOf(explain())
      const query = filters && partsQuery(filters, table)
      const found =
        query &&
        new Set(
          this.loader
            .query(query)
            .flatMap(textRows)
            .map(([part]) => Number(part)),
        )
      if (!found) return null
      // Columns that are read whole are kept for later statements.
      return table.rowsOf(found) <= table.rows * MOST_OF_FILE ? found : null
    } catch {
      // For example, bounds that aren't valid values of the type.
      return null
    } finally {
      this.show(connection)
    }
  }

  /**
   * Reads a table part by part. At each yield, the connection's view shows the part just read. Columns that were read
   * to the end are kept if there's room.
   * @param needed the table, with all columns that the statement needs, the parts of the file to read, and whether it
   * needs them at once
   * @param limit number of the file's rows that suffice
   */
  async *parts(
    connection: Connection,
    { table: id, columns, parts, together }: Flowing,
    limit: number | null,
    { signal, progress }: Reading,
  ): AsyncGenerator<void, void, undefined> {
    const table = this.tables.get(id)
    if (!table) return
    const wanted = table.chosen(columns)
    const total = parts ? table.rowsOf(parts) : table.rows
    const make = (): HeldRows => new HeldRows(this.db, this.loader, table.physical, wanted)
    let kept: HeldRows | null = limit === null && !parts ? make() : null
    let part: HeldRows | null = null
    let rows = 0
    const show = function* (this: PlacedTables, held: HeldRows): Generator<void, void, undefined> {
      held.finish()
      this.show(connection, { id, held })
      yield
      progress(total === 0 ? null : rows / total)
      if (kept && this.bytes + kept.bytes + held.bytes > this.options.budget) {
        kept.drop()
        kept = null
      }
      kept?.append(held)
      held.drop()
      part = null
    }.bind(this)
    try {
      progress(0)
      let first = true
      if (together) part = make()
      for await (const { batch } of table.read(wanted, { limit, parts }, { signal, progress: () => undefined })) {
        part ??= make()
        part.add(batch)
        rows += batch.numRows
        if (together) {
          while (this.bytes + part.bytes > this.options.budget)
            if (!this.evict(new Set([id]))) throw tooLarge(table, wanted, this.options.budget)
          progress(total === 0 ? null : rows / total)
          await checkpoint(signal)
          continue
        }
        if (!first && part.rows < PART_ROWS && part.bytes < PART_BYTES) continue
        first = false
        yield* show(part)
        await checkpoint(signal)
      }
      if (part) yield* show(part)
      if (kept) {
        assertWhole(table, rows)
        kept.finish()
        this.replace(table, kept)
        kept = null
      }
    } finally {
      this.show(connection)
      part?.drop()
      kept?.drop()
    }
  }

  /** Keeps columns, some of which may already be loaded. */
  private replace(table: PlacedFile, added: HeldRows): void {
    const { held } = table
    if (held && !held.columns.every((each) => added.columns.includes(each))) {
      this.letGo(added)
      return
    }
    this.keep(table, added)
  }
}
