import { foldName } from '../../lib/names.ts'
import { quoteIdentifier, quoteReference } from '../../lib/duckdb-sql/names.ts'
import type { Database } from '../storage/database.ts'
import type { NamedTable } from '../storage/table-types.ts'
import type { Attachments } from './attachments.ts'
import { TEMPORARY } from './gate/temporary.ts'
import { isKept, KEPT } from './kept/place.ts'
import type { KeptTables } from './kept/kept-tables.ts'
import { foldAscii, resolveNames, type NameResolution, type Place } from './names.ts'
import type { Attachment } from './place/placed-tables.ts'
import type { DatabaseFiles } from './place/database-files.ts'
import type { LocalTable, SessionTables } from './session-types.ts'
import type { Statement } from './statement.ts'
import { stemOf } from '../../tables/file-names.ts'

/** The schema of local tables: `local.<name>` is `local.main.<name>`. */
export const LOCAL = { workspace: 'local', dataset: 'main' } as const

interface View {
  readonly place: Place
  readonly table: NamedTable
  readonly physical: string
}

/** A table by the names that it's shown by, and by where the engine has it. */
export interface Listed {
  readonly shown: readonly [database: string, schema: string, name: string]
  readonly place: readonly [database: string, schema: string, name: string]
}

/** What was created for a statement. */
interface Ensured {
  readonly tables: readonly NamedTable[]
  /** The catalog's version at that time. */
  readonly version: number
  readonly toEngine: NameResolution['toEngine']
}

/**
 * The tables that statements can use, as views over attached files. They are created when a statement may need them.
 */
export class Catalog {
  /** Called when names change their meaning. */
  onChange: () => void = () => undefined
  private readonly db: Database
  private readonly attachments: Attachments
  private readonly kept: KeptTables | null
  private readonly databases: DatabaseFiles
  private readonly inUse: () => boolean
  private readonly files = new Map<string, Blob>()
  private readonly views = new Map<string, View>()
  /** The views' catalogs, by folded name. */
  private readonly catalogs = new Map<string, string>()
  private known = new Map<string, NamedTable>()
  private localFiles: ReadonlySet<string> = new Set()
  private localTables: SessionTables['local'] = []
  /** Local tables that are in DuckDB files, by key. */
  private inDatabases: ReadonlyMap<string, LocalTable> = new Map()
  private turn: Promise<void> = Promise.resolve()
  /** Files of removed tables, which statements may still be reading. */
  private readonly leaving = new Set<string>()
  /** Incremented whenever statements may need other views. */
  private version = 0
  private readonly ensured = new WeakMap<Statement, Ensured>()

  /**
   * @param kept null if there are no persistent tables
   * @param inUse whether a statement runs or a transaction is open
   */
  constructor(
    db: Database,
    {
      attachments,
      databases,
      kept,
      inUse,
    }: { readonly attachments: Attachments; readonly databases: DatabaseFiles } & {
      readonly kept: KeptTables | null
      readonly inUse: () => boolean
    },
  ) {
    this.db = db
    this.inUse = inUse
    this.attachments = attachments
    this.databases = databases
    this.kept = kept
    if (kept) kept.changed = () => this.changed()
  }

  private changed(): void {
    this.version++
    this.onChange()
  }

  /** All tables that statements can use. */
  get all(): readonly NamedTable[] {
    return [...this.known.values(), ...(this.kept?.all ?? [])]
  }

  /** All of them as they're listed, with where the engine has them. */
  get listed(): readonly Listed[] {
    const places = new Map(Array.from(this.views.values(), ({ table, place }) => [keyOf(table), place]))
    const known = Array.from(this.known, ([key, { workspace, dataset, table }]): Listed => {
      const { catalog, schema, name } = places.get(key) ?? { catalog: workspace, schema: dataset, name: table }
      return { shown: [workspace, dataset, table], place: [catalog, schema, name] }
    })
    return [...known, ...(this.kept?.all ?? []).map(({ table }) => ownTable(KEPT, table))]
  }

