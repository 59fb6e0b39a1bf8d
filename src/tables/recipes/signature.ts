import type { FormatId } from '../../contract/formats.ts'
import type { Inspection } from '../plan.ts'
import { foldName } from '../../lib/names.ts'
import { columnNames, uniqueNames } from '../names.ts'
import { matchSheets, type SheetMatch } from './sheets.ts'

/** The names of a file's columns, by which next month's file is recognized. */
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

/** The closest match for a file, and how their columns differ. */
interface Closest<T> {
  readonly of: T
  /** Columns that the file lacks, and columns that only the file has; empty if they're the same. */
  readonly missing: readonly string[]
  readonly added: readonly string[]
  /** Sheets with another name; empty if there are none. */
  readonly sheets: readonly SheetMatch[]
  /** Sheets that only the file has. */
  readonly otherSheets: readonly string[]
  /** From 0.5 to 1, where all columns are the same, in the same order. */
  readonly likeness: number
}

/** The least share of columns that two files must have in common. */
const ALIKE = 0.5

/**
 * Finds the closest match for a file, ignoring case in columns' names; the first of equals. Null if nothing is close.
 * @param sheetsMay whether sheets may have other names, such as another month
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

/** Like `differenceOf`, if sheets have other names. If a sheet has several choices, compares with the first. */
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

/** A name that occurs twice counts as two columns. */
function differenceOf(known: Signature, found: Signature): Difference | null {
  if (known.format !== found.format || known.tables.length !== found.tables.length) return null
  if (known.tables.some((table, i) => table.name !== found.tables[i]?.name)) return null
  const [before, after] = [namesByKey(known, found), namesByKey(found, known)]
  const [missing, added] = [without(before, after), without(after, before)]
  const all = after.reduce((sum, names) => sum + names.size, missing.length)
  const likeness = all === 0 ? 0 : (all - missing.length - added.length) / all
  return { missing, added, sheets: [], otherSheets: [], likeness }
}

type Names = ReadonlyMap<string, string>

/**
 * Columns' names as people see them, by table, by keys that ignore case and count those that are then the same. Those
 * that the other file has in the same case are counted first, so that `total` is missing where only `Total` is left.
 */
function namesByKey(signature: Signature, other: Signature): Names[] {
  return signature.tables.map(({ sources }, table) => {
    const others = new Set(columnNames(other.tables[table]?.sources ?? []))
    const columns = columnNames(sources).map((name, i) => ({ name, source: sources[i] ?? '' }))
    const ordered = columns.toSorted((a, b) => Number(others.has(b.name)) - Number(others.has(a.name)))
    const keys = uniqueNames(
      ordered.map(({ source }) => source),
      foldName,
    )
    return new Map(ordered.map(({ name }, i) => [foldName(keys[i] ?? ''), name]))
  })
}

/** Names in tables of one list that are missing in the other's. */
const without = (these: readonly Names[], those: readonly Names[]): string[] =>
  these.flatMap((names, i) => [...names].flatMap(([folded, name]) => (those[i]?.has(folded) ? [] : [name])))
