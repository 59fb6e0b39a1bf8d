import * as kinds from './kinds.ts'
import { DASH, DOT, SPACE, ZERO } from '../../../lib/ascii.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { writeDouble } from '../../arrow/write/floats.ts'
import type { NonCanonical, Spellings, ColumnStats, InferredType } from './column-stats.ts'
import type { Rewritten, ValueFormat } from '../../../tables/plan.ts'
import { printType, type ColumnType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { makeColumnBuilder } from '../builder.ts'
import { appendTexts } from '../column-builder.ts'

const LETTER_T = 0x54
/** The bit by which ASCII's lower case differs from upper case. */
const LOWER = 0x20
/** A double keeps all decimals with at most this many digits. */
const SURE_DIGITS = 15
const MAX_SAMPLE = 60
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The beginning of a value, as an example in messages. */
export function sample(bytes: Uint8Array, start: number, end: number): string {
  const cut = Math.min(end, start + MAX_SAMPLE)
  const text = decoder.decode(bytes.subarray(start, cut))
  return cut < end ? `${text.replace(/\ufffd+$/, '')}…` : text
}

/** Counts texts, and keeps the first of them. */
export class Tally {
  count = 0
  text = ''

  add(bytes: Uint8Array, start: number, end: number): void {
    if (this.count++ === 0) this.text = sample(bytes, start, end)
  }

  merge(later: Pick<Tally, 'count' | 'text'>): void {
    this.text ||= later.text
    this.count += later.count
  }
}

/** By kind: the number of values that aren't in canonical form, and the first of them. */
class NonCanonicalCounts implements NonCanonical {
  readonly counts = new Float64Array(kinds.KINDS)
  readonly texts: string[] = Array.from({ length: kinds.KINDS }, () => '')

  add(kind: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.counts[kind]++ === 0) this.texts[kind] = sample(bytes, start, end)
  }

  merge(later: NonCanonical): void {
    for (const [kind, count] of later.counts.entries()) {
      if (count > 0 && this.counts[kind] === 0) this.texts[kind] = later.texts[kind]
      this.counts[kind] += count
    }
  }
}

/** Counts the values of a column that aren't in the canonical form of their kind. */
export class SpellingStats implements Spellings {
  readonly text = new NonCanonicalCounts()
  readonly json = new NonCanonicalCounts()
  pointFirst: number[] = []
  pointFirstText = ''
  leastScale = Number.POSITIVE_INFINITY
  leastScaleText = ''

  /**
   * Adds a value. Values in the usual form aren't counted.
   * @param digits digits after the point, of a decimal or of seconds
   * @param exact whether a double keeps all of a decimal's digits
   */
  observe(kind: number, digits: number, exact: boolean, bytes: Uint8Array, start: number, end: number): void {
    if (kind === kinds.DECIMAL) {
      const first = bytes[start]
      const plain = first > ZERO && bytes[end - 1] !== ZERO && end - start <= SURE_DIGITS
      if (!plain || digits < this.leastScale) this.decimal(digits, exact, bytes, start, end)
    } else if (kind === kinds.BOOLEAN) {
      const letters = bytes[start] & bytes[start + 1] & bytes[start + 2] & bytes[start + 3] & bytes[end - 1]
      if ((letters & LOWER) === 0) this.text.add(kind, bytes, start, end)
    } else if (kind === kinds.TIMESTAMP || kind === kinds.ZONED) {
      this.moment(kind, digits, bytes, start, end)
    } else if (kind === kinds.TIME) {
      if (digits > 0 && bytes[end - 1] === ZERO) this.text.add(kind, bytes, start, end)
    } else if (kind === kinds.EXPONENT || kind === kinds.SPECIAL) {
      if (!isDoubleText(bytes, start, end)) this.text.add(kind, bytes, start, end)
    }
  }

  private decimal(digits: number, exact: boolean, bytes: Uint8Array, start: number, end: number): void {
    const first = bytes[start] === DASH ? start + 1 : start
    if (digits < this.leastScale) {
      this.leastScale = digits
      this.leastScaleText = sample(bytes, start, end)
    }
    if (bytes[first] === DOT) {
      this.pointFirstText ||= sample(bytes, start, end)
      this.pointFirst[digits] = (this.pointFirst[digits] ?? 0) + 1
    }
    const small = bytes[first] === ZERO && bytes[first + 2] === ZERO && bytes[first + 3] === ZERO
    const plain = bytes[first] !== DOT && !small
    const zero = bytes[end - 1] === ZERO
    const same =
      plain && !zero ? exact : plain && end - first <= SURE_DIGITS ? digits === 1 : isDoubleText(bytes, start, end)
    if (!same) this.text.add(kinds.DECIMAL, bytes, start, end)
  }