  /** The local tables among them. */
  get locals(): SessionTables['local'] {
    return this.localTables
  }

  /**
   * Whether an unqualified name means a local table, unless the session has a table of that name. @param name folded
   */
  hasLocal(name: string): boolean {
    return this.localTables.some((table) => foldName(table.name) === name)
  }

  /** Tables by their names in plans. */
  get readable(): ReadonlyMap<string, NamedTable> {
    const views = Array.from(this.views.values(), ({ physical, table }) => [physical, table] as const)
    return new Map([...this.databaseTables(), ...views, ...(this.kept?.readable ?? [])])
  }

  /**
   * As `readable`, without names that tables in several DuckDB files share, since plans don't show which file they
   * mean.
   */
  get shown(): ReadonlyMap<string, NamedTable> {
    const places = new Map<string, number>()
    for (const { table } of this.databases.tables) places.set(table, (places.get(table) ?? 0) + 1)
    return new Map([...this.readable].filter(([name]) => (places.get(name) ?? 0) < 2))
  }

  /** Tables of DuckDB files under the names that statements can use: `shop.main.orders`. */
  private databaseTables(): [string, NamedTable][] {
    const names = new Map(this.localTables.map(({ fileId, file }) => [fileId, stemOf(file?.path ?? '')]))
    return this.databases.tables.map(({ schema, table, fileId }) => [
      table,
      { workspace: names.get(fileId) ?? '', dataset: schema, table, fileId },
    ])
  }

  /** Replaces the tables. Views of removed or changed tables are dropped at once. */
  use({ published, local, kept = [] }: SessionTables): void {
    this.version++
    this.kept?.use(kept)
    const all = [...published, ...local.map(({ name, fileId }) => ({ ...LOCAL, table: name, fileId }))]
    this.known = new Map(all.map((table) => [keyOf(table), table]))
    this.localTables = local
    this.localFiles = new Set(local.map(({ fileId }) => fileId))
    this.inDatabases = new Map(
      local.filter(({ database }) => database).map((each) => [keyOf({ ...LOCAL, table: each.name }), each]),
    )
    for (const [key, { table, place }] of this.views) {
      if (this.isThere(table)) continue
      this.views.delete(key)
      this.leaving.add(table.fileId)
      this.changed()
      this.db.run(`DROP VIEW IF EXISTS ${[place.catalog, place.schema, place.name].map(quoteIdentifier).join('.')}`)
    }
    this.release()
  }

  /** Detaches the files of removed tables, unless a running statement may be reading them. */
  private release(): void {
    if (this.leaving.size === 0 || this.inUse()) return
    const there = new Set(Array.from(this.known.values(), ({ fileId }) => fileId))
    for (const fileId of this.leaving) {
      if (there.has(fileId)) continue
      this.attachments.release(fileId)
      this.databases.release(fileId)
    }
    this.leaving.clear()
  }

  /** Drops all views. Recently used files stay attached. */
  clear(): void {
    for (const catalog of this.catalogs.values()) this.db.run(`DETACH DATABASE IF EXISTS ${quoteIdentifier(catalog)}`)
    this.catalogs.clear()
    this.views.clear()
    this.files.clear()
    this.known.clear()
    this.attachments.trim()
    this.changed()
  }

  /** @param files new files, by file id */
  addFiles(files: ReadonlyMap<string, Blob>): void {
    for (const [fileId, file] of files) {
      if (this.files.get(fileId) === file) continue
      this.files.set(fileId, file)
      this.version++
    }
  }

  /**
   * The function that rewrites a statement's names for the engine, if all views that it may need exist; else null.
   * Checking each view takes as long as a small statement.
   */
  ready(statement: Statement, tables: readonly NamedTable[]): NameResolution['toEngine'] | null {
    const known = this.ensured.get(statement)
    return known?.version === this.version && sameTables(known.tables, tables) ? known.toEngine : null
  }

