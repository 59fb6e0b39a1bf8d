import type { CsvSettings, RejectedRow } from '../../../tables/plan.ts'
import type { ColumnInference } from '../../infer/column-inference.ts'
import { toDialect, unescape, type Dialect } from './dialect-bytes.ts'
import { ESCAPED, FINE, MISSING, NOT_UTF8, PLAIN, TEXT_AFTER_QUOTE, Tokenizer } from './tokenizer.ts'

const MAX_RAW = 10_000
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** What values go to, such as a column's builder. */
export interface ColumnTarget {
  /** False: it isn't a value for this column. */
  appendText(bytes: Uint8Array, start: number, end: number): boolean
  appendNull(): void
}

/**
 * Turns records into rows of equally many fields. The header, or without one the first row, says how many: whatever has
 * fewer (if `shortRows` doesn't pad it) or more is rejected, as is what the tokenizer couldn't read. Blank lines are no
 * rows, except in a file of one column, where they're how a null or an empty text is written.
 */
export class CsvRows {
  readonly tokenizer: Tokenizer
  readonly dialect: Dialect
  /** -1 until the first record has been seen. */
  width = -1
  /** Names as the file has them; null without a header. */
  header: readonly string[] | null = null
  blankLines = 0
  rejectedCount = 0
  /** Data rows so far, rejected ones counted. */
  rows = 0
  /* The batch: rows that have the right shape. */
  count = 0
  /** Index of each row's first field in the tokenizer's arrays. */
  first = new Int32Array(1 << 13)
  /** Number among the data rows, from 1. */
  numbers = new Float64Array(1 << 13)
  /** Index of each row's record in the tokenizer's batch; -1 for a blank line of an earlier one. */
  records = new Int32Array(1 << 13)
  /** Rows of this batch that were rejected; no more than asked for. */
  rejected: RejectedRow[] = []
  private readonly settings: CsvSettings
  private readonly keep: number
  private readonly nullStrings: readonly Uint8Array[]
  private readonly emptyIsNull: boolean
  private scratch = new Uint8Array(1024)
  /** Where fields that `pad` adds go. */
  private padded = 0
  /** Blank lines before anything says whether they're rows. */
  private undecided = 0
  private ended = false

  /** @param keep how many rejected rows to keep in all; the others are counted */
  constructor(settings: CsvSettings, keep = Number.POSITIVE_INFINITY) {
    this.settings = settings
    this.keep = keep
    this.dialect = toDialect(settings)
    this.tokenizer = new Tokenizer(this.dialect)
    this.emptyIsNull = settings.nullStrings.includes('')
    this.nullStrings = settings.nullStrings.filter((text) => text !== '').map((text) => encoder.encode(text))
  }

  /** For the rest of a file, from the beginning of a record on, when these rows are its first ones. */
  rest(keep: number): CsvRows {
    const rest = new CsvRows({ ...this.settings, skipLines: 0 }, keep)
    rest.width = this.width
    rest.header = this.header
    return rest
  }

  /** Whether how many fields rows have is known, and all bytes so far are of whole records. */
  get isBetween(): boolean {
    return this.width >= 0 && this.undecided === 0 && this.tokenizer.betweenRecords
  }

  /** Counts rows, in so many lines, that somebody else has read. */
  skip(rows: number, lines: number): void {
    this.rows += rows
    this.tokenizer.skip(lines)
  }

  push(slice: Uint8Array): void {
    this.tokenizer.push(slice)
  }

  end(): void {
    this.tokenizer.end()
    this.ended = true
  }

  /** The next batch of rows, which may be empty. False when there are none without a `push`. */
  next(): boolean {
    const { tokenizer } = this
    this.count = 0
    this.rejected = []
    const found = tokenizer.next()
    this.padded = tokenizer.fieldCount
    if (!found) {
      if (!this.ended || this.undecided === 0 || this.settings.header) return false
      this.width = 1
      this.addUndecided()
      return true
    }
    for (let record = 0; record < tokenizer.records; record++) this.take(record)
    return true
  }

