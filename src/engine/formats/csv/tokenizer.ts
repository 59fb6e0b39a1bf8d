import { CR, LF } from '../../../lib/ascii.ts'
import { BATCH_FIELDS, BATCH_RECORDS, BATCH_TEXT, CellMemory } from '../../kernel/cell-memory.ts'
import { type Dialect, FIELDS_BEGIN, namesFields } from './detection/dialect-bytes.ts'

/** Checks each byte of a growing buffer once, and remembers where it isn't UTF-8. */
class Utf8Watch {
  /** The line of the first record with bytes that aren't UTF-8; 0 if there's none. */
  firstLine = 0
  private checked = 0
  private invalid: number[] = []
  /** Whether all bytes checked so far are UTF-8. */
  allValid = true

  /** Bytes from here on haven't been checked. */
  get checkedTo(): number {
    return this.checked
  }

  /** The buffer's first bytes, all of them checked, were dropped. */
  shift(by: number): void {
    this.checked -= by
    if (this.invalid.length > 0) this.invalid = this.invalid.map((at) => at - by).filter((at) => at >= 0)
  }

  /** The first byte that isn't UTF-8 among those that belong to no record yet. */
  get firstInvalid(): number {
    return this.invalid[0] ?? Number.POSITIVE_INFINITY
  }

  /**
   * Checks what is new. A character that `length` cuts is left for later, unless there is no more to come.
   * @param find gives the first byte between two places that isn't UTF-8, else the second place
   */
  check(bytes: Uint8Array, length: number, final: boolean, find: (from: number, to: number) => number): void {
    let end = length
    for (let back = final ? 4 : 1; back <= 3 && length - back >= this.checked; back++) {
      const byte = bytes[length - back]
      if (byte >= 0xc0) end = length - back
      if (byte >= 0xc0 || byte < 0x80) break
    }
    let from = this.checked
    this.checked = Math.max(end, from)
    for (let at = find(from, end); at < end; at = find(from, end)) {
      this.invalid.push(at)
      this.allValid = false
      from = at + 1
    }
  }

  /** Whether a record has bytes that aren't UTF-8; those before `after` are forgotten. */
  take(start: number, end: number, after: number, line: number): boolean {
    if (this.invalid.length === 0) return false
    const found = this.invalid.some((at) => at >= start && at < end)
    if (found) this.firstLine ||= line
    if (this.invalid[0] < after) this.invalid = this.invalid.filter((at) => at >= after)
    return found
  }
}

export {
  CELL_ESCAPED as ESCAPED,
  CELL_MISSING as MISSING,
  CELL_NULL as NULL,
  CELL_PLAIN as PLAIN,
  CELL_QUOTED as QUOTED,
} from '../../kernel/assembly/layout.ts'

/* What is wrong with a record. */
export const FINE = 0
export const TEXT_AFTER_QUOTE = 1
export const UNCLOSED_QUOTE = 2
export const NOT_UTF8 = 3
/** Nothing is wrong, but it isn't a row: a drawn line, or a line outside of a drawn table. */
export const NO_ROW = 4

/* Where scanning stands: what stands beyond is for who scans within a record. */
const BETWEEN = 0
export const AT_FIELD = 1
const IN_SKIPPED_LINE = -1

export interface TokenizerOptions {
  /** The most bytes of a record whose end is waited for. */
  readonly maxRecord?: number
  /** A memory that is no longer used. */
  readonly cells?: CellMemory
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** So many bytes tell whether a line names fields. */
const FIELDS_MARK = FIELDS_BEGIN.length + 1

/** Turns bytes into strings. */
export interface TextSource {
  /** The text of the bytes from `start` up to `end`, which are whole characters. */
  slice(start: number, end: number): string
}

/**
 * Splits UTF-8 bytes into records and fields. Bytes are pushed in slices; `next` then gives batches of complete records
 * as positions in `bytes`, in arrays that are used again: nothing is allocated per field. What the kernel can't split is
 * scanned here, a record at a time.
 */
export abstract class Tokenizer implements TextSource {
  readonly cells: CellMemory
  /** Records in this batch. */
  records = 0

  /* Of the whole file so far. */
  commentLines = 0
  /** Line ends of records. */
  lf = 0
  crlf = 0
  cr = 0
  readonly utf8 = new Utf8Watch()

  protected readonly dialect: Dialect
  protected readonly maxRecord: number
  protected length = 0
  protected final = false
  protected pos = 0
  protected field = 0
  protected recordStart = 0
  protected recordLine = 1
  protected line = 1
  protected state = BETWEEN
  /** First field of the current record. */
  protected openField = 0
  private linesToSkip: number
  /** Whether the kernel can split such text. */
  private readonly isPlain: boolean

