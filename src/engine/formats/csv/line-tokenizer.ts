import { BACKSLASH, COMMA, CR, DOT, LF, PIPE, PLUS, SPACE, TAB, ZERO } from '../../../lib/ascii.ts'
import type { CsvSettings } from '../../../tables/plan.ts'
import { toDialect } from './detection/dialect-bytes.ts'
import { FINE, NO_ROW, PLAIN, Tokenizer, type TokenizerOptions } from './tokenizer.ts'

/** `-`, `=`, `+`, `|`, `:` and blanks: what lines are drawn with, besides box-drawing characters. */
const DRAWN = new Set([0x2d, 0x3d, 0x2b, 0x7c, 0x3a, SPACE, TAB])
const DASHES = new Set([0x2d, 0x3d])
/** Minimum length of a line of dashes. */
const RULE = 3
/**
 * Lines around names in tables of ClickHouse and of Python's rich: `┌─id─┬─name─┐` above the rows, or `┃ id ┃ name ┃`.
 */
const [LINE, LIGHT, HEAVY, NAMES_BEGIN, NAMES_END, BETWEEN_NAMES, FOOT_BEGINS, FOOT_ENDS, GOES_ON] = Array.from(
  '─│┃┌┐┬└┘↳',
  (mark) => new TextEncoder().encode(mark),
)

type LineSettings = Pick<CsvSettings, 'delimiter' | 'comment' | 'skipLines' | 'layout' | 'columnStarts'>

/**
 * Whether a line is only drawn, as around a table's header, and so isn't a row. Below a long table it may repeat the
 * names.
 */
export function isRule(bytes: Uint8Array, start: number, end: number): boolean {
  if (isBetween(bytes, afterBlanks(bytes, start, end), end, FOOT_BEGINS, FOOT_ENDS)) return true
  let dashes = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (DASHES.has(byte)) {
      dashes++
    } else if (byte === 0xe2 && (bytes[at + 1] === 0x94 || bytes[at + 1] === 0x95)) {
      // U+2500 to U+257F, except vertical lines between cells.
      const upright = bytes[at + 1] === 0x94 && (bytes[at + 2] === 0x82 || bytes[at + 2] === 0x83)
      if (!upright) dashes++
      at += 2
    } else if (!DRAWN.has(byte)) {
      return false
    }
  }
  return dashes >= RULE
}

/** The characters of a drawn line, ASCII only, where it crosses lines between cells. */
function crossingsIn(bytes: Uint8Array, start: number, end: number): number[] {
  const found: number[] = []
  for (let at = start; at < end; at++) {
    if (bytes[at] > 0x7f) return []
    if (bytes[at] === PLUS || bytes[at] === PIPE) found.push(at - start)
  }
  return found
}

/**
 * Whether a line of a table drawn with `│` has the names, according to the lines around them: in the border, or between
 * heavy lines.
 */
export function isNamesLine(bytes: Uint8Array, start: number, end: number): boolean {
  const from = afterBlanks(bytes, start, end)
  if (isBetween(bytes, from, end, HEAVY, HEAVY)) return true
  return isBetween(bytes, from, end, NAMES_BEGIN, NAMES_END) && !isRule(bytes, from, end)
}

const matches = (bytes: Uint8Array, at: number, mark: Uint8Array): boolean =>
  mark.every((byte, i) => bytes[at + i] === byte)

const isBetween = (bytes: Uint8Array, from: number, end: number, first: Uint8Array, last: Uint8Array): boolean =>
  end - from > first.length && matches(bytes, from, first) && matches(bytes, end - last.length, last)

function afterBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at] === SPACE) at++
  return at
}

/**
 * Splits lines whose cells are separated by drawn lines or have fixed positions, or that have keys and flags as in
 * Eurostat's files. Each line is a record; there are no quotes, and blanks around cells are left to the caller. Lines
 * that are only drawn aren't rows, nor are lines of a framed table without cell separators.
 */
