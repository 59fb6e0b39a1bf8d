import { foldName } from '../../../lib/names.ts'
import { quoteReference } from '../../../lib/duckdb-sql/names.ts'
import { KEPT } from '../kept/place.ts'
import type { ObjectKind } from '../session-types.ts'
import type { Change } from './changes.ts'
import type { TemporaryTable } from '../protocol.ts'
import type { Body } from './mixed-joins.ts'
import { foldIdentifier } from '../statement.ts'
import { TEMPORARY } from './temporary.ts'
import type { FindTemporary } from './temporary-uses.ts'

/** DuckDB's functions that list objects of each kind, and their name columns. */
const LISTS: Readonly<Record<ObjectKind, readonly [list: string, name: string]>> = {
  index: ['system.main.duckdb_indexes()', 'index_name'],
  macro: ['system.main.duckdb_functions()', 'function_name'],
  schema: ['system.main.duckdb_schemas()', 'schema_name'],
  sequence: ['system.main.duckdb_sequences()', 'sequence_name'],
  table: ['system.main.duckdb_tables()', 'table_name'],
  type: ['system.main.duckdb_types()', 'type_name'],
  view: ['system.main.duckdb_views()', 'view_name'],
}
const OWN = "database_name = 'memory'"
const MADE = `${OWN} AND NOT internal`
/** Without persistent tables. */
const MADE_HERE = `${MADE} AND schema_name <> '${KEPT}'`

/** A table or view that isn't persistent, with its schema. */
export interface OwnTable extends TemporaryTable {
  readonly schema: string
  readonly table: string
}

/** The objects that a session's statements have created. */
export class OwnObjects {
  private readonly rows: (sql: string) => string[][]
  /** The macros that existed before statements created any. */
  private builtIn: ReadonlySet<string> | null = null
  /**
   * Cached lists: each takes the engine milliseconds, that of functions tens of them, and every statement needs them.
   * Before any macro is created, `bodies` can be empty: the engine's own macros have no comparison that matters.
   */
  private known: {
    /** Tables and views, folded, with their schemas. */
    tables?: readonly { readonly name: string; readonly schema: string }[]
    schemas?: ReadonlySet<string>
    bodies?: readonly Body[]
    /** Macros, types and sequences: by kind and folded name, the schemas that have one. */
    used?: ReadonlyMap<string, readonly string[]>
  } = { bodies: [] }

  /** Whether statements have made temporary macros, types or sequences. */
  usesTemporary = false

  /** @param rows runs a query as the session's statements would, with all cells as text */
  constructor(rows: (sql: string) => string[][]) {
    this.rows = rows
  }

  /** Call whenever a statement may have created or dropped something. */
  forget(): void {
    this.known = {}
  }

  tables(): OwnTable[] {
    const kinds = this.rows(`
      FROM (SELECT schema_name, table_name, 'table' FROM system.main.duckdb_tables() WHERE ${MADE_HERE}
        UNION ALL SELECT schema_name, view_name, 'view' FROM system.main.duckdb_views() WHERE ${MADE_HERE})
      ORDER BY schema_name NOT IN ('main', '${TEMPORARY}') ASC, schema_name ASC, table_name ASC`)
    if (kinds.length === 0) return []
    const columns = this.rows(`
      SELECT schema_name, table_name, column_name, data_type FROM system.main.duckdb_columns() WHERE ${MADE_HERE}
      ORDER BY schema_name ASC, table_name ASC, column_index ASC`)
    return kinds.map(([schema, name, kind]) => ({
      schema,
      table: name,
      ...namesOf(schema, name, schema === 'main' && this.hasTemporary(name)),
      kind: kind === 'view' ? 'view' : 'table',
      columns: columns
        .filter(([in_, table]) => in_ === schema && table === name)
        .map(([, , column, type]) => ({ name: column, type })),
    }))
  }

  /** Whether a table or view with this name exists in any schema. */
  hasTable(name: string): boolean {
    return this.namedLike(name).length > 0
  }

