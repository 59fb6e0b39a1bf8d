import { EngineError } from '../../errors.ts'
import { copied, type Dialect } from './dialect-bytes.ts'
import { Utf8Watch } from './utf8-watch.ts'

/* What a field is: unquoted; quoted; quoted with escapes to be taken out (`unescape`); not there in a short row. */
export const PLAIN = 0
export const QUOTED = 1
export const ESCAPED = 2
export const MISSING = 3

/* What is wrong with a record. */
export const FINE = 0
export const TEXT_AFTER_QUOTE = 1
export const UNCLOSED_QUOTE = 2
export const NOT_UTF8 = 3
/** Nothing is wrong, but it's no row: a drawn line, or one outside of a drawn table. */
export const NO_ROW = 4

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9

/* Where scanning stands. */
const BETWEEN = 0
const AT_FIELD = 1
const IN_PLAIN = 2
const IN_QUOTED = 3
const AFTER_QUOTE = 4
const IN_BAD_LINE = 5
const IN_SKIPPED_LINE = 6

const BATCH_FIELDS = 1 << 14
const BATCH_RECORDS = 1 << 13
const LARGE_BUFFER = 1 << 25

/**
 * Splits UTF-8 bytes into records and fields. Bytes are pushed in slices; `next` then gives batches of complete records
 * as positions in `bytes`, in arrays that are used again: nothing is allocated per field.
 *
 * A field is quoted when the quote is its first byte, spaces aside; a quote elsewhere is text. Spaces before an opening
 * quote and blanks behind a closing one are dropped (DuckDB does the same). A record that breaks off with other text behind a closing quote, or with
 * a quote that isn't closed up to the end of the file or within `maxRecord` bytes, is given as one with a problem and
 * without fields. If it goes over several lines, its first line is taken as the culprit, and scanning begins anew on
 * the line after: so that one stray quote costs one row and not the rest of the file.
 */
export class Tokenizer {
  /** Positions below are positions in it. Valid, as all of them are, until the next `push`. */
  bytes = new Uint8Array(1)
  starts = new Int32Array(BATCH_FIELDS * 2)
  ends = new Int32Array(BATCH_FIELDS * 2)
  kinds = new Uint8Array(BATCH_FIELDS * 2)
  /** Records in this batch. */
  records = 0
  /** Index of each record's first field; one more than there are records. */
  readonly firstFields = new Int32Array(BATCH_RECORDS + 1)
  readonly recordStarts = new Int32Array(BATCH_RECORDS)
  /** Without the line end. */
  readonly recordEnds = new Int32Array(BATCH_RECORDS)
  /** Line of the file, from 1. */
  readonly lines = new Float64Array(BATCH_RECORDS)
  readonly problems = new Uint8Array(BATCH_RECORDS)

  /* Of the whole file so far. */
  commentLines = 0
  /** Line ends of records. */
  lf = 0
  crlf = 0
  cr = 0
  readonly utf8 = new Utf8Watch()

  protected length = 0
  protected final = false
  protected pos = 0
  protected field = 0
  protected recordStart = 0
  /** First field of the record that is under way. */
  protected openField = 0
  private state = BETWEEN
  private fieldStart = 0
  private recordLine = 1
  private line = 1
  private escaped = 0
  private quoteEnd = 0
  private linesToSkip: number
  protected readonly dialect: Dialect
  private readonly maxRecord: number

  constructor(dialect: Dialect, maxRecord = 1 << 28) {
    this.dialect = dialect
    this.linesToSkip = dialect.skipLines
    this.maxRecord = maxRecord
  }

  /** Adds bytes; to be called once `next` has returned false. They're copied. */
  push(slice: Uint8Array): void {
    const isFree = this.state === BETWEEN || this.state === IN_SKIPPED_LINE
    // A character that the bytes so far cut is looked at with the rest of it.
    const from = Math.min(isFree ? this.pos : this.recordStart, this.utf8.checkedTo)
    const kept = this.length - from
    const needed = kept + slice.length + 1
    if (needed > this.bytes.length || (this.bytes.length > LARGE_BUFFER && needed < this.bytes.length / 4)) {
      const grown = new Uint8Array(kept > 0 ? needed * 2 : needed + 1024)
      grown.set(this.bytes.subarray(from, this.length))
      this.bytes = grown
    } else if (from > 0) {
      this.bytes.copyWithin(0, from, this.length)
    }
    this.bytes.set(slice, kept)
    this.length = kept + slice.length
    // Every scan ends here at the latest, so that none has to look for the end.
    this.bytes[this.length] = LF
    this.shift(from)
    this.utf8.check(this.bytes, this.length, false)
  }

  /** There are no more bytes: what is left is a record. */
  end(): void {
    this.final = true
    this.utf8.check(this.bytes, this.length, true)
  }

