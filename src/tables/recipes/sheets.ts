import { monthOf } from '../../lib/date-names.ts'
import type { RowCountCheck } from '../checks.ts'
import type { Edits } from '../edits.ts'
import type { ReadSettings } from '../plan.ts'
import type { Shape } from '../reshape/types.ts'
import type { InspectRequest } from '../inspect-request.ts'

/* Sheets named after a month, a year, a date or a number, so that the name differs each time. */

/** A sheet in a recipe, and the sheet of the file that corresponds to it. */
export interface SheetMatch {
  readonly known: string
  /** Names of the file's sheets that may correspond to it. If there's only one, it does. */
  readonly choices: readonly string[]
}

type Names = readonly (string | null)[]

const PERIODS = /\p{L}+\.?|\d+/gu

const isMonth = (word: string): boolean => monthOf(word.toLowerCase().replace(/\.$/, ''), false) !== undefined

/** A name without what differs from month to month: `Sales, §` for `Sales, March`. */
function lasting(name: string): string {
  return name
    .replaceAll(PERIODS, (word) => (/^\d/.test(word) || isMonth(word) ? '§' : word.toLowerCase()))
    .replaceAll(/§([\s._/-]*§)+/g, '§')
    .trim()
}

/**
 * Matches a file's sheets with a recipe's, by their names apart from months, years, dates and numbers.
 * @param isAlike whether two of them have columns in common, by index
 * @returns the recipe's sheets with another name in the file, and the file's sheets that the recipe doesn't know; null
 * if a sheet is missing
 */
export function matchSheets(
  known: Names,
  found: Names,
  isAlike: (known: number, found: number) => boolean,
): { readonly sheets: readonly SheetMatch[]; readonly others: readonly string[] } | null {
  const kinds = new Map<string, { readonly known: number[]; readonly found: number[] }>()
  const add = (name: string, of: 'known' | 'found', at: number): void => {
    const kind = lasting(name)
    const group = kinds.get(kind) ?? { known: [], found: [] }
    group[of].push(at)
    kinds.set(kind, group)
  }
  if (known.includes(null) || found.includes(null)) return null
  for (const [at, name] of known.entries()) add(name ?? '', 'known', at)
  for (const [at, name] of found.entries()) add(name ?? '', 'found', at)
  const sheets: SheetMatch[] = []
  const others: string[] = []
  for (const group of kinds.values()) {
    const names = group.found.map((at) => found[at] ?? '')
    const wanted = group.known.map((at) => known[at] ?? '')
    if (wanted.length === 0) return null
    if (wanted.length === names.length && wanted.every((name) => names.includes(name))) continue
    for (const [i, at] of group.known.entries()) {
      const choices = group.found.filter((place) => isAlike(at, place)).map((place) => found[place] ?? '')
      if (choices.length === 0) return null
      sheets.push({ known: wanted[i] ?? '', choices })
    }
    if (names.length < wanted.length) return null
    others.push(...names.filter((name) => !sheets.some(({ choices }) => choices.includes(name))))
  }
  return { sheets, others }
}

/** The current names of sheets, by their names in a recipe. */
export type SheetNames = ReadonlyMap<string, string>

/** The names if each sheet has only one choice; null if the person has to choose. */
export function sureSheets(sheets: readonly SheetMatch[]): SheetNames | null {
  return chosenSheets(sheets, new Map())
}

/** The names that were chosen; null while one is missing, or two are the same. */
export function chosenSheets(sheets: readonly SheetMatch[], chosen: SheetNames): SheetNames | null {
  const names = sheets.map(({ known, choices }) => {
    const [only] = choices
    return [known, choices.length === 1 ? only : chosen.get(known)] as const
  })
  const picked = names.flatMap(([known, name]) => (name === undefined ? [] : [[known, name] as const]))
  return picked.length === names.length && new Set(picked.map(([, name]) => name)).size === names.length
    ? new Map(picked)
    : null
}

/** The settings that name tables. */
interface ByTable {
  readonly request: InspectRequest
  readonly edits: Edits
  readonly rowCount?: RowCountCheck
  readonly shape?: Shape
}

/** Adapts settings to sheets with other names. */
export function forSheets<T extends ByTable>(settings: T, names: SheetNames): T {
  if (names.size === 0) return settings
  const now = <N extends string | null>(table: N): N | string => (table === null ? table : (names.get(table) ?? table))
  const { request, edits, rowCount, shape } = settings
  const named = <E extends { readonly table: string | null }>(list: readonly E[]): E[] =>
    list.map((each) => ({ ...each, table: now(each.table) }))
  return {
    ...settings,
    request: request.settings ? { ...request, settings: renamedIn(request.settings, names) } : request,
    edits: named(edits),
    ...(rowCount ? { rowCount: { ...rowCount, last: named(rowCount.last) } } : {}),
    ...(shape ? { shape: { ...shape, tables: named(shape.tables) } } : {}),
  }
}

/** Settings for reading sheets are by sheet name. */
function renamedIn(settings: Partial<ReadSettings>, names: SheetNames): Partial<ReadSettings> {
  if (settings.kind !== 'xlsx') return settings
  const byName = (value: object): object =>
    Object.fromEntries(Object.entries(value).map(([name, own]) => [names.get(name) ?? name, own]))
  const entries = Object.entries(settings).map(([key, value]) => {
    if (typeof value !== 'object' || value === null) return [key, value]
    const renamed = byName(value)
    // For several tables on one sheet, the value is the sheet's name.
    if (key !== 'sheet') return [key, renamed]
    return [
      key,
      Object.fromEntries(Object.entries(renamed).map(([name, sheet]) => [name, names.get(String(sheet)) ?? sheet])),
    ]
  })
  return Object.fromEntries(entries) as Partial<ReadSettings>
}
