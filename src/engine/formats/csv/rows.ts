import { MAX_RAW } from '../../../tables/rejected.ts'
import type { CsvSettings, RejectedRow } from '../../../tables/plan.ts'
import { rejectedValue } from '../../columns/batch-builder.ts'
import type { ColumnInference } from '../../columns/infer/column-inference.ts'
import type { ReadColumn } from '../../columns/read-column.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'
import { align } from '../../kernel/kernel.ts'
import { DelimitedTokenizer } from './delimited.ts'
import { toDialect, unescape, type Dialect } from './detection/dialect-bytes.ts'
import { joinNames } from '../layout/header-rows.ts'
import { fitHeader } from './detection/header.ts'
import { ofProblem, ofWidth } from './why-rejected.ts'
import { isRule, LineTokenizer } from './line-tokenizer.ts'
import { lineBehind, splitLoosely } from './stray-quotes.ts'
import { Tally, TOLD_TEXT } from './tally.ts'
import { areEmpty, trimFields } from './blanks.ts'
import { ESCAPED, FINE, MISSING, NO_ROW, NOT_UTF8, NULL, PLAIN, UNCLOSED_QUOTE } from './tokenizer.ts'
import type { TextSource, Tokenizer } from './tokenizer.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** How many rows of a batch there is room for at first: much is read for its first ones alone. */
const FIRST_ROWS = 1 << 9

/** What values go to, such as a column's builder. */
export interface ColumnTarget {
  /** False: it isn't a value for this column. */
  appendText(bytes: Uint8Array, start: number, end: number): boolean
  appendNull(): void
}

/**
 * Turns records into rows of equally many fields: of the settings' `width`, else of as many as the header or, without
 * one, the first row has. Surplus fields that are empty are dropped; whatever has fewer fields (if `shortRows` doesn't pad
 * it) or more is rejected, as is what the tokenizer couldn't read. Blank lines are no rows, except in a file of one
 * column, where they're how a null or an empty text is written.
 */
export class CsvRows {
  readonly tokenizer: Tokenizer
  readonly dialect: Dialect
  /** -1 until the first record has been seen. */
  width = -1
  /** Names as the file has them, as many as there are columns; null without a header. */
  header: readonly string[] | null = null
  /** How many fields the header's record has. */
  headerFields = 0
  /* What was done to rows so that they fit. */
  readonly padded = new Tally()
  readonly surplus = new Tally()
  readonly strayQuotes = new Tally()
  /** Lines outside of a drawn table. */
  readonly outside = new Tally()
  /** How many rows have how many fields, where that isn't the width; empty ones at the end don't count. */
  readonly otherWidths = new Map<number, number>()
  /** Records that the settings name, and left out. */
  leftOut = 0
  /** The first text behind the last row, where the settings say which that is. */
  firstBehind: string | null = null
  /** Lines behind the last one that hold something; not of one of several tables. */
  behind = 0
  blankLines = 0
  rejectedCount = 0
  /** Data rows so far, rejected ones counted. */
  rows = 0
  /* The batch: rows that have the right shape. */
  count = 0
  /** Index of each row's first field in the tokenizer's arrays. */
  first = new Int32Array(FIRST_ROWS)
  /** Number among the data rows, from 1. */
  numbers = new Float64Array(FIRST_ROWS)
  /** Index of each row's record in the tokenizer's batch; -1 for a blank line of an earlier one. */
  records = new Int32Array(FIRST_ROWS)
  /** Rows of this batch that were rejected; no more than asked for. */
  rejected: RejectedRow[] = []
  private readonly settings: CsvSettings
  private readonly keep: number
  private readonly unwanted: ReadonlySet<number>
  /** Whether some records are left out by their line. */
  private readonly picks: boolean
  private readonly trims: boolean
  /** The rows of the header so far, and their lines. */
  readonly headerTexts: (readonly string[])[] = []
  readonly headerLines: number[] = []
  private readonly nullStrings: readonly Uint8Array[]
  private readonly emptyIsNull: boolean
  private scratch = new Uint8Array(1024)
  /** How many fields there are with those that are made here, which are behind the tokenizer's. */
  made = 0
  /** Blank lines before anything says whether they're rows. */
  private undecided = 0
  private ended = false

  /**
   * @param options `keep` how many rejected rows to keep in all: the others are counted; `cells` a memory that nobody
   * else uses any more
   */
  constructor(
    settings: CsvSettings,
    { keep = Number.POSITIVE_INFINITY, cells }: { readonly keep?: number; readonly cells?: CellMemory } = {},
  ) {
    this.settings = settings
    this.keep = keep
    this.unwanted = new Set(settings.leaveOut)
    this.picks = this.unwanted.size > 0 || settings.lastLine !== undefined
    this.dialect = toDialect(settings)
    const isDelimited = (settings.layout ?? 'delimited') === 'delimited'
    const options = cells ? { cells } : {}
    this.tokenizer = isDelimited ? new DelimitedTokenizer(this.dialect, options) : new LineTokenizer(settings, options)
    this.trims = settings.trim === true || !isDelimited
    this.emptyIsNull = settings.nullStrings.includes('')
    this.nullStrings = settings.nullStrings.filter((text) => text !== '').map((text) => encoder.encode(text))
  }