export class LineTokenizer extends Tokenizer {
  private readonly fixed: readonly number[] | null
  private readonly mark: Uint8Array
  /** Whether cells are between `│`. */
  private readonly isBox: boolean
  /** Whether to split keys and flags as in Eurostat's files. */
  private readonly isFlagged: boolean
  /** Where the last drawn line crosses those between cells, in characters. */
  private crossings: readonly number[] = []

  constructor(settings: LineSettings, options: TokenizerOptions = {}) {
    super(toDialect({ ...settings, quote: null, escape: null }), false, options)
    this.fixed = settings.layout === 'fixed' ? (settings.columnStarts ?? [0]) : null
    this.mark = new TextEncoder().encode(settings.delimiter)
    this.isFlagged = settings.layout === 'eurostat'
    this.isBox = this.fixed === null && matches(this.mark, 0, LIGHT)
  }

  protected override scanRecord(): boolean {
    if (!this.isWithinRecord()) return false
    const { bytes, length } = this
    let end = this.pos
    while (bytes[end] !== LF && bytes[end] !== CR) end++
    end = Math.min(end, length)
    this.pos = end
    if (!this.final && (end === length || (bytes[end] === CR && end + 1 === length))) return false
    if (this.isFlagged) {
      this.splitFlagged(end)
      this.endRecord(FINE, end)
      return true
    }
    const isRow = !isRule(bytes, this.recordStart, end)
    if (!isRow) this.crossings = crossingsIn(bytes, this.recordStart, end)
    if (isRow && this.fixed) this.splitAt(this.fixed, end)
    else if (isRow) this.splitFrame(end)
    const isOutside = this.fixed === null && this.field - this.openField === 1 && !this.isFramed(end)
    const isNone = (isOutside && end > this.recordStart) || (this.isBox && this.goesOn())
    this.endRecord(isRow && !isNone ? FINE : NO_ROW, end)
    return true
  }

  /** According to the drawn lines or to Eurostat's notation. */
  override isNamesLine(record: number): boolean {
    const { bytes } = this
    const [start, end] = [this.recordStarts[record], this.recordEnds[record]]
    if (!this.isFlagged) return this.isBox && isNamesLine(bytes, start, end)
    for (let at = start; at < end && !matches(bytes, at, this.mark); at++) if (bytes[at] === BACKSLASH) return true
    return false
  }

  override isRule(record: number): boolean {
    return isRule(this.bytes, this.recordStarts[record], this.recordEnds[record])
  }

  /**
   * Splits the first field into keys at commas, and each other field into a value and its flags, which may be empty.
   */
  private splitFlagged(end: number): void {
    const { bytes, recordStart, mark } = this
    let from = recordStart
    let at = from
    for (; at < end && !this.isMark(at, end); at++) {
      if (bytes[at] !== COMMA) continue
      this.addField(from, at, PLAIN)
      from = at + 1
    }
    this.addField(from, at, PLAIN)
    while (at < end) {
      at = afterBlanks(bytes, at + mark.length, end)
      from = at
      while (at < end && !this.isMark(at, end) && bytes[at] !== SPACE) at++
      this.addField(from, at, PLAIN)
      from = at
      while (at < end && !this.isMark(at, end)) at++
      this.addField(from, at, PLAIN)
    }
  }

  /** Splits at character positions. A line with text across one of them has a single field. */
  private splitAt(columns: readonly number[], end: number): void {
    const { bytes, recordStart } = this
    let at = recordStart
    let character = 0
    for (let i = 0; i < columns.length; i++) {
      const from = at
      const next = columns[i + 1] ?? Number.POSITIVE_INFINITY
      while (at < end && character < next) {
        at++
        while (at < end && (bytes[at] & 0xc0) === 0x80) at++
        character++
      }
      this.addField(from, at, PLAIN)
      if (at === end) return
      if (!isBlank(bytes[at - 1]) && !isBlank(bytes[at])) break
    }
    this.field = this.openField
    this.addField(recordStart, end, PLAIN)
  }

