import { columnFinder, keyOf, occurrences, type Edits } from '../edits.ts'
import type { InspectRequest } from '../plan.ts'
import { sureSheets, type SheetNames } from './sheets.ts'
import { closest, type Signature } from './signature.ts'

/* How tables of several files become one, again next month. Plain data. */

export interface CombineRecipe {
  /** The output's, without what tells its format; absent where it's what the files' names have in common. */
  readonly name?: string
  /** The kinds of files, by their columns. */
  readonly members: readonly CombineMember[]
  readonly columns: readonly RecipeColumn[]
  readonly fileColumn: boolean
  readonly rowColumn: boolean
}

/** Files of the same columns, among those that are combined: how they're read, and where their columns go. */
export interface CombineMember {
  readonly matches: readonly Signature[]
  readonly request: InspectRequest
  readonly edits: Edits
  readonly tables: readonly MemberTable[]
}

interface MemberTable {
  /** Sheet name; null where a file is one table. */
  readonly table: string | null
  readonly columns: readonly {
    /** As the file has it, and which of the columns of that name it is, from 0. */
    readonly source: string
    readonly nth: number
    /** The name of the column that it becomes, or is a part of. */
    readonly into: string
  }[]
}

/** A column of the table that is made. */
export interface RecipeColumn {
  readonly name: string
  /** DuckDB type name. */
  readonly type: string
  readonly include: boolean
  /** Whether every file had it. */
  readonly inAll: boolean
}

/** What a combination goes by, where a recipe is applied. */
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

/** For a table's columns the columns of the result that they become; null for those that the recipe doesn't know. */
type PlaceColumns = (
  member: number | undefined,
  table: string | null,
  columns: readonly SourceColumn[],
) => (string | null)[]

/**
 * Finds where columns go: as in files of the same kind; else where all kinds that have such a column agree, and no other
 * column of the file goes there.
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

/** Which kind of file one is, and how its columns differ from what the recipe knows. */
export interface MemberMatch {
  /** Index into the recipe's members. */
  readonly member: number
  /** Columns of the result that all files had, and this one hasn't. */
  readonly missing: readonly string[]
  /** Columns of the file that no file of the recipe had. */
  readonly added: readonly string[]
  /** What sheets of the recipe are called in this file, where they're called otherwise. */
  readonly sheets: SheetNames
  /** Sheets of the file that are none of the recipe's: they aren't part of what is made. */
  readonly otherSheets: readonly string[]
  readonly likeness: number
}

/** The kind of files that a file is most likely of; null where it's like none. */
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

/** Something of the files that isn't as in the recipe: the person decides before anything is made. */
export interface Difference {
  /** What it's accepted by. */
  readonly key: string
  readonly kind: 'unknown' | 'missing' | 'type'
  /** The column's key. */
  readonly column: string
  /** One sentence for people. */
  readonly message: string
}
