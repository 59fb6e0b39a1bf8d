import type { ScalarType } from '../../../tables/types.ts'
import { INFINITE_DAYS, SECONDS_PER_DAY } from '../../arrow/calendar.ts'
import { isInfinite } from '../../arrow/write/moments.ts'
import { equalsIgnoringCase } from '../text-bytes.ts'
import { IsoParser, type MomentParser } from './iso.ts'
import { hasDateParts, momentParser, PatternParser } from './pattern.ts'
import { WordsBuilder } from './flat.ts'

const TWO_32 = 4_294_967_296

/** 1 for `infinity`, -1 for `-infinity`, 0 for other texts. */
function infinitySign(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === 0x2d
  if (!equalsIgnoringCase(bytes, negative ? start + 1 : start, end, 'infinity')) return 0
  return negative ? -1 : 1
}

/** DATE: ISO, by a pattern, or `infinity`. A timestamp counts only at midnight. */
export class DateBuilder extends WordsBuilder {
  private readonly parser: MomentParser

  constructor(type: ScalarType, pattern: string | undefined) {
    super(type, 1)
    this.parser = momentParser(pattern)
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const { parser } = this
    if (!parser.parse(bytes, start, end)) {
      const sign = infinitySign(bytes, start, end)
      return sign !== 0 && this.push(sign * INFINITE_DAYS)
    }
    const { days } = parser
    if (parser.seconds !== 0 || parser.nanos !== 0 || parser.hasOffset) return false
    if (days >= INFINITE_DAYS || days < -INFINITE_DAYS - 1 || days === -INFINITE_DAYS) return false
    return this.push(days)
  }

  private push(days: number): true {
    const row = this.length
    if (row === this.capacity) this.grow()
    this.words[row] = days
    this.validity.setValid(row)
    this.length = row + 1
    return true
  }
}

/** TIME: `HH:MM[:SS[.ffffff]]` up to `24:00:00`, or by a pattern without a date. */
export class TimeBuilder extends WordsBuilder {
  private readonly iso = new IsoParser()
  private readonly pattern: PatternParser | null

  constructor(type: ScalarType, pattern: string | undefined) {
    super(type, 2)
    this.pattern = pattern === undefined || hasDateParts(pattern) ? null : new PatternParser(pattern, false)
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const { pattern, iso } = this
    const isPattern = pattern !== null && pattern.parse(bytes, start, end)
    if (isPattern ? pattern.hasOffset : iso.time(bytes, start, end, true) !== end) return false
    const parser: MomentParser = isPattern ? pattern : iso
    if (parser.nanos % 1000 !== 0) return false
    const micros = parser.seconds * 1e6 + parser.nanos / 1000
    const row = this.length
    if (row === this.capacity) this.grow()
    this.words[row * 2] = micros
    this.words[row * 2 + 1] = Math.floor(micros / TWO_32)
    this.validity.setValid(row)
    this.length = row + 1
    return true
  }
}

const UNITS_PER_SECOND = new Map<string, number>([
  ['TIMESTAMP_S', 1],
  ['TIMESTAMP_MS', 1e3],
  ['TIMESTAMP_NS', 1e9],
])

/**
 * TIMESTAMP of any unit: ISO, a date as midnight, by a pattern, or `infinity`. Only TIMESTAMP WITH TIME ZONE accepts a
 * UTC offset; without one the time is UTC.
 */
export class TimestampBuilder extends WordsBuilder {
  private readonly parser: MomentParser
  private readonly zoned: boolean
  private readonly unitsPerSecond: number
  private readonly nanosPerUnit: number

  constructor(type: ScalarType, pattern: string | undefined) {
    super(type, 2)
    this.parser = momentParser(pattern)
    this.zoned = type.name === 'TIMESTAMP WITH TIME ZONE'
    this.unitsPerSecond = UNITS_PER_SECOND.get(type.name) ?? 1e6
    this.nanosPerUnit = 1e9 / this.unitsPerSecond
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const { parser } = this
    if (!parser.parse(bytes, start, end)) {
      const sign = infinitySign(bytes, start, end)
      if (sign === 0) return false
      this.put(-sign, sign > 0 ? 0x7fffffff : -0x80000000)
      return true
    }
    if (parser.hasOffset && !this.zoned) return false
    const { nanos } = parser
    if (nanos !== 0 && nanos % this.nanosPerUnit !== 0) return false
    return this.push(parser.days * SECONDS_PER_DAY + parser.seconds - parser.offset, nanos / this.nanosPerUnit)
  }

  /** Appends `seconds * unitsPerSecond + rest`, keeping all steps below 2^53. */
  private push(seconds: number, rest: number): boolean {
    const value = seconds * this.unitsPerSecond + rest
    let low = value
    let high = Math.floor(value / TWO_32)
    if (high >= 2_097_152 || high < -2_097_152) {
      const upper = Math.floor(seconds / 65_536)
      const product = upper * this.unitsPerSecond
      const productHigh = Math.floor(product / 65_536)
      low = (product - productHigh * 65_536) * 65_536 + (seconds - upper * 65_536) * this.unitsPerSecond + rest
      high = productHigh + Math.floor(low / TWO_32)
      if (high > 0x7fffffff || high < -0x80000000 || isInfinite(low | 0, high)) return false
    }
    this.put(low, high)
    return true
  }

  private put(low: number, high: number): void {
    const row = this.length
    if (row === this.capacity) this.grow()
    this.words[row * 2] = low
    this.words[row * 2 + 1] = high
    this.validity.setValid(row)
    this.length = row + 1
  }
}
