import { namesOf } from './lexer.ts'

/** A column of a table or a result. */
export interface Column {
  readonly name: string
  /** DuckDB's name of the type. */
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

/** All that can be named in a statement. */
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
  /** Made by statements; they stay. */
  readonly kept?: readonly (SchemaTable & { readonly id: string })[]
  /** Made in the session; gone with it. */
  readonly temporary: readonly (SchemaTable & { readonly kind: 'table' | 'view' })[]
}

export type TableKind = 'published' | 'local' | 'kept' | 'temporary'

export interface CatalogTable {
  readonly table: SchemaTable
  readonly kind: TableKind
  /** All names of its reference: of one that isn't known as three, what there is. */
  readonly path: readonly string[]
  /** Where it is, in words: "ws › Sales 2024", "local file", "temporary view". */
  readonly place: string
  /** The path of the file that it was made of. */
  readonly file?: string
}

/** All tables by their names, for looking up at each key. */
export interface Catalog {
  readonly tables: readonly CatalogTable[]
  readonly workspaces: Schema['workspaces']
  /** A table by the names that a statement has for it, whatever their case; null when there's none, or several. */
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
  // By each ending of a path: `orders` means the one table of that name, though it must be written with all its names.
  const byEnding = new Map<string, CatalogTable | null>()
  for (const table of tables)
    for (let at = 0; at < table.path.length; at++) {
      const key = keyOf(table.path.slice(at))
      const whole = at === 0 || table.kind === 'temporary'
      byEnding.set(key, whole || !byEnding.has(key) ? table : keepExact(byEnding.get(key), key))
    }
  return { tables, workspaces: schema.workspaces, find: (path) => byEnding.get(keyOf(path)) ?? null }
}

/** Of several tables with that ending, the one whose whole path it is; else none. */
function keepExact(known: CatalogTable | null | undefined, key: string): CatalogTable | null {
  return known && (keyOf(known.path) === key || known.kind === 'temporary') ? known : null
}

function keyOf(path: readonly string[]): string {
  return path.map((name) => name.toLowerCase()).join('\0')
}
