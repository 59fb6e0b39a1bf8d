import { HASH } from '../../../lib/ascii.ts'
import type { CsvSettings, RejectedRow } from '../../../tables/plan.ts'
import { align } from '../../kernel/kernel.ts'
import { FIELDS_BEGIN, isDelimited, namesFields, toDialect } from './detection/dialect-bytes.ts'
import { fitHeader, splitHeader } from './names.ts'
import { areEmpty, ofProblem, ofWidth, trimFields, RowBatch, type Why } from './row-batch.ts'
import { FINE, NO_ROW, NOT_UTF8, type Tokenizer } from './tokenizer.ts'

const encoder = new TextEncoder()
/** Begins the header that `sar` repeats: 12:00:01 AM. */
const TIME = /^(\d\d:\d\d:\d\d|[AP]M)$/

/** How a row was adjusted, or why a line isn't one. */
export type Adjustment = 'padded' | 'surplus' | 'strayQuotes' | 'outside' | 'repeated'

/** Whether `CsvRows` reads a text with these settings alone; `InspectedRows` reads all. */
export const isPlain = (settings: CsvSettings): boolean =>
  isDelimited(settings) && settings.strayQuotes !== 'text' && (settings.headerRows ?? 1) === 1

/**
 * Turns records into rows with the same number of fields: the `width` in the settings, else that of the header or,
 * without one, of the first row. Surplus empty fields are dropped. Records with fewer fields (unless `shortRows` pads
 * them) or more are rejected, as are those that the tokenizer couldn't read. Blank lines aren't rows, except in a file
 * of one column, where they are nulls or empty texts.
 */
export class CsvRows extends RowBatch {
  /** -1 until the first record has been seen. */
  width = -1
  /** Names as in the file, one per column; null without a header. */
  header: readonly string[] | null = null
  /** Number of fields in the header's record. */
  headerFields = 0
  /** Number of records left out by the settings. */
  leftOut = 0
  /** The first text after the last row, if the settings define that row. */
  firstAfter: string | null = null
  /** Number of non-blank lines after the last row; not counted for one of several tables. */
  linesAfter = 0
  blankLines = 0
  rejectedCount = 0
  /** Data rows so far, including rejected ones. */
  rows = 0
  /** Rejected rows of this batch, up to the limit. */
  rejected: RejectedRow[] = []
  private readonly settings: CsvSettings
  private readonly keep: number
  private readonly unwanted: ReadonlySet<number>
  /** Whether the settings leave out records by line. */
  private readonly picks: boolean
  private readonly trims: boolean
  /** Whether the file is a log with lines that name fields. */
  private readonly hasFieldLines: boolean
  /** Whether a line named other fields than the header, so that the following rows have other columns. */
  protected hasOtherFields = false
  /** The header's bytes, if it's a single row, from its first name that isn't a time of day, and where they begin. */
  protected headerBytes: Uint8Array | null = null
  protected headerFrom = 0
  /** The rows of the header so far, and their lines. */
  readonly headerTexts: (readonly string[])[] = []
  readonly headerLines: number[] = []
  private readonly nullStrings: readonly Uint8Array[]
  private readonly emptyIsNull: boolean
  /** Number of blank lines that may turn out to be rows. */
  protected undecided = 0
  private ended = false

  /**
   * @param tokenizer splits text in the settings' layout
   * @param keep how many rejected rows to keep in total, while the others are only counted
   */
  constructor(settings: CsvSettings, tokenizer: Tokenizer, keep = Number.POSITIVE_INFINITY) {
    super(tokenizer, toDialect(settings))
    this.settings = settings
    this.keep = keep
    this.unwanted = new Set(settings.leaveOut)
    this.picks = this.unwanted.size > 0 || settings.lastLine !== undefined
    this.trims = settings.trim === true || !isDelimited(settings)
    this.hasFieldLines = settings.comment === '#'
    this.emptyIsNull = settings.nullStrings.includes('')
    this.nullStrings = settings.nullStrings.filter((text) => text !== '').map((text) => encoder.encode(text))
  }

  /* `InspectedRows` overrides them: how rows were adjusted, which were of another width, and what few files need. */