  private take(record: number): void {
    const { tokenizer } = this
    const first = tokenizer.firstFields[record]
    const fields = tokenizer.firstFields[record + 1] - first
    if (fields === this.width && fields > 1) {
      this.rows++
      this.add(first, this.rows, record)
      return
    }
    const problem = tokenizer.problems[record]
    const blank = problem === FINE && tokenizer.recordStarts[record] === tokenizer.recordEnds[record]
    if (blank && this.width !== 1) {
      this.blankLines++
      if (this.width < 0) this.undecided++
      return
    }
    if (this.width < 0 && this.settings.header) {
      this.header = problem === FINE ? this.texts(first, fields) : this.brokenHeader(record)
      this.width = this.header.length
      return
    }
    if (this.width < 0 && problem === FINE) {
      this.width = fields
      if (fields === 1) this.addUndecided()
    }
    this.rows++
    if (problem !== FINE) this.reject(record, this.rows, problem)
    else if (fields === this.width) this.add(first, this.rows, record)
    else if (fields < this.width && this.settings.shortRows === 'pad')
      this.add(this.pad(first, fields), this.rows, record)
    else this.rejectRagged(record, fields)
  }

  private add(first: number, number: number, record: number): void {
    const at = this.count
    if (at === this.first.length) this.grow()
    this.first[at] = first
    this.numbers[at] = number
    this.records[at] = record
    this.count = at + 1
  }

  private addUndecided(): void {
    for (; this.undecided > 0; this.undecided--) {
      this.blankLines--
      this.rows++
      this.add(this.pad(0, 0), this.rows, -1)
    }
  }

  /** A copy of a short row's fields, behind all others, with what is missing filled up. */
  private pad(first: number, fields: number): number {
    const { tokenizer } = this
    const at = this.padded
    while (at + this.width > tokenizer.kinds.length) tokenizer.grow()
    const { starts, ends, kinds } = tokenizer
    for (let i = 0; i < this.width; i++) {
      starts[at + i] = i < fields ? starts[first + i] : 0
      ends[at + i] = i < fields ? ends[first + i] : 0
      kinds[at + i] = i < fields ? kinds[first + i] : MISSING
    }
    this.padded = at + this.width
    return at
  }

  private grow(): void {
    const grow = <T extends Int32Array | Float64Array>(from: T, to: T): T => {
      to.set(from)
      return to
    }
    const size = this.first.length * 2
    this.first = grow(this.first, new Int32Array(size))
    this.numbers = grow(this.numbers, new Float64Array(size))
    this.records = grow(this.records, new Int32Array(size))
  }

  /**
   * Appends one column of the batch, from row `from` up to `to`. Stops at a value that is refused.
   * @returns whether all were taken
   */
  appendColumn(column: number, from: number, to: number, target: ColumnTarget): boolean {
    const { tokenizer, first, emptyIsNull } = this
    const { bytes, starts, ends, kinds } = tokenizer
    const others = this.nullStrings.length > 0
    for (let row = from; row < to; row++) {
      const field = first[row] + column
      const start = starts[field]
      const end = ends[field]
      const kind = kinds[field]
      if (kind === PLAIN) {
        if (start === end ? emptyIsNull : others && this.isNullString(start, end)) target.appendNull()
        else if (!target.appendText(bytes, start, end)) return false
      } else if (kind === MISSING) {
        target.appendNull()
      } else if (kind === ESCAPED) {
        const length = this.unescape(start, end)
        if (!target.appendText(this.scratch, 0, length)) return false
      } else if (!target.appendText(bytes, start, end)) {
        return false
      }
    }
    return true
  }