  /** @param isPlain whether the kernel can split such text */
  constructor(dialect: Dialect, isPlain: boolean, { maxRecord = 1 << 28, cells = new CellMemory() }: TokenizerOptions) {
    this.dialect = dialect
    this.isPlain = isPlain
    this.maxRecord = maxRecord
    this.cells = cells
    this.linesToSkip = dialect.skipLines
  }

  /* Positions are positions in `bytes`. All are valid until the next `push`. */

  get bytes(): Uint8Array {
    return this.cells.bytes
  }
  get starts(): Int32Array {
    return this.cells.starts
  }
  get ends(): Int32Array {
    return this.cells.ends
  }
  get kinds(): Uint8Array {
    return this.cells.kinds
  }
  get firstFields(): Int32Array {
    return this.cells.firstFields
  }
  get recordStarts(): Int32Array {
    return this.cells.recordStarts
  }
  get recordEnds(): Int32Array {
    return this.cells.recordEnds
  }
  get lines(): Float64Array {
    return this.cells.lines
  }
  get problems(): Uint8Array {
    return this.cells.problems
  }

  /** Adds bytes; to be called once `next` has returned false. They're copied. */
  push(slice: Uint8Array): void {
    const isFree = this.state === BETWEEN || this.state === IN_SKIPPED_LINE
    // A character that the bytes so far cut is looked at with the rest of it.
    const from = Math.min(isFree ? this.pos : this.recordStart, this.utf8.checkedTo)
    const kept = this.length - from
    if (from > 0) this.bytes.copyWithin(0, from, this.length)
    this.cells.fitText(kept, kept + slice.length + 1)
    this.bytes.set(slice, kept)
    this.length = kept + slice.length
    // Every scan ends here at the latest, so that none has to look for the end.
    this.bytes[this.length] = LF
    this.shift(from)
    this.checkUtf8(false)
  }

  /** There are no more bytes: what is left is a record. */
  end(): void {
    this.final = true
    this.checkUtf8(true)
  }

  private checkUtf8(final: boolean): void {
    const { kernel, text } = this.cells
    this.utf8.check(this.bytes, this.length, final, (from, to) => {
      return (kernel.exports.findInvalidUtf8(text + from, text + to) >>> 0) - text
    })
  }

  /** Whether all bytes so far are of whole records: what comes next can be read without them. */
  get betweenRecords(): boolean {
    return this.state === BETWEEN && this.pos === this.length && this.linesToSkip === 0
  }

  /** Line ends so far, those within records too. */
  get lineEnds(): number {
    return this.line - 1
  }

  /** Whether a record is the line of a drawn table with the columns' names. */
  isNamesLine(_record: number): boolean {
    return false
  }

  /** Whether a record is only drawn, as the lines around a drawn table's header. */
  isRule(_record: number): boolean {
    return false
  }

  /** How many bytes there are. */
  get size(): number {
    return this.length
  }

  /** Fields in the arrays: those of this batch, and of the record that is under way. */
  get fieldCount(): number {
    return this.field
  }

  slice(start: number, end: number): string {
    return decoder.decode(this.bytes.subarray(start, end))
  }

  /** Finds the next records. False when there are no more without a `push`. */
  next(): boolean {
    this.records = 0
    this.field = this.moveFieldsToFront()
    const stop = this.pos + BATCH_TEXT
    const isFull = (): boolean =>
      this.records >= BATCH_RECORDS || this.openField >= BATCH_FIELDS || (this.records > 0 && this.pos >= stop)
    do {
      if (this.isPlain && this.state === BETWEEN && this.linesToSkip === 0) this.splitPlain(stop)
    } while (!isFull() && this.scanRecord())
    return this.records > 0
  }

  /** Splits records as long as they're of the usual form, by the kernel. */
  private splitPlain(stop: number): void {
    const { cells, pos, records, dialect } = this
    const { exports } = cells.kernel
    exports.setDialect(dialect.delimiter, dialect.quote, dialect.comment?.[0] ?? -1)
    this.records = exports.splitRecords(
      pos,
      Math.min(this.length, this.utf8.firstInvalid),
      Math.min(stop, this.length),
      this.openField,
      records,
      this.line,
      BATCH_FIELDS,
      Math.min(BATCH_RECORDS, cells.problems.length),
      cells.kinds.length,
    )
    const split = this.records - records
    if (split === 0) return
    this.pos = exports.splitEnd()
    this.field = exports.splitFields()
    this.openField = this.field
    this.line += exports.splitLines()
    this.crlf += exports.splitCrlf()
    this.lf += split - exports.splitCrlf()
  }

