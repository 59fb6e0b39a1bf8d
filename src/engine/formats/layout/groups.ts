import { columnOf, isTyped, type Rows } from './cells.ts'
import { usualName } from './header-names.ts'

/* Whether two rows name the columns, groups above names, where the values below may all be texts. */

/** `possible`: one group has several columns, and nothing more says so. */
export type Groups = 'sure' | 'likely' | 'possible' | 'none'

/** With fewer rows below, what looks like names may as well be the first row. */
const LEAST_BELOW = 2
/** So many keys without a gap are no chance: above several groups, and above one. */
const LEAST_ROWS = 3
const LEAST_KEYS = 8
/** A longer text is no name. */
const MAX_NAME = 100
const YEAR = /^(19|20)\d\d$/
/** What names don't have in them where most values do. */
const MARKS = [/@/, /:\/\//, /\d/]

/** Columns side by side that the first row has one name for. */
type Group = readonly number[]

/**
 * Whether the first row names groups (“Q1,,Q2,” or “Q1,Q1,Q2,Q2”) and the second one each column of a group. It's sure where
 * names come again in another group (“Units,Price,Units,Price”), where columns are usually called so, and where
 * columns in no group have a value in each row but the second.
 */
export function groupsOver(rows: Rows): Groups {
  const [first = [], second = [], ...below] = rows
  if (below.length < LEAST_BELOW) return 'none'
  const groups = groupsIn(first, second)
  const wide = groups?.filter(({ length }) => length > 1) ?? []
  const grouped = wide.flat()
  if (grouped.length === 0 || !areNames(second, grouped, below)) return 'none'
  const singles = second.flatMap((_, column) => (grouped.includes(column) ? [] : [column]))
  if (singles.some((column) => isFilled(second, column) && !isName(second[column], columnOf(below, column))))
    return 'none'
  const hasKeys = below.length >= (wide.length > 1 ? LEAST_ROWS : LEAST_KEYS) && areKeys(first, second, singles, below)
  const isSure = hasKeys || comeAgain(second, wide, below) || areUsual(second, grouped, below)
  return isSure ? 'sure' : wide.length > 1 ? 'likely' : 'possible'
}

/** Whether a row above names says which of them are of one group: names come again in other groups. No title does. */
export function isAboveNames(rows: Rows): boolean {
  const [first = [], second = [], ...below] = rows
  const wide = (groupsIn(first, second) ?? []).filter(({ length }) => length > 1)
  return (
    below.length >= LEAST_BELOW &&
    wide.length > 1 &&
    areNames(second, wide.flat(), below) &&
    comeAgain(second, wide, below)
  )
}

/** Whether a row names groups of the groups in the row below it: “2023” above “H1” and “H2”, each above “Units” and “Price”. */
export function isAboveGroups(rows: Rows): boolean {
  const [top = [], first = [], second = [], ...below] = rows
  const under = rows.slice(1)
  if (groupsOver(under) !== 'sure' && !isAboveNames(under)) return false
  const named = second.map((name, column) => (name.trim() === '' ? (first[column] ?? '') : name))
  const groups = groupsIn(top, named) ?? []
  const names = groups.map((group) => group.filter((column) => isFilled(first, column)).length)
  // The name of a column in no group stands in the first row, and nothing below it.
  const isKey = (group: Group): boolean => group.every((column) => !isFilled(named, column))
  return (
    names.filter((count) => count > 1).length > 1 &&
    groups.every((group, i) => names[i] > 1 || isKey(group)) &&
    groups.every(([column]) => isName(top[column] ?? '', columnOf(below, column)))
  )
}

const isFilled = (row: readonly string[], column: number): boolean => (row[column] ?? '').trim() !== ''

/** The groups from left to right; null where a column has a name in the second row only, and no group on its left. */
function groupsIn(first: readonly string[], second: readonly string[]): readonly Group[] | null {
  const groups: number[][] = []
  for (let column = 0; column < Math.max(first.length, second.length); column++) {
    const last = groups.at(-1)
    const isNext = last?.at(-1) === column - 1
    if (!isFilled(first, column)) {
      if (!isFilled(second, column) || last === undefined) continue
      if (!isNext) return null
      last.push(column)
    } else if (last && isNext && first[column] === first[last[0]]) last.push(column)
    else groups.push([column])
  }
  return groups
}

/** Whether all cells of a row may be names of their columns, each another one within its group. */
function areNames(row: readonly string[], columns: readonly number[], below: Rows): boolean {
  const values = new Set(columns.flatMap((column) => columnOf(below, column)))
  return columns.every((column) => isName(row[column] ?? '', columnOf(below, column)) && !values.has(row[column]))
}

function isName(cell: string, column: readonly string[]): boolean {
  const filled = column.filter((each) => each.trim() !== '')
  if (cell.trim() === '' || cell.length > MAX_NAME || filled.includes(cell)) return false
  const most = (mark: RegExp): boolean => filled.filter((each) => mark.test(each)).length * 2 > filled.length
  if (YEAR.test(cell)) return !most(YEAR)
  return !isTyped(cell) && !MARKS.some((mark) => mark.test(cell) && most(mark))
}

/** Whether most names come again in other groups, and values in the rows below don't. */
function comeAgain(second: readonly string[], groups: readonly Group[], below: Rows): boolean {
  if (groups.some((group) => new Set(group.map((column) => second[column])).size < group.length)) return false
  const columns = groups.flat()
  const pairs = columns.flatMap((column, i) => {
    const other = columns.slice(i + 1).find((each) => second[each] === second[column])
    return other === undefined ? [] : [[column, other] as const]
  })
  const again = new Set(pairs.flat())
  const repeating = below.filter((row) => {
    const same = pairs.filter(([a, b]) => row[a] === row[b] && isFilled(row, a))
    return same.length * 2 > pairs.length
  })
  return again.size * 2 > columns.length && repeating.length * 5 <= below.length
}

/** Whether columns are usually called so, and no value below is. */
function areUsual(second: readonly string[], columns: readonly number[], below: Rows): boolean {
  const usual = columns.filter(
    (column) => usualName(second[column]) === 1 && !columnOf(below, column).some((cell) => usualName(cell) > 0),
  )
  return usual.length > 1 && usual.length * 2 >= columns.length
}

/** Whether columns in no group have their name in one of the rows, and one of them has it in the first, and values in all below. */
function areKeys(
  first: readonly string[],
  second: readonly string[],
  singles: readonly number[],
  below: Rows,
): boolean {
  if (singles.some((column) => isFilled(first, column) && isFilled(second, column))) return false
  return singles.some((column) => isFilled(first, column) && below.every((row) => isFilled(row, column)))
}
