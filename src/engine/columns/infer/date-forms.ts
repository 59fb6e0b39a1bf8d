import { hasDateParts, PatternParser } from '../builders/pattern.ts'
import { monthOf } from '../../../lib/months.ts'
import { sample } from './forms.ts'
import { isDigit } from './kinds.ts'

/** `DateForms` as plain data. */
export interface FormedDates {
  readonly hits: number
  readonly misses: number
  readonly patterns: readonly string[]
  readonly padded: number
  readonly short: number
  readonly example: string
  /** Those that JSON has in another form (times of day: that are written in another form), and the first of them. */
  readonly others: number
  readonly other: string
}

const ENOUGH = 16
/** How patterns begin whose values may stand as they are, and what those look like. */
const UNCHANGED = [
  ['%Y-%m-%dT', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{0,5}[1-9])?$/],
  ['%H:%M:%S', /^\d\d:\d\d:\d\d(?:\.\d{0,5}[1-9])?$/],
] as const
const LONGEST = 40
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The dates and times of a column that are neither ISO nor three numbers with a year of four digits: by which patterns all are read. */
export class DateForms {
  hits = 0
  misses = 0
  private patterns: readonly string[] = []
  private parsers: readonly PatternParser[] = []
  /** Values that begin with a zero: `09:30`, and with one digit alone: `9:30`. */
  private padded = 0
  private short = 0
  private example = ''
  private others = 0
  private other = ''

  /** Whether it's worth to look at more values. */
  get isLikely(): boolean {
    return this.misses < ENOUGH || this.hits > this.misses
  }

  /** Takes in a text; gives whether it's a date or a time as those before it. */
  observe(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.hits === 0) this.begin(bytes, start, end)
    if (this.parsers.length === 1 ? !isRead(this.parsers[0], bytes, start, end) : !this.narrow(bytes, start, end)) {
      return false
    }
    if (!isDigit(bytes[start + 1])) this.short++
    else if (bytes[start] === 0x30) this.padded++
    if (this.hits++ === 0) this.example = sample(bytes, start, end)
    if (!this.isUnchanged(bytes, start, end) && this.others++ === 0) this.other = sample(bytes, start, end)
    return true
  }

  private isUnchanged(bytes: Uint8Array, start: number, end: number): boolean {
    const [pattern] = this.patterns
    const known = UNCHANGED.find(([head]) => pattern?.startsWith(head))
    return known !== undefined && known[1].test(decoder.decode(bytes.subarray(start, end)))
  }

  /** Keeps the patterns that read a value too, if there are any. */
  private narrow(bytes: Uint8Array, start: number, end: number): boolean {
    const fitting = this.parsers.filter((parser) => isRead(parser, bytes, start, end))
    if (fitting.length > 0 && fitting.length < this.parsers.length) {
      this.patterns = this.patterns.filter((_, i) => fitting.includes(this.parsers[i]))
      this.parsers = fitting
    }
    return fitting.length > 0
  }

  private begin(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > LONGEST) this.use([])
    else this.use(patternsOf(decoder.decode(bytes.subarray(start, end))))
  }

  private use(patterns: readonly string[]): void {
    this.patterns = patterns
    this.parsers = patterns.map((pattern) => new PatternParser(pattern, hasDateParts(pattern)))
  }

  findings(): FormedDates {
    const { hits, misses, patterns, padded, short, example, others, other } = this
    return { hits, misses, patterns, padded, short, example, others, other }
  }

  merge(later: FormedDates): void {
    this.misses += later.misses
    if (later.hits === 0) return
    if (this.hits === 0) {
      this.example = later.example
      this.use(later.patterns)
    } else {
      this.use(this.patterns.filter((pattern) => later.patterns.includes(pattern)))
    }
    if (this.others === 0) this.other = later.other
    this.others += later.others
    this.hits += later.hits
    this.padded += later.padded
    this.short += later.short
  }
}

/** 0001-01-01, in days from 1970-01-01. */
const FIRST_DAY = -719_162

/** Whether it's a value that a column has: no years before 1, no fractions of microseconds. */
function isRead(parser: PatternParser, bytes: Uint8Array, start: number, end: number): boolean {
  return parser.parse(bytes, start, end) && parser.nanos % 1000 === 0 && parser.days >= FIRST_DAY
}