  protected note(_what: Adjustment, _record: number): void {
    // Reading doesn't need it.
  }
  protected noteWidth(_fields: number): void {
    // Reading doesn't need it.
  }
  protected noteShort(_record: number, _fields: number, _isRemark: boolean): void {
    // Reading doesn't need it.
  }
  /**
   * Reads a line with misplaced quotes, if it then has the expected number of fields.
   * @returns index of its first field; null if it can't be read this way
   */
  protected loosen(_record: number, _width: number | undefined): number | null {
    return null
  }
  /** The names of the columns, from the rows of the header. */
  protected columnNames([names]: readonly (readonly string[])[]): readonly string[] {
    return names
  }

  push(slice: Uint8Array): void {
    this.tokenizer.push(slice)
  }

  end(): void {
    this.tokenizer.end()
    this.ended = true
  }

  /** Reads the next batch of rows, which may be empty. Returns false if more bytes are needed. */
  next(): boolean {
    const { tokenizer } = this
    this.rejected = []
    const found = tokenizer.next()
    this.begin(tokenizer.records + this.undecided)
    this.made = tokenizer.fieldCount
    if (this.trims) trimFields(tokenizer)
    if (!found) {
      if (!this.ended || this.undecided === 0 || this.settings.header) return false
      this.width = 1
      this.addUndecided()
      this.markNulls()
      return true
    }
    if (this.picks) this.takeWanted()
    else for (let record = 0; record < tokenizer.records; record++) this.take(record)
    this.markNulls()
    return true
  }

  /** The first non-empty text in a record; null if it's blank. */
  private firstText(record: number): string | null {
    const { firstFields } = this.tokenizer
    const texts = this.texts(firstFields[record], firstFields[record + 1] - firstFields[record])
    return texts.map((text) => text.trim()).find(Boolean) ?? null
  }

  /** Adds the records that the settings don't leave out. */
  private takeWanted(): void {
    const { records, lines } = this.tokenizer
    const { lastLine = Number.POSITIVE_INFINITY, blocks } = this.settings
    for (let record = 0; record < records; record++) {
      if (lines[record] > lastLine) {
        const text = this.firstText(record)
        this.firstAfter ??= text
        // One of several tables ends where the next one begins.
        if (blocks === true) return
        if (text !== null) this.linesAfter++
        continue
      }
      if (this.unwanted.has(lines[record])) this.leftOut++
      else this.take(record)
    }
  }

  /** Lets the kernel mark nulls, and tells it the quote and the escape. */
  private markNulls(): void {
    const { emptyIsNull, nullStrings, made, dialect } = this
    const { cells } = this.tokenizer
    cells.kernel.exports.setEscapes(dialect.quote, dialect.escape)
    if (emptyIsNull) cells.kernel.exports.markEmpty(made)
    if (nullStrings.length === 0) return
    const { kernel, free } = cells
    let at = align(free + nullStrings.length * 8)
    for (const [i, text] of nullStrings.entries()) {
      kernel.reserve(at + text.length)
      kernel.words.set([text.length, at], (free >> 2) + i * 2)
      kernel.bytes.set(text, at)
      at += text.length
    }
    kernel.exports.markNulls(made, free, nullStrings.length)
    cells.refresh()
  }

