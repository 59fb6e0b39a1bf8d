import { plural } from '../../../lib/counts.ts'
import {
  MISSING,
  NO_ROW,
  NOT_UTF8,
  NULL,
  PLAIN,
  TEXT_AFTER_QUOTE,
  type Tokenizer,
  ESCAPED,
  type TextSource,
} from './tokenizer.ts'
import { type RejectedRow, MAX_RAW } from '../../../tables/plan.ts'
import type { CellText } from '../../columns/cells/table-reader.ts'
import { unescape, type Dialect } from './detection/dialect-bytes.ts'

/** Removes blanks around unquoted fields. */
export function trimFields({ bytes, starts, ends, kinds, fieldCount }: Tokenizer): void {
  for (let field = 0; field < fieldCount; field++) {
    if (kinds[field] !== PLAIN) continue
    while (starts[field] < ends[field] && isBlank(bytes[starts[field]])) starts[field]++
    while (starts[field] < ends[field] && isBlank(bytes[ends[field] - 1])) ends[field]--
  }
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 9

/** Whether consecutive fields are all empty and unquoted. */
export function areEmpty({ starts, ends, kinds }: Tokenizer, first: number, count: number): boolean {
  for (let field = first; field < first + count; field++) {
    const kind = kinds[field]
    if (kind !== MISSING && ((kind !== PLAIN && kind !== NULL) || starts[field] < ends[field])) return false
  }
  return true
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Initial capacity in rows. It's small, because often only a file's first rows are read. */
const FIRST_ROWS = 1 << 9

/** Receives values, like a column's builder. */
interface ColumnTarget {
  /** Returns false if the value isn't valid for the column. */
  appendText(bytes: Uint8Array, start: number, end: number): boolean
  appendNull(): void
}

/** Rows of the right width, a batch at a time, as indexes of the tokenizer's fields and records. */
export class RowBatch {
  readonly tokenizer: Tokenizer
  readonly dialect: Dialect
  count = 0
  /** Index of each row's first field in the tokenizer's arrays. */
  first = new Int32Array(FIRST_ROWS)
  /** Number among the data rows, from 1. */
  numbers = new Float64Array(FIRST_ROWS)
  /** Index of each row's record in the tokenizer's batch; -1 for a blank line of an earlier batch. */
  records = new Int32Array(FIRST_ROWS)
  /** Number of fields, including those added here after the tokenizer's. */
  made = 0
  /** Bytes of the last unescaped field. */
  scratch = new Uint8Array(1024)

  protected constructor(tokenizer: Tokenizer, dialect: Dialect) {
    this.tokenizer = tokenizer
    this.dialect = dialect
  }

  /** Whether a record isn't a row: a drawn line, or a line outside a drawn table. */
  isNoRow(record: number): boolean {
    return this.tokenizer.problems[record] === NO_ROW
  }

  /** Empties the batch, and makes room for this many rows. */
  protected begin(rows: number): void {
    this.count = 0
    if (rows <= this.first.length) return
    const size = Math.max(rows, this.first.length * 2)
    this.first = new Int32Array(size)
    this.numbers = new Float64Array(size)
    this.records = new Int32Array(size)
  }

  protected add(first: number, number: number, record: number): void {
    const at = this.count
    this.first[at] = first
    this.numbers[at] = number
    this.records[at] = record
    this.count = at + 1
  }

  /** Adds space for `size` fields after all others, and returns its index. */
  protected makeRoom(size: number): number {
    const at = this.made
    while (at + size > this.tokenizer.kinds.length) this.tokenizer.cells.growFields()
    this.made = at + size
    return at
  }

  /** Copies a short row's fields after all others, padded to `width`. */
  protected pad(first: number, fields: number, width: number): number {
    const at = this.makeRoom(width)
    const { starts, ends, kinds } = this.tokenizer
    for (let i = 0; i < width; i++) {
      starts[at + i] = i < fields ? starts[first + i] : 0
      ends[at + i] = i < fields ? ends[first + i] : 0
      kinds[at + i] = i < fields ? kinds[first + i] : MISSING
    }
    return at
  }

  /** Removes rows from the batch. */
  leaveOut(rows: { has(row: number): boolean }): void {
    let to = 0
    for (let row = 0; row < this.count; row++) {
      if (rows.has(row)) continue
      this.first[to] = this.first[row]
      this.numbers[to] = this.numbers[row]
      this.records[to] = this.records[row]
      to++
    }
    this.count = to
  }

  /**
   * Appends one column of the batch, from row `from` up to `to`. Stops at a refused value.
   * @returns whether all values were appended
   */
  appendColumn(column: number, from: number, to: number, target: ColumnTarget): boolean {
    const { tokenizer, first } = this
    const { bytes, starts, ends, kinds } = tokenizer
    for (let row = from; row < to; row++) {
      const field = first[row] + column
      const kind = kinds[field]
      if (kind >= MISSING) {
        target.appendNull()
      } else if (kind === ESCAPED) {
        const length = this.unescape(starts[field], ends[field])
        if (!target.appendText(this.scratch, 0, length)) return false
      } else if (!target.appendText(bytes, starts[field], ends[field])) {
        return false
      }
    }
    return true
  }

  /** Unescapes a field into `scratch`, and returns its length. */
  unescape(start: number, end: number): number {
    if (this.scratch.length < end - start) this.scratch = new Uint8Array((end - start) * 2)
    return unescape(this.tokenizer.bytes, start, end, this.dialect, this.scratch)
  }

  valueAt(row: number, index: number): CellText {
    const record = this.records[row]
    const line = record < 0 ? null : this.tokenizer.lines[record]
    return { value: this.text(this.first[row] + index), place: { row: this.numbers[row], line, raw: this.raw(record) } }
  }

  /**
   * The value of a field as a string.
   * @param source provides the tokenizer's bytes as text
   */
  text(field: number, source: TextSource = this.tokenizer): string {
    const { starts, ends, kinds } = this.tokenizer
    const [start, end] = [starts[field], ends[field]]
    if (kinds[field] !== ESCAPED) return source.slice(start, end)
    const length = this.unescape(start, end)
    return decoder.decode(this.scratch.subarray(0, length))
  }

  protected texts(first: number, count: number): string[] {
    return Array.from({ length: count }, (_, i) => this.text(first + i))
  }

  /**
   * The record's text as in the file.
   * @param most maximum number of characters
   * @param source provides the tokenizer's bytes as text
   */
  raw(record: number, most = MAX_RAW, source: TextSource = this.tokenizer): string {
    if (record < 0) return ''
    const { recordStarts, recordEnds } = this.tokenizer
    const end = Math.min(recordEnds[record], recordStarts[record] + most * 4)
    return source.slice(recordStarts[record], end).slice(0, most)
  }
}

/** Why a record isn't a row of the table. */
export type Why = Pick<RejectedRow, 'reason' | 'message'>

/** The reason for rejecting a record that couldn't be split. */
export function ofProblem(problem: number, encoding: string): Why {
  if (problem === NOT_UTF8) {
    const message = `The row has bytes that aren’t text in the file’s encoding (${encoding}).`
    return { reason: 'encoding', message }
  }
  const message =
    problem === TEXT_AFTER_QUOTE
      ? 'There is text after a closing quote.'
      : 'A quote is opened, and it isn’t clear where it closes.'
  return { reason: 'quoting', message }
}

/** The reason for rejecting a record with too few or too many fields. */
export function ofWidth(fields: number, width: number): Why {
  const message = `The row has ${plural(fields, 'field')}, but the table has ${plural(width, 'column')}.`
  return { reason: 'ragged', message }
}
