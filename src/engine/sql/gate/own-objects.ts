import { foldName } from '../../../lib/names.ts'
import { quoteReference } from '../../../lib/duckdb-sql/names.ts'
import { KEPT } from '../kept/place.ts'
import type { ObjectKind } from '../session-types.ts'
import type { Change } from './changes.ts'
import type { TemporaryTable } from '../protocol.ts'
import type { Body } from './mixed-joins.ts'
import { foldIdentifier } from '../statement.ts'

/** The engine's functions that list objects of a kind, and the column with their names. */
const LISTS: Readonly<Record<ObjectKind, readonly [list: string, name: string]>> = {
  index: ['duckdb_indexes()', 'index_name'],
  macro: ['duckdb_functions()', 'function_name'],
  schema: ['duckdb_schemas()', 'schema_name'],
  sequence: ['duckdb_sequences()', 'sequence_name'],
  table: ['duckdb_tables()', 'table_name'],
  type: ['duckdb_types()', 'type_name'],
  view: ['duckdb_views()', 'view_name'],
}
const OWN = "database_name = 'memory'"
const MADE = `${OWN} AND NOT internal`
/** Without tables that stay. */
const MADE_HERE = `${MADE} AND schema_name <> '${KEPT}'`

/** What the session's statements have made. */
export class OwnObjects {
  private readonly rows: (sql: string) => string[][]
  /** Macros that were there before any statement made one. */
  private builtIn: ReadonlySet<string> | null = null
  /**
   * Asking the engine for its lists costs milliseconds, that of functions tens of them, and each statement looks for names
   * in them. At first there are no bodies but those of the engine's own macros, which compare nothing.
   */
  private known: { tables?: ReadonlySet<string>; schemas?: ReadonlySet<string>; bodies?: readonly Body[] } = {
    bodies: [],
  }

  /** @param rows of a query, every cell as text, as the session's statements see them */
  constructor(rows: (sql: string) => string[][]) {
    this.rows = rows
  }

  /** To be called whenever a statement may have made something, or taken it away. */
  forget(): void {
    this.known = {}
  }

  /** Tables and views. */
  tables(): TemporaryTable[] {
    const kinds = this.rows(`
      FROM (SELECT schema_name, table_name, 'table' FROM duckdb_tables() WHERE ${MADE_HERE}
        UNION ALL SELECT schema_name, view_name, 'view' FROM duckdb_views() WHERE ${MADE_HERE})
      ORDER BY schema_name <> 'main', schema_name, table_name`)
    if (kinds.length === 0) return []
    const columns = this.rows(`
      SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns() WHERE ${MADE_HERE}
      ORDER BY schema_name, table_name, column_index`)
    return kinds.map(([schema, name, kind]) => ({
      name: schema === 'main' ? name : `${schema}.${name}`,
      reference: quoteReference(schema === 'main' ? [name] : [schema, name]),
      kind: kind === 'view' ? 'view' : 'table',
      columns: columns
        .filter(([in_, table]) => in_ === schema && table === name)
        .map(([, , column, type]) => ({ name: column, type })),
    }))
  }

  /** Whether there's a table or view of a name, whatever its schema. */
  hasTable(name: string): boolean {
    this.known.tables ??= new Set(this.tableNames(MADE_HERE).map(foldName))
    return this.known.tables.has(foldName(name))
  }

  private tableNames(made: string): string[] {
    return this.rows(`
      SELECT table_name FROM duckdb_tables() WHERE ${made}
      UNION ALL SELECT view_name FROM duckdb_views() WHERE ${made}`).map(([name]) => name)
  }

  /** Tables and views, also those that stay, as plans call them. */
  scannedNames(): string[] {
    return this.tableNames(MADE)
  }

  /** Schemas beside `main`, as they're compared. */
  schemas(): ReadonlySet<string> {
    return (this.known.schemas ??= new Set(
      this.rows(`SELECT schema_name FROM duckdb_schemas() WHERE ${MADE}`).map(([name]) => foldName(name)),
    ))
  }

  /** Whether there is what a change is about; tables and views share their names. */
  has({ kind, schema, name }: Change): boolean {
    if (kind === 'variable') return false
    const lists = kind === 'table' || kind === 'view' ? [LISTS.table, LISTS.view] : [LISTS[kind]]
    const folded = foldIdentifier(name)
    return lists.some(([list, column]) =>
      this.rows(`SELECT schema_name, ${column} FROM ${list} WHERE ${OWN}`).some(
        ([in_, each]) => foldName(each) === folded && (kind === 'schema' || foldName(in_) === schema),
      ),
    )
  }

  /** A table's or a view's columns, with how statements call it. */
  columns({ schema, name }: Change): { readonly reference: string; readonly name: string }[] {
    return this.rows(`SELECT schema_name, table_name, column_name FROM duckdb_columns() WHERE ${MADE}`)
      .filter(([in_, table]) => foldName(in_) === schema && foldName(table) === foldIdentifier(name))
      .map(([in_, table, column]) => ({ reference: quoteReference([in_, table]), name: column }))
  }

  /** What macros and views stand for. */
  bodies(): readonly Body[] {
    return (this.known.bodies ??= this.rows(`
      SELECT function_name, macro_definition FROM duckdb_functions() WHERE ${OWN} AND macro_definition IS NOT NULL
      UNION ALL SELECT view_name, sql FROM duckdb_views() WHERE ${MADE}`).map(([name, text]) => ({ name, text })))
  }

  /** Whether a change is about a macro of the engine's own. To be asked before any macro is made. */
  isBuiltIn({ kind, schema, name }: Change): boolean {
    if (kind !== 'macro' || schema !== 'main') return false
    this.builtIn ??= new Set(
      this.rows(`SELECT function_name FROM duckdb_functions() WHERE ${OWN}`).map(([each]) => foldName(each)),
    )
    return this.builtIn.has(foldIdentifier(name))
  }
}