  private take(record: number): void {
    const { tokenizer } = this
    const first = tokenizer.firstFields[record]
    const fields = tokenizer.firstFields[record + 1] - first
    if (this.settings.blankRows === 'leave-out' && fields === this.width && areEmpty(tokenizer, first, fields)) {
      this.leftOut++
      return
    }
    if (tokenizer.isNamesLine(record) && (this.width >= 0 || !this.settings.header)) {
      this.note('outside', record)
      return
    }
    if (this.headerBytes !== null && this.isHeader(record, this.headerBytes)) {
      this.note('repeated', record)
      this.hasOtherFields = false
      if (this.settings.repeatedHeaders === 'leave-out') return
    }
    if (this.hasFieldLines && this.isOfOtherFields(record)) {
      this.rows++
      this.reject(record, () => ({ reason: 'ragged', message: 'The #Fields line above it names other fields.' }))
      return
    }
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
    } else if (problem === NO_ROW) {
      if (!tokenizer.isRule(record)) this.note('outside', record)
    } else if (this.width < 0 && this.settings.header) {
      this.takeHeader(record, first, fields)
    } else {
      if (this.width < 0 && problem === FINE) {
        this.width = this.settings.width ?? fields
        if (this.width === 1) this.addUndecided()
      }
      this.rows++
      if (problem !== FINE) this.takeBroken(record, problem)
      else if (fields === this.width) this.add(first, this.rows, record)
      else if (fields < this.width) this.takeShort(record, first, fields)
      else this.takeLong(record, first, fields)
    }
  }

  /** Whether a record equals the header. */
  private isHeader(record: number, header: Uint8Array): boolean {
    const { bytes, recordStarts, recordEnds } = this.tokenizer
    const start = recordStarts[record] + this.headerFrom
    return recordEnds[record] - start === header.length && header.every((byte, i) => bytes[start + i] === byte)
  }

  /** Whether a record names other fields than the header, or follows one that does. */
  private isOfOtherFields(record: number): boolean {
    const { bytes, recordStarts } = this.tokenizer
    if (bytes[recordStarts[record]] !== HASH) return this.hasOtherFields
    const isNew = this.header !== null && !this.hasOtherFields && namesFields(this.raw(record, FIELDS_BEGIN.length + 1))
    if (isNew) this.hasOtherFields = true
    return this.hasOtherFields
  }

  private takeHeader(record: number, first: number, fields: number): void {
    const { settings } = this
    const isFine = this.tokenizer.problems[record] === FINE
    const loose = isFine ? null : this.loosen(record, settings.width)
    const names = isFine
      ? this.texts(first, fields)
      : loose === null
        ? splitHeader(this.raw(record), this.settings)
        : this.texts(loose, settings.width ?? 0)
    this.headerFields = Math.max(this.headerFields, names.length)
    this.headerTexts.push(fitHeader(names, this.raw(record), settings))
    this.headerLines.push(this.tokenizer.lines[record])
    if (this.headerTexts.length < (settings.headerRows ?? 1)) return
    this.header = this.columnNames(this.headerTexts)
    const { bytes, recordStarts, recordEnds } = this.tokenizer
    const named = isFine ? names.findIndex((name) => !TIME.test(name.trim())) : 0
    if (named > 0) this.headerFrom = this.tokenizer.starts[first + named] - recordStarts[record]
    const from = recordStarts[record] + this.headerFrom
    if (this.headerTexts.length === 1) this.headerBytes = bytes.slice(from, recordEnds[record])
    this.width = this.header.length
  }

  private takeShort(record: number, first: number, fields: number): void {
    const { shortRows } = this.settings
    const isRemark = fields === 1 && this.width > 2
    this.noteWidth(fields)
    this.noteShort(record, fields, isRemark)
    if (shortRows === 'reject' || (shortRows === 'pad-data' && isRemark)) {
      this.reject(record, () => ofWidth(fields, this.width))
    } else {
      this.note('padded', record)
      this.add(this.pad(first, fields, this.width), this.rows, record)
    }
  }

  private takeLong(record: number, first: number, fields: number): void {
    let filled = fields
    while (filled > this.width && areEmpty(this.tokenizer, first + filled - 1, 1)) filled--
    if (filled === this.width) {
      this.note('surplus', record)
      this.add(first, this.rows, record)
    } else {
      this.noteWidth(filled)
      this.reject(record, () => ofWidth(fields, this.width))
    }
  }

  private takeBroken(record: number, problem: number): void {
    const at = problem === NOT_UTF8 || this.settings.strayQuotes !== 'text' ? null : this.loosen(record, this.width)
    if (at === null) {
      this.reject(record, () => ofProblem(problem, this.settings.encoding))
    } else {
      this.note('strayQuotes', record)
      this.add(at, this.rows, record)
    }
  }

  private addUndecided(): void {
    for (; this.undecided > 0; this.undecided--) {
      this.blankLines--
      this.rows++
      this.add(this.pad(0, 0, this.width), this.rows, -1)
    }
  }

  /** @param why called only if the row is kept */
  private reject(record: number, why: () => Why): void {
    if (++this.rejectedCount > this.keep) return
    const line = this.tokenizer.lines[record]
    this.rejected.push({ row: this.rows, line, ...why(), column: null, value: null, raw: this.raw(record) })
  }
}
