import type { CsvSettings } from '../../../tables/plan.ts'
import { cellKind, MOMENT, OTHER, WORDS } from './cells.ts'
import { looksLikeHeader } from './header.ts'
import { CsvRows } from './rows.ts'
import { FINE, PLAIN } from './tokenizer.ts'

type Dialect = Pick<CsvSettings, 'delimiter' | 'quote' | 'escape' | 'comment' | 'skipLines' | 'header'>

const DELIMITERS = [',', ';', '\t', '|', ':', ' ', '^', '~', '\u001f', '\u0001']
/** In times, links and sentences, too. */
const WEAK_DELIMITERS = new Set([':', ' '])
/** As many rows as one reading is scored by, and as the one that is taken is looked at for its header and comments. */
const SCORED_RECORDS = 400
const MAX_RECORDS = 2000
const MAX_PREAMBLE = 50

/** One record of the sample, read one way. */
interface Row {
  readonly line: number
  readonly cells: readonly string[]
  readonly quoted: readonly boolean[]
  readonly broken: boolean
  readonly blank: boolean
  readonly raw: string
}

interface Reading {
  readonly delimiter: string
  readonly quote: string | null
  readonly escape: string | null
  readonly rows: readonly Row[]
  readonly score: number
}

/**
 * Finds how a text is split, from a sample of whole lines: reads it in every likely way and takes the way that gives
 * the most regular table of the best-looking cells (after van den Burg et al., "Wrangling messy CSV files by detecting
 * row and type patterns", 2019). What is given is taken as it is.
 */
export function detectDialect(sample: Uint8Array, format: 'csv' | 'tsv', given: Partial<CsvSettings>): Dialect {
  const text = new TextDecoder().decode(sample)
  const usual = format === 'tsv' ? '\t' : ','
  const delimiters =
    given.delimiter === undefined ? DELIMITERS.filter((each) => text.includes(each)) : [given.delimiter]
  const { delimiter: first = usual, quote: firstQuote = '"', escape: firstEscape = firstQuote } = given
  let best: Reading = { ...read(sample, first, firstQuote, firstEscape, given), score: 0 }
  const consider = (reading: Reading): Reading => {
    const score = reading.score * (reading.delimiter === usual ? 1.1 : 1)
    if (score > best.score) best = { ...reading, score }
    return reading
  }
  for (const delimiter of delimiters) {
    for (const quote of given.quote === undefined ? likelyQuotes(text) : [given.quote]) {
      for (const escape of likelyEscapes(text, quote, given)) {
        const { rows } = quote === delimiter ? best : consider(read(sample, delimiter, quote, escape, given))
        // That quotes are no quotes has to be seen from many rows that break on them.
        const broken = rows.filter((row) => row.broken).length
        if (given.quote === undefined && broken >= 5 && broken * 10 > rows.length)
          consider(read(sample, delimiter, null, null, given))
      }
    }
  }
  const { delimiter, quote, escape } = best
  const more = best.rows.length === SCORED_RECORDS
  return complete(more ? read(sample, delimiter, quote, escape, given, MAX_RECORDS) : best, usual, sample, given)
}

/** The sample, read one way. */
function read(
  sample: Uint8Array,
  delimiter: string,
  quote: string | null,
  escape: string | null,
  { comment = null, skipLines = 0 }: Partial<CsvSettings>,
  most = SCORED_RECORDS,
): Reading {
  const rows = readSample(sample, { delimiter, quote, escape, comment, skipLines }, most)
  const weak = WEAK_DELIMITERS.has(delimiter) && !splitsEveryRow(rows, delimiter)
  return { delimiter, quote, escape, rows, score: weak ? 0 : scoreOf(rows, delimiter) }
}

function complete(found: Reading, usual: string, sample: Uint8Array, given: Partial<CsvSettings>): Dialect {
  let reading = found
  if (given.delimiter === undefined && !isTable(found.rows)) {
    // Nothing splits it regularly: it is one column, and so the delimiter is one that splits nothing.
    const { quote = '"', escape = quote } = given
    const readings = [usual, ...DELIMITERS].map((delimiter) => read(sample, delimiter, quote, escape, given))
    const whole = readings.find(({ rows }) => rows.every(({ cells, broken }) => broken || cells.length === 1))
    reading = whole ?? readings[0]
  }
  const comment = given.comment === undefined ? commentOf(reading.rows) : given.comment
  const rows = comment ? reading.rows.filter((row) => !row.raw.startsWith(comment)) : reading.rows
  const preamble = given.skipLines === undefined ? preambleOf(rows) : 0
  const table = rows.slice(preamble).filter((row) => !row.blank || commonWidth(rows) === 1)
  // A comment above the header is skipped as a line; below it, it has to be known as one.
  const firstLine = preamble > 0 ? (rows[preamble]?.line ?? 1) : 1
  const { delimiter, quote, escape } = reading
  return {
    delimiter,
    quote,
    escape,
    comment,
    skipLines: given.skipLines ?? firstLine - 1,
    header: given.header ?? looksLikeHeader(table.map(({ cells }) => cells)),
  }
}

function likelyQuotes(text: string): string[] {
  const quotes = ['"']
  // An apostrophe is a quote only where fields begin and end with it.
  const single = text.match(/(^|[,;\t|])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/gm)?.length ?? 0
  if (single > 1 && !text.includes('"')) quotes.push("'")
  return quotes
}

