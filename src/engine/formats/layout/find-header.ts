import { type SampleCell, type SampleRow, textsOf, cellKind, EMPTY, MOMENT, NUMBER } from './cells.ts'
import { groupsOver, isAboveGroups, isAboveNames } from './header-rows.ts'

/* Finds the row with the column names on a sheet or in a block of lines, using its first non-blank rows. */

export const SAMPLE_ROWS = 50

/**
 * Finds the header row: the first row that is about as wide as the table, consists mostly of distinct texts, and is
 * unlike the rows below; or a row of groups above it. Rows above the header are titles.
 * @param rows the first rows with values
 * @returns the row's number; null if there seems to be no header
 */
export function findHeader(rows: readonly SampleRow[]): number | null {
  const padded = headerBelowPreamble(rows)
  if (padded !== null) return padded
  const width = rows.reduce((most, row) => Math.max(most, row.cells.length), 0)
  const at = rows.findIndex((row) => row.cells.length * 2 > width)
  const candidate = rows[at]
  if (!candidate) return null
  const groups = groupsBesideKeys(rows.slice(0, at + 1), rows)
  if (groups !== null) return groups
  if (at > 0 && rows[at - 1].number === candidate.number - 1 && isAboveNames(textsOf(rows.slice(at - 1))))
    return topOf(rows, at - 1)
  if (rows[at + 1]?.number === candidate.number + 1 && groupsOver(textsOf(rows.slice(at))) === 'sure')
    return topOf(rows, at)
  const below = rows.slice(at + 1)
  return namesColumns(candidate, below) ? candidate.number : null
}

/**
 * The row with names of groups to the right of the columns with the rows' keys, whose names are further down: pandas
 * writes several keys like this. Titles, in contrast, are on the left.
 */
function groupsBesideKeys(first: readonly SampleRow[], rows: readonly SampleRow[]): number | null {
  const left = Math.min(...rows.flatMap(({ cells }) => cells.map(({ column }) => column)))
  const at = first.findIndex(
    ({ number, cells }, i) =>
      cells.length > 0 &&
      cells[0].column > left &&
      rows[i + 1]?.number === number + 1 &&
      groupsOver(textsOf(rows.slice(i))) === 'sure',
  )
  return at < 0 ? null : topOf(rows, at)
}

/** The topmost row of groups: this one, or the one above if it groups these groups. */
function topOf(rows: readonly SampleRow[], at: number): number {
  const { number } = rows[at]
  const isTop = at > 0 && rows[at - 1].number === number - 1 && isAboveGroups(textsOf(rows.slice(at - 1)))
  return isTop ? number - 1 : number
}

function namesColumns(row: SampleRow, below: readonly SampleRow[]): boolean {
  const texts = row.cells.filter((cell) => cell.kind === 'text' && cell.text.trim() !== '')
  const others = row.cells.length - texts.length
  if (isCount(row, below)) return true
  if (texts.some((cell) => cell.text.length > 255) || texts.length === 0) return false
  // A row of names may contain numbers or dates: “Product, 2022, 2023, 2024”.
  if (others > 0 && isSeries(row.cells, below)) return true
  if (texts.length < row.cells.length * 0.6) return false
  if (below.length === 0) return true
  if (differsBelow(texts, below)) return true
  // All cells are text, as below: names are distinct and don't recur.
  const distinct = new Set(texts.map((cell) => cell.text)).size
  return others === 0 && distinct * 2 > texts.length && repeatedBelow(texts, below) * 2 < texts.length
}

/** Fewest numbers that count the columns. */
const LEAST_COUNT = 3

/**
 * Whether texts count up from 0 or 1, as columns are counted: the wells of a plate (1 to 12), or a data frame without
 * names.
 */
export function countUp(texts: readonly string[]): boolean {
  const start = Number(texts[0])
  return (
    texts.length >= LEAST_COUNT &&
    start <= 1 &&
    texts.every((text, i) => /^\d+$/.test(text.trim()) && Number(text) === start + i)
  )
}

/** Whether a row counts the columns, to the right of rows' names. */
function isCount({ cells }: SampleRow, below: readonly SampleRow[]): boolean {
  const numbers = cells.filter((cell) => kindOf(cell) !== EMPTY)
  if (!countUp(numbers.map(({ text }) => text)) || numbers.some(({ column }, i) => column !== numbers[0].column + i))
    return false
  const keys = below.filter((row) =>
    row.cells.some((cell) => cell.column < numbers[0].column && kindOf(cell) !== EMPTY),
  )
  return keys.length > 0 && keys.length * 2 > below.length
}