  /**
   * Creates views of the tables that a statement may use.
   * @returns rewrites the statement's names for the engine
   */
  async ensure(statement: Statement, tables: readonly NamedTable[]): Promise<NameResolution['toEngine']> {
    // Skip tables that were removed since the page sent the statement.
    const there = tables.filter((table) => this.isThere(table))
    const local = resolveNames(statement, [])
    const published = resolveNames(
      statement,
      there.filter((table) => !this.isLocal(table)),
    )
    // In sequence, since two calls would attach the same file twice.
    const made = this.turn.then(async () => {
      this.release()
      for (const table of there) {
        const places = this.isLocal(table)
          ? local.places(table).map(({ name }) => ({ catalog: LOCAL.workspace, schema: LOCAL.dataset, name }))
          : published.places(table)
        for (const place of places) await this.ensureView(place, table)
      }
      for (const table of tables) {
        const file = isKept(table) ? this.files.get(table.fileId) : undefined
        if (file) await this.kept?.ensure(table, file)
      }
    })
    this.turn = made.catch(() => undefined)
    await made
    const { toEngine } = published
    // Persistent tables change independently of the catalog's version.
    if (!tables.some(isKept)) this.ensured.set(statement, { tables, version: this.version, toEngine })
    return toEngine
  }

  private isThere(table: NamedTable): boolean {
    return this.known.get(keyOf(table))?.fileId === table.fileId
  }

  private isLocal({ fileId }: NamedTable): boolean {
    return this.localFiles.has(fileId)
  }

  private attach(table: NamedTable, file: Blob): Promise<Attachment> {
    const database = this.isLocal(table) ? this.inDatabases.get(keyOf(table))?.database : undefined
    return database
      ? this.databases.attach(table.fileId, file as File, database)
      : this.attachments.attach(table.fileId, file)
  }

  private async ensureView(place: Place, table: NamedTable): Promise<void> {
    const { catalog, schema, name } = place
    const key = foldAscii([catalog, schema, name].join('\0'))
    const file = this.files.get(table.fileId)
    if (!file || this.views.get(key)?.table.fileId === table.fileId) return
    const { source, physical } = await this.attach(table, file)
    // It may have been removed meanwhile.
    if (!this.isThere(table)) return
    this.changed()
    if (!this.catalogs.has(foldAscii(catalog))) {
      // The catalog of local tables always exists.
      this.db.run(`ATTACH IF NOT EXISTS ':memory:' AS ${quoteIdentifier(catalog)}`)
      this.catalogs.set(foldAscii(catalog), catalog)
    }
    const at = `${quoteIdentifier(catalog)}.${quoteIdentifier(schema)}`
    this.db.run(`
      CREATE SCHEMA IF NOT EXISTS ${at};
      CREATE OR REPLACE VIEW ${at}.${quoteIdentifier(name)} AS FROM ${source};
    `)
    this.views.set(key, { place, table, physical })
  }
}

/** A table that is the session's own, or stays. */
export function ownTable(schema: string, table: string): Listed {
  const shown = schema === TEMPORARY ? (['temp', 'main', table] as const) : (['memory', schema, table] as const)
  return { shown, place: shown }
}

function keyOf({ workspace, dataset, table }: Pick<NamedTable, 'workspace' | 'dataset' | 'table'>): string {
  return [workspace, dataset, table].join('\0').toLowerCase()
}

function sameTables(some: readonly NamedTable[], others: readonly NamedTable[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ workspace, dataset, table, fileId }, i) => {
      const other = others[i]
      return (
        other?.fileId === fileId && other.table === table && other.dataset === dataset && other.workspace === workspace
      )
    })
  )
}

/** A table's name as statements must write it. */
export function writtenTable({ workspace, dataset, table }: NamedTable): string {
  const short = isLocal({ workspace, dataset }) || isKept({ workspace, dataset })
  return quoteReference(short ? [workspace, table] : [workspace, dataset, table])
}

/** Whether a table is a local one. */
export function isLocal({ workspace, dataset }: Pick<NamedTable, 'workspace' | 'dataset'>): boolean {
  return workspace === LOCAL.workspace && dataset === LOCAL.dataset
}
