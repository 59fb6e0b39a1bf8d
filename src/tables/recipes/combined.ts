import { columnFinder, keyOf, occurrences, type Edits } from '../edits.ts'
import { sureSheets, type SheetNames } from './sheets.ts'
import { closest, type Signature } from './signature.ts'
import type { InspectRequest } from '../inspect-request.ts'

/* How to combine files into one table, for the next files like them. Plain data. */

export interface CombineRecipe {
  /** Name of the output without extension; by default what the files' names have in common. */
  readonly name?: string
  /** The kinds of files, by their columns. */
  readonly members: readonly CombineMember[]
  readonly columns: readonly RecipeColumn[]
  readonly fileColumn: boolean
  readonly rowColumn: boolean
}

/** One kind of file among those to combine: how to read it, and where its columns go. */
export interface CombineMember {
  readonly matches: readonly Signature[]
  readonly request: InspectRequest
  readonly edits: Edits
  readonly tables: readonly MemberTable[]
}

interface MemberTable {
  /** Sheet name; null for a file with a single table. */
  readonly table: string | null
  readonly columns: readonly {
    /** Name in the file, and index among the columns with that name, from 0. */
    readonly source: string
    readonly nth: number
    /** Name of the column of the result to which it belongs. */
    readonly into: string
  }[]
}

/** A column of the combined table. */
export interface RecipeColumn {
  readonly name: string
  /** DuckDB type name. */
  readonly type: string
  readonly include: boolean
  /** Whether all files had it. */
  readonly inAll: boolean
}

/** What a combination needs of the recipe that was applied. */
export interface AppliedRecipe extends Pick<CombineRecipe, 'columns'> {
  readonly name: string
  readonly members: readonly (readonly MemberTable[])[]
  /** Keys of the differences from the recipe that the person has accepted. */
  readonly accepted: readonly string[]
}

interface SourceColumn {
  readonly source: string
  readonly nth: number
}

/** For each column of a table, the column of the result to which it belongs; null if the recipe doesn't know it. */
type PlaceColumns = (
  member: number | undefined,
  table: string | null,
  columns: readonly SourceColumn[],
) => (string | null)[]

/**
 * Decides where columns go: as for files of the same kind; otherwise where all kinds with such a column agree, unless
 * another column of the file goes there.
 */
export function columnPlacer(members: readonly (readonly MemberTable[])[]): PlaceColumns {
  const agreed = new Map<string, SourceColumn & { readonly into: string | null }>()
  for (const { columns } of members.flat()) {
    for (const column of columns) {
      const key = keyOf(column.source, column.nth)
      const known = agreed.get(key)
      agreed.set(key, known === undefined || known.into === column.into ? column : { ...column, into: null })
    }
  }
  return (member, table, columns) => {
    const own = (members[member ?? -1] ?? []).find((each) => each.table === table)
    const found = columns.map(({ source, nth }) => [source, nth] as const)
    const findOwn = columnFinder(own?.columns ?? [], found)
    const findAny = columnFinder([...agreed.values()], found)
    const sure = found.map((column) => findOwn(...column)?.into ?? null)
    const likely = found.map((column, i) => sure[i] ?? findAny(...column)?.into ?? null)
    const times = new Map<string, number>()
    for (const into of likely) if (into !== null) times.set(into, (times.get(into) ?? 0) + 1)
    return likely.map((into, i) => (into === null || times.get(into) === 1 ? into : (sure[i] ?? null)))
  }
}

/** The kind of a file, and how its columns differ from the recipe's. */
export interface MemberMatch {
  /** Index among the recipe's members. */
  readonly member: number
  /** Columns of the result that all files had, but this one lacks. */
  readonly missing: readonly string[]
  /** Columns of the file that no file of the recipe had. */
  readonly added: readonly string[]
  /** The file's names for sheets that have another name in the recipe. */
  readonly sheets: SheetNames
  /** Sheets of the file that the recipe doesn't know. They are left out. */
  readonly otherSheets: readonly string[]
  readonly likeness: number
}

/** The most likely kind of a file; null if it's like none. */
export function memberFor({ members, columns }: CombineRecipe, found: Signature): MemberMatch | null {
  const match = closest(members, found, 'differ')
  const sheets = match && sureSheets(match.sheets)
  if (!match || !sheets) return null
  const { likeness, otherSheets } = match
  const same = { member: members.indexOf(match.of), sheets, otherSheets, likeness }
  if (match.missing.length + match.added.length === 0) return { ...same, missing: [], added: [] }
  const known = new Set(members.flatMap(({ matches }) => matches.flatMap(({ tables }) => tables.flatMap(sourcesOf))))
  const place = columnPlacer(members.map(({ tables }) => tables))
  const knownNames = new Map([...sheets].map(([name, now]) => [now, name]))
  const tables = found.tables.filter(({ name }) => !otherSheets.includes(name ?? ''))
  const placed = tables.flatMap(({ name, sources }) => {
    const nth = occurrences(sources.map((source) => ({ source })))
    const own = sources.map((source, i) => ({ source, nth: nth[i] ?? 0 }))
    const into = place(same.member, knownNames.get(name ?? '') ?? name, own)
    return sources.map((source, i) => ({ source, into: into[i] ?? null }))
  })
  const has = new Set(placed.map(({ into }) => into))
  return {
    ...same,
    missing: columns.filter(({ name, include, inAll }) => include && inAll && !has.has(name)).map(({ name }) => name),
    added: placed.filter(({ source, into }) => into === null && !known.has(source)).map(({ source }) => source),
  }
}

const sourcesOf = ({ sources }: { readonly sources: readonly string[] }): readonly string[] => sources

/** A difference between the files and the recipe. The person decides before the files are combined. */
export interface Difference {
  /** Identifies it when it's accepted. */
  readonly key: string
  readonly kind: 'unknown' | 'missing' | 'type'
  /** The column's key. */
  readonly column: string
  /** One sentence for people. */
  readonly message: string
}
