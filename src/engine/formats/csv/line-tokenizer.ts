import { BACKSLASH, CR, LF, SPACE, TAB } from '../../../lib/ascii.ts'
import type { CsvSettings } from '../../../tables/plan.ts'
import { toDialect } from './detection/dialect-bytes.ts'
import { FINE, NO_ROW, PLAIN, Tokenizer, type TokenizerOptions } from './tokenizer.ts'

/** `-`, `=`, `+`, `|`, `:`, blank: what lines are drawn with, box-drawing characters aside. */
const DRAWN = new Set([0x2d, 0x3d, 0x2b, 0x7c, 0x3a, SPACE, TAB])
const DASHES = new Set([0x2d, 0x3d])
/** A line of dashes is one from so many on. */
const RULE = 3

export type LineSettings = Pick<CsvSettings, 'delimiter' | 'comment' | 'skipLines' | 'layout' | 'columnStarts'>

/** Whether a line is drawn, as those around the header of a table are: no row. */
export function isRule(bytes: Uint8Array, start: number, end: number): boolean {
  let dashes = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (DASHES.has(byte)) {
      dashes++
    } else if (byte === 0xe2 && (bytes[at + 1] === 0x94 || bytes[at + 1] === 0x95)) {
      // U+2500 to U+257F, except the upright ones between cells.
      const upright = bytes[at + 1] === 0x94 && (bytes[at + 2] === 0x82 || bytes[at + 2] === 0x83)
      if (!upright) dashes++
      at += 2
    } else if (!DRAWN.has(byte)) {
      return false
    }
  }
  return dashes >= RULE
}

/**
 * Splits lines whose cells are divided by drawn lines or by their place. A line is a record; there are no quotes, and
 * blanks around a cell are left to who reads it. Lines that are but drawn are no rows, nor are those of a framed table in
 * which nothing separates cells.
 */
export class LineTokenizer extends Tokenizer {
  private readonly fixed: readonly number[] | null
  private readonly mark: Uint8Array

  constructor(settings: LineSettings, options: TokenizerOptions = {}) {
    super(toDialect({ ...settings, quote: null, escape: null }), false, options)
    this.fixed = settings.layout === 'fixed' ? (settings.columnStarts ?? [0]) : null
    this.mark = new TextEncoder().encode(settings.delimiter)
  }

  protected override scanRecord(): boolean {
    if (!this.isWithinRecord()) return false
    const { bytes, length } = this
    let end = this.pos
    while (bytes[end] !== LF && bytes[end] !== CR) end++
    end = Math.min(end, length)
    this.pos = end
    if (!this.final && (end === length || (bytes[end] === CR && end + 1 === length))) return false
    const isRow = !isRule(bytes, this.recordStart, end)
    if (isRow && this.fixed) this.splitAt(this.fixed, end)
    else if (isRow) this.splitFrame(end)
    const isOutside = this.fixed === null && this.field - this.openField === 1 && !this.isMark(this.recordStart, end)
    this.endRecord(isRow && !(isOutside && end > this.recordStart) ? FINE : NO_ROW, end)
    return true
  }

  /** Each column begins so many characters after the line's beginning. A line that goes on where one begins has one field. */
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
    const { bytes, mark } = this
    let from = this.recordStart
    // With a line at its left end, a row has one at its right end, too.
    const closed = this.isMark(from, end)
    if (closed) from += mark.length
    for (let at = from; at < end; at++) {
      if (!this.isMark(at, end) || bytes[at - 1] === BACKSLASH) continue
      this.addField(from, at, PLAIN)
      at += mark.length - 1
      from = at + 1
    }
    let last = end
    while (last > from && isBlank(bytes[last - 1])) last--
    if (!closed || last > from) this.addField(from, end, PLAIN)
  }

  private isMark(at: number, end: number): boolean {
    const { bytes, mark } = this
    if (at + mark.length > end) return false
    for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false
    return true
  }
}

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB
