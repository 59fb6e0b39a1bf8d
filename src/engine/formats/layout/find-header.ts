import { type SampleCell, type SampleRow, textsOf, cellKind, EMPTY, MOMENT, NUMBER } from './cells.ts'
import { groupsOver, isAboveGroups, isAboveNames } from './header-rows.ts'

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
 * The number of a row of groups that stands right of the columns with the rows' keys, whose names are below it: pandas
 * writes several keys so. Titles stand on the left.
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

/** Whether a row has texts above columns that hold other things, or years above numbers. */
export function isOverValues({ cells }: SampleRow, below: readonly SampleRow[]): boolean {
  const texts = cells.filter(({ kind }) => kind === 'text')
  return differsBelow(texts, below) || isSeries(cells, below)
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

const MAX_PREAMBLE = 50
/** So many rows of keys and values, one below the other, are no names of groups. */
const LEAST_KEYS = 3
const YEAR = /^(19|20)\d\d$/
/** What an account or a period looks like, and no name of a group: “Q1” and “2023/24” are such. */
const LONG_NUMBER = /(\d[ ./-]?){7,}/

/**
 * Finds the header of a table that has rows above it which a spreadsheet padded to the table's width: titles, and keys with
 * their values (“Account; DE02…”). It names each column that has values, over some that are no words, and is filled
 * further than each row above it.
 * @param rows the first rows that aren't blank; a gap in their numbers is a blank row
 * @returns the header's number; null where the first row may as well be the header, or nothing tells
 */
export function headerBelowPreamble(rows: readonly SampleRow[]): number | null {
  const last = Math.min(MAX_PREAMBLE, rows.length - 1)
  for (let at = 1; at < last; at++) {
    const above = rows.slice(0, at)
    // Another table above is no preamble: skipping it would lose its rows.
    if (hasTable(above)) return null
    const names = namesIn(rows[at])
    if (names === null || above.some((row) => !isNarrower(row, names.length))) continue
    const values = valueKinds(names, rows.slice(at + 1))
    if (values === null || above.some((row) => isLike(row, values))) continue
    if (!mayBeGroups(attachedTo(rows, at), names)) return rows[at].number
  }
  return null
}

/** The cells of a row of names: words and years, each another one. */
function namesIn({ cells }: SampleRow): readonly SampleCell[] | null {
  const filled = cells.filter((cell) => kindOf(cell) !== EMPTY)
  const words = filled.filter((cell) => !isValue(cell))
  const areNames = filled.every((cell) => !isValue(cell) || YEAR.test(cell.text))
  const texts = new Set(filled.map(({ text }) => text.trim()))
  return areNames && words.length > 1 && texts.size === filled.length ? filled : null
}

/** Whether a row has fewer cells than the table has names, or values among them: it isn't the header itself. */
function isNarrower({ cells }: SampleRow, names: number): boolean {
  const filled = cells.filter((cell) => kindOf(cell) !== EMPTY)
  return filled.length < names || (filled.length === names && filled.some((cell) => isValue(cell)))
}

/** By column, the kind that most values below a name have, where that isn't words; null where columns lack a name. */
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

/** Whether a row is like those of the table: it has the same kind of values in most columns that have some. */
function isLike({ cells }: SampleRow, values: ReadonlyMap<number, number>): boolean {
  const same = cells.filter((cell) => values.get(cell.column) === kindOf(cell)).length
  return same * 2 > values.size
}

/** So many rows of values below names are a table of their own. */
const LEAST_ROWS = 3

/** Whether there are names among the rows with values below them, no account numbers and the like. */
function hasTable(rows: readonly SampleRow[]): boolean {
  return rows.some((row, at) => {
    const below = rows.slice(at + 1, at + 1 + LEAST_ROWS)
    const follows = below.length === LEAST_ROWS && below.every(({ number }, i) => number === row.number + 1 + i)
    const names = follows ? namesIn(row) : null
    return names?.some(({ column }) => below.every((each) => isPlainValue(each, column))) ?? false
  })
}

function isPlainValue({ cells }: SampleRow, column: number): boolean {
  const cell = cells.find((each) => each.column === column)
  const isKey = cells[0]?.text.trim().endsWith(':') ?? false
  return cell !== undefined && isValue(cell) && !isKey && !LONG_NUMBER.test(cell.text)
}

/** The rows right above a row, without a blank one between. */
function attachedTo(rows: readonly SampleRow[], at: number): readonly SampleRow[] {
  let from = at
  while (from > 0 && rows[from - 1].number === rows[from].number - 1) from--
  return rows.slice(from, at)
}

/** Whether rows right above names may be part of them: “Q1” above “Units” and “Revenue”. */
function mayBeGroups(rows: readonly SampleRow[], names: readonly SampleCell[]): boolean {
  if (rows.length === 0) return false
  const [{ column: first }] = names
  const areLeft = rows.every(({ cells }) => cells.every(({ column }, i) => column === first + i))
  if (!areLeft) return true
  return rows.length < LEAST_KEYS && !rows.some(hasValue)
}

/**
 * Whether rows are keys with their values and remarks, no table: most keys end with a colon, or a number or date stands
 * beside the first key, where a table has a name, and words beside others.
 */
export function areKeys(rows: readonly SampleRow[]): boolean {
  const pairs = rows.filter(({ cells }) => cells.length > 1)
  if (pairs.length === 0 || pairs.some(({ cells: [key] }) => key.column > 0 || isValue(key))) return false
  if (pairs.filter(({ cells: [key] }) => key.text.trim().endsWith(':')).length * 2 > pairs.length) return true
  const [first = false, ...others] = pairs.flatMap(({ cells }) => (cells.length === 2 ? [isTelling(cells[1])] : []))
  return first && others.includes(false) && !hasTable(rows)
}

const isTelling = (cell: SampleCell): boolean => isValue(cell) || LONG_NUMBER.test(cell.text)

/** Whether a row has a key with its value. */
const hasValue = ({ cells }: SampleRow): boolean =>
  cells.some(({ text }, i) => {
    const isKey = i === 0 && cells.length > 1 && text.trim().endsWith(':')
    return isKey || (i > 0 && (LONG_NUMBER.test(text) || (isValue(cells[i]) && !YEAR.test(text.trim()))))
  })

/** What a cell looks like; a text as what it says. */
const kindOf = ({ kind, text }: SampleCell): number => (kind === 'number' ? NUMBER : cellKind(text, ','))

const isValue = (cell: SampleCell): boolean => {
  const kind = kindOf(cell)
  return kind === NUMBER || kind === MOMENT
}