  /** `appendColumn` for all rows; a loop of its own, so that the engine can inline what is called in it. */
  observeColumn(column: number, inference: ColumnInference): void {
    const { tokenizer, first, numbers, emptyIsNull, count } = this
    const { bytes, starts, ends, kinds } = tokenizer
    const others = this.nullStrings.length > 0
    // Rejected rows have numbers, too.
    const gaps = count > 0 && numbers[count - 1] - numbers[0] !== count - 1
    if (count > 0) inference.seekRow(numbers[0])
    for (let row = 0; row < count; row++) {
      if (gaps) inference.seekRow(numbers[row])
      const field = first[row] + column
      const start = starts[field]
      const end = ends[field]
      const kind = kinds[field]
      if (kind === PLAIN) {
        if (start === end ? emptyIsNull : others && this.isNullString(start, end)) inference.observeNull()
        else inference.observe(bytes, start, end)
      } else if (kind === MISSING) {
        inference.observeNull()
      } else if (kind === ESCAPED) {
        const length = this.unescape(start, end)
        inference.observe(this.scratch, 0, length)
      } else {
        inference.observe(bytes, start, end)
      }
    }
  }

  /** Takes the escapes out of a field, into `scratch`; gives its length there. */
  private unescape(start: number, end: number): number {
    if (this.scratch.length < end - start) this.scratch = new Uint8Array((end - start) * 2)
    return unescape(this.tokenizer.bytes, start, end, this.dialect, this.scratch)
  }

  private isNullString(start: number, end: number): boolean {
    const { bytes } = this.tokenizer
    for (const text of this.nullStrings) {
      if (text.length !== end - start) continue
      let i = 0
      while (i < text.length && bytes[start + i] === text[i]) i++
      if (i === text.length) return true
    }
    return false
  }

  /** The value of a field as a string. */
  text(field: number): string {
    const { bytes, starts, ends, kinds } = this.tokenizer
    const start = starts[field]
    const end = ends[field]
    if (kinds[field] !== ESCAPED) return decoder.decode(bytes.subarray(start, end))
    const length = this.unescape(start, end)
    return decoder.decode(this.scratch.subarray(0, length))
  }

  private texts(first: number, count: number): string[] {
    return Array.from({ length: count }, (_, i) => this.text(first + i))
  }

  /** A header that can't be read as a record is split at its delimiters: a file isn't lost for it. */
  private brokenHeader(record: number): string[] {
    const { quote, delimiter } = this.settings
    return this.raw(record)
      .split(delimiter)
      .map((name) => (quote ? name.replaceAll(quote, '') : name))
  }

  /** The record's text as it stands in the file. */
  raw(record: number): string {
    if (record < 0) return ''
    const { bytes, recordStarts, recordEnds } = this.tokenizer
    const end = Math.min(recordEnds[record], recordStarts[record] + MAX_RAW * 4)
    return decoder.decode(bytes.subarray(recordStarts[record], end)).slice(0, MAX_RAW)
  }

  private reject(record: number, row: number, problem: number): void {
    this.rejectedCount++
    if (this.rejectedCount > this.keep) return
    const reason = problem === NOT_UTF8 ? 'encoding' : 'quoting'
    const message =
      problem === NOT_UTF8
        ? `The row has bytes that aren’t text in the file’s encoding (${this.settings.encoding}).`
        : problem === TEXT_AFTER_QUOTE
          ? 'There is text behind a closing quote.'
          : 'A quote is opened and never closed.'
    this.rejected.push({
      row,
      line: this.tokenizer.lines[record],
      reason,
      message,
      column: null,
      value: null,
      raw: this.raw(record),
    })
  }

  private rejectRagged(record: number, fields: number): void {
    this.rejectedCount++
    if (this.rejectedCount > this.keep) return
    const message = `The row has ${plural(fields, 'field')}, but the table has ${plural(this.width, 'column')}.`
    const line = this.tokenizer.lines[record]
    this.rejected.push({
      row: this.rows,
      line,
      reason: 'ragged',
      message,
      column: null,
      value: null,
      raw: this.raw(record),
    })
  }
}

export function plural(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`
}
