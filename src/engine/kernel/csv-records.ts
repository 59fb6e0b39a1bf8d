import type { RecordBatch } from 'apache-arrow'
import type { CsvSettings } from '../../tables/plan.ts'
import type { ReadColumn } from '../formats/types.ts'
import * as layout from './assembly/layout.ts'
import { align } from './kernel.ts'
import { areReadable, ReadColumns } from './read-columns.ts'

/** Rows read at once. */
const ROWS = 16_384
/** Bytes read at once, and what all texts may take of the memory. */
const BYTES = 1024 * 1024
const MOST_TEXT = 64 * 1024 * 1024
const LF = 0x0a

/**
 * Reads records of delimited text of the most usual form into columns, as fast as it goes. What is of another form is
 * left to whoever reads everything.
 */
export class CsvRecords {
  private readonly columns: ReadColumns
  private readonly width: number
  private readonly fields: number
  /** Bytes to read at once. */
  private readonly most: number
  /** What the last `read` has read: bytes, and lines that they had. */
  bytes = 0
  lines = 0
  rows = 0

  /**
   * Null for columns that it can't read, or where it can't tell fields.
   * @param width how many fields a record has
   * @param sums whether to sum the hashes of cells
   */
  static of(columns: readonly ReadColumn[], settings: CsvSettings, width: number, sums = false): CsvRecords | null {
    const { delimiter, quote, escape, comment, nullStrings } = settings
    // No part of a number, a date or a word, so that these end where the field does.
    const plain = /^[!#$%&*,;/<=>?@\\^_`|~\t]$/.test(delimiter)
    const quoted = quote === null || quote === '' || (/^["']$/.test(quote) && escape === quote && quote !== delimiter)
    const isDelimited = (settings.layout ?? 'delimited') === 'delimited' && !settings.mergeDelimiters
    const usual =
      plain && quoted && isDelimited && !settings.trim && !comment && nullStrings.every((text) => text === '')
    const indexes = new Set(columns.map(({ index }) => index))
    const within = indexes.size === columns.length && columns.every(({ index }) => index < width)
    // A blank line is a row where there is one column.
    return usual && within && width > 1 && areReadable(columns) ? new CsvRecords(columns, settings, width, sums) : null
  }

  private constructor(
    columns: readonly ReadColumn[],
    { delimiter, quote, nullStrings }: CsvSettings,
    width: number,
    sums: boolean,
  ) {
    this.columns = new ReadColumns(columns, ROWS)
    this.width = width
    const { kernel, table } = this.columns
    this.fields = this.columns.place(width * 4)
    kernel.words.fill(0, this.fields >> 2, (this.fields >> 2) + width)
    for (const [i, { index }] of columns.entries()) {
      kernel.words[(this.fields >> 2) + index] = table + i * layout.COLUMN_SIZE
    }
    const quoteByte = quote ? quote.charCodeAt(0) : -1
    kernel.exports.setDialect(delimiter.charCodeAt(0), quoteByte, nullStrings.includes('') ? 1 : 0, sums ? 1 : 0)
    this.most = Math.min(BYTES, Math.floor(MOST_TEXT / Math.max(1, this.columns.texts)))
  }

  /** What the hashes of a column's cells come to, of all rows that were read; as `CellSums` has it. */
  sum(column: number): bigint {
    return this.columns.sum(column)
  }

  /**
   * Reads the first rows of a text that begins with a record.
   * @returns none where the first record is left to others: it's of another form, or isn't whole
   */
  read(text: Uint8Array): RecordBatch {
    const { columns } = this
    const { kernel, free } = columns
    const begin = free
    // Whole lines only, so that no character is cut.
    const size = text.subarray(0, this.most).lastIndexOf(LF) + 1
    const end = begin + size
    kernel.reserve(end + 1 + layout.SLACK)
    kernel.bytes.set(text.subarray(0, size), begin)
    kernel.bytes[end] = LF
    columns.placeTexts(align(end + 1 + layout.SLACK), size)
    const isText = kernel.exports.isUtf8(begin, end) !== 0
    this.rows = isText
      ? kernel.exports.readRecords(columns.table, columns.count, this.fields, this.width, begin, end, ROWS)
      : 0
    this.bytes = isText ? (kernel.exports.recordsEnd() >>> 0) - begin : 0
    this.lines = isText ? kernel.exports.recordLines() : 0
    return columns.batch(this.rows)
  }
}