  private moment(kind: number, digits: number, bytes: Uint8Array, start: number, end: number): void {
    const seconds = start + 19 + (digits > 0 ? digits + 1 : 0)
    const short = digits === 0 || bytes[seconds - 1] !== ZERO
    const zone = end - seconds
    const utc = zone === 3 && bytes[seconds] === 0x2b && bytes[seconds + 1] === ZERO && bytes[seconds + 2] === ZERO
    const between = bytes[start + 10]
    if (!short || between !== SPACE || (zone > 0 && !utc)) this.text.add(kind, bytes, start, end)
    if (!short || between !== LETTER_T || zone > 1) this.json.add(kind, bytes, start, end)
  }

  merge(later: Spellings): void {
    this.text.merge(later.text)
    this.json.merge(later.json)
    const longest = Math.max(this.pointFirst.length, later.pointFirst.length)
    this.pointFirst = Array.from({ length: longest }, (_, i) => (this.pointFirst[i] ?? 0) + (later.pointFirst[i] ?? 0))
    this.pointFirstText ||= later.pointFirstText
    if (later.leastScale < this.leastScale) {
      this.leastScale = later.leastScale
      this.leastScaleText = later.leastScaleText
    }
  }
}

function isDoubleText(bytes: Uint8Array, start: number, end: number): boolean {
  const text = decoder.decode(bytes.subarray(start, end))
  const out = new ByteWriter(32)
  writeDouble(out, Number(text))
  return decoder.decode(out.view()) === text
}

/**
 * How many texts of a column our output would write differently as values of the type: text output, and JSON if it
 * differs.
 */
export function rewritten(
  stats: ColumnStats,
  { type, format, rewrites }: InferredType,
): { readonly text: Rewritten; readonly json: Rewritten } {
  const inJson = (to: string): string => to.replace(' ', 'T').replace(/\+00$/, 'Z')
  if (rewrites) {
    const text = rewriteOf(rewrites.count, rewrites.from, type, format, (to) => to)
    if (!printType(type).startsWith('TIMESTAMP')) return { text, json: text }
    const { count, from } = rewrites.json ?? rewrites
    return { text, json: rewriteOf(count, from, type, format, inJson) }
  }
  const [count, from] = nonCanonicalOf(stats, type)
  const text = rewriteOf(count, from, type, format, (to) => to)
  const { json } = stats.spellings
  const kind = [kinds.TIMESTAMP, kinds.ZONED].find((each) => json.counts[each] > 0)
  if (type.kind !== 'scalar' || !type.name.startsWith('TIMESTAMP')) return { text, json: text }
  return { text, json: kind ? rewriteOf(json.counts[kind], json.texts[kind], type, format, inJson) : { count: 0 } }
}

function nonCanonicalOf(
  { counts, firstTexts, numbers, spellings }: ColumnStats,
  type: ColumnType,
): [count: number, first: string] {
  const { text, pointFirst, pointFirstText, leastScale, leastScaleText } = spellings
  const first = (...of: number[]): string => of.map((kind) => text.texts[kind]).find(Boolean) ?? ''
  const total = (...of: number[]): number => kinds.sum(text.counts, ...of)
  if (type.kind === 'decimal') {
    const short = counts[kinds.INTEGER] + counts[kinds.DECIMAL] - numbers.atMaxScale
    const shown = leastScale < type.scale ? leastScaleText : pointFirstText || firstTexts[kinds.INTEGER]
    return [short + (pointFirst[type.scale] ?? 0), shown]
  }
  const name = printType(type)
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
  ['INTERVAL', kinds.TIME],
  ['TIMESTAMP', kinds.TIMESTAMP],
  ['TIMESTAMP_NS', kinds.TIMESTAMP],
  ['TIMESTAMP WITH TIME ZONE', kinds.ZONED],
])

/** A count of changed values, with an example of one before and after. */
export function rewriteOf(
  count: number,
  from: string,
  type: ColumnType,
  format: ValueFormat | undefined,
  form: (text: string) => string,
): Rewritten {
  if (count === 0) return { count }
  const builder = makeColumnBuilder(type, format)
  // The example may be truncated, and then not be a valid value.
  if (!appendTexts(builder, [from])) return { count }
  const to = cellToString(type, builder.finish(), 0)
  return to === null ? { count } : { count, example: { from, to: form(to) } }
}
