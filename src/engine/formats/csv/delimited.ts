import { formatCount } from '../../../lib/counts.ts'
import { BACKSLASH, CR, LF, SPACE, TAB } from '../../../lib/ascii.ts'
import { EngineError } from '../../errors.ts'
import type { Dialect } from './detection/dialect-bytes.ts'
import {
  AT_FIELD,
  ESCAPED,
  FINE,
  PLAIN,
  QUOTED,
  TEXT_AFTER_QUOTE,
  Tokenizer,
  UNCLOSED_QUOTE,
  type TokenizerOptions,
} from './tokenizer.ts'

const CAPITAL_N = 0x4e

/* State of the scanner within a record. */
const IN_PLAIN = 2
const IN_QUOTED = 3
const AFTER_QUOTE = 4
const IN_BAD_LINE = 5

/* Results of scanning a quoted field. */
const GO_ON = 0
const RECORD_DONE = 1
const WAIT = 2

/**
 * Splits delimited text. A field is quoted if it begins with a quote, ignoring spaces; quotes elsewhere are text.
 * Spaces before an opening quote and blanks after a closing one are dropped, as in DuckDB. If a closing quote is
 * followed by other text, or a quote isn't closed before the end of the file or within `maxRecord` bytes, the record is
 * returned with a problem and without fields. If such a record spans several lines, only its first line is returned,
 * and scanning resumes on the next line, so that one stray quote costs one row and not the rest of the file. If
 * backslashes escape without quotes, one before a delimiter or line end makes that text, and a lone carriage return is
 * text, too.
 */
export class DelimitedTokenizer extends Tokenizer {
  private fieldStart = 0
  private escaped = 0
  private quoteEnd = 0

  constructor(dialect: Dialect, options: TokenizerOptions = {}) {
    const { delimiterRest, merged, quote, escape } = dialect
    super(dialect, delimiterRest === null && !merged && quote === escape, options)
  }

  protected override shift(by: number): void {
    super.shift(by)
    this.fieldStart -= by
    this.quoteEnd -= by
  }

  /**
   * Scans to the end of a record. Returns false, and keeps its state, if more bytes are needed or there's no record
   * left.
   */
  protected override scanRecord(): boolean {
    if (!this.isWithinRecord()) return false
    const { length, final } = this
    const { delimiter, delimiterRest, quote, escape, merged, top } = this.dialect
    const bare = quote < 0 ? escape : -1
    let { bytes, state, pos, fieldStart } = this
    for (;;) {
      if (state === AT_FIELD) {
        if (merged) while (pos < length && bytes[pos] === delimiter) pos++
        if (pos === length && !final) break
        fieldStart = pos
        this.escaped = 0
        if (bytes[pos] === SPACE) {
          const at = this.quoteAfterBlanks(pos)
          if (at < 0) break
          fieldStart = at
        }
        if (bytes[fieldStart] === quote && fieldStart < length) {
          state = IN_QUOTED
          pos = fieldStart + 1
        } else {
          state = IN_PLAIN
        }
      }
      if (state === IN_PLAIN) {
        let byte = bytes[pos]
        while (byte > top || (byte !== delimiter && byte !== LF && byte !== CR && byte !== bare)) byte = bytes[++pos]
        if (pos >= length) {
          if (!final) break
        } else if (bare >= 0 && (byte === bare || byte === CR) && pos + 1 === length && !final) {
          break
        } else if (byte === bare) {
          // The escaped byte is text; at the end of the file there is none.
          this.escaped = 1
          if (bytes[pos + 1] === LF && pos + 1 < length) this.line++
          pos = Math.min(pos + 2, length)
          continue
        } else if (byte === CR && bare >= 0 && bytes[pos + 1] !== LF) {
          pos++
          continue
        } else if (byte === delimiter) {
          const rest = delimiterRest === null ? 0 : this.matchRest(pos)
          if (rest < 0) break
          if (delimiterRest === null || rest > 0) {
            this.addField(fieldStart, pos, this.kindOfPlain(fieldStart, pos))
            ;({ bytes } = this)
            pos += rest + 1
            state = AT_FIELD
          } else {
            pos++
          }
          continue
        } else if (byte === CR && pos + 1 === length && !final) {
          break
        }
        this.addField(fieldStart, pos, this.kindOfPlain(fieldStart, pos))
        this.pos = pos
        this.endRecord(FINE, pos)
        return true
      }
      this.pos = pos
      this.fieldStart = fieldStart
      this.state = state
      const outcome = this.scanQuotedField()
      if (outcome !== GO_ON) return outcome === RECORD_DONE
      ;({ bytes, pos } = this)
      state = AT_FIELD
    }
    this.pos = pos
    this.fieldStart = fieldStart
    this.state = state
    if (length - this.recordStart > this.maxRecord) throw this.tooLarge()
    return false
  }

  /** The kind of an unquoted field. `\N` means null, and isn't unescaped. */
  private kindOfPlain(start: number, end: number): number {
    const isNull = end - start === 2 && this.bytes[start] === BACKSLASH && this.bytes[start + 1] === CAPITAL_N
    return this.escaped === 0 || isNull ? PLAIN : ESCAPED
  }

  /** Position of the quote after the blanks at `pos`, or `pos` if there's none; -1 if more bytes are needed. */
  private quoteAfterBlanks(pos: number): number {
    const { bytes, length, final } = this
    const { delimiter, quote } = this.dialect
    if (delimiter === SPACE || quote < 0) return pos
    let at = pos
    while (bytes[at] === SPACE) at++
    if (at >= length) return final ? pos : -1
    return bytes[at] === quote ? at : pos
  }

  /** Length of the rest of a delimiter whose first byte is at `pos`; 0 if it isn't one, -1 if more bytes are needed. */
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

  /** Scans to the closing quote. */
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
        // CRLF counts as one line end, at its CR.
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

  /** Scans what follows a closing quote: optional blanks, then a delimiter or the end of the record. */
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
      this.addField(this.fieldStart + 1, this.quoteEnd, this.escaped ? ESCAPED : QUOTED)
      this.pos = pos + rest + 1
      this.state = AT_FIELD
      return GO_ON
    } else if (byte === CR) {
      if (pos + 1 === length && !final) return WAIT
    } else if (byte !== LF) {
      return this.textAfterQuote()
    }
    this.addField(this.fieldStart + 1, this.quoteEnd, this.escaped ? ESCAPED : QUOTED)
    this.endRecord(FINE, pos)
    return RECORD_DONE
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

  /** Reports the record's first line as a problem, and resumes on the next line. */
  private unclosed(): number {
    let end = this.recordStart
    while (this.bytes[end] !== LF && this.bytes[end] !== CR) end++
    this.line = this.recordLine
    this.endRecord(UNCLOSED_QUOTE, Math.min(end, this.length))
    return RECORD_DONE
  }

  private tooLarge(): EngineError {
    return new EngineError('too-large', 'One row of the file is larger than what fits in memory.', {
      place: `line ${formatCount(this.recordLine)}`,
      remedy: 'Check whether the file is a table of text, and that the quote character is right.',
    })
  }
}
