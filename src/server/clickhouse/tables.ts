import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { NamedTable } from '../../engine/storage/table-types.ts'
import { physicalName } from '../../engine/storage/file-names.ts'
import type { ClickHouse } from './client.ts'
import type { LoadedColumn } from './columns.ts'
import type { ExportCalls } from './export-role.ts'
import * as statements from './statements.ts'
import type { Layout } from './statements.ts'
import type { KnownTable } from './translate/context.ts'
import { quoted } from './translate/expression.ts'

/** Hours after which a load that hasn't finished has been interrupted. */
const LOADING_HOURS = 24

/** The JSON in a table's comment. @property v changes when older tables can't be used any more */
interface TableComment {
  readonly v: 1
  readonly columns: readonly LoadedColumn[]
}

interface TablesOptions extends Layout {
  readonly client: ClickHouse
  /** The user who runs statements. */
  readonly user: string
  /** Writes a table's rows as a Parquet file. */
  readonly write: (place: string) => Promise<ExportCalls['export']['result'] & { readonly parquet: string }>
}

/** Tables in ClickHouse. Each is loaded once, and its name always means the same rows. */
export class ClickHouseTables {
  private readonly options: TablesOptions
  private readonly known = new Map<string, KnownTable>()

  constructor(options: TablesOptions) {
    this.options = options
  }

  /** Finds those tables that ClickHouse has. @param names as in plans */
  async find(names: readonly string[]): Promise<ReadonlyMap<string, KnownTable>> {
    const asked = names.filter((name) => !this.known.has(name))
    if (asked.length > 0) {
      for (const { database, name, comment } of await this.list(`name IN (${asked.map(quoted).join(', ')})`)) {
        const parsed = readComment(comment)
        if (parsed) this.known.set(name, knownTable(database, name, parsed))
      }
    }
    return new Map(
      names.flatMap((name) => {
        const known = this.known.get(name)
        return known ? [[name, known] as const] : []
      }),
    )
  }

  /** To be called when a table turns out to be missing in ClickHouse. */
  forget(): void {
    this.known.clear()
  }

  /** Loads a table completely or not at all. @param place its file's path */
  async load({ workspace, fileId }: NamedTable, place: string): Promise<void> {
    const { client, write, user, ...layout } = this.options
    const name = physicalName(fileId)
    const database = statements.databaseOf(layout, workspace)
    const { parquet, columns, rows } = await write(place)
    const loading = `${name}_${crypto.randomUUID().replaceAll('-', '')}`
    try {
      if (columns.length === 0) return
      const parsed: TableComment = { v: 1, columns }
      await client.command(statements.createDatabase(layout, database))
      await client.command(
        statements.createTable(layout, { database, table: loading, columns, comment: JSON.stringify(parsed) }),
      )
      await client.insert(statements.tableIn(database, loading), createReadStream(parquet))
      const [counted] = await client.rows<{ n: string }>(
        `SELECT toString(count()) AS n FROM ${statements.tableIn(database, loading)}`,
      )
      if (counted?.n !== String(rows)) throw new Error(`of ${rows} rows, ${counted?.n} came`)
      // Another server may have loaded it meanwhile, in which case its name is taken.
      if ((await this.list(`name = ${quoted(name)}`)).length > 0) return
      await client.command(statements.renameTable(layout, database, loading, name))
      for (const each of statements.grantTable(layout, database, name, user)) await client.command(each)
    } finally {
      await rm(parquet, { force: true })
      await client.command(statements.dropTable(layout, database, loading)).catch(() => undefined)
    }
  }

  async remove(fileId: string): Promise<void> {
    await this.drop(await this.list(`name = ${quoted(physicalName(fileId))}`))
  }

  /** Drops all tables except `kept` ones and those being loaded. */
  async sweep(kept: ReadonlySet<string>): Promise<void> {
    const names = new Set(Array.from(kept, physicalName))
    const old = await this.list(`metadata_modification_time < now() - INTERVAL ${LOADING_HOURS} HOUR`)
    await this.drop(old.filter(({ name }) => !names.has(name)))
  }

  private async drop(tables: readonly { database: string; name: string }[]): Promise<void> {
    const { client, ...layout } = this.options
    for (const { database, name } of tables) {
      this.known.delete(name)
      await client.command(statements.dropTable(layout, database, name))
      await client.command(statements.dropRole(layout, name))
    }
  }

  private list(condition: string): Promise<{ database: string; name: string; comment: string }[]> {
    const { client, prefix } = this.options
    return client.rows(
      `SELECT database, name, comment FROM system.tables WHERE startsWith(database, ${quoted(prefix)}) AND startsWith(name, 't_') AND ${condition}`,
    )
  }
}

function knownTable(database: string, name: string, { columns }: TableComment): KnownTable {
  return {
    sql: statements.tableIn(database, name),
    columns: new Map(columns.map((column) => [column.place, column])),
  }
}

function readComment(comment: string): TableComment | null {
  try {
    const parsed = JSON.parse(comment) as TableComment
    return parsed.v === 1 ? parsed : null
  } catch {
    return null
  }
}