  private splitFrame(end: number): void {
    const { bytes, recordStart } = this
    if (this.isBox && isNamesLine(bytes, recordStart, end)) {
      this.splitNames(end)
      return
    }
    let from = this.frameStart(end)
    // A row with a line at its left end has one at its right end, too.
    const closed = this.isMark(from, end)
    if (closed) from += this.mark.length
    const begin = from
    from = this.splitAtMarks(begin, end, this.mark)
    const { crossings } = this
    // A value may contain the mark, as psql writes it.
    if (crossings.length > 0 && this.field - this.openField > crossings.length - (closed ? 1 : 0)) {
      const marks = this.marksAt(crossings, end)
      if (marks !== null) {
        this.field = this.openField
        from = begin
        for (const mark of marks) {
          if (mark >= from) this.addField(from, mark, PLAIN)
          from = mark + this.mark.length
        }
      }
    }
    let last = end
    while (last > from && isBlank(bytes[last - 1])) last--
    if (!closed || last > from) this.addField(from, end, PLAIN)
  }

  /** Where the marks between cells are, if there's one at each of these characters of the line; else null. */
  private marksAt(characters: readonly number[], end: number): number[] | null {
    const { bytes, recordStart } = this
    const marks: number[] = []
    let at = recordStart
    let character = 0
    for (const next of characters) {
      for (; at < end && character < next; character++) {
        at++
        while (at < end && (bytes[at] & 0xc0) === 0x80) at++
      }
      if (!this.isMark(at, end)) return null
      marks.push(at)
    }
    return marks
  }

  private splitNames(end: number): void {
    const { bytes, recordStart } = this
    const from = afterBlanks(bytes, recordStart, end) + HEAVY.length
    const isBorder = matches(bytes, from - HEAVY.length, NAMES_BEGIN)
    const first = this.field
    const last = this.splitAtMarks(from, end - HEAVY.length, isBorder ? BETWEEN_NAMES : HEAVY)
    this.addField(last, end - HEAVY.length, PLAIN)
    if (!isBorder) return
    const { starts, ends } = this.cells
    for (let field = first; field < this.field; field++) {
      while (starts[field] < ends[field] && matches(bytes, starts[field], LINE)) starts[field] += LINE.length
      while (ends[field] > starts[field] && matches(bytes, ends[field] - LINE.length, LINE)) ends[field] -= LINE.length
    }
  }

  /** Adds the field before each mark, and returns where the text after the last mark begins. */
  private splitAtMarks(start: number, end: number, mark: Uint8Array): number {
    const { bytes } = this
    let from = start
    for (let at = start; at + mark.length <= end; at++) {
      if (!matches(bytes, at, mark) || bytes[at - 1] === BACKSLASH) continue
      this.addField(from, at, PLAIN)
      at += mark.length - 1
      from = at + 1
    }
    return from
  }

  /**
   * Where the frame of a line begins: after blanks or a row number as ClickHouse draws it, if the line ends with a
   * frame.
   */
  private frameStart(end: number): number {
    const { bytes, recordStart } = this
    if (!this.isBox || !this.isMark(end - LIGHT.length, end)) return recordStart
    let at = afterBlanks(bytes, recordStart, end)
    if (isDigit(bytes[at])) {
      while (isDigit(bytes[at])) at++
      if (bytes[at] !== DOT || bytes[at + 1] !== SPACE) return recordStart
      at += 2
    }
    return this.isMark(at, end) ? at : recordStart
  }

  /** Whether a line continues a multi-line value, as ClickHouse draws it. */
  private goesOn(): boolean {
    const { starts } = this.cells
    for (let field = this.openField; field < this.field; field++)
      if (matches(this.bytes, starts[field], GOES_ON)) return true
    return false
  }

  private isFramed(end: number): boolean {
    return this.isMark(this.frameStart(end), end) || (this.isBox && isNamesLine(this.bytes, this.recordStart, end))
  }

  private isMark(at: number, end: number): boolean {
    return at + this.mark.length <= end && matches(this.bytes, at, this.mark)
  }
}

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB

const isDigit = (byte: number): boolean => byte >= ZERO && byte < ZERO + 10