/** Whether a row has texts above columns with other values, years above numbers, or counts the columns. */
export function isOverValues(row: SampleRow, below: readonly SampleRow[]): boolean {
  const texts = row.cells.filter(({ kind }) => kind === 'text')
  return differsBelow(texts, below) || isSeries(row.cells, below) || isCount(row, below)
}

/** Whether any text is above a column with other values. */
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

/** Whether the cells other than text are years or dates at regular intervals, unlike the cells below. */
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

const MAX_PREAMBLE = 50
/** This many consecutive rows of keys and values aren't names of groups. */
const LEAST_KEYS = 3
const YEAR = /^(19|20)\d\d$/
/** What account numbers and periods look like, in contrast to names of groups such as “Q1” and “2023/24”. */
const LONG_NUMBER = /(\d[ ./-]?){7,}/

/**
 * Finds the header of a table below rows that a spreadsheet padded to the table's width: titles, and keys with their
 * values (“Account; DE02…”). The header names each column that has values, some of which aren't words, and is wider
 * than each row above it.
 * @param rows the first non-blank rows; a gap in their numbers is a blank row
 * @returns the header's number; null if the first row may as well be the header, or nothing indicates one
 */
export function headerBelowPreamble(rows: readonly SampleRow[]): number | null {
  const last = Math.min(MAX_PREAMBLE, rows.length - 1)
  for (let at = 1; at < last; at++) {
    const above = rows.slice(0, at)
    // A table above isn't a preamble: skipping it would lose its rows.
    if (hasTable(above)) return null
    const names = namesIn(rows[at])
    if (names === null || above.some((row) => !isNarrower(row, names.length))) continue
    const values = valueKinds(names, rows.slice(at + 1))
    if (values === null || above.some((row) => isLike(row, values))) continue
    const attached = attachedTo(rows, at)
    if (isTitleBelowKeys(attached, above) || !mayBeGroups(attached, names)) return rows[at].number
  }
  return null
}

/** The cells of a row of names, which are distinct words and years; null if it's no such row. */
function namesIn({ cells }: SampleRow): readonly SampleCell[] | null {
  const filled = cells.filter((cell) => kindOf(cell) !== EMPTY)
  const words = filled.filter((cell) => !isValue(cell))
  const areNames = filled.every((cell) => !isValue(cell) || YEAR.test(cell.text))
  const texts = new Set(filled.map(({ text }) => text.trim()))
  return areNames && words.length > 1 && texts.size === filled.length ? filled : null
}

/**
 * Whether a row isn't a header itself, because it has fewer cells than the table has names, contains values, or says a
 * word twice.
 */
function isNarrower({ cells }: SampleRow, names: number): boolean {
  const filled = cells.filter((cell) => kindOf(cell) !== EMPTY)
  const isRepeated = new Set(filled.map(({ text }) => text.trim())).size < filled.length
  return filled.length < names || (filled.length === names && (isRepeated || filled.some((cell) => isValue(cell))))
}

/** For each named column, the kind of most of its values, unless that's words; null if a column lacks a name. */
function valueKinds(names: readonly SampleCell[], below: readonly SampleRow[]): ReadonlyMap<number, number> | null {
  const named = new Set(names.map(({ column }) => column))
  const columns = new Map<number, number[]>()
  for (const cell of below.flatMap(({ cells }) => cells)) {
    const kind = kindOf(cell)
    if (kind === EMPTY) continue
    const kinds = columns.get(cell.column)
    if (kinds) kinds.push(kind)
    else columns.set(cell.column, [kind])
  }
  const values = new Map<number, number>()
  for (const [column, kinds] of columns) {
    if (!named.has(column) && kinds.length * 2 >= below.length) return null
    const kind = [NUMBER, MOMENT].find((each) => kinds.filter((other) => other === each).length * 2 > kinds.length)
    if (named.has(column) && kind !== undefined) values.set(column, kind)
  }
  return values.size > 0 ? values : null
}

/**
 * Whether a row resembles the table's rows: in most of its columns with values, these are of the same kind. A key with
 * values for each column doesn't, if the table begins with a value.
 */
function isLike({ cells }: SampleRow, values: ReadonlyMap<number, number>): boolean {
  const [key] = cells
  if (cells.length > 1 && values.has(key.column) && !isValue(key)) return false
  const same = cells.filter((cell) => values.get(cell.column) === kindOf(cell)).length
  return same * 2 > values.size
}

/** Minimum number of rows with values below names for a table of its own. */
const LEAST_ROWS = 3

