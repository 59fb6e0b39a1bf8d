/* Tables to be written badly: what is in them is known. Measurements and tests only. */

/** A table as text: its first row names the columns. */
export type Table = readonly (readonly string[])[]

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const FIRST = ['Anna', 'Béla', 'Chidi', 'Dolores', 'Emre', 'Fatima', 'Göran', 'Hana', 'Ioana', 'José', 'Keiko', 'Liam']
const LAST = ['Abebe', 'Brown', 'Castro', 'Dubois', 'Eriksson', 'Ferrari', 'García', 'Huber', 'Ivanova', "O'Neill"]
const CITIES = ['Rome', 'New York', 'São Paulo', 'Köln', 'Lyon', 'Kyoto', 'Accra', 'Quito', 'Tromsø', 'Perth']
const WORDS = [
  'water',
  'supply',
  'for',
  'the',
  'north',
  'repair',
  'of',
  'roads',
  'annual',
  'licence',
  'and',
  'training',
]
const STREETS = ['High Street', 'Market Road', 'Station Lane', 'Mill Hill', 'Park Avenue']

type Make = (next: () => number, row: number) => string

const pick = (next: () => number, from: readonly string[]): string => from[Math.floor(next() * from.length)]
const digits = (next: () => number, size: number): string => String(Math.floor(next() * 10 ** size)).padStart(size, '0')
const phrase = (next: () => number, size: number): string =>
  Array.from({ length: 1 + Math.floor(next() * size) }, () => pick(next, WORDS)).join(' ')
const two = (value: number): string => String(value).padStart(2, '0')

/** What columns are of, by the name that they get. */
export const COLUMNS: Readonly<Record<string, Make>> = {
  id: (_, row) => String(row + 1),
  code: (next) => `${pick(next, ['AB', 'CX', 'ZT'])}-${digits(next, 4)}`,
  date: (next) =>
    `20${two(Math.floor(next() * 25))}-${two(1 + Math.floor(next() * 12))}-${two(1 + Math.floor(next() * 28))}`,
  day: (next) =>
    `${two(1 + Math.floor(next() * 28))}/${two(1 + Math.floor(next() * 12))}/20${two(Math.floor(next() * 25))}`,
  time: (next) => `${two(Math.floor(next() * 24))}:${two(Math.floor(next() * 60))}`,
  name: (next) => `${pick(next, FIRST)} ${pick(next, LAST)}`,
  sorted_name: (next) => `${pick(next, LAST)}, ${pick(next, FIRST)}`,
  city: (next) => pick(next, CITIES),
  address: (next) => `${1 + Math.floor(next() * 200)} ${pick(next, STREETS)}, ${pick(next, CITIES)}`,
  amount: (next) => (next() * 10_000).toFixed(2),
  quantity: (next) => String(Math.floor(next() * 500)),
  share: (next) => next().toFixed(4),
  active: (next) => (next() < 0.5 ? 'true' : 'false'),
  remark: (next) => phrase(next, 8),
  quoted_remark: (next) => (next() < 0.3 ? `called "${phrase(next, 2)}" by some` : phrase(next, 6)),
  link: (next) => `https://example.org/item/${digits(next, 5)}?v=1`,
  phone: (next) => `+44 20 ${digits(next, 4)} ${digits(next, 4)}`,
  sparse: (next) => (next() < 0.6 ? '' : phrase(next, 3)),
}

/** A table of so many rows; a column is named by its kind. */
export function makeTable(columns: readonly string[], rows: number, seed: number): Table {
  const next = random(seed)
  const body = Array.from({ length: rows }, (_, row) => columns.map((name) => COLUMNS[name](next, row)))
  return [columns, ...body]
}

export interface Style {
  readonly delimiter: string
  readonly quote: string
  readonly quoteAll: boolean
  readonly escape: 'double' | 'backslash' | 'none'
  readonly lineEnd: string
}

export const USUAL: Style = { delimiter: ',', quote: '"', quoteAll: false, escape: 'double', lineEnd: '\r\n' }

/** A cell as a program writes it. */
export function writeCell(text: string, style: Style): string {
  const { delimiter, quote, quoteAll, escape } = style
  if (!quoteAll && !text.includes(delimiter.trim() || delimiter) && !text.includes(quote) && !/[\r\n]/.test(text)) {
    return text
  }
  const escaped = { double: quote + quote, backslash: `\\${quote}`, none: quote }[escape]
  return quote + text.replaceAll(quote, escaped) + quote
}

export const writeRow = (cells: readonly string[], style: Style): string =>
  cells.map((cell) => writeCell(cell, style)).join(style.delimiter)

export const writeTable = (table: Table, style: Style): string =>
  table.map((row) => writeRow(row, style) + style.lineEnd).join('')
