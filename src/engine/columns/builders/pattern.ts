import { BRACKET, BRACKET_END, DASH, DOT, PAREN, PAREN_END, SPACE } from '../../../lib/ascii.ts'
import { daysFromCivil, daysInMonth } from '../../arrow/calendar.ts'
import { equalsIgnoringCase, skipSpaces } from '../text-bytes.ts'
import { HALVES, monthOf, weekdayOf } from '../../../lib/date-names.ts'
import { stepsOf, type Step } from '../pattern-steps.ts'
import { IsoParser, isUniversal, offsetSign, parseOffset, type MomentParser } from './iso.ts'

const DATE_PARTS = 'YymdbsQ'

const decoder = new TextDecoder()

/** Whether the pattern has parts of a date, rather than only of a time. */
export function hasDateParts(pattern: string): boolean {
  return [...pattern.matchAll(/%(.)/g)].some(([, part]) => DATE_PARTS.includes(part) || part === 'B')
}

/**
 * Parses dates and times by a strptime pattern of `%Y %y %m %d %H %I %M %S %f %p %a %b %B %z %s %Q %%`. Leading zeros
 * are optional unless another number follows directly; `%y` is 1969 to 2068; names of months and weekdays are those of
 * `lib/date-names.ts`. A weekday must match the date. A blank matches several; after `%z` the zone's name may follow in
 * parentheses or brackets.
 */
export class PatternParser implements MomentParser {
  days = 0
  seconds = 0
  nanos = 0
  hasOffset = false
  offset = 0
  private readonly steps: readonly Step[]
  private year = 1970
  private month = 1
  private day = 1
  private hour = 0
  private minute = 0
  private second = 0
  private half = -1
  /** From 0 for Sunday; -1 if absent. */
  private weekday = -1
  /** Days and seconds of a Unix timestamp; -1 if absent. */
  private epochDays = -1
  private epochSeconds = 0

  /** @throws {EngineError} `invalid-plan` for an unknown part, or a missing year where a date is wanted */
  constructor(pattern: string, wantsDate: boolean) {
    this.steps = stepsOf(pattern, wantsDate)
  }

  parse(bytes: Uint8Array, start: number, end: number): boolean {
    this.year = 1970
    this.month = 1
    this.day = 1
    this.hour = 0
    this.minute = 0
    this.second = 0
    this.nanos = 0
    this.half = -1
    this.weekday = -1
    this.epochDays = -1
    this.hasOffset = false
    this.offset = 0
    let at = start
    for (const step of this.steps) {
      at = step.part === '' ? literal(step.literal, bytes, at, end) : this.read(step, bytes, at, end)
      if (at < 0) return false
    }
    if (at !== end) return false
    return this.settle()
  }

  private settle(): boolean {
    if (this.epochDays >= 0) {
      this.days = this.epochDays
      this.seconds = this.epochSeconds
      return true
    }
    if (this.half >= 0) {
      if (this.hour < 1 || this.hour > 12) return false
      this.hour = (this.hour % 12) + this.half
    }
    if (this.hour > 23 || this.minute > 59 || this.second > 59) return false
    if (this.day < 1 || this.day > daysInMonth(this.year, this.month)) return false
    this.days = daysFromCivil(this.year, this.month, this.day)
    // 1970-01-01 was a Thursday.
    if (this.weekday >= 0 && (((this.days + 4) % 7) + 7) % 7 !== this.weekday) return false
    this.seconds = this.hour * 3600 + this.minute * 60 + this.second
    return true
  }

  private read(step: Step, bytes: Uint8Array, start: number, end: number): number {
    switch (step.part) {
      case 'a':
        return this.weekdayName(step, bytes, start, end)
      case 'b':
      case 'B':
        return this.monthName(step, bytes, start, end)
      case 'p':
        return this.halfOfDay(bytes, start, end)
      case 'z':
        return this.zone(bytes, start, end)
      case 's':
      case 'Q':
        return this.sinceEpoch(step.part === 's' ? 1 : 1000, bytes, start, Math.min(end, start + step.most))
      default:
        return this.number(step, bytes, start, end)
    }
  }

