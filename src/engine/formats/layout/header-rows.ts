import { shortened } from '../../../lib/text.ts'
import type { Proposal } from '../../../tables/plan.ts'
import type { ReadSettings } from '../../../tables/settings.ts'
import { columnOf, isTyped, isValue, type Rows, type SampleRow, textsOf } from './cells.ts'
import { groupsOver, isAboveGroups } from './groups.ts'

/** A value that isn't there, in words. */
const ABSENT = /^(n\/?a|nan|null|none|nil|-+|\.+|\?|x)$/i
const MAX_HEADER_ROWS = 3
/** With fewer rows below, what looks like names may as well be the first row. */
const LEAST_BELOW = 2

/** How many rows at the top name the columns: groups and their names, and words where the columns have values. */
export function headerRowsOf(rows: Rows): number {
  let count = isAboveGroups(rows) ? 3 : groupsOver(rows) === 'sure' ? 2 : 1
  while (
    count < MAX_HEADER_ROWS &&
    rows.length - count > LEAST_BELOW &&
    isNameRow(rows[count], rows.slice(0, count), rows.slice(count + 1))
  ) {
    count++
  }
  return count
}

/** How many rows the header has that begins in a row: those of it have no blank ones between them. */
export function headerRowsFrom(rows: readonly SampleRow[], header: number): number {
  const from = rows.findIndex(({ number }) => number === header)
  const below = rows.slice(from)
  const most = below.findIndex(({ number }, i) => number !== header + i)
  return Math.min(headerRowsOf(textsOf(below)), most < 0 ? below.length : most)
}

/** @param above the rows of the header so far: two are groups and their names */
function isNameRow(row: readonly string[], above: Rows, rest: Rows): boolean {
  const [header] = above
  const isGrouped = above.length > 1
  const isHeader = (other: readonly string[]): boolean =>
    other.length === header.length && other.every((cell, i) => cell === header[i])
  const isRepeated = isHeader(row)
  const below = rest.filter((other) => !isHeader(other))
  const columns = row.map((_, i) => columnOf(below, i).filter((cell) => cell.trim() !== ''))
  const typed = columns.map((cells) => {
    const values = cells.filter((cell) => !ABSENT.test(cell.trim()))
    return values.length > 0 && values.filter(isTyped).length * 10 >= values.length * 8
  })
  const words = row.filter((cell, i) => typed[i] && cell.trim() !== '' && !isTyped(cell) && !ABSENT.test(cell.trim()))
  const size = typed.filter(Boolean).length
  if (
    row.some((cell, i) => isValue(cell, columns[i])) ||
    row.some((cell, i) => cell !== '' && columns[i].includes(cell))
  )
    return false
  if (isNameOfKeys(row, typed, columns) || isNameOfUnnamed(row, above, columns)) return isGrouped
  const isUnnamed = row.some((cell, i) => cell === '' && columns[i].length === below.length)
  return words.length > 0 && words.length * 2 >= size && (size > 1 || isUnnamed || isRepeated)
}

/** Whether a row has a name for the first column alone, as pandas has it below the names of the others. */
function isNameOfKeys(row: readonly string[], typed: readonly boolean[], columns: Rows): boolean {
  const [first, ...others] = row
  return (
    typed[0] &&
    first.trim() !== '' &&
    !ABSENT.test(first.trim()) &&
    others.every((cell, i) => cell.trim() === '' && columns[i + 1].length * 2 > columns[0].length)
  )
}

/** Whether a row has names for all columns that have none above and values below, and nothing else: pandas writes several keys so. */
function isNameOfUnnamed(row: readonly string[], above: Rows, columns: Rows): boolean {
  const isUnnamed = (column: number): boolean =>
    columns[column].length > 0 && above.every((other) => (other[column] ?? '').trim() === '')
  return row.some((cell) => cell.trim() !== '') && row.every((cell, i) => (cell.trim() !== '') === isUnnamed(i))
}

/**
 * The columns' names, of what each row of a header says, joined by blanks. A name above several others, as “Q1” above
 * “Units” and “Revenue”, is of all of them: where rows have gaps, it goes on to the right.
 */
export function joinNames(rows: Rows): string[] {
  if (rows.length === 1) return [...rows[0]]
  const width = Math.max(...rows.map(({ length }) => length))
  const filled = rows.map((row, i) => fillRight(row, rows.slice(i + 1), width))
  const names = Array.from({ length: width }, (_, column) => filled.map((row) => row[column] ?? ''))
  // A name that goes over rows is one; names that are all there again are of a header that was written twice.
  const isTwice = names.every((parts) => parts.every((part) => part === parts[0]))
  return names.map((parts) => joined(isTwice ? parts : parts.filter((part, i) => i === 0 || part !== parts[i - 1])))
}

/** One name of several parts. */
export const joined = (parts: readonly string[]): string => parts.filter((part) => part.trim() !== '').join(' ')

/** A row of names, each of which holds for the columns on its right that have none here and one below. */
function fillRight(row: readonly string[], below: Rows, width: number): string[] {
  const isNamed = (column: number): boolean => below.some((other) => (other[column] ?? '').trim() !== '')
  const filled: string[] = []
  for (let column = 0; column < width; column++) {
    const own = row[column] ?? ''
    const goesOn = own.trim() === '' && column > 0 && isNamed(column) && isNamed(column - 1)
    filled.push(goesOn ? filled[column - 1] : own)
  }
  return filled
}

/** Units of measure as tables have them below their names, brackets taken off. */
const UNIT =
  /^(%|‰|°[CF]?|[€$£¥₹]|EUR|USD|GBP|CHF|JPY|[kKMm]?€|T?EUR|[kMGTmµun]?(g|m|l|L|s|W|Wh|Hz|V|A|J|Pa|B|t|bar|mol)|[kcmd]?m[²³23]?|ha|km\/h|m\/s|l\/s|m[²³]\/h|kWh?|h|min|sec|ms|d|pcs\.?|pc|Stk\.?|Stück|St\.?|units?|ppm|dB|rpm|ft|in|lb|oz|mi|yd|gal|mph)$/

/** Whether a row under names says what their values are measured in: “kg”, “€”, “%”. */
export function isUnits(row: readonly string[]): boolean {
  const words = row.map((cell) => cell.trim().replace(/^[[(](.*)[\])]$/, '$1')).filter((cell) => cell !== '')
  return (
    words.length > 0 &&
    words.every((word) => UNIT.test(word) || /^(-|–|n\/a)$/i.test(word)) &&
    words.some((word) => UNIT.test(word))
  )
}

/** That a row of units is left out of the names. */
export function unitsProposal(row: readonly string[], settings: Partial<ReadSettings>): Proposal {
  const units = [...new Set(row.map((cell) => cell.trim()).filter((cell) => cell !== ''))].slice(0, 4).join(', ')
  return {
    code: 'units-row',
    label: 'Apply: leave out the row of units',
    message: `The row under the names has units (${units}): they are part of the names.`,
    change: { kind: 'reading', settings },
  }
}

/** That two rows are the header, where the first one may name groups of columns. */
export function groupsProposal(names: readonly string[], settings: Partial<ReadSettings>): Proposal {
  const grouped = names.filter((name) => name.includes(' '))
  const shown = grouped.slice(0, 3).map((name) => `“${shortened(name, 40)}”`)
  return {
    code: 'header-rows',
    label: 'Apply: two rows are the header',
    message: `The row below the names may be part of them: columns would be called ${shown.join(', ')}${grouped.length > 3 ? ' and so on' : ''}.`,
    ambiguous: true,
    change: { kind: 'reading', settings },
  }
}
