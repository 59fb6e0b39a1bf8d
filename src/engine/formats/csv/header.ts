import { cellKind, EMPTY, FLAG, MOMENT, NUMBER, WORDS } from './cells.ts'

/** A longer text is no name. */
const MAX_NAME = 1000
const YEAR = /^(19|20)\d\d$/

/**
 * Whether the first row names the columns. It does unless it looks like a row: it has values of the kind of those
 * below it, or a text that comes again below it.
 */
export function looksLikeHeader(rows: readonly (readonly string[])[]): boolean {
  const [first, ...others] = rows
  if (!first || first.every((cell) => cell.trim() === '')) return false
  if (first.some((cell) => cell.length > MAX_NAME)) return false
  if (others.length === 0) return !first.some((cell) => isTyped(cell))
  const typed = first.map((cell, i) => isTyped(cell) && !isYearName(first, i))
  if (typed.some(Boolean)) {
    // Names such as "2024-01" or "1" are still possible, but not where the column below is of the same kind.
    return (
      first.every((cell, i) => !typed[i] || !columnOf(others, i).some((below) => sameKind(cell, below))) &&
      first.filter((_, i) => typed[i]).length * 2 < first.length
    )
  }
  const typedBelow = first.some((_, i) => mostlyTyped(columnOf(others, i)))
  if (typedBelow) return true
  const names = new Set(first)
  if (
    names.size < first.length &&
    first.length > 1 &&
    new Set(first.filter((cell) => cell !== '')).size * 2 < first.length
  ) {
    return false
  }
  return !first.some((cell, i) => cell !== '' && columnOf(others, i).includes(cell))
}

const columnOf = (rows: readonly (readonly string[])[], index: number): string[] =>
  rows.slice(0, 1000).flatMap((row) => (row[index] === undefined ? [] : [row[index]]))

function isTyped(cell: string): boolean {
  const kind = cellKind(cell, ',')
  return kind === NUMBER || kind === MOMENT || kind === FLAG
}

function mostlyTyped(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cellKind(cell, ',') !== EMPTY)
  return filled.length > 0 && filled.filter(isTyped).length * 10 >= filled.length * 8
}

function sameKind(a: string, b: string): boolean {
  const kind = cellKind(a, ',')
  return kind !== WORDS && kind === cellKind(b, ',')
}

/** Years side by side, as in "country,2019,2020,2021". */
function isYearName(row: readonly string[], index: number): boolean {
  if (!YEAR.test(row[index])) return false
  const years = row.filter((cell) => YEAR.test(cell)).map(Number)
  return (
    years.length > 1 &&
    years.length < row.length &&
    years.every((year, i) => i === 0 || Math.abs(year - years[i - 1]) === 1)
  )
}