const CLOCK = /^(\d{1,2}):\d{2}(?:(:\d{2})(?:([.,])\d{1,9})?)?(?:([ \u00a0\u202f]?)[ap]m)?$/i
const BETWEEN = /^(.*?\d{2,4}[^\s\d:T,]*)(T|,? )(\d{1,2}:.*)$/

/** Of ISO 8601, so that it needs no pattern; those that aren't timestamps for all that have too many digits. */
const ISO_MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?$/

/** The patterns by which a text is a date, a time or both; none where it is no such thing. */
export function patternsOf(text: string): string[] {
  if (ISO_MOMENT.test(text)) return []
  const clock = clockPattern(text)
  if (clock !== null) return [clock]
  const parts = BETWEEN.exec(text)
  if (!parts) return datePatterns(text)
  const [, date, between, time] = parts
  const behind = clockPattern(time)
  return behind === null ? [] : datePatterns(date).map((pattern) => pattern + between + behind)
}

function clockPattern(text: string): string | null {
  const found = CLOCK.exec(text)
  if (!found) return null
  const [, , seconds, point, space] = found
  const rest = seconds === undefined ? '' : point === undefined ? ':%S' : `:%S${point}%f`
  return space === undefined ? `%H:%M${rest}` : `%I:%M${rest}${space}%p`
}

function datePatterns(text: string): string[] {
  if (/^\d{4}年\d{1,2}月\d{1,2}日$/.test(text)) return ['%Y年%m月%d日']
  if (/^\d{4}년 \d{1,2}월 \d{1,2}일$/.test(text)) return ['%Y년 %m월 %d일']
  return numericPatterns(text) ?? namedPatterns(text)
}

const NUMERIC = /^(\d{1,4})([./-] ?)(\d{1,2})\2(\d{1,4})(\.?)$/

function numericPatterns(text: string): string[] | null {
  const found = NUMERIC.exec(text)
  if (!found) return null
  const [, first, mark, , last, end] = found
  if (first.length === 4) return last.length > 2 ? [] : [`%Y${mark}%m${mark}%d${end}`]
  if (first.length > 2 || (last.length !== 2 && last.length !== 4)) return []
  const year = last.length === 4 ? '%Y' : '%y'
  const dayFirst = `%d${mark}%m${mark}${year}${end}`
  // Nobody writes the month first with points, nor a year of two digits before anything but a hyphen.
  if (mark.startsWith('.')) return [dayFirst]
  const monthFirst = `%m${mark}%d${mark}${year}${end}`
  return year === '%y' && mark === '-' ? [dayFirst, monthFirst, '%y-%m-%d'] : [dayFirst, monthFirst]
}

/** Words that a date may have beside its month's name. */
const BESIDE = new Set(['de', 'del', 'of', 'г', 'г.'])
const ORDINAL = /(\d)(?:st|nd|rd|th|er)\b/i

function namedPatterns(text: string): string[] {
  const tokens = text.replace(ORDINAL, '$1').match(/\d+|\p{L}+|[^\p{L}\d]+/gu) ?? []
  const numbers = tokens.filter((token) => /^\d/.test(token))
  const words = tokens.filter((token) => /^\p{L}/u.test(token) && !BESIDE.has(token.toLowerCase()))
  const [word] = words
  if (numbers.length !== 2 || words.length !== 1) return []
  const name = word.toLowerCase().normalize('NFC')
  const parts = numberParts(numbers)
  if (parts === null) return []
  return (['B', 'b'] as const)
    .filter((part) => monthOf(name, part === 'B') !== undefined)
    .map((part) => {
      let at = 0
      const pattern = tokens.map((token, i) => {
        if (/^\d/.test(token)) return parts[at++]
        if (token === word) return `%${part}`
        // A point behind a short name is part of it: others may have none.
        const before = tokens[i - 1]
        return (part === 'b' && before === word ? token.replace(/^\.(?=.)/, '') : token).replaceAll('%', '%%')
      })
      return pattern.join('')
    })
}

function numberParts([first, last]: readonly string[]): readonly [string, string] | null {
  if (first.length === 4) return last.length <= 2 ? ['%Y', '%d'] : null
  if (first.length > 2) return null
  return last.length === 4 ? ['%d', '%Y'] : last.length === 2 ? ['%d', '%y'] : null
}