  /** Fields of a record that wasn't complete in the batch before come first in this one. Gives how many they are. */
  private moveFieldsToFront(): number {
    const from = this.openField
    const count = this.field - from
    if (from > 0 && count > 0) {
      this.starts.copyWithin(0, from, this.field)
      this.ends.copyWithin(0, from, this.field)
      this.kinds.copyWithin(0, from, this.field)
    }
    this.openField = 0
    return count
  }

  /** What was at `by` is the first byte now. */
  protected shift(by: number): void {
    if (by === 0) return
    this.pos -= by
    this.recordStart -= by
    this.utf8.shift(by)
    for (let i = this.openField; i < this.field; i++) {
      this.starts[i] -= by
      this.ends[i] -= by
    }
  }

  /** Scans on to the end of a record. False, with its state kept, when there aren't enough bytes or there is none. */
  protected abstract scanRecord(): boolean

  /** Whether a record is under way; if none is, goes to where the next one begins. */
  protected isWithinRecord(): boolean {
    return (this.state !== BETWEEN && this.state !== IN_SKIPPED_LINE) || this.beginRecord()
  }

  /** Goes to the next record, over lines to skip and comments. False when its first byte isn't there yet. */
  private beginRecord(): boolean {
    const { comment } = this.dialect
    for (;;) {
      if (this.state === BETWEEN) {
        if (this.pos >= this.length) return false
        if (this.linesToSkip === 0) {
          const isComment = comment === null ? 0 : this.matchComment(comment)
          if (isComment < 0) return false
          if (isComment === 0) break
          this.commentLines++
        } else {
          this.linesToSkip--
        }
        this.state = IN_SKIPPED_LINE
      }
      if (!this.skipLine()) return false
      this.state = BETWEEN
    }
    this.state = AT_FIELD
    this.recordStart = this.pos
    this.recordLine = this.line
    this.openField = this.field
    return true
  }

  /** Goes past the end of the line. False when it isn't there yet. */
  private skipLine(): boolean {
    const { bytes, length } = this
    let { pos } = this
    while (bytes[pos] !== LF && bytes[pos] !== CR) pos++
    this.pos = Math.min(pos, length)
    if (pos >= length) return this.final
    if (bytes[pos] === CR) {
      if (pos + 1 === length && !this.final) return false
      if (pos + 1 < length && bytes[pos + 1] === LF) pos++
    }
    this.pos = pos + 1
    this.line++
    return true
  }

  /** 1 when a comment begins here, 0 when not, -1 when there aren't enough bytes to tell. */
  private matchComment(comment: Uint8Array): number {
    for (let i = 0; i < comment.length; i++) {
      if (this.pos + i >= this.length) return this.final ? 0 : -1
      if (this.bytes[this.pos + i] !== comment[i]) return 0
    }
    // A log's line that names its fields says what the rows are.
    const begins = decoder.decode(this.bytes.subarray(this.pos, Math.min(this.pos + FIELDS_MARK, this.length)))
    if (begins.length < FIELDS_MARK && !this.final && FIELDS_BEGIN.startsWith(begins.toLowerCase())) return -1
    return namesFields(begins) ? 0 : 1
  }

  /** Ends the record at `end`, where its line end or the end of the file is. */
  protected endRecord(problem: number, end: number): void {
    if (this.records === this.problems.length) this.cells.growRecords()
    const { bytes, length, records } = this
    let after = end
    if (end < length) {
      this.line++
      if (bytes[end] === LF) this.lf++
      else if (end + 1 < length && bytes[end + 1] === LF) {
        this.crlf++
        after++
      } else this.cr++
      after++
    }
    const found = this.utf8.take(this.recordStart, end, after, this.recordLine) ? NOT_UTF8 : problem
    if (found !== FINE) this.field = this.openField
    this.firstFields[records] = this.openField
    this.recordStarts[records] = this.recordStart
    this.recordEnds[records] = end
    this.lines[records] = this.recordLine
    this.problems[records] = found
    this.records = records + 1
    this.firstFields[records + 1] = this.field
    this.openField = this.field
    this.pos = after
    this.state = BETWEEN
  }

  /** Adds a field to the record; the arrays may be other ones then. */
  protected addField(start: number, end: number, kind: number): void {
    if (this.field === this.cells.kinds.length) this.cells.growFields()
    const { cells, field } = this
    cells.starts[field] = start
    cells.ends[field] = end
    cells.kinds[field] = kind
    this.field = field + 1
  }
}
