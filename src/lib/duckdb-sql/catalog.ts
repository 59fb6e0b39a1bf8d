import type { FunctionInfo } from './dialect.ts'
import { namesOf } from './lexer.ts'

/** A column of a table or a result. */
export interface Column {
  readonly name: string
  /** The type's name in DuckDB. */
  readonly type: string
}

/** A table that a statement can name. */
export interface SchemaTable {
  readonly name: string
  /** Null while it isn't known. */
  readonly rowCount: number | null
  readonly columns: readonly Column[]
  /** How a statement writes it: `"ws"."Sales 2024".orders`, quoted only where it must be. */
  readonly reference: string
}

/** Everything that a statement can name. */
export interface Schema {
  readonly workspaces: readonly {
    readonly name: string
    readonly datasets: readonly {
      readonly id: string
      readonly name: string
      readonly tables: readonly SchemaTable[]
    }[]
  }[]
  readonly local: readonly (SchemaTable & { readonly id: string; /** The file's path. */ readonly file?: string })[]
  /** Tables that statements created, and that stay. */
  readonly kept?: readonly (SchemaTable & { readonly id: string })[]
  /** Tables and views that end with the session. */
  readonly temporary: readonly (SchemaTable & { readonly kind: 'table' | 'view' })[]
  /** Macros that end with the session. */
  readonly macros?: readonly FunctionInfo[]
}

export type TableKind = 'published' | 'local' | 'kept' | 'temporary'

export interface CatalogTable {
  readonly table: SchemaTable
  readonly kind: TableKind
  /** All parts of its reference; if they aren't the usual three, those that there are. */
  readonly path: readonly string[]
  /** Where it is, in words: "ws › Sales 2024", "local file", "temporary view". */
  readonly place: string
  /** The path of the file from which it was created. */
  readonly file?: string
}

/** All tables by name, for a look-up at each key press. */
export interface Catalog {
  readonly tables: readonly CatalogTable[]
  readonly workspaces: Schema['workspaces']
  /** The table that a statement means by a path, ignoring case; null if there's none, or more than one. */
  find(path: readonly string[]): CatalogTable | null
}

export function createCatalog(schema: Schema): Catalog {
  const tables = [
    ...schema.temporary.map((table): CatalogTable => ({
      table,
      kind: 'temporary',
      path: namesOf(table.reference) ?? [table.name],
      place: `temporary ${table.kind}`,
    })),
    ...schema.local.map((table): CatalogTable => ({
      table,
      kind: 'local',
      path: ['local', table.name],
      place: 'local file',
      ...(table.file === undefined ? {} : { file: table.file }),
    })),
    ...(schema.kept ?? []).map((table): CatalogTable => ({
      table,
      kind: 'kept',
      path: ['my', table.name],
      place: 'my tables',
    })),
    ...schema.workspaces.flatMap((workspace) =>
      workspace.datasets.flatMap((dataset) =>
        dataset.tables.map((table): CatalogTable => ({
          table,
          kind: 'published',
          path: [workspace.name, dataset.name, table.name],
          place: `${workspace.name} › ${dataset.name}`,
        })),
      ),
    ),
  ]
  // By each ending of a path: `orders` finds the only table with that name, although a statement must use the full
  // path.
  const byEnding = new Map<string, CatalogTable | null>()
  for (const table of tables)
    for (let at = 0; at < table.path.length; at++) {
      const key = keyOf(table.path.slice(at))
      const whole = at === 0 || table.kind === 'temporary'
      byEnding.set(key, whole || !byEnding.has(key) ? table : keepExact(byEnding.get(key), key))
    }
  return { tables, workspaces: schema.workspaces, find: (path) => byEnding.get(keyOf(path)) ?? null }
}

/** If several tables have that ending, keeps the one whose whole path it is, or else none. */
function keepExact(known: CatalogTable | null | undefined, key: string): CatalogTable | null {
  return known && (keyOf(known.path) === key || known.kind === 'temporary') ? known : null
}

function keyOf(path: readonly string[]): string {
  return path.map((name) => name.toLowerCase()).join('\0')
}
