import { foldName } from '../../lib/names.ts'
import type { NamedTable } from '../storage/table-types.ts'
import { foldIdentifier, unquoted, type Statement, type Token } from './statement.ts'

/** The qualified name under which the engine must have a table for a statement to find it. */
export interface Place {
  readonly catalog: string
  readonly schema: string
  readonly name: string
}

/** How a statement's names map to the engine's. */
export interface NameResolution {
  readonly places: (table: NamedTable) => Place[]
  /**
   * Rewrites the statement, or a part of it that extends to its end, for the engine. The length stays the same, so that
   * positions do.
   */
  readonly toEngine: (text: string) => string
}

/** Catalog names that DuckDB reserves. */
const KEPT_CATALOGS: ReadonlySet<string> = new Set([
  'information_schema',
  'main',
  'memory',
  // A schema of the session, with its persistent tables.
  'my',
  'pg_catalog',
  'system',
  'temp',
])

/** Schemas that can't be created in a catalog; and `main`, which DuckDB searches for names without a schema. */
const KEPT_SCHEMAS: ReadonlySet<string> = new Set(['information_schema', 'main', 'pg_catalog'])

/**
 * Lets a statement use any name that a table may have. Names that DuckDB reserves are replaced in the statement. Since
 * DuckDB compares letters beyond ASCII case-sensitively, each spelling in the statement becomes another name of the
 * table.
 * @param tables the tables that the statement may use
 */
export function resolveNames(statement: Statement, tables: readonly NamedTable[]): NameResolution {
  const { tokens, text } = statement
  const workspaces = new Set(tables.map(({ workspace }) => foldName(workspace)))
  const datasets = new Set(tables.map(({ dataset }) => foldName(dataset)))
  const catalogs = pseudonyms(KEPT_CATALOGS, workspaces)
  const schemas = pseudonyms(KEPT_SCHEMAS, datasets)
  const written = new Set(tokens.filter(isName).map((token) => unquoted(token.text)))

  const known = new Set(tables.map((own) => [own.workspace, own.dataset, own.table].map(foldName).join('\0')))
  const renamed = new Map<Token, string>()
  for (const [i, token] of tokens.entries()) {
    const parts = tokens[i - 1]?.text === '.' ? [] : [token, tokens[i + 2], tokens[i + 4]].filter(Boolean)
    if (parts.length < 3 || tokens[i + 1].text !== '.' || tokens[i + 3].text !== '.' || !parts.every(isName)) continue
    const [first, second, third] = parts.map((part) => foldIdentifier(part.text))
    if (known.has([first, second, third].join('\0'))) {
      rename(renamed, parts[0], catalogs.get(first))
      rename(renamed, parts[1], schemas.get(second))
    } else if (tables.some(({ dataset, table }) => foldName(dataset) === first && foldName(table) === second)) {
      // `dataset.table.column`
      rename(renamed, parts[0], schemas.get(first))
    }
  }

  return {
    places: ({ workspace, dataset, table }) => {
      const catalog = catalogs.get(foldName(workspace)) ?? workspace
      const schema = schemas.get(foldName(dataset))
      const spelled = schema === undefined ? spellings(dataset, written) : [schema]
      return spelled.flatMap((each) => spellings(table, written).map((name) => ({ catalog, schema: each, name })))
    },
    toEngine: (part) => {
      let given = part
      for (const [{ text: own, start }, name] of renamed) {
        const at = part.length - (text.length - start)
        if (at >= 0) given = given.slice(0, at) + name + given.slice(at + own.length)
      }
      return given
    },
  }
}

function isName({ kind }: Token): boolean {
  return kind === 'identifier' || kind === 'keyword'
}

/** Unused replacements for reserved names, of the same length. */
function pseudonyms(kept: ReadonlySet<string>, used: ReadonlySet<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const name of kept) {
    if (!used.has(name)) continue
    const candidates = Array.from('_0123456789abcdefghijklmnopqrstuvwxyz', (last) => name.slice(0, -1) + last)
    const free = candidates.find((candidate) => !used.has(candidate) && !kept.has(candidate))
    if (free !== undefined) found.set(name, free)
  }
  return found
}

function rename(renamed: Map<Token, string>, token: Token, name: string | undefined): void {
  if (name !== undefined) renamed.set(token, token.text.startsWith('"') ? `"${name}"` : name)
}

/** A name, and the statement's other spellings of it that the engine considers different. */
function spellings(name: string, written: ReadonlySet<string>): string[] {
  const folded = foldName(name)
  const all = [name, ...[...written].filter((each) => foldName(each) === folded)]
  return [...new Map(all.map((each) => [foldAscii(each), each])).values()]
}

/** Folds a name as DuckDB does: letters beyond ASCII stay as they are. */
export function foldAscii(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
