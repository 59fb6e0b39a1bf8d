import { firstFree, foldName } from '../lib/names.ts'
import { stemOf } from './file-names.ts'
import type { Column } from './types.ts'

/**
 * Unique, non-empty names for a table's columns, by the same rule for all formats: a blank name becomes its position
 * (`column_3`), a second `total` becomes `total_1`, or the next number that the file doesn't use.
 * @param unnamed gives the name of a column without one, by its index
 */
export function columnNames(sources: readonly string[], unnamed = (index: number) => `column_${index + 1}`): string[] {
  return numbered(
    sources.map((source, i) => (source.trim() === '' ? unnamed(i) : source)),
    sources,
  )
}

/**
 * Makes names unique by numbers: `total`, `total_1`.
 * @param fold maps names that count as the same to the same text, such as to lower case
 */
export function uniqueNames(names: readonly string[], fold = (name: string) => name): string[] {
  return numbered(names, names, fold)
}

/** Makes file names unique, as file managers do: `a.csv`, `a (2).csv`. */
export function fileNames(names: readonly string[]): string[] {
  return numbered(
    names,
    [],
    (name) => name.toLowerCase(),
    (name, number) => {
      const dot = name.lastIndexOf('.')
      const [stem, suffix] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
      return `${stem} (${number + 1})${suffix}`
    },
  )
}

/** Names files by their paths without the common folders: `2024_jan.csv`, `2025_jan.csv`. */
export function namesByPath(paths: readonly string[]): string[] {
  const all = paths.map((path) => path.split('/'))
  const [first = []] = all
  const same = Math.min(...all.map((path) => path.findIndex((part, i) => i === path.length - 1 || part !== first[i])))
  return fileNames(all.map((path) => path.slice(same).join('_')))
}

/** Numbers duplicates. A name that occurs in `sources` stays with the first column that has it. */
function numbered(
  wanted: readonly string[],
  sources: readonly string[],
  fold = (name: string) => name,
  spell = (name: string, number: number) => `${name}_${number}`,
): string[] {
  const taken = new Set(sources.map(fold))
  const used = new Set<string>()
  const next = new Map<string, number>()
  return wanted.map((name, i) => {
    const key = fold(name)
    const own = name === sources[i] || !taken.has(key)
    if (own && !used.has(key)) {
      used.add(key)
      return name
    }
    let number = next.get(key) ?? 1
    const candidate = (): string => fold(spell(name, number))
    while (taken.has(candidate()) || used.has(candidate())) number++
    next.set(key, number + 1)
    used.add(candidate())
    return spell(name, number)
  })
}

/** Longest name, in characters. */
const MOST = 128
/** Longest proposed name, so that a number can be appended. */
const MOST_PROPOSED = 60

/**
 * A name for a file's table that mostly needs no quotes: `Sales 2024.csv` becomes `Sales_2024`.
 * @param table its name in the file, if the file has several
 * @param database whether the table's name suffices without the file's
 */
export function proposeName(fileName: string, table: string | null = null, database = false): string {
  const stem = stemOf(fileName)
  const words = table === null ? stem : database ? table : `${stem} ${table}`
  const name = words
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
  const led = /^\p{N}/u.test(name) ? `t_${name}` : name
  return Array.from(led).slice(0, MOST_PROPOSED).join('') || 'table_1'
}

/** The name, with a number if it's taken. `taken` has folded names. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  return firstFree(
    name,
    (free) => taken.has(foldName(free)),
    (number) => `${name}_${number}`,
  )
}

/** What is wrong with a typed name; null if it's valid. `taken` has the folded names of other tables. */
export function nameProblem(name: string, taken: ReadonlySet<string>): string | null {
  const trimmed = name.trim()
  if (trimmed === '') return 'Give it a name.'
  if (trimmed.length > MOST) return `A name has at most ${MOST} characters.`
  if (/\p{Cc}/u.test(trimmed)) return 'A name can’t hold line breaks or other control characters.'
  return taken.has(foldName(trimmed)) ? 'Another local table has this name. Upper and lower case are the same.' : null
}

/** The columns of a table in SQL, where names are case-insensitive. */
export function tableColumns(columns: readonly Column[]): Column[] {
  const names = uniqueNames(
    columns.map(({ name }) => name),
    (each) => each.toLowerCase(),
  )
  return columns.map(({ name, type }, i): Column => ({ name: names[i] ?? name, type }))
}