/** Whether some of the rows is a row of names with values below. Account numbers and the like don't count. */
function hasTable(rows: readonly SampleRow[]): boolean {
  return rows.some((row, at) => {
    const below = rows.slice(at + 1, at + 1 + LEAST_ROWS)
    const follows = below.length === LEAST_ROWS && below.every(({ number }, i) => number === row.number + 1 + i)
    const names = follows && !isPairBelowPair(rows, at) ? namesIn(row) : null
    return names?.some(({ column }) => below.every((each) => isPlainValue(each, column))) ?? false
  })
}

/** Whether a row is a key with a word among others, such as a unit, rather than the names of a table. */
function isPairBelowPair(rows: readonly SampleRow[], at: number): boolean {
  const above = rows.slice(Math.max(0, at - 1), at)
  return (
    above.some(({ number, cells }) => number === rows[at].number - 1 && cells.length === 2) &&
    rows[at].cells.length === 2
  )
}

/** Whether a text in the first column stands alone above the names, below keys with values. */
function isTitleBelowKeys(attached: readonly SampleRow[], above: readonly SampleRow[]): boolean {
  const [{ cells } = { cells: [] }] = attached
  return attached.length === 1 && cells.length === 1 && cells[0].column === 0 && above.some(hasValue)
}

function isPlainValue({ cells }: SampleRow, column: number): boolean {
  const cell = cells.find((each) => each.column === column)
  const isKey = cells[0]?.text.trim().endsWith(':') ?? false
  return cell !== undefined && isValue(cell) && !isKey && !LONG_NUMBER.test(cell.text)
}

/** The rows directly above a row, without a blank one in between. */
function attachedTo(rows: readonly SampleRow[], at: number): readonly SampleRow[] {
  let from = at
  while (from > 0 && rows[from - 1].number === rows[from].number - 1) from--
  return rows.slice(from, at)
}

/** Whether rows directly above names may be part of them: “Q1” above “Units” and “Revenue”. */
function mayBeGroups(rows: readonly SampleRow[], names: readonly SampleCell[]): boolean {
  if (rows.length === 0) return false
  const [{ column: first }] = names
  const areLeft = rows.every(({ cells }) => cells.every(({ column }, i) => column === first + i))
  if (!areLeft) return true
  return rows.length < LEAST_KEYS && !rows.some(hasValue)
}

/**
 * Whether rows are keys with their values, and remarks, but no table: most keys have a colon, or a number or date
 * is beside the first key, where a table has a name, and words are beside other keys.
 */
export function areKeys(rows: readonly SampleRow[]): boolean {
  const pairs = rows.filter(({ cells }) => cells.length > 1)
  if (pairs.length === 0 || pairs.some(({ cells: [key] }) => key.column > 0 || isValue(key))) return false
  if (pairs.filter(hasColon).length * 2 > pairs.length) return true
  const [first = false, ...others] = pairs.flatMap(({ cells }) => (cells.length === 2 ? [isTelling(cells[1])] : []))
  return first && others.includes(false) && !hasTable(rows)
}

/** Whether a row's key ends with a colon, which may have a cell of its own. */
const hasColon = ({ cells: [key, second] }: SampleRow): boolean =>
  key.text.trim().endsWith(':') || second.text.trim() === ':'

/**
 * Whether rows of two cells are rather keys with their values than a table: the values are of several kinds, such as
 * numbers, dates and words. Titles may be above.
 */
export function mayBeKeys(rows: readonly SampleRow[]): boolean {
  const pairs = rows.slice(rows.findIndex(({ cells }) => cells.length > 1))
  if (!pairs.every(({ cells }) => cells.length === 2 && cells[0].column === 0 && !isValue(cells[0]))) return false
  const keys = new Set(pairs.map(({ cells: [key] }) => key.text.trim()))
  const below = pairs
    .slice(1)
    .map(({ cells: [, value] }) => isTelling(value) && (isValue(value) ? kindOf(value) : 'long'))
  return keys.size === pairs.length && new Set(below).size > 1
}

const isTelling = (cell: SampleCell): boolean => isValue(cell) || LONG_NUMBER.test(cell.text)

/** Whether a row is a key with its value. */
const hasValue = ({ cells }: SampleRow): boolean =>
  cells.some(({ text }, i) => {
    const isKey = i === 0 && cells.length > 1 && text.trim().endsWith(':')
    return isKey || (i > 0 && (LONG_NUMBER.test(text) || (isValue(cells[i]) && !YEAR.test(text.trim()))))
  })

/** The kind of a cell; for text, according to its content. */
const kindOf = ({ kind, text }: SampleCell): number => (kind === 'number' ? NUMBER : cellKind(text, ','))

const isValue = (cell: SampleCell): boolean => {
  const kind = kindOf(cell)
  return kind === NUMBER || kind === MOMENT
}
