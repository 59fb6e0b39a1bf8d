import { EngineError } from '../../errors.ts'
import { daysFromCivil, daysInMonth } from '../../arrow/calendar.ts'
import { equalsIgnoringCase } from '../ascii.ts'
import { parseOffset, type MomentParser } from './iso.ts'

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const NUMERIC = 'YymdHIMSf'
const KNOWN = `${NUMERIC}pbBz%`
const DATE_PARTS = 'Yymdb'

interface Step {
  /** The letter behind `%`, or empty for a literal. */
  readonly part: string
  readonly literal: Uint8Array
  /** Fewest and most digits of a numeric part. */
  readonly least: number
  readonly most: number
}

const encoder = new TextEncoder()

/** Whether the pattern has parts of a date, not only of a time. */
export function hasDateParts(pattern: string): boolean {
  return [...pattern.matchAll(/%(.)/g)].some(([, part]) => DATE_PARTS.includes(part) || part === 'B')
}

/**
 * Reads dates and times by a strptime pattern of `%Y %y %m %d %H %I %M %S %f %p %b %B %z %%`. Numbers may leave out a
 * leading zero unless another number touches them; `%y` is 1969 to 2068; names are English.
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

  /** @throws {EngineError} `invalid-plan` when the pattern has an unknown part, or no year where a date is wanted */
  constructor(pattern: string, wantsDate: boolean) {
    this.steps = compile(pattern)
    const parts = this.steps.map((step) => step.part).join('')
    if (wantsDate && !/[Yy]/.test(parts)) {
      throw new EngineError('invalid-plan', `The date format “${pattern}” has no year.`, {
        remedy: 'Use %Y for a year of four digits or %y for one of two, as in %d.%m.%Y.',
      })
    }
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
    if (this.half >= 0) {
      if (this.hour < 1 || this.hour > 12) return false
      this.hour = (this.hour % 12) + this.half
    }
    if (this.hour > 23 || this.minute > 59 || this.second > 59) return false
    if (this.day < 1 || this.day > daysInMonth(this.year, this.month)) return false
    this.days = daysFromCivil(this.year, this.month, this.day)
    this.seconds = this.hour * 3600 + this.minute * 60 + this.second
    return true
  }

  private read(step: Step, bytes: Uint8Array, start: number, end: number): number {
    switch (step.part) {
      case 'b':
      case 'B':
        return this.monthName(step.part === 'B', bytes, start, end)
      case 'p':
        return this.halfOfDay(bytes, start, end)
      case 'z':
        return this.zone(bytes, start, end)
      default:
        return this.number(step, bytes, start, end)
    }
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
    return at
  }

  private monthName(full: boolean, bytes: Uint8Array, start: number, end: number): number {
    for (let month = 0; month < 12; month++) {
      const word = full ? MONTHS[month] : MONTHS[month].slice(0, 3)
      if (start + word.length <= end && equalsIgnoringCase(bytes, start, start + word.length, word)) {
        this.month = month + 1
        return start + word.length
      }
    }
    return -1
  }

  private halfOfDay(bytes: Uint8Array, start: number, end: number): number {
    if (end - start < 2) return -1
    if (equalsIgnoringCase(bytes, start, start + 2, 'am')) this.half = 0
    else if (equalsIgnoringCase(bytes, start, start + 2, 'pm')) this.half = 12
    else return -1
    return start + 2
  }

  /** The longest run of what an offset is made of. */
  private zone(bytes: Uint8Array, start: number, end: number): number {
    let at = start
    if (at < end && (bytes[at] | 0x20) === 0x7a) at++
    else if (end - at >= 3 && equalsIgnoringCase(bytes, at, at + 3, 'utc')) at += 3
    else {
      while (at < end && at - start < 9 && (at === start || isOffsetByte(bytes[at]))) at++
    }
    this.offset = parseOffset(bytes, start, at)
    this.hasOffset = true
    return Number.isNaN(this.offset) ? -1 : at
  }
}

function isOffsetByte(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x3a
}

function literal(wanted: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  if (end - start < wanted.length) return -1
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return -1
  return start + wanted.length
}

function isNumber(token: string | undefined): boolean {
  return token !== undefined && token.length === 2 && token.startsWith('%') && NUMERIC.includes(token.charAt(1))
}

function compile(pattern: string): Step[] {
  const steps: Step[] = []
  const tokens = pattern.match(/%[^]|[^%]+|%$/g) ?? []
  for (const [i, token] of tokens.entries()) {
    if (!token.startsWith('%') || token === '%%') {
      steps.push({ part: '', literal: encoder.encode(token === '%%' ? '%' : token), least: 0, most: 0 })
      continue
    }
    const part = token.slice(1)
    if (part === '' || !KNOWN.includes(part)) {
      throw new EngineError('invalid-plan', `The date format “${pattern}” has the unknown part “${token}”.`, {
        remedy: 'Use %Y %y %m %d %H %I %M %S %f %p %b %B %z; all else stands for itself.',
      })
    }
    const joined = isNumber(tokens[i + 1]) || isNumber(tokens[i - 1])
    const most = part === 'Y' ? 4 : part === 'f' ? 9 : 2
    const least = part === 'Y' ? 4 : part === 'f' || !joined ? 1 : 2
    steps.push({ part, literal: new Uint8Array(0), least, most })
  }
  return steps
}
