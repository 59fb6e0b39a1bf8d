import type { Database } from '../duckdb/database.ts'
import type { SessionTables } from '../sql-session.ts'
import type { NamedTable } from '../table-store.ts'
import { quoteName } from '../tables/sql.ts'
import type { Attachments } from '../tables/query/attachments.ts'

/** Local files' place: `local.<name>`, which is `local.main.<name>`. */
export const LOCAL = { workspace: 'local', dataset: 'main' } as const

/** Catalogs of the engine's own, which no workspace can be. */
const RESERVED = new Set(['temp', 'system'])

interface View {
  readonly table: NamedTable
  readonly physical: string
}

/** The tables that a session's statements can name, as views over files, made when a statement may need them. */
export class SessionCatalog {
  private readonly db: Database
  private readonly attachments: Attachments
  private readonly files = new Map<string, Blob>()
  private readonly views = new Map<string, View>()
  private readonly catalogs = new Set(['memory'])
  private known = new Map<string, NamedTable>()
  private turn: Promise<void> = Promise.resolve()

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
    for (const [key, { table }] of this.views) {
      if (this.known.get(key)?.fileId !== table.fileId) this.drop(key, table)
    }
  }

  /** Makes views of the tables that a statement may be about. */
  ensure(tables: readonly NamedTable[], files: ReadonlyMap<string, Blob>): Promise<void> {
    for (const [fileId, file] of files) this.files.set(fileId, file)
    // One after another: two would attach the same file twice.
    const made = this.turn.then(async () => {
      for (const table of tables) await this.ensureView(table)
    })
    this.turn = made.catch(() => undefined)
    return made
  }

  private async ensureView(table: NamedTable): Promise<void> {
    const key = keyOf(table)
    const file = this.files.get(table.fileId)
    if (this.views.get(key)?.table.fileId === table.fileId || !file || RESERVED.has(table.workspace.toLowerCase())) return // prettier-ignore
    // It may have gone since the page sent it.
    if (this.known.get(key)?.fileId !== table.fileId) return
    const { source, physical } = await this.attachments.attach(table.fileId, file)
    const catalog = table.workspace.toLowerCase()
    if (!this.catalogs.has(catalog)) {
      this.db.run(`ATTACH ':memory:' AS ${quoteName(table.workspace)}`)
      this.catalogs.add(catalog)
    }
    const schema = `${quoteName(table.workspace)}.${quoteName(table.dataset)}`
    this.db.run(`
      CREATE SCHEMA IF NOT EXISTS ${schema};
      CREATE OR REPLACE VIEW ${schema}.${quoteName(table.table)} AS FROM ${source};
    `)
    this.views.set(key, { table, physical })
  }

  private drop(key: string, { workspace, dataset, table }: NamedTable): void {
    this.views.delete(key)
    this.db.run(`DROP VIEW IF EXISTS ${[workspace, dataset, table].map(quoteName).join('.')}`)
  }
}

/** Local files among the others, under their workspace. */
export function allTables({ published, local }: SessionTables): NamedTable[] {
  return [...published, ...local.map(({ name, fileId }) => ({ ...LOCAL, table: name, fileId }))]
}

function keyOf({ workspace, dataset, table }: NamedTable): string {
  return [workspace, dataset, table].join('\0').toLowerCase()
}