  /** For the rest of a file, from the beginning of a record on, when these rows are its first ones. */
  rest(keep: number): CsvRows {
    const rest = new CsvRows({ ...this.settings, skipLines: 0 }, { keep })
    rest.width = this.width
    rest.header = this.header
    rest.headerFields = this.headerFields
    return rest
  }

  /** Whether how many fields rows have is known, and all bytes so far are of whole records. */
  get isBetween(): boolean {
    return this.width >= 0 && this.undecided === 0 && this.tokenizer.betweenRecords
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

  /** The first text of a record that isn't empty; null of a blank one. */
  private firstText(record: number): string | null {
    const { firstFields } = this.tokenizer
    for (let field = firstFields[record]; field < firstFields[record + 1]; field++) {
      const text = this.text(field).trim()
      if (text !== '') return text
    }
    return null
  }

  /** Takes the records that the settings don't leave out. */
  private takeWanted(): void {
    const { records, lines } = this.tokenizer
    const { lastLine = Number.POSITIVE_INFINITY, blocks } = this.settings
    for (let record = 0; record < records; record++) {
      if (lines[record] > lastLine) {
        const text = this.firstText(record)
        this.firstBehind ??= text
        // Of several tables, each ends where the next one begins.
        if (blocks === true) return
        if (text !== null) this.behind++
        continue
      }
      if (this.unwanted.has(lines[record])) this.leftOut++
      else this.take(record)
    }
  }

  /** Tells the kernel which cells are nulls, and what stands for quotes in them. */
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
      if (!this.isDrawn(record)) this.tell(this.outside, record)
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

  /** Whether a record is none of the table's: a drawn line, or one outside of a drawn table. */
  isNoRow(record: number): boolean {
    return this.tokenizer.problems[record] === NO_ROW
  }

  private isDrawn(record: number): boolean {
    const { bytes, recordStarts, recordEnds } = this.tokenizer
    return isRule(bytes, recordStarts[record], recordEnds[record])
  }

  private takeHeader(record: number, first: number, fields: number): void {
    const { settings } = this
    const isFine = this.tokenizer.problems[record] === FINE
    const loose = isFine ? null : this.loosen(record, settings.width)
    const names = isFine
      ? this.texts(first, fields)
      : loose === null
        ? this.brokenHeader(record)
        : this.texts(loose, settings.width ?? 0)
    this.headerFields = Math.max(this.headerFields, names.length)
    this.headerTexts.push(fitHeader(names, this.raw(record), settings))
    this.headerLines.push(this.tokenizer.lines[record])
    if (this.headerTexts.length < (settings.headerRows ?? 1)) return
    this.header = joinNames(this.headerTexts)
    this.width = this.header.length
  }

  private takeShort(record: number, first: number, fields: number): void {
    const { shortRows } = this.settings
    const isRemark = fields === 1 && this.width > 2
    this.countWidth(fields)
    if (shortRows === 'reject' || (shortRows === 'pad-data' && isRemark)) {
      this.reject(record, () => ofWidth(fields, this.width))
    } else {
      this.tell(this.padded, record)
      this.add(this.pad(first, fields), this.rows, record)
    }
  }

  private takeLong(record: number, first: number, fields: number): void {
    const { starts, ends, kinds } = this.tokenizer
    let filled = fields
    while (
      filled > this.width &&
      (kinds[first + filled - 1] === PLAIN || kinds[first + filled - 1] === NULL) &&
      starts[first + filled - 1] === ends[first + filled - 1]
    )
      filled--
    if (filled === this.width) {
      this.tell(this.surplus, record)
      this.add(first, this.rows, record)
    } else {
      this.countWidth(filled)
      this.reject(record, () => ofWidth(fields, this.width))
    }
  }

  private takeBroken(record: number, problem: number): void {
    const at = problem === NOT_UTF8 || this.settings.strayQuotes !== 'text' ? null : this.loosen(record, this.width)
    if (at === null) {
      this.reject(record, () => ofProblem(problem, this.settings.encoding))
    } else {
      this.tell(this.strayQuotes, record)
      this.add(at, this.rows, record)
    }
  }

  countWidth(fields: number, rows = 1): void {
    this.otherWidths.set(fields, (this.otherWidths.get(fields) ?? 0) + rows)
  }

  private tell(tally: Tally, record: number): void {
    tally.add(this.tokenizer.lines[record], () => this.raw(record, TOLD_TEXT))
  }

  /**
   * Reads a line whose quotes are in the wrong place, if it has as many fields as wanted then.
   * @returns where its fields are; null if it can't be read so
   */
  private loosen(record: number, width: number | undefined): number | null {
    const { tokenizer, dialect } = this
    const { bytes, recordStarts, recordEnds } = tokenizer
    const fields = splitLoosely(bytes, recordStarts[record], recordEnds[record], dialect)
    if (fields.length !== width) return null
    // With a quote that is open at the end of the line, the lines behind may be the rest of its text.
    if (tokenizer.problems[record] === UNCLOSED_QUOTE) {
      const { start, end } = lineBehind(bytes, recordEnds[record], tokenizer.size)
      if (end > start && splitLoosely(bytes, start, end, dialect).length !== width) return null
    }
    const at = this.makeRoom()
    for (const [i, { start, end, kind }] of fields.entries()) {
      tokenizer.starts[at + i] = start
      tokenizer.ends[at + i] = end
      tokenizer.kinds[at + i] = kind
    }
    return at
  }

  /** Takes the blanks off unquoted fields. */
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
    const at = this.makeRoom()
    const { starts, ends, kinds } = this.tokenizer
    for (let i = 0; i < this.width; i++) {
      starts[at + i] = i < fields ? starts[first + i] : 0
      ends[at + i] = i < fields ? ends[first + i] : 0
      kinds[at + i] = i < fields ? kinds[first + i] : MISSING
    }
    return at
  }

