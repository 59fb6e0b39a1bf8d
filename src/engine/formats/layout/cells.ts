import { CURRENCIES } from '../../../tables/currencies.ts'

/* The kinds of cells in a sample. They only help to guess dialects and headers, and never determine a column's type. */
export const EMPTY = 0
export const NUMBER = 1
export const MOMENT = 2
const FLAG = 3
const WORDS = 4
/** Unlikely cells: they contain other delimiters, or quotes. */
export const OTHER = 5

const UNIT = CURRENCIES.map(([unit]) => unit.replaceAll(/[$.]/g, String.raw`\$&`)).join('|')
const NUMBER_LIKE = new RegExp(
  String.raw`^((${UNIT})\s?)?[+-]?((${UNIT})\s?)?(\d{1,3}([\s'’.,]\d{3})+|\d+)?([.,]\d+)?(e[+-]?\d+)?(\s?(%|${UNIT}))?$`,
  'i',
)
const MOMENT_LIKE =
  /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})?([T ]?\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?)?\s?(Z|[+-]\d{2}:?\d{2}|[AP]M)?$/i
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/
const FLAG_LIKE = /^(true|false|yes|no)$/i
/** Longer cells are texts, whatever they contain. */
const LONGEST = 500
/** Apostrophes that weren't read as quotes. */
const APOSTROPHES = /^'.*'$/s
const OTHER_DELIMITERS = /[,;|"^~\p{Cc}]|::/u

/** Cached kinds of cells: they are needed for each way to split a sample, and for each question about its header. */
const known = new Map<string, number>()
const MOST_KNOWN = 20_000

/** Clears the cache, which keeps the sample's text in memory. */
export const forgetCells = (): void => known.clear()

export function cellKind(cell: string, delimiter: string): number {
  // If split at blanks or colons, distinguish words from fragments of sentences and times.
  if (delimiter === ' ' || delimiter === ':') {
    const kind = kindOf(cell)
    const text = cell.trim()
    return kind === WORDS && text.length <= LONGEST && !/^[\w.@/-]+$/.test(text) ? OTHER : kind
  }
  return kindOf(cell)
}

function kindOf(cell: string): number {
  const before = known.get(cell)
  if (before !== undefined) return before
  if (known.size === MOST_KNOWN) known.clear()
  const kind = findKind(cell.trim())
  known.set(cell, kind)
  return kind
}

function findKind(text: string): number {
  if (text === '') return EMPTY
  if (text.length > LONGEST) return WORDS
  if (PLAIN_NUMBER.test(text)) return NUMBER
  if (/\d/.test(text)) {
    if (NUMBER_LIKE.test(text)) return NUMBER
    if (MOMENT_LIKE.test(text)) return MOMENT
  }
  if (FLAG_LIKE.test(text)) return FLAG
  return OTHER_DELIMITERS.test(text) || APOSTROPHES.test(text) ? OTHER : WORDS
}

export type Rows = readonly (readonly string[])[]

/** Maximum number of rows to look at in a column. */
const MAX_ROWS = 400

/** A column's cells, for rows that have it. */
export function columnOf(rows: Rows, index: number): string[] {
  const cells: string[] = []
  for (const row of rows.slice(0, MAX_ROWS)) if (index < row.length) cells.push(row[index])
  return cells
}

/** Whether a cell is a number, a date or the like, not a word. */
export function isTyped(cell: string): boolean {
  const kind = cellKind(cell, ',')
  return kind === NUMBER || kind === MOMENT || kind === FLAG
}

/** Whether a cell is a value rather than a word. “no” is a flag only if there are others below. */
export const isValue = (cell: string, column: readonly string[]): boolean =>
  isTyped(cell) && (cellKind(cell, ',') !== FLAG || column.some((below) => sameKind(cell, below)))

export function sameKind(a: string, b: string): boolean {
  const kind = cellKind(a, ',')
  return kind !== WORDS && kind !== OTHER && kind !== EMPTY && kind === cellKind(b, ',')
}

/** A cell that isn't blank. */
export interface SampleCell {
  readonly column: number
  readonly kind: 'text' | 'number' | 'other'
  readonly text: string
}

export interface SampleRow {
  /** Of the sheet or the file, from 1. */
  readonly number: number
  readonly cells: readonly SampleCell[]
}

/** Rows as texts, padded to the same width. */
export function textsOf(rows: readonly SampleRow[]): string[][] {
  const width = Math.max(0, ...rows.flatMap(({ cells }) => cells.map(({ column }) => column + 1)))
  return rows.map(({ cells }) => {
    const row = Array.from({ length: width }, () => '')
    for (const { column, text } of cells) row[column] = text
    return row
  })
}