  /** Whether all bytes so far are of whole records: what comes next can be read without them. */
  get betweenRecords(): boolean {
    return this.state === BETWEEN && this.pos === this.length && this.linesToSkip === 0
  }

  /** Counts lines that somebody else has read, between records. */
  skip(lines: number): void {
    this.line += lines
  }

  /** Line ends so far, those within records too. */
  get lineEnds(): number {
    return this.line - 1
  }

  /** How many bytes there are. */
  get size(): number {
    return this.length
  }

  /** Fields in the arrays: those of this batch, and of the record that is under way. */
  get fieldCount(): number {
    return this.field
  }

  /** Finds the next records. False when there are no more without a `push`. */
  next(): boolean {
    this.records = 0
    this.field = this.moveFieldsToFront()
    while (this.records < BATCH_RECORDS && this.openField < BATCH_FIELDS && this.scanRecord());
    return this.records > 0
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
  private shift(by: number): void {
    if (by === 0) return
    this.pos -= by
    this.recordStart -= by
    this.fieldStart -= by
    this.quoteEnd -= by
    this.utf8.shift(by)
    for (let i = this.openField; i < this.field; i++) {
      this.starts[i] -= by
      this.ends[i] -= by
    }
  }

  /** Whether a record is under way; if none is, goes to where the next one begins. */
  protected isWithinRecord(): boolean {
    return (this.state !== BETWEEN && this.state !== IN_SKIPPED_LINE) || this.beginRecord()
  }

  /** Scans on to the end of a record. False, with its state kept, when there aren't enough bytes or there is none. */
  protected scanRecord(): boolean {
    if (!this.isWithinRecord()) return false
    const { bytes, length, final } = this
    const { delimiter, delimiterRest, quote, merged, top } = this.dialect
    let { state, pos, field, fieldStart } = this
    for (;;) {
      if (state === AT_FIELD) {
        if (merged) while (pos < length && bytes[pos] === delimiter) pos++
        if (pos === length && !final) break
        fieldStart = pos
        if (bytes[pos] === SPACE) {
          const at = this.quoteBehindBlanks(pos)
          if (at < 0) break
          fieldStart = at
        }
        if (bytes[fieldStart] === quote && fieldStart < length) {
          state = IN_QUOTED
          pos = fieldStart + 1
          this.escaped = 0
        } else {
          state = IN_PLAIN
        }
      }
      if (state === IN_PLAIN) {
        let byte = bytes[pos]
        while (byte > top || (byte !== delimiter && byte !== LF && byte !== CR)) byte = bytes[++pos]
        if (pos >= length) {
          if (!final) break
        } else if (byte === delimiter) {
          const rest = delimiterRest === null ? 0 : this.matchRest(pos)
          if (rest < 0) break
          if (delimiterRest === null || rest > 0) {
            if (field === this.kinds.length) this.grow()
            this.starts[field] = fieldStart
            this.ends[field] = pos
            this.kinds[field++] = PLAIN
            pos += rest + 1
            state = AT_FIELD
          } else {
            pos++
          }
          continue
        } else if (byte === CR && pos + 1 === length && !final) {
          break
        }
        if (field === this.kinds.length) this.grow()
        this.starts[field] = fieldStart
        this.ends[field] = pos
        this.kinds[field++] = PLAIN
        this.pos = pos
        this.field = field
        this.endRecord(FINE, pos)
        return true
      }
      this.pos = pos
      this.field = field
      this.fieldStart = fieldStart
      this.state = state
      const outcome = this.scanQuotedField()
      if (outcome !== GO_ON) return outcome === RECORD_DONE
      ;({ pos, field } = this)
      state = AT_FIELD
    }
    this.pos = pos
    this.field = field
    this.fieldStart = fieldStart
    this.state = state
    if (length - this.recordStart > this.maxRecord) throw this.tooLarge()
    return false
  }

  /** Where the quote is behind the blanks at `pos`, else `pos`; -1 when there aren't enough bytes to tell. */
  private quoteBehindBlanks(pos: number): number {
    const { bytes, length, final } = this
    const { delimiter, quote } = this.dialect
    if (delimiter === SPACE || quote < 0) return pos
    let at = pos
    while (bytes[at] === SPACE) at++
    if (at >= length) return final ? pos : -1
    return bytes[at] === quote ? at : pos
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

  /** Goes behind the end of the line. False when it isn't there yet. */
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
    return 1
  }

  /** How many bytes more the delimiter at `pos` has; 0 when it isn't one, -1 when there aren't enough bytes to tell. */
  private matchRest(pos: number): number {
    const rest = this.dialect.delimiterRest ?? new Uint8Array(0)
    for (let i = 0; i < rest.length; i++) {
      if (pos + 1 + i >= this.length) return this.final ? 0 : -1
      if (this.bytes[pos + 1 + i] !== rest[i]) return 0
    }
    return rest.length
  }

  private scanQuotedField(): number {
    if (this.state === IN_QUOTED) {
      const outcome = this.scanQuoted()
      if (outcome !== GO_ON) return outcome
    }
    return this.state === AFTER_QUOTE ? this.scanAfterQuote() : this.skipBadLine()
  }

  /** Scans on to the closing quote. */
  private scanQuoted(): number {
    const { bytes, length, final } = this
    const { quote, escape } = this.dialect
    let { pos } = this
    for (;;) {
      let byte = bytes[pos]
      while (byte !== quote && byte !== escape && byte !== LF && byte !== CR) byte = bytes[++pos]
      if (pos >= length) {
        this.pos = length
        return final || length - this.recordStart > this.maxRecord ? this.unclosed() : WAIT
      }
      if (byte === LF || byte === CR) {
        // CRLF is one line end, counted at its CR.
        if (byte === CR || bytes[pos - 1] !== CR) this.line++
        pos++
        continue
      }
      if (pos + 1 === length && !final) {
        this.pos = pos
        return WAIT
      }
      const next = pos + 1 < length ? bytes[pos + 1] : -1
      if (byte === escape && (next === quote || next === escape)) {
        this.escaped = 1
        pos += 2
      } else if (byte === quote) {
        break
      } else {
        pos++
      }
    }
    this.quoteEnd = pos
    this.pos = pos + 1
    this.state = AFTER_QUOTE
    return GO_ON
  }

  /** What follows a closing quote: the delimiter or the end of the record, after blanks at most. */
  private scanAfterQuote(): number {
    const { bytes, length, final } = this
    const { delimiter, delimiterRest } = this.dialect
    let { pos } = this
    while ((bytes[pos] === SPACE || bytes[pos] === TAB) && bytes[pos] !== delimiter) pos++
    this.pos = pos
    const byte = bytes[pos]
    if (pos >= length) {
      if (!final) return WAIT
    } else if (byte === delimiter) {
      const rest = delimiterRest === null ? 0 : this.matchRest(pos)
      if (rest < 0) return WAIT
      if (delimiterRest !== null && rest === 0) return this.textAfterQuote()
      this.addQuoted()
      this.pos = pos + rest + 1
      this.state = AT_FIELD
      return GO_ON
    } else if (byte === CR) {
      if (pos + 1 === length && !final) return WAIT
    } else if (byte !== LF) {
      return this.textAfterQuote()
    }
    this.addQuoted()
    this.endRecord(FINE, pos)
    return RECORD_DONE
  }

  private addQuoted(): void {
    if (this.field === this.kinds.length) this.grow()
    this.starts[this.field] = this.fieldStart + 1
    this.ends[this.field] = this.quoteEnd
    this.kinds[this.field++] = this.escaped ? ESCAPED : QUOTED
  }

  private textAfterQuote(): number {
    if (this.line > this.recordLine) return this.unclosed()
    this.state = IN_BAD_LINE
    return this.skipBadLine()
  }

  private skipBadLine(): number {
    const { bytes, length, final } = this
    let { pos } = this
    while (bytes[pos] !== LF && bytes[pos] !== CR) pos++
    this.pos = Math.min(pos, length)
    if (!final && (pos >= length || (bytes[pos] === CR && pos + 1 === length))) return WAIT
    this.endRecord(TEXT_AFTER_QUOTE, this.pos)
    return RECORD_DONE
  }

  /** Gives up the record's first line, and begins anew on the line after. */
  private unclosed(): number {
    let end = this.recordStart
    while (this.bytes[end] !== LF && this.bytes[end] !== CR) end++
    this.line = this.recordLine
    this.endRecord(UNCLOSED_QUOTE, Math.min(end, this.length))
    return RECORD_DONE
  }

  /** Ends the record at `end`, where its line end or the end of the file is. */
  protected endRecord(problem: number, end: number): void {
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

  /** Makes room for more fields; for consumers that add some, too. */
  grow(): void {
    const size = this.kinds.length * 2
    this.starts = copied(this.starts, new Int32Array(size))
    this.ends = copied(this.ends, new Int32Array(size))
    this.kinds = copied(this.kinds, new Uint8Array(size))
  }

  private tooLarge(): EngineError {
    return new EngineError('too-large', 'One row of the file is larger than what fits in memory.', {
      place: `line ${this.recordLine.toLocaleString('en-US')}`,
      remedy: 'Check whether the file is a table of text, and that the quote character is right.',
    })
  }
}

const GO_ON = 0
const RECORD_DONE = 1
const WAIT = 2