  /** Whether there's a temporary table or view with this name, which goes before others. */
  hasTemporary(name: string): boolean {
    return this.namedLike(name).some(({ schema }) => schema === TEMPORARY)
  }

  /** Looks for a temporary macro, type or sequence, which goes before others. */
  readonly findTemporary: FindTemporary = (kind, name) => {
    if (!this.usesTemporary) return 'none'
    const schemas = (this.known.used ??= this.usedNames()).get(`${kind} ${foldName(name)}`) ?? []
    if (!schemas.includes(TEMPORARY)) return 'none'
    return schemas.some((schema) => schema !== TEMPORARY) ? 'hiding' : 'alone'
  }

  private usedNames(): ReadonlyMap<string, readonly string[]> {
    const named = new Map<string, string[]>()
    for (const kind of ['macro', 'type', 'sequence'] as const) {
      const [list, column] = LISTS[kind]
      const made = kind === 'type' ? MADE : OWN
      for (const [name, schema] of this.rows(`SELECT ${column}, schema_name FROM ${list} WHERE ${made}`)) {
        const key = `${kind} ${foldName(name)}`
        named.set(key, [...(named.get(key) ?? []), schema])
      }
    }
    return named
  }

  private namedLike(name: string): NonNullable<typeof this.known.tables> {
    const rows = this.known.tables ? [] : this.tableNames(MADE_HERE)
    this.known.tables ??= rows.map(([table, schema]) => ({ name: foldName(table), schema }))
    return this.known.tables.filter((each) => each.name === foldName(name))
  }

  private tableNames(made: string): string[][] {
    return this.rows(`
      SELECT table_name, schema_name FROM system.main.duckdb_tables() WHERE ${made}
      UNION ALL SELECT view_name, schema_name FROM system.main.duckdb_views() WHERE ${made}`)
  }

  /** Tables and views by their names in plans, including persistent ones. */
  scannedNames(): string[] {
    return this.tableNames(MADE).map(([name]) => name)
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
    if (verb === 'create' || (current === 'main' && (kind === 'table' || kind === 'view'))) return current
    return [current, 'main', TEMPORARY].find((schema) => this.has({ kind, name, schema })) ?? 'main'
  }

  /** The columns of a table or view, with its name as statements can write it. */
  columns({ schema, name }: Change): { readonly reference: string; readonly name: string }[] {
    return this.rows(`SELECT schema_name, table_name, column_name FROM system.main.duckdb_columns() WHERE ${MADE}`)
      .filter(([in_, table]) => foldName(in_) === schema && foldName(table) === foldIdentifier(name))
      .map(([in_, table, column]) => ({ reference: quoteReference([in_, table]), name: column }))
  }

  bodies(): readonly Body[] {
    return (this.known.bodies ??= this.rows(`
      SELECT function_name, macro_definition FROM system.main.duckdb_functions() WHERE ${OWN} AND macro_definition IS NOT NULL
      UNION ALL SELECT view_name, sql FROM system.main.duckdb_views() WHERE ${MADE}`).map(([name, text]) => ({
      name,
      text,
    })))
  }

  /** Whether a change is about one of the engine's own macros. Call it before each change, since the first call lists them. */
  isBuiltIn({ kind, schema, name }: Change): boolean {
    if (kind !== 'macro') return false
    this.builtIn ??= new Set(
      this.rows(`SELECT function_name FROM system.main.duckdb_functions() WHERE ${OWN}`).map(([each]) =>
        foldName(each),
      ),
    )
    return (schema === 'main' || schema === TEMPORARY) && this.builtIn.has(foldIdentifier(name))
  }
}

/** How a table is shown and written: TEMP hides one of the same name in `main`. */
function namesOf(schema: string, name: string, isHidden: boolean): Pick<TemporaryTable, 'name' | 'reference'> {
  const bare = !isHidden && (schema === 'main' || schema === TEMPORARY)
  return { name: bare ? name : `${schema}.${name}`, reference: quoteReference(bare ? [name] : [schema, name]) }
}
