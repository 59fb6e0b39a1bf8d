import { CURRENCIES } from '../../../tables/currencies.ts'

/* What a cell of a sample looks like: only to tell likely dialects and headers, never to type a column. */
export const EMPTY = 0
export const NUMBER = 1
export const MOMENT = 2
export const FLAG = 3
export const WORDS = 4
/** What cells are seldom like: with other delimiters in them, or quotes. */
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
/** A longer text is a text, whatever is in it. */
const LONGEST = 500
/** Quotes that weren't taken for such. */
const APOSTROPHES = /^'.*'$/s
const OTHER_DELIMITERS = /[,;|"^~\p{Cc}]|::/u

/** The kinds of cells that were looked at: a sample's are asked about by each way to split it, and by each question about its header. */
const known = new Map<string, number>()
const MOST_KNOWN = 20_000

/** Forgets the cells of the sample before: they keep its text in memory. */
export const forgetCells = (): void => known.clear()

export function cellKind(cell: string, delimiter: string): number {
  // Split at blanks or colons, words are told from what is left of sentences and times.
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

/** Rows of a column that are looked at. */
const MAX_ROWS = 400

/** A column's cells, where rows have it. */
export function columnOf(rows: Rows, index: number): string[] {
  const cells: string[] = []
  for (const row of rows.slice(0, MAX_ROWS)) if (index < row.length) cells.push(row[index])
  return cells
}

/** Whether a cell is a number, a date or the like, and no word. */
export function isTyped(cell: string): boolean {
  const kind = cellKind(cell, ',')
  return kind === NUMBER || kind === MOMENT || kind === FLAG
}

/** Whether a cell is a value rather than a word; “no” is a flag only above others. */
export const isValue = (cell: string, column: readonly string[]): boolean =>
  isTyped(cell) && (cellKind(cell, ',') !== FLAG || column.some((below) => sameKind(cell, below)))

export function sameKind(a: string, b: string): boolean {
  const kind = cellKind(a, ',')
  return kind !== WORDS && kind !== OTHER && kind !== EMPTY && kind === cellKind(b, ',')
}

/** A cell of a row of which the blank ones are left out. */
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

/** Rows as texts, all of the same width. */
export function textsOf(rows: readonly SampleRow[]): string[][] {
  const width = Math.max(0, ...rows.flatMap(({ cells }) => cells.map(({ column }) => column + 1)))
  return rows.map(({ cells }) => {
    const row = Array.from({ length: width }, () => '')
    for (const { column, text } of cells) row[column] = text
    return row
  })
}