  /** Parses seconds since 1970, or fractions of them. */
  private sinceEpoch(perSecond: number, bytes: Uint8Array, start: number, end: number): number {
    let value = 0
    let at = start
    for (; at < end; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    const whole = Math.floor(value / perSecond)
    this.epochDays = Math.floor(whole / 86_400)
    this.epochSeconds = whole % 86_400
    this.nanos = (value % perSecond) * (1e9 / perSecond)
    return at === start ? -1 : at
  }

  private number(step: Step, bytes: Uint8Array, start: number, end: number): number {
    let value = 0
    let at = start
    const limit = Math.min(end, start + step.most)
    for (; at < limit; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    const digits = at - start
    if (digits < step.least) return -1
    switch (step.part) {
      case 'Y':
        this.year = value
        break
      case 'y':
        this.year = value < 69 ? 2000 + value : 1900 + value
        break
      case 'm':
        this.month = value
        break
      case 'd':
        this.day = value
        break
      case 'H':
        this.hour = value
        break
      case 'I':
        if (value < 1 || value > 12) return -1
        this.hour = value
        break
      case 'M':
        this.minute = value
        break
      case 'S':
        this.second = value
        break
      default:
        this.nanos = value * 10 ** (9 - digits)
    }
    return step.ordinal ? afterOrdinal(bytes, at, end) : at
  }

  private weekdayName({ point }: Step, bytes: Uint8Array, start: number, end: number): number {
    let at = start
    while (at < end && (isLetter(bytes[at]) || bytes[at] === DASH)) at++
    const weekday = weekdayOf(decoder.decode(bytes.subarray(start, at)).toLowerCase().normalize('NFC'))
    if (weekday === undefined) return -1
    this.weekday = weekday
    return !point && bytes[at] === DOT && at < end ? at + 1 : at
  }

  /** Parses a month's name in any known language. A point after it belongs to it, unless the pattern has one. */
  private monthName({ part, point }: Step, bytes: Uint8Array, start: number, end: number): number {
    let at = start
    while (at < end && isLetter(bytes[at])) at++
    const month = monthOf(decoder.decode(bytes.subarray(start, at)).toLowerCase().normalize('NFC'), part === 'B')
    if (month === undefined) return -1
    this.month = month
    return part === 'b' && !point && bytes[at] === DOT && at < end ? at + 1 : at
  }

  private halfOfDay(bytes: Uint8Array, start: number, end: number): number {
    const word = bytes[start] < 0x80 ? undefined : HALVES.get(decoder.decode(bytes.subarray(start, start + 6)))
    if (word !== undefined && start + 6 <= end) {
      this.half = word === 'AM' ? 0 : 12
      return start + 6
    }
    const letter = start < end ? bytes[start] | 0x20 : 0
    if (letter !== 0x61 && letter !== 0x70) return -1
    this.half = letter === 0x61 ? 0 : 12
    const pointed = bytes[start + 1] === DOT
    const at = pointed ? skipSpaces(bytes, start + 2, end) : start + 1
    if (at >= end || (bytes[at] | 0x20) !== 0x6d) return -1
    return !pointed ? at + 1 : at + 1 < end && bytes[at + 1] === DOT ? at + 2 : -1
  }

  /** Scans the characters of a UTC offset. */
  private zone(bytes: Uint8Array, start: number, end: number): number {
    let at = start
    if (at < end && (bytes[at] | 0x20) === 0x7a) at++
    else {
      if (isUniversal(bytes, at, end)) at += 3
      const from = at
      if (at < end && (from === start || offsetSign(bytes[from]) !== 0)) at++
      while (at > from && at < end && at - from < 9 && isOffsetByte(bytes[at])) at++
    }
    this.offset = parseOffset(bytes, start, at)
    this.hasOffset = true
    return Number.isNaN(this.offset) ? -1 : afterZoneName(bytes, at, end)
  }
}

/** ASCII letters, and anything beyond ASCII. */
function isLetter(byte: number): boolean {
  return byte >= 0x80 || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
}

const ORDINALS = ['st', 'nd', 'rd', 'th', 'er']

/** The end of a day with an optional suffix as in `3rd`. */
function afterOrdinal(bytes: Uint8Array, at: number, end: number): number {
  if (at + 2 > end || (at + 2 < end && isLetter(bytes[at + 2]))) return at
  return ORDINALS.some((word) => equalsIgnoringCase(bytes, at, at + 2, word)) ? at + 2 : at
}

/** The end of the zone's name at `at`, as ` (CET)` or `[Europe/Berlin]`; `at` if there's none. */
function afterZoneName(bytes: Uint8Array, at: number, end: number): number {
  const isBracket = bytes[at] === BRACKET
  if (at + 1 >= end || (!isBracket && (bytes[at] !== SPACE || bytes[at + 1] !== PAREN))) return at
  const close = bytes.indexOf(isBracket ? BRACKET_END : PAREN_END, at)
  return close < 0 || close >= end ? at : close + 1
}

function isOffsetByte(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x3a
}

function literal(wanted: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let at = start
  for (const byte of wanted) {
    if (at >= end || bytes[at] !== byte) return -1
    at++
    if (byte === SPACE) while (at < end && bytes[at] === SPACE) at++
  }
  return at
}

/**
 * A parser for dates and timestamps. Besides the pattern, it accepts ISO 8601, since workbooks have dates next to
 * texts, unless that would be a different day, or lacks the UTC offset that the pattern has.
 * @throws {EngineError} `invalid-plan`, as `PatternParser`
 */
export function momentParser(pattern: string | undefined): MomentParser {
  if (pattern === undefined) return new IsoParser()
  const parser = new PatternParser(pattern, true)
  return pattern.startsWith('%Y-%d') || pattern.includes('%z') ? parser : new EitherParser(parser)
}

class EitherParser implements MomentParser {
  private readonly pattern: MomentParser
  private readonly iso = new IsoParser()
  private last: MomentParser = this.iso

  constructor(pattern: MomentParser) {
    this.pattern = pattern
  }

  get days(): number {
    return this.last.days
  }
  get seconds(): number {
    return this.last.seconds
  }
  get nanos(): number {
    return this.last.nanos
  }
  get hasOffset(): boolean {
    return this.last.hasOffset
  }
  get offset(): number {
    return this.last.offset
  }

  parse(bytes: Uint8Array, start: number, end: number): boolean {
    this.last = this.pattern
    if (this.pattern.parse(bytes, start, end)) return true
    this.last = this.iso
    return this.iso.parse(bytes, start, end)
  }
}
