import { foldName } from '../../../lib/names.ts'
import { quoteReference } from '../../../lib/duckdb-sql/names.ts'
import { KEPT } from '../kept/place.ts'
import type { ObjectKind } from '../session-types.ts'
import type { Change } from './changes.ts'
import type { TemporaryTable } from '../protocol.ts'
import type { Body } from './mixed-joins.ts'
import { foldIdentifier } from '../statement.ts'

/** DuckDB's functions that list objects of each kind, and their name columns. */
const LISTS: Readonly<Record<ObjectKind, readonly [list: string, name: string]>> = {
  index: ['duckdb_indexes()', 'index_name'],
  macro: ['duckdb_functions()', 'function_name'],
  schema: ['system.main.duckdb_schemas()', 'schema_name'],
  sequence: ['duckdb_sequences()', 'sequence_name'],
  table: ['duckdb_tables()', 'table_name'],
  type: ['duckdb_types()', 'type_name'],
  view: ['duckdb_views()', 'view_name'],
}
const OWN = "database_name = 'memory'"
const MADE = `${OWN} AND NOT internal`
/** Without persistent tables. */
const MADE_HERE = `${MADE} AND schema_name <> '${KEPT}'`

/** The objects that a session's statements have created. */
export class OwnObjects {
  private readonly rows: (sql: string) => string[][]
  /** The macros that existed before statements created any. */
  private builtIn: ReadonlySet<string> | null = null
  /**
   * Cached lists: each takes the engine milliseconds, that of functions tens of them, and every statement needs them.
   * Before any macro is created, `bodies` can be empty: the engine's own macros have no comparison that matters.
   */
  private known: { tables?: ReadonlySet<string>; schemas?: ReadonlySet<string>; bodies?: readonly Body[] } = {
    bodies: [],
  }

  /** @param rows runs a query as the session's statements would, with all cells as text */
  constructor(rows: (sql: string) => string[][]) {
    this.rows = rows
  }

  /** Call whenever a statement may have created or dropped something. */
  forget(): void {
    this.known = {}
  }

  tables(): TemporaryTable[] {
    const kinds = this.rows(`
      FROM (SELECT schema_name, table_name, 'table' FROM duckdb_tables() WHERE ${MADE_HERE}
        UNION ALL SELECT schema_name, view_name, 'view' FROM duckdb_views() WHERE ${MADE_HERE})
      ORDER BY schema_name <> 'main' ASC, schema_name ASC, table_name ASC`)
    if (kinds.length === 0) return []
    const columns = this.rows(`
      SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns() WHERE ${MADE_HERE}
      ORDER BY schema_name ASC, table_name ASC, column_index ASC`)
    return kinds.map(([schema, name, kind]) => ({
      name: schema === 'main' ? name : `${schema}.${name}`,
      reference: quoteReference(schema === 'main' ? [name] : [schema, name]),
      kind: kind === 'view' ? 'view' : 'table',
      columns: columns
        .filter(([in_, table]) => in_ === schema && table === name)
        .map(([, , column, type]) => ({ name: column, type })),
    }))
  }

  /** Whether a table or view with this name exists in any schema. */
  hasTable(name: string): boolean {
    this.known.tables ??= new Set(this.tableNames(MADE_HERE).map(foldName))
    return this.known.tables.has(foldName(name))
  }

  private tableNames(made: string): string[] {
    return this.rows(`
      SELECT table_name FROM duckdb_tables() WHERE ${made}
      UNION ALL SELECT view_name FROM duckdb_views() WHERE ${made}`).map(([name]) => name)
  }

  /** Tables and views by their names in plans, including persistent ones. */
  scannedNames(): string[] {
    return this.tableNames(MADE)
  }

  /** Schemas besides `main`, folded. */
  schemas(): ReadonlySet<string> {
    return (this.known.schemas ??= new Set(
      this.rows(`SELECT schema_name FROM system.main.duckdb_schemas() WHERE ${MADE}`).map(([name]) => foldName(name)),
    ))
  }

  /** Whether the object of a change exists. Tables and views share a namespace. */
  has({ kind, schema, name }: Pick<Change, 'kind' | 'schema' | 'name'>): boolean {
    if (kind === 'variable') return false
    const lists = kind === 'table' || kind === 'view' ? [LISTS.table, LISTS.view] : [LISTS[kind]]
    const folded = foldIdentifier(name)
    return lists.some(([list, column]) =>
      this.rows(`SELECT schema_name, ${column} FROM ${list} WHERE ${OWN}`).some(
        ([in_, each]) => foldName(each) === folded && (kind === 'schema' || foldName(in_) === schema),
      ),
    )
  }

  /**
   * The schema of an object whose name in the statement has none.
   * @param current the schema of unqualified names
   */
  schemaOf({ verb, kind, name }: Pick<Change, 'verb' | 'kind' | 'name'>, current: string): string {
    return current === 'main' || verb === 'create' || this.has({ kind, name, schema: current }) ? current : 'main'
  }

  /** The columns of a table or view, with its name as statements can write it. */
  columns({ schema, name }: Change): { readonly reference: string; readonly name: string }[] {
    return this.rows(`SELECT schema_name, table_name, column_name FROM duckdb_columns() WHERE ${MADE}`)
      .filter(([in_, table]) => foldName(in_) === schema && foldName(table) === foldIdentifier(name))
      .map(([in_, table, column]) => ({ reference: quoteReference([in_, table]), name: column }))
  }

  bodies(): readonly Body[] {
    return (this.known.bodies ??= this.rows(`
      SELECT function_name, macro_definition FROM duckdb_functions() WHERE ${OWN} AND macro_definition IS NOT NULL
      UNION ALL SELECT view_name, sql FROM duckdb_views() WHERE ${MADE}`).map(([name, text]) => ({ name, text })))
  }

  /** Whether a change is about one of the engine's own macros. Call before any macro is created. */
  isBuiltIn({ kind, schema, name }: Change): boolean {
    if (kind !== 'macro' || schema !== 'main') return false
    this.builtIn ??= new Set(
      this.rows(`SELECT function_name FROM duckdb_functions() WHERE ${OWN}`).map(([each]) => foldName(each)),
    )
    return this.builtIn.has(foldIdentifier(name))
  }
}
