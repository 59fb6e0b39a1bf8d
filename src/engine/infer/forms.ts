import type { Rewritten, ValueFormat } from '../../tables/plan.ts'
import { printType, type ColumnType } from '../../tables/types.ts'
import { ByteWriter } from '../../lib/bytes.ts'
import { makeColumnBuilder } from '../arrow/builder.ts'
import { cellToString } from '../arrow/text.ts'
import { writeDouble } from '../arrow/write/floats.ts'
import type { Findings } from './conclude.ts'
import * as kinds from './kinds.ts'

const ZERO = 0x30
const DASH = 0x2d
const DOT = 0x2e
const SPACE = 0x20
const LETTER_T = 0x54
/** Decimals have at most 38 digits. */
const SCALES = 40
/** Decimals of so many digits are exactly what is printed of their double. */
const SURE_DIGITS = 15
const MAX_SAMPLE = 60
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** The beginning of a value, to be shown. */
export function sample(bytes: Uint8Array, start: number, end: number): string {
  const cut = Math.min(end, start + MAX_SAMPLE)
  const text = decoder.decode(bytes.subarray(start, cut))
  return cut < end ? `${text.replace(/\ufffd+$/, '')}…` : text
}

/** Values that aren't written as some type writes its values: how many by kind, and the first of each. */
class Others {
  readonly counts = new Float64Array(kinds.KINDS)
  readonly texts: string[] = Array.from({ length: kinds.KINDS }, () => '')

  add(kind: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.counts[kind]++ === 0) this.texts[kind] = sample(bytes, start, end)
  }

  merge(later: OthersFound): void {
    for (const [kind, count] of later.counts.entries()) {
      if (count > 0 && this.counts[kind] === 0) this.texts[kind] = later.texts[kind]
      this.counts[kind] += count
    }
  }
}
type OthersFound = Pick<Others, 'counts' | 'texts'>

/** `FormStats` as plain data. */
export interface FormFindings {
  readonly text: OthersFound
  readonly json: OthersFound
  readonly scales: Float64Array
  readonly bare: number
  readonly bareText: string
  readonly least: number
  readonly leastText: string
}

/** How the values of a column are written: what their text becomes when they're written as values of a type. */
export class FormStats {
  /** Not in the canonical text of their kind; numbers: of a double. */
  private readonly text = new Others()
  /** Timestamps that aren't as JSON has them. */
  private readonly json = new Others()
  /** Decimals by their digits behind the point. */
  private readonly scales = new Float64Array(SCALES)
  /** Decimals that begin with the point. */
  private bare = 0
  private bareText = ''
  /** The fewest digits behind the point. */
  private least = SCALES
  private leastText = ''

  /**
   * Takes in a value of a kind.
   * @param digits behind the point, of a decimal or of seconds
   */
  take(kind: number, digits: number, bytes: Uint8Array, start: number, end: number): void {
    switch (kind) {
      case kinds.DECIMAL:
        this.decimal(digits, bytes, start, end)
        break
      case kinds.EXPONENT:
      case kinds.SPECIAL:
        if (!isDoubleText(bytes, start, end)) this.text.add(kind, bytes, start, end)
        break
      case kinds.BOOLEAN: {
        let letters = 0x20
        for (let at = start; at < end; at++) letters &= bytes[at]
        if (letters === 0) this.text.add(kind, bytes, start, end)
        break
      }
      case kinds.TIME:
        if (digits > 0 && bytes[end - 1] === ZERO) this.text.add(kind, bytes, start, end)
        break
      case kinds.TIMESTAMP:
      case kinds.ZONED:
        this.moment(kind, digits, bytes, start, end)
        break
      default:
    }
  }

  private decimal(digits: number, bytes: Uint8Array, start: number, end: number): void {
    const first = bytes[start] === DASH ? start + 1 : start
    if (digits < this.least) {
      this.least = digits
      this.leastText = sample(bytes, start, end)
    }
    if (bytes[first] === DOT) {
      if (this.bare++ === 0) this.bareText = sample(bytes, start, end)
    } else {
      this.scales[Math.min(digits, SCALES - 1)]++
    }
    const small = bytes[first] === ZERO && bytes[first + 2] === ZERO && bytes[first + 3] === ZERO
    const sure = bytes[first] !== DOT && end - first <= SURE_DIGITS && !small
    const same = sure ? bytes[end - 1] !== ZERO || digits === 1 : isDoubleText(bytes, start, end)
    if (!same) this.text.add(kinds.DECIMAL, bytes, start, end)
  }

