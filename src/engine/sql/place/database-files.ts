import { asError } from '../../../lib/errors.ts'
import { quoteIdentifier, quoteText } from '../../../lib/duckdb-sql/names.ts'
import { EngineError } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { attachFile, detachFile, type AttachedFile } from '../attachments.ts'
import { guardCalls } from '../gate/catalog-functions.ts'
import type { DatabaseTable } from '../session-types.ts'
import { foldIdentifier, oneStatement, type Statement } from '../statement.ts'
import { textRows } from '../text-rows.ts'
import type { Attachment } from './placed-tables.ts'

/** Names with which a view would read the engine's catalog, bypassing the macros that replace these in a session. */
const ENGINE_LISTS = /^(?:duckdb_\w+|pragma_\w+|pg_\w+|sqlite_\w+|information_schema)$/
/** Functions whose argument is SQL. */
const QUERY = /^query(?:_table)?$/

interface AttachedDatabase extends AttachedFile {
  /** Tables and views, by schema and name. */
  readonly names: ReadonlySet<string>
  readonly tables: readonly DatabaseTable[]
  /** Why none of its views may be queried; null if they may. */
  readonly viewsRefused: string | null
  readonly views: ReadonlySet<string>
}

/**
 * The person's own DuckDB files, attached read-only. Each is attached once, however many of its tables statements use.
 */
export class DatabaseFiles {
  private readonly db: Database
  private readonly folder: string
  private readonly attached = new Map<string, AttachedDatabase>()

  constructor(db: Database, folder: string) {
    this.db = db
    this.folder = folder
  }

  /** All tables that plans may scan, including those behind views, with their files' ids. */
  get tables(): readonly (DatabaseTable & { readonly fileId: string })[] {
    return Array.from(this.attached, ([fileId, { tables }]) => tables.map((table) => ({ ...table, fileId }))).flat()
  }

  /**
   * Attaches a file, and returns what stands for one of its tables or views in statements. A view about the engine
   * fails when it's run.
   * @throws {EngineError} `corrupt-file`, `unsupported-format`, `password-protected`
   */
  async attach(fileId: string, file: File, { schema, table }: DatabaseTable): Promise<Attachment> {
    const database = this.attached.get(fileId) ?? (await this.open(fileId, file))
    const key = keyOf(schema, table)
    if (!database.names.has(key)) {
      throw new EngineError('corrupt-file', `“${file.name}” has no table “${table}”.`, {
        remedy: 'Add the file again to see the tables that it has now.',
      })
    }
    const source = [database.catalog, schema, table].map(quoteIdentifier).join('.')
    const refused = database.views.has(key) ? database.viewsRefused : null
    return { source: refused === null ? source : this.refusing(source, refused), physical: table }
  }

  /** Detaches a file. Nothing may use it any more. */
  release(fileId: string): void {
    const database = this.attached.get(fileId)
    if (!database) return
    this.attached.delete(fileId)
    detachFile(this.db, database)
  }

  /** A query with a view's columns that fails with the reason why the view isn't run. */
  private refusing(source: string, why: string): string {
    const columns = this.db.run(`DESCRIBE ${source}`).flatMap(textRows)
    const list = columns.map(([name, type]) => `NULL::${type} AS ${quoteIdentifier(name)}`)
    return `(SELECT ${list.join(', ')} WHERE error(${quoteText(why)})::BOOLEAN)`
  }

  private async open(fileId: string, file: File): Promise<AttachedDatabase> {
    const { readableDatabase, readError } = await import('../../formats/duckdb/attached.ts')
    const whole = await readableDatabase(file)
    try {
      const { found, ...at } = await attachFile(this.db, this.folder, whole, (catalog) => this.look(catalog))
      const database = { ...at, ...found }
      this.attached.set(fileId, database)
      return database
    } catch (error) {
      throw readError(error instanceof EngineError ? error.cause : error, file)
    }
  }

  private look(catalog: string): Omit<AttachedDatabase, keyof AttachedFile> {
    const where = `database_name = '${catalog}' AND NOT internal`
    const rows = (sql: string): string[][] => this.db.run(sql).flatMap(textRows)
    const tables = rows(`SELECT schema_name, table_name FROM system.main.duckdb_tables() WHERE ${where}`)
    const views = rows(`SELECT schema_name, view_name, sql FROM system.main.duckdb_views() WHERE ${where}`)
    const macros = rows(
      `SELECT coalesce(macro_definition, '') FROM system.main.duckdb_functions() WHERE ${where} AND macro_definition IS NOT NULL`,
    )
    const viewNames = views.map(([schema, view]) => keyOf(schema, view))
    return {
      tables: tables.map(([schema, table]) => ({ schema, table })),
      views: new Set(viewNames),
      names: new Set([...tables.map(([schema, table]) => keyOf(schema, table)), ...viewNames]),
      viewsRefused: this.refusalOf([...views.map(([, , sql]) => sql), ...macros.map(([body]) => body)]),
    }
  }

  /** Checks views by their words, as statements are, for what plans don't show. */
  private refusalOf(texts: readonly string[]): string | null {
    const parse = (sql: string): Statement => oneStatement(sql, this.db.bindings.tokenize(sql))
    try {
      for (const text of texts) {
        const statement = parse(text)
        guardCalls(statement, parse)
        const own = statement.tokens.find(({ kind, text: word }, i) => {
          const name = kind === 'string' ? '' : foldIdentifier(word)
          return ENGINE_LISTS.test(name) || (QUERY.test(name) && statement.tokens[i + 1]?.text === '(')
        })
        if (!own) continue
        return `A view or macro of the file uses ${own.text}, which isn’t allowed here. Query the file’s tables instead.`
      }
      return null
    } catch (error) {
      return `A view or macro of the file can’t be used here: ${asError(error).message}`
    }
  }
}

const keyOf = (schema: string, table: string): string => `${schema}\0${table}`
