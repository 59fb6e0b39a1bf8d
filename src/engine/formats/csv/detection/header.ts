import { cellKind, columnOf, isTyped, isValue, MOMENT, type Rows, sameKind } from '../../layout/cells.ts'
import { countUp } from '../../layout/find-header.ts'
import { usualName } from '../../layout/header-rows.ts'

/** Longer texts aren't names. */
const MAX_NAME = 1000
const YEAR = /^(19|20)\d\d$/
/** A size as `du -h` prints it. Columns may be called 2B or 4K, but then sizes aren’t below. */
const SIZE = /^\d+(?:[.,]\d+)?[KMGTP](?:iB?)?$/
const isSize = (cell: string): boolean => SIZE.test(cell.trim())
/** Evidence for a header from a year or a date beside others, above values that are none. Three are enough. */
const SERIES_NAME = 0.2

export interface HeaderFinding {
  readonly header: boolean
  /** Whether the cells decide it; otherwise the usual case is assumed. */
  readonly sure: boolean
}

/** Decides whether the first row names the columns, by comparing its cells with those below. */
export function judgeFirstRow(rows: Rows): HeaderFinding {
  const [first, ...below] = rows
  const others = below.filter((row) => row.some((cell, i) => cell !== first[i]))
  if (!first || first.every((cell) => cell.trim() === '')) return { header: false, sure: true }
  if (first.some((cell) => cell.length > MAX_NAME)) return { header: false, sure: true }
  if (isCount(first, below)) return { header: true, sure: true }
  if (others.length === 0) return { header: !first.some((cell) => isTyped(cell)), sure: true }
  const columns = first.map((_, i) => columnOf(others, i))
  const isSeries = first.map(
    (_, i) => (isYearName(first, i) && !areYears(columns[i])) || (isDateName(first, i) && !columns[i].some(isDate)),
  )
  const typed = first.filter((cell, i) => isValue(cell, columns[i]) && !isSeries[i]).length
  const evidence = first.map((cell, i) => evidenceOf(cell, columns[i], isSeries[i]))
  const filled = first.filter((cell) => cell !== '')
  const repeated = filled.length - new Set(filled).size
  const named = first.length > 1 ? first.map((cell, i) => namedAs(cell, columns[i])) : []
  const sum = [...evidence, ...named].reduce((a, b) => a + b, 0) - repeated / 4
  if (typed * 2 >= first.length) return { header: false, sure: sum < 0 || typed === first.length }
  return { header: sum >= 0, sure: Math.abs(sum) >= 0.5 }
}

/** Evidence for a header from a cell that is a usual name, if none of the values below it is. Two are enough. */
function namedAs(cell: string, column: readonly string[]): number {
  const named = usualName(cell)
  return named > 0 && !column.some((below) => usualName(below) > 0) ? named / 4 : 0
}

/** Evidence for a header (above 0) or against one (below 0) from a cell and the values below it. */
function evidenceOf(cell: string, column: readonly string[], isSeries: boolean): number {
  const filled = column.filter((below) => below.trim() !== '')
  if (cell.trim() === '' || filled.length === 0) return 0
  if (isSeries && !filled.some((below) => YEAR.test(below.trim()))) return SERIES_NAME
  if (isSize(cell) && filled.some(isSize) && filled.every((below) => isSize(below) || isTyped(below))) return -1
  const typed = isValue(cell, filled)
  const share = filled.filter(isTyped).length / filled.length
  if (share >= 0.8) {
    if (!typed) return 1
    return isSeries || !filled.some((below) => sameKind(cell, below)) ? 0 : -1
  }
  if (typed) return share >= 0.3 ? -0.5 : -0.25
  if (filled.includes(cell)) return -0.5
  if (share >= 0.3) return 0.5
  const marked = [/@/, /:\/\//, /\d/].find(
    (mark) => filled.filter((below) => mark.test(below)).length >= filled.length * 0.8,
  )
  if (marked) return marked.test(cell) ? -0.5 : 0.75
  const shape = shapeOf(filled[0])
  const alike = filled.length > 1 && filled.every((below) => shapeOf(below) === shape)
  if (alike && shapeOf(cell) !== shape) return 0.5
  const few = filled.length >= 6 && new Set(filled).size * 2 <= filled.length
  return few ? 0.5 : 0
}

/** The kinds of characters in a text, each run as one: `New York` is `Aa Aa`. */
const shapeOf = (text: string): string =>
  text
    .replaceAll(/\p{Lu}+/gu, 'A')
    .replaceAll(/\p{L}+/gu, (run) => (run === 'A' ? run : 'a'))
    .replaceAll(/\d+/g, '9')

/**
 * Whether a row counts the columns beside a blank corner, above rows with names. A word may stand in the corner if the
 * values below have fractions, as those of plate readers do. Cells at the row's end may be blank.
 */
function isCount([corner, ...cells]: readonly string[], below: Rows): boolean {
  const numbers = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
  const keys = columnOf(below, 0).filter((cell) => cell.trim() !== '')
  if (isTyped(corner) || !countUp(numbers) || keys.length * 2 <= below.length) return false
  const isFraction = (cell: string): boolean => FRACTION.test(cell)
  return corner.trim() === '' || below.every((row) => row.slice(1, numbers.length + 1).every(isFraction))
}
const FRACTION = /^\s*(-?\d+[.,]\d+)?\s*$/

/** Whether most values of a column are years. */
function areYears(column: readonly string[]): boolean {
  const filled = column.filter((cell) => cell.trim() !== '')
  return filled.filter((cell) => YEAR.test(cell.trim())).length * 2 > filled.length
}

/** Adjacent years that rise or fall, as in "country,2019,2020,2021". */
function isYearName(row: readonly string[], index: number): boolean {
  if (!YEAR.test(row[index].trim())) return false
  const years = row.filter((cell) => YEAR.test(cell.trim())).map(Number)
  const rises = years[1] > years[0]
  const isSeries = years.every((year, i) => i === 0 || (year !== years[i - 1] && year > years[i - 1] === rises))
  return years.length > 1 && years.length < row.length && isSeries
}

const isDate = (cell: string): boolean => cellKind(cell, ',') === MOMENT

/** Adjacent dates that all differ, as in "state,31.12.2021,31.12.2022". */
function isDateName(row: readonly string[], index: number): boolean {
  if (!isDate(row[index])) return false
  const dates = row.filter(isDate)
  return dates.length > 1 && dates.length < row.length && new Set(dates).size === dates.length
}

/** Whether a column can be the rows' names: all values are different. */
export function areRowNames(rows: Rows): boolean {
  const names = columnOf(rows, 0)
  return new Set(names).size === names.length
}
