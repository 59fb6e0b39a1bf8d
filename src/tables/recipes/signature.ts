import type { FormatId } from '../../contract/formats.ts'
import type { Inspection } from '../plan.ts'
import { foldName } from '../../lib/names.ts'
import { uniqueNames } from '../names.ts'
import { matchSheets, type SheetMatch } from './sheets.ts'

/** What a file's columns are called: what tells that next month's file is like this month's. */
export interface Signature {
  readonly format: FormatId
  readonly tables: readonly { readonly name: string | null; readonly sources: readonly string[] }[]
}

export function signatureOf(inspection: Inspection): Signature {
  return {
    format: inspection.format,
    tables: inspection.tables.map(({ name, columns }) => ({ name, sources: columns.map((column) => column.source) })),
  }
}

export function sameSignature(a: Signature, b: Signature): boolean {
  return (
    a.format === b.format &&
    a.tables.length === b.tables.length &&
    a.tables.every((table, i) => {
      const other = b.tables[i]
      return (
        other !== undefined &&
        table.name === other.name &&
        table.sources.length === other.sources.length &&
        table.sources.every((source, k) => source === other.sources[k])
      )
    })
  )
}

/** What is most like a file, and how their columns differ. */
interface Closest<T> {
  readonly of: T
  /** Columns that the file lacks, and those that it has beside them; none where they're the same. */
  readonly missing: readonly string[]
  readonly added: readonly string[]
  /** Sheets that are called otherwise; none where all are called the same. */
  readonly sheets: readonly SheetMatch[]
  /** Sheets that the file has beside them. */
  readonly otherSheets: readonly string[]
  /** From 0.5 to 1: all columns are the same, in the same order. */
  readonly likeness: number
}

/** The share of all columns that two files must have in common, at least. */
const ALIKE = 0.5

/**
 * What is made for files that are most like this one, whatever the letter case of their columns' names; of equals, the
 * first. Null where nothing is.
 * @param sheetsMay whether sheets may be called otherwise, by another month
 */
export function closest<T extends { readonly matches: readonly Signature[] }>(
  all: readonly T[],
  found: Signature,
  sheetsMay: 'differ' | 'not differ' = 'not differ',
): Closest<T> | null {
  const same = all.find(({ matches }) => matches.some((signature) => sameSignature(signature, found)))
  if (same) return { of: same, missing: [], added: [], sheets: [], otherSheets: [], likeness: 1 }
  let best: Closest<T> | null = null
  for (const of of all) {
    for (const signature of of.matches) {
      const difference =
        differenceOf(signature, found) ?? (sheetsMay === 'differ' ? otherSheets(signature, found) : null)
      if (!difference || difference.likeness < ALIKE || (best && difference.likeness <= best.likeness)) continue
      best = { of, ...difference }
    }
  }
  return best
}

type Difference = Omit<Closest<unknown>, 'of'>

/** As `differenceOf`, where sheets are called otherwise; of those that one may be, the columns of the first are named. */
function otherSheets(known: Signature, found: Signature): Difference | null {
  if (known.format !== found.format) return null
  const isAlike = (before: number, after: number): boolean => {
    const [one, other] = [known.tables[before], found.tables[after]].map(
      (table) => new Set(table?.sources.map(foldName)),
    )
    const shared = [...(one ?? [])].filter((source) => other?.has(source)).length
    return shared > 0 && shared >= ALIKE * ((one?.size ?? 0) + (other?.size ?? 0) - shared)
  }
  const names = [known, found].map(({ tables }) => tables.map(({ name }) => name))
  const matched = matchSheets(names[0] ?? [], names[1] ?? [], isAlike)
  if (!matched || matched.sheets.length === 0) return null
  const first = new Map(matched.sheets.map((sheet) => [sheet.known, sheet.choices[0]]))
  const tables = known.tables.flatMap((table) => {
    const name = first.get(table.name ?? '') ?? table.name
    return found.tables.filter((each) => each.name === name).map((each) => ({ ...each, name: table.name }))
  })
  const difference = differenceOf(known, { ...found, tables })
  return difference && { ...difference, sheets: matched.sheets, otherSheets: matched.others }
}

/** A name that stands twice is two columns. */
function differenceOf(known: Signature, found: Signature): Difference | null {
  if (known.format !== found.format || known.tables.length !== found.tables.length) return null
  if (known.tables.some((table, i) => table.name !== found.tables[i]?.name)) return null
  const [before, after] = [known, found].map(({ tables }) =>
    tables.map(({ sources }) => new Map(uniqueNames(sources, foldName).map((name) => [foldName(name), name]))),
  )
  const [missing, added] = [without(before ?? [], after ?? []), without(after ?? [], before ?? [])]
  const all = (after ?? []).reduce((sum, names) => sum + names.size, missing.length)
  const likeness = all === 0 ? 0 : (all - missing.length - added.length) / all
  return { missing, added, sheets: [], otherSheets: [], likeness }
}

type Names = ReadonlyMap<string, string>

/** Names in the tables of one list that aren't in the others'. */
const without = (these: readonly Names[], those: readonly Names[]): string[] =>
  these.flatMap((names, i) => [...names].flatMap(([folded, name]) => (those[i]?.has(folded) ? [] : [name])))