function likelyEscapes(text: string, quote: string | null, given: Partial<CsvSettings>): (string | null)[] {
  if (given.escape !== undefined) return [given.escape]
  if (quote === null) return [null]
  return text.includes(`\\${quote}`) ? [quote, '\\'] : [quote]
}

function readSample(
  sample: Uint8Array,
  settings: Pick<CsvSettings, 'delimiter' | 'quote' | 'escape' | 'comment' | 'skipLines'>,
  most: number,
): Row[] {
  const reader = new CsvRows({
    ...settings,
    kind: 'csv',
    compression: null,
    encoding: 'utf-8',
    header: false,
    nullStrings: [],
    shortRows: 'reject',
  })
  const { tokenizer } = reader
  tokenizer.push(sample)
  tokenizer.end()
  const rows: Row[] = []
  while (rows.length < most && tokenizer.next()) {
    for (let record = 0; record < tokenizer.records && rows.length < most; record++) {
      const cells: string[] = []
      const quoted: boolean[] = []
      for (let field = tokenizer.firstFields[record]; field < tokenizer.firstFields[record + 1]; field++) {
        cells.push(reader.text(field))
        quoted.push(tokenizer.kinds[field] !== PLAIN)
      }
      rows.push({
        line: tokenizer.lines[record],
        cells,
        quoted,
        broken: tokenizer.problems[record] !== FINE,
        blank: tokenizer.recordStarts[record] === tokenizer.recordEnds[record],
        raw: reader.raw(record),
      })
    }
  }
  return rows
}

/** Whether all rows have the same fields, as is asked of a delimiter that is usually none. */
function splitsEveryRow(rows: readonly Row[], delimiter: string): boolean {
  const width = commonWidth(rows)
  const filled = rows.filter((row) => !row.blank)
  if (width < (delimiter === ':' ? 3 : 2) || filled.some((row) => row.cells.length !== width)) return false
  return !filled.every((row) => cellKind(row.raw, ',') === MOMENT)
}

/** How regular the rows are, times how well their cells look. */
function scoreOf(rows: readonly Row[], delimiter: string): number {
  const patterns = new Map<number, number>()
  let cells = 0
  let typed = 0
  let count = 0
  for (const row of rows) {
    if (row.blank || row.raw.startsWith('#')) continue
    count++
    if (row.broken) continue
    patterns.set(row.cells.length, (patterns.get(row.cells.length) ?? 0) + 1)
    for (const [i, cell] of row.cells.entries()) {
      cells++
      if (row.quoted[i]) typed++
      else if (cellKind(cell, delimiter) !== OTHER) typed++
    }
  }
  if (count === 0 || cells === 0) return 0
  let regular = 0
  for (const [width, size] of patterns) regular += size * (Math.max(width - 1, 0.001) / width)
  return (regular / patterns.size / count) * (typed / cells)
}

/** The width that most rows have. */
function commonWidth(rows: readonly Row[]): number {
  const widths = new Map<number, number>()
  for (const row of rows) {
    if (!row.blank && !row.broken) widths.set(row.cells.length, (widths.get(row.cells.length) ?? 0) + 1)
  }
  let best = 1
  for (const [width, size] of widths) {
    const other = widths.get(best) ?? 0
    if (size > other || (size === other && width > best)) best = width
  }
  return best
}

/** Whether rows are split in a way that isn't chance: most alike, or, in a ragged file, by a header and most rows. */
function isTable(rows: readonly Row[]): boolean {
  const width = commonWidth(rows)
  if (width < 2) return false
  const filled = rows.filter((row) => !row.blank)
  const regular = filled.filter((row) => row.cells.length === width).length
  if (regular * 2 > filled.length) return true
  const split = filled.filter((row) => row.cells.length > 1)
  if (split.length * 2 <= filled.length || filled[0].cells.length < 2) return false
  // Prose has blanks behind its commas.
  const inner = split.flatMap((row) => row.cells.slice(1))
  return inner.filter((cell) => cell.startsWith(' ')).length * 2 < inner.length
}

/** `#` or `//`, when lines in the table begin with it and none of them is like the other rows. */
function commentOf(rows: readonly Row[]): string | null {
  const width = commonWidth(rows)
  if (width < 2) return null
  for (const mark of ['#', '//']) {
    const marked = rows.filter((row) => row.raw.startsWith(mark))
    if (marked.length === 0 || marked.some((row) => row.cells.length === width)) continue
    const firstOther = rows.findIndex((row) => !row.blank && !row.raw.startsWith(mark))
    // Only above the table: lines to skip, and a row that begins so further down is still a row.
    if (firstOther >= 0 && rows.slice(firstOther).some((row) => row.raw.startsWith(mark))) return mark
  }
  return null
}

/** How many rows there are before the table: titles and remarks, narrower by half than what follows. */
function preambleOf(rows: readonly Row[]): number {
  const width = commonWidth(rows)
  if (width < 2) return 0
  const last = Math.min(MAX_PREAMBLE, rows.length - 1)
  let at = 0
  while (at < last && isPreamble(rows[at], width)) at++
  // Nothing but rows like those: no preamble.
  return at === last && isPreamble(rows[at], width) ? 0 : at
}

function isPreamble(row: Row, width: number): boolean {
  if (row.blank || row.broken) return true
  const filled = row.cells.filter((cell) => cell !== '')
  // A title that a spreadsheet filled up with empty cells.
  if (row.cells.length === width)
    return width > 2 && filled.length < 2 && filled.every((cell) => cellKind(cell, ',') === WORDS)
  return row.cells.length * 2 <= width || filled.length <= 1 || row.raw.startsWith('#')
}
