import { type CsvSettings, MAX_RAW } from '../../../../tables/plan.ts'
import { CellMemory } from '../../../kernel/cell-memory.ts'
import type { Dialect } from './dialect-bytes.ts'
import { anyRows } from '../any-rows.ts'
import type { CsvRows } from '../rows.ts'
import { splitLoosely } from '../stray-quotes.ts'
import { FINE, PLAIN, type TextSource } from '../tokenizer.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** How lines are split into cells. */
export type Form = Pick<
  CsvSettings,
  'delimiter' | 'quote' | 'escape' | 'layout' | 'columnStarts' | 'mergeDelimiters' | 'trim'
>

/** How a sample is read: how its lines are split, and which of them are rows. */
export type SampleForm = Form &
  Pick<CsvSettings, 'comment' | 'skipLines'> &
  Partial<Pick<CsvSettings, 'lastLine' | 'leaveOut'>>

/** One record of the sample, as read in one way. */
export interface SampleRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly quoted: readonly boolean[]
  readonly broken: boolean
  readonly blank: boolean
  /** Whether it names the columns of a drawn table, according to the lines around it. */
  readonly isNames: boolean
  readonly raw: string
}

/** The beginning of a file, as UTF-8 and as a string, which is created only once however often the sample is split. */
export class Sample implements TextSource {
  readonly bytes: Uint8Array
  readonly text: string
  /** For each byte, the index of its character in the string; null if bytes and characters are the same. */
  private readonly places: Uint32Array | null
  /** Whether it has invalid bytes, whose replacements in a string may be longer or shorter. */
  private readonly isDamaged: boolean

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.text = decoder.decode(bytes)
    this.isDamaged = this.text.includes('\ufffd')
    this.places = this.isDamaged || this.text.length === bytes.length ? null : placesIn(bytes)
  }

  slice(start: number, end: number): string {
    if (this.isDamaged) return decoder.decode(this.bytes.subarray(start, end))
    return this.places ? this.text.slice(this.places[start], this.places[end]) : this.text.slice(start, end)
  }
}

/**
 * For each byte of a UTF-8 text, and for its end, the index in the string. Characters beyond the first plane are two
 * code units.
 */
function placesIn(bytes: Uint8Array): Uint32Array {
  const places = new Uint32Array(bytes.length + 1)
  let at = 0
  for (let i = 0; i < bytes.length; i++) {
    places[i] = at
    const byte = bytes[i]
    if ((byte & 0xc0) !== 0x80) at += byte >= 0xf0 ? 2 : 1
  }
  places[bytes.length] = at
  return places
}

/** Reused, since a sample is read in many ways one after another. */
let memory: CellMemory | null = null

/** Bytes of the sample to split first, per wanted row: most lines are shorter. */
const USUAL_LINE = 160

/** The first records of a sample, read in one way. */
export function readRows(sample: Sample, form: SampleForm, most: number): SampleRow[] {
  const near = most * USUAL_LINE
  if (near < sample.bytes.length) {
    const rows = readBeginning(sample, near, form, most)
    if (rows.length === most) return rows
  }
  return readBeginning(sample, sample.bytes.length, form, most)
}

/** The complete records within the first bytes of a sample. */
function readBeginning(sample: Sample, length: number, form: SampleForm, most: number): SampleRow[] {
  const settings: CsvSettings = {
    ...form,
    kind: 'csv',
    compression: null,
    encoding: 'utf-8',
    header: false,
    nullStrings: [],
    shortRows: 'reject',
  }
  const { lastLine = Number.POSITIVE_INFINITY, leaveOut = [] } = form
  const reader = anyRows(settings, { cells: (memory ??= new CellMemory()), keep: 0 })
  const { tokenizer } = reader
  // Pushed at once, so that positions in the tokenizer's bytes are those in the sample.
  tokenizer.push(sample.bytes.subarray(0, length))
  if (length === sample.bytes.length) tokenizer.end()
  const rows: SampleRow[] = []
  while (rows.length < most && reader.next()) {
    for (let record = 0; record < tokenizer.records && rows.length < most; record++) {
      const line = tokenizer.lines[record]
      if (line > lastLine || leaveOut.includes(line)) continue
      const row = rowOf(reader, record, sample)
      // The next block of a drawn table begins by repeating the names.
      if (row && !(row.isNames && rows.some(({ isNames }) => isNames))) rows.push(row)
    }
  }
  return rows
}

/**
 * A record as a row; null if it isn't one.
 * @param sample the bytes that the reader reads, if they were pushed at once
 */
export function rowOf(reader: CsvRows, record: number, sample?: Sample): SampleRow | null {
  const { tokenizer } = reader
  if (reader.isNoRow(record)) return null
  const broken = tokenizer.problems[record] !== FINE
  const raw = reader.raw(record, MAX_RAW, sample)
  if (broken) return brokenRow(raw, tokenizer.lines[record], reader.dialect)
  const cells: string[] = []
  const quoted: boolean[] = []
  for (let field = tokenizer.firstFields[record]; field < tokenizer.firstFields[record + 1]; field++) {
    cells.push(reader.text(field, sample))
    quoted.push(tokenizer.kinds[field] !== PLAIN)
  }
  return {
    line: tokenizer.lines[record],
    cells,
    quoted,
    broken,
    blank: tokenizer.recordStarts[record] === tokenizer.recordEnds[record],
    isNames: tokenizer.isNamesLine(record),
    raw,
  }
}

/** A row with a misplaced quote, with its cells as they were probably meant. */
function brokenRow(raw: string, line: number, dialect: Dialect): SampleRow {
  const bytes = encoder.encode(raw)
  const fields = splitLoosely(bytes, 0, bytes.length, dialect)
  return {
    line,
    cells: fields.map(({ start, end }) => decoder.decode(bytes.subarray(start, end))),
    quoted: fields.map(({ kind }) => kind !== PLAIN),
    broken: true,
    blank: false,
    isNames: false,
    raw,
  }
}

/** Number of cells up to the last one that isn't empty. */
export function filledWidth({ cells, quoted }: SampleRow): number {
  let width = cells.length
  while (width > 1 && cells[width - 1] === '' && !quoted[width - 1]) width--
  return width
}

/** The rows of a table within a sample, from the first to the last that has the table's width. */
export interface Block {
  readonly width: number
  readonly from: number
  readonly to: number
  /** Number of its rows that have the width. */
  readonly fit: number
  /** Number of its rows, without blank ones. */
  readonly size: number
}

/**
 * Finds the width of most rows, weighted by the number of cells, and where these rows are. Titles don't count that a
 * spreadsheet padded with empty cells, unless all rows are like them.
 */
export function blockOf(rows: readonly SampleRow[]): Block {
  const isPadded = (row: SampleRow): boolean => row.cells.length > 1 && filledWidth(row) === 1
  const widths = new Map<number, number>()
  const counted = rows.filter((row) => !row.blank && !isPadded(row))
  for (const row of counted.length > 1 ? counted : rows) {
    if (!row.blank) widths.set(row.cells.length, (widths.get(row.cells.length) ?? 0) + 1)
  }
  let width = 1
  let weight = 0
  for (const [each, size] of widths) {
    const own = (size * (each - 1)) / each
    if (own > weight || (own === weight && each > width)) [width, weight] = [each, own]
  }
  const fits = (row: SampleRow): boolean => !row.blank && row.cells.length === width
  const from = Math.max(0, rows.findIndex(fits))
  const to = rows.findLastIndex(fits) + 1
  const block = rows.slice(from, to).filter((row) => !row.blank)
  return { width, from, to, fit: block.filter(fits).length, size: block.length }
}