  /** Room for the fields of a row, behind all others. */
  private makeRoom(): number {
    const at = this.made
    const size = Math.max(this.width, this.settings.width ?? 0)
    while (at + size > this.tokenizer.kinds.length) this.tokenizer.cells.growFields()
    this.made = at + size
    return at
  }

  /** Leaves some rows of the batch out. */
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

  private grow(): void {
    const grown = <T extends Int32Array | Float64Array>(from: T, to: T): T => {
      to.set(from)
      return to
    }
    const size = this.first.length * 2
    this.first = grown(this.first, new Int32Array(size))
    this.numbers = grown(this.numbers, new Float64Array(size))
    this.records = grown(this.records, new Int32Array(size))
  }

  /**
   * Appends one column of the batch, from row `from` up to `to`. Stops at a value that is refused.
   * @returns whether all were taken
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

  /** `appendColumn` for all rows; a loop of its own, so that the engine can inline what is called in it. */
  observeColumn(column: number, inference: ColumnInference): void {
    const { tokenizer, first, numbers, count } = this
    const { bytes, starts, ends, kinds } = tokenizer
    // Rejected rows have numbers, too.
    const gaps = count > 0 && numbers[count - 1] - numbers[0] !== count - 1
    if (count > 0) inference.seekRow(numbers[0])
    for (let row = 0; row < count; row++) {
      if (gaps) inference.seekRow(numbers[row])
      const field = first[row] + column
      const kind = kinds[field]
      if (kind >= MISSING) {
        inference.observeNull()
      } else if (kind === ESCAPED) {
        const length = this.unescape(starts[field], ends[field])
        inference.observe(this.scratch, 0, length)
      } else {
        inference.observe(bytes, starts[field], ends[field])
      }
    }
  }

  /** Takes the escapes out of a field, into `scratch`; gives its length there. */
  private unescape(start: number, end: number): number {
    if (this.scratch.length < end - start) this.scratch = new Uint8Array((end - start) * 2)
    return unescape(this.tokenizer.bytes, start, end, this.dialect, this.scratch)
  }

  refuse(row: number, column: ReadColumn): RejectedRow {
    const record = this.records[row]
    const line = record < 0 ? null : this.tokenizer.lines[record]
    const value = this.text(this.first[row] + column.index)
    return rejectedValue(column, value, { row: this.numbers[row], line, raw: this.raw(record) })
  }

  /**
   * The value of a field as a string.
   * @param source what knows the tokenizer's bytes as text
   */
  text(field: number, source: TextSource = this.tokenizer): string {
    const { starts, ends, kinds } = this.tokenizer
    const [start, end] = [starts[field], ends[field]]
    if (kinds[field] !== ESCAPED) return source.slice(start, end)
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

  /**
   * The record's text as it stands in the file.
   * @param most characters
   * @param source what knows the tokenizer's bytes as text
   */
  raw(record: number, most = MAX_RAW, source: TextSource = this.tokenizer): string {
    if (record < 0) return ''
    const { recordStarts, recordEnds } = this.tokenizer
    const end = Math.min(recordEnds[record], recordStarts[record] + most * 4)
    return source.slice(recordStarts[record], end).slice(0, most)
  }

  /** @param why asked of rows that are kept alone */
  private reject(record: number, why: () => Pick<RejectedRow, 'reason' | 'message'>): void {
    if (++this.rejectedCount > this.keep) return
    const line = this.tokenizer.lines[record]
    this.rejected.push({ row: this.rows, line, ...why(), column: null, value: null, raw: this.raw(record) })
  }
}