  private moment(kind: number, digits: number, bytes: Uint8Array, start: number, end: number): void {
    const seconds = start + 19 + (digits > 0 ? digits + 1 : 0)
    const short = digits === 0 || bytes[seconds - 1] !== ZERO
    const zone = kind === kinds.ZONED ? end - seconds : 0
    const utc = zone === 3 && bytes[seconds] === 0x2b && bytes[seconds + 1] === ZERO && bytes[seconds + 2] === ZERO
    const between = bytes[start + 10]
    if (!short || between !== SPACE || (zone > 0 && !utc)) this.text.add(kind, bytes, start, end)
    if (!short || between !== LETTER_T || zone > 1) this.json.add(kind, bytes, start, end)
  }

  findings(): FormFindings {
    const { text, json, scales, bare, bareText, least, leastText } = this
    const plain = ({ counts, texts }: Others): OthersFound => ({ counts, texts })
    return { text: plain(text), json: plain(json), scales, bare, bareText, least, leastText }
  }

  /** Takes in how later values are written. */
  merge(later: FormFindings): void {
    this.text.merge(later.text)
    this.json.merge(later.json)
    for (const [scale, count] of later.scales.entries()) this.scales[scale] += count
    if (this.bare === 0) this.bareText = later.bareText
    this.bare += later.bare
    if (later.least < this.least) {
      this.least = later.least
      this.leastText = later.leastText
    }
  }
}

function isDoubleText(bytes: Uint8Array, start: number, end: number): boolean {
  const text = decoder.decode(bytes.subarray(start, end))
  const out = new ByteWriter(32)
  writeDouble(out, Number(text))
  return decoder.decode(out.view()) === text
}

/** What becomes of a column's texts when they're values of a type: as text, and as JSON where that is another form. */
export function rewritten(
  findings: Findings,
  type: ColumnType,
  format?: ValueFormat,
): { readonly text: Rewritten; readonly json: Rewritten } {
  const [count, from] = othersOf(findings, type)
  const text = told(count, from, type, format, (to) => to)
  const { json } = findings.forms
  const kind = [kinds.TIMESTAMP, kinds.ZONED].find((each) => json.counts[each] > 0)
  if (type.kind !== 'scalar' || !type.name.startsWith('TIMESTAMP')) return { text, json: text }
  const inJson = (to: string): string => to.replace(' ', 'T').replace(/\+00$/, 'Z')
  return { text, json: kind ? told(json.counts[kind], json.texts[kind], type, format, inJson) : { count: 0 } }
}

function othersOf({ counts, firstTexts, forms }: Findings, type: ColumnType): [count: number, first: string] {
  const { text, scales, bare, bareText, least, leastText } = forms
  const first = (...of: number[]): string => of.map((kind) => text.texts[kind]).find(Boolean) ?? ''
  const total = (...of: number[]): number => of.reduce((sum, kind) => sum + text.counts[kind], 0)
  if (type.kind === 'decimal') {
    const short = scales.subarray(0, type.scale).reduce((sum, count) => sum + count, 0)
    const whole = type.scale > 0 ? counts[kinds.INTEGER] : 0
    const shown = least < type.scale ? leastText : bareText || firstTexts[kinds.INTEGER]
    return [bare + short + whole, shown]
  }
  const name = printType(type)
  if (name === 'DATE') return [counts[kinds.STYLED_DATE], firstTexts[kinds.STYLED_DATE]]
  if (name === 'DOUBLE') {
    const whole = counts[kinds.INTEGER] + counts[kinds.MINUS_ZERO]
    const shown = first(kinds.DECIMAL, kinds.EXPONENT, kinds.SPECIAL)
    const count = whole + total(kinds.DECIMAL, kinds.EXPONENT, kinds.SPECIAL)
    return [count, shown || firstTexts[kinds.INTEGER] || firstTexts[kinds.MINUS_ZERO]]
  }
  const own = OWN_KIND.get(name)
  return own === undefined ? [0, ''] : [text.counts[own], text.texts[own]]
}

const OWN_KIND: ReadonlyMap<string, number> = new Map([
  ['BOOLEAN', kinds.BOOLEAN],
  ['TIME', kinds.TIME],
  ['TIMESTAMP', kinds.TIMESTAMP],
  ['TIMESTAMP_NS', kinds.TIMESTAMP],
  ['TIMESTAMP WITH TIME ZONE', kinds.ZONED],
])

function told(
  count: number,
  from: string,
  type: ColumnType,
  format: ValueFormat | undefined,
  form: (text: string) => string,
): Rewritten {
  if (count === 0) return { count }
  const bytes = encoder.encode(from)
  const builder = makeColumnBuilder(type, format)
  // A long value, of which only the beginning is known, may be none.
  if (!builder.appendText(bytes, 0, bytes.length)) return { count }
  const to = cellToString(type, builder.finish(), 0)
  return to === null ? { count } : { count, example: { from, to: form(to) } }
}
