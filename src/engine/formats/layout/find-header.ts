import { type SampleCell, type SampleRow, textsOf } from './cells.ts'
import { groupsOver, isAboveGroups, isAboveNames } from './groups.ts'
import { headerBelowPreamble } from './preamble.ts'

/* Which row of a sheet or a block of lines holds the column names. Works on its first rows that aren't blank. */

export const SAMPLE_ROWS = 50

/**
 * Finds the header row: the first row about as wide as the table, mostly of text, of different texts, and unlike the
 * rows below it; or the row of groups above such a row. What stands above it is a title.
 * @param rows the sheet's first rows that have values
 * @returns the row's number; null when the sheet seems to have no header
 */
export function findHeader(rows: readonly SampleRow[]): number | null {
  const padded = headerBelowPreamble(rows)
  if (padded !== null) return padded
  const width = rows.reduce((most, row) => Math.max(most, row.cells.length), 0)
  const at = rows.findIndex((row) => row.cells.length * 2 > width)
  const candidate = rows[at]
  if (!candidate) return null
  if (at > 0 && rows[at - 1].number === candidate.number - 1 && isAboveNames(textsOf(rows.slice(at - 1))))
    return topOf(rows, at - 1)
  if (rows[at + 1]?.number === candidate.number + 1 && groupsOver(textsOf(rows.slice(at))) === 'sure')
    return topOf(rows, at)
  const below = rows.slice(at + 1)
  return namesColumns(candidate, below) ? candidate.number : null
}

/** The number of a row of groups, or of the one above it that names groups of these. */
function topOf(rows: readonly SampleRow[], at: number): number {
  const { number } = rows[at]
  const isTop = at > 0 && rows[at - 1].number === number - 1 && isAboveGroups(textsOf(rows.slice(at - 1)))
  return isTop ? number - 1 : number
}

function namesColumns(row: SampleRow, below: readonly SampleRow[]): boolean {
  const texts = row.cells.filter((cell) => cell.kind === 'text' && cell.text.trim() !== '')
  const others = row.cells.length - texts.length
  if (texts.some((cell) => cell.text.length > 255) || texts.length === 0) return false
  // A row of names may have numbers or dates among them: “Product, 2022, 2023, 2024”.
  if (others > 0 && isSeries(row.cells, below)) return true
  if (texts.length < row.cells.length * 0.6) return false
  if (below.length === 0) return true
  if (differsBelow(texts, below)) return true
  // All text, like the rows below: names are different from each other and don't come again.
  const distinct = new Set(texts.map((cell) => cell.text)).size
  return others === 0 && distinct * 2 > texts.length && repeatedBelow(texts, below) * 2 < texts.length
}

/** Whether a row has texts above columns that hold other things. */
export function isOverValues(row: SampleRow, below: readonly SampleRow[]): boolean {
  return differsBelow(
    row.cells.filter(({ kind }) => kind === 'text'),
    below,
  )
}

/** A text on top of columns that hold other things. */
function differsBelow(texts: readonly SampleCell[], below: readonly SampleRow[]): boolean {
  return texts.some((name) => {
    const column = below.flatMap((row) => row.cells.filter((cell) => cell.column === name.column))
    return column.length > 0 && column.filter((cell) => cell.kind !== 'text').length * 2 > column.length
  })
}

function repeatedBelow(texts: readonly SampleCell[], below: readonly SampleRow[]): number {
  return texts.filter((name) =>
    below.some((row) => row.cells.some((cell) => cell.column === name.column && cell.text === name.text)),
  ).length
}

/** Whether the cells that aren't text are years or dates that go on evenly, and the cells below them are not. */
function isSeries(cells: readonly SampleCell[], below: readonly SampleRow[]): boolean {
  const values = cells.filter((cell) => cell.kind !== 'text')
  if (values.length < 2) return false
  const columns = new Set(values.map((cell) => cell.column))
  const under = below.flatMap((row) => row.cells.filter((cell) => columns.has(cell.column)))
  if (values.every((cell) => cell.kind === 'other')) {
    const distinct = new Set(values.map((cell) => cell.text)).size === values.length
    return distinct && under.every((cell) => cell.kind !== 'other')
  }
  const years = values.map((cell) => (isYear(cell) ? Number(cell.text) : Number.NaN))
  const step = years[1] - years[0]
  const even = step !== 0 && years.every((year, i) => i === 0 || year - years[i - 1] === step)
  return even && under.filter(isYear).length * 2 < under.length
}

function isYear(cell: SampleCell): boolean {
  return cell.kind === 'number' && /^(19|20)[0-9]{2}$/.test(cell.text)
}
