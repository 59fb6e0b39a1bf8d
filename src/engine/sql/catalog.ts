import type { Database } from '../storage/database.ts'
import type { SessionTables } from './session-types.ts'
import type { NamedTable } from '../storage/table-types.ts'
import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'
import type { Attachments } from './attachments.ts'
import { reach, type Place, type Reach } from './names.ts'
import type { Statement } from './statement.ts'

/** Local files' place: `local.<name>`, which is `local.main.<name>`. */
export const LOCAL = { workspace: 'local', dataset: 'main' } as const

interface View {
  readonly place: Place
  readonly table: NamedTable
  readonly physical: string
}

interface Reached {
  /** The tables' names. */
  readonly among: string
  readonly published: Reach
  readonly local: Reach
}

/** The tables that a session's statements can name, as views over files, made when a statement may need them. */
export class SessionCatalog {
  /** Told that names mean something else than before. */
  changed: () => void = () => undefined
  private readonly db: Database
  private readonly attachments: Attachments
  private readonly files = new Map<string, Blob>()
  private readonly views = new Map<string, View>()
  private readonly catalogs = new Set(['memory'])
  private known = new Map<string, NamedTable>()
  private turn: Promise<void> = Promise.resolve()
  /** Of statements that were taken apart before: it depends on nothing but their words and the tables' names. */
  private readonly reached = new WeakMap<Statement, Reached>()

  constructor(db: Database, attachments: Attachments) {
    this.db = db
    this.attachments = attachments
  }

  /** Every table that there is for the session. */
  get all(): readonly NamedTable[] {
    return [...this.known.values()]
  }

  /** Tables by the names that plans have for them. */
  get readable(): ReadonlyMap<string, NamedTable> {
    return new Map(Array.from(this.views.values(), ({ physical, table }) => [physical, table]))
  }

  /** Views of tables that are gone, or are others now, go at once. */
  use(tables: SessionTables): void {
    this.known = new Map(allTables(tables).map((table) => [keyOf(table), table]))
    for (const [key, { table, place }] of this.views) {
      if (this.isThere(table)) continue
      this.views.delete(key)
      this.changed()
      this.db.run(`DROP VIEW IF EXISTS ${[place.catalog, place.schema, place.name].map(quoteIdentifier).join('.')}`)
    }
  }

  /**
   * Makes views of the tables that a statement may be about.
   * @param files by file id: those that weren't given before
   * @returns the statement's names as the engine has them
   */
  async ensure(
    statement: Statement,
    tables: readonly NamedTable[],
    files: ReadonlyMap<string, Blob>,
  ): Promise<Reach['toEngine']> {
    for (const [fileId, file] of files) this.files.set(fileId, file)
    // One that is gone since the page sent it isn't made again.
    const there = tables.filter((table) => this.isThere(table))
    const { published, local } = this.reachOf(statement, there)
    // One after another: two would attach the same file twice.
    const made = this.turn.then(async () => {
      for (const table of there) {
        const places = isLocal(table)
          ? local.places(table).map(({ name }) => ({ catalog: LOCAL.workspace, schema: LOCAL.dataset, name }))
          : published.places(table)
        for (const place of places) await this.ensureView(place, table)
      }
    })
    this.turn = made.catch(() => undefined)
    await made
    return published.toEngine
  }

  private reachOf(statement: Statement, tables: readonly NamedTable[]): Omit<Reached, 'among'> {
    const among = tables.map(keyOf).join('\n')
    const known = this.reached.get(statement)
    if (known?.among === among) return known
    const published = reach(
      statement,
      tables.filter((table) => !isLocal(table)),
    )
    const found = { among, published, local: reach(statement, []) }
    this.reached.set(statement, found)
    return found
  }

  private isThere(table: NamedTable): boolean {
    return this.known.get(keyOf(table))?.fileId === table.fileId
  }

  private async ensureView(place: Place, table: NamedTable): Promise<void> {
    const { catalog, schema, name } = place
    const key = [catalog, schema, name].join('\0').toLowerCase()
    const file = this.files.get(table.fileId)
    if (!file || this.views.get(key)?.table.fileId === table.fileId) return
    const { source, physical } = await this.attachments.attach(table.fileId, file)
    // It may have gone meanwhile.
    if (!this.isThere(table)) return
    this.changed()
    if (!this.catalogs.has(catalog.toLowerCase())) {
      this.db.run(`ATTACH ':memory:' AS ${quoteIdentifier(catalog)}`)
      this.catalogs.add(catalog.toLowerCase())
    }
    const at = `${quoteIdentifier(catalog)}.${quoteIdentifier(schema)}`
    this.db.run(`
      CREATE SCHEMA IF NOT EXISTS ${at};
      CREATE OR REPLACE VIEW ${at}.${quoteIdentifier(name)} AS FROM ${source};
    `)
    this.views.set(key, { place, table, physical })
  }
}

function isLocal({ workspace, dataset }: NamedTable): boolean {
  return workspace === LOCAL.workspace && dataset === LOCAL.dataset
}

/** Local files among the others, under their workspace. */
export function allTables({ published, local }: SessionTables): NamedTable[] {
  return [...published, ...local.map(({ name, fileId }) => ({ ...LOCAL, table: name, fileId }))]
}

function keyOf({ workspace, dataset, table }: NamedTable): string {
  return [workspace, dataset, table].join('\0').toLowerCase()
}
