import * as kinds from './kinds.ts'
import { hasDateParts, PatternParser } from '../builders/pattern.ts'
import { HALVES, monthOf, weekdayOf } from '../../../lib/date-names.ts'
import { dateWords, orderOf, shownPattern, type Order } from './date-words.ts'
import { timeChoices } from './durations.ts'
import { sample } from './spellings.ts'
import {
  type FormattedDates,
  type Choice,
  type Conventions,
  type ColumnStats,
  type InferredType,
  type Rewrites,
  all,
  quote,
} from './column-stats.ts'
import { isDigit } from '../text-bytes.ts'
import { printType, scalar, VARCHAR } from '../../../tables/types.ts'
import { DAY_FIRST, MONTH_FIRST, YEAR_FIRST } from './temporal.ts'
import { inNamedZone, MOST_ASKED, zoneNameIn } from './zones.ts'

const MAX_MISSES = 16
const CLOCK_AS_WRITTEN = String.raw`\d\d:\d\d:\d\d(?:\.\d{0,5}[1-9])?`
const TIME_AS_WRITTEN = new RegExp(`^${CLOCK_AS_WRITTEN}$`)
/** Patterns whose values may already equal our output, with a test for text output and one for JSON. */
const UNCHANGED = [
  [
    '%Y-%m-%d',
    {
      text: new RegExp(`^\\d{4}-\\d\\d-\\d\\d(?: ${CLOCK_AS_WRITTEN})?$`),
      json: new RegExp(`^\\d{4}-\\d\\d-\\d\\d(?:T${CLOCK_AS_WRITTEN})?$`),
    },
  ],
  ['%H:%M:%S', { text: TIME_AS_WRITTEN, json: TIME_AS_WRITTEN }],
] as const
const FORMS = ['text', 'json'] as const
const TALLIES = [...FORMS, 'otherZones'] as const
const LONGEST = 80
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Finds the strptime patterns that parse all dates and times of a column which aren't ISO or numeric with a four-digit
 * year.
 */
export class FormattedDateStats {
  readonly found = {
    hits: 0,
    misses: 0,
    patterns: [] as readonly string[],
    padded: 0,
    short: 0,
    example: '',
    text: { count: 0, from: '' },
    json: { count: 0, from: '' },
    otherZones: { count: 0, from: '' },
  } satisfies FormattedDates
  private parsers: readonly PatternParser[] = []

  /** False once there are too many texts of other kinds. */
  get isLikely(): boolean {
    return this.found.misses < MAX_MISSES || this.found.hits > this.found.misses
  }

  /** Adds a text. Returns whether a pattern of the values before parses it. */
  observe(bytes: Uint8Array, start: number, end: number): boolean {
    const { found } = this
    if (found.hits === 0) this.begin(bytes, start, end)
    if (this.parsers.length === 1 ? !isRead(this.parsers[0], bytes, start, end) : !this.narrow(bytes, start, end)) {
      if (found.hits > 0 && found.misses < MOST_ASKED) this.countOtherZone(bytes, start, end)
      return false
    }
    if (!isDigit(bytes[start + 1])) found.short++
    else if (bytes[start] === 0x30) found.padded++
    if (found.hits++ === 0) found.example = sample(bytes, start, end)
    this.countRewritten(bytes, start, end)
    return true
  }

  /** Counts a date that has the abbreviation of another zone than the first one. */
  private countOtherZone(bytes: Uint8Array, start: number, end: number): void {
    const { found } = this
    if (end - start > LONGEST) return
    const text = decoder.decode(bytes.subarray(start, end))
    if (!patternsOf(text).some((pattern) => zoneNameIn(pattern) !== undefined)) return
    if (found.otherZones.count++ === 0) found.otherZones.from = text
  }

  private countRewritten(bytes: Uint8Array, start: number, end: number): void {
    const { found } = this
    const unchanged = UNCHANGED.find(([head]) => found.patterns[0]?.startsWith(head))?.[1]
    const value = unchanged ? decoder.decode(bytes.subarray(start, end)) : ''
    for (const form of FORMS) {
      if (unchanged?.[form].test(value)) continue
      if (found[form].count++ === 0) found[form].from = sample(bytes, start, end)
    }
  }

  /** Keeps the patterns that parse this value too; all of them if none does. */
  private narrow(bytes: Uint8Array, start: number, end: number): boolean {
    const fitting = this.parsers.filter((parser) => isRead(parser, bytes, start, end))
    if (fitting.length > 0 && fitting.length < this.parsers.length) {
      this.found.patterns = this.found.patterns.filter((_, i) => fitting.includes(this.parsers[i]))
      this.parsers = fitting
    }
    return fitting.length > 0
  }

  private begin(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > LONGEST) this.use([])
    else this.use(patternsOf(decoder.decode(bytes.subarray(start, end))))
  }

  private use(patterns: readonly string[]): void {
    this.found.patterns = patterns
    this.parsers = patterns.map((pattern) => new PatternParser(pattern, hasDateParts(pattern)))
  }

  merge(later: FormattedDates): void {
    const { found } = this
    found.misses += later.misses
    for (const name of TALLIES) {
      if (found[name].count === 0) found[name].from = later[name].from
      found[name].count += later[name].count
    }
    if (later.hits === 0) return
    if (found.hits === 0) {
      found.example = later.example
      this.use(later.patterns)
    } else {
      const both = found.patterns.filter((pattern) => later.patterns.includes(pattern))
      if (both.length === 0 && later.patterns.some(zoneNameIn)) {
        found.otherZones.count++
        found.otherZones.from ||= later.example
      }
      this.use(both)
    }
    found.hits += later.hits
    found.padded += later.padded
    found.short += later.short
  }
}

/** 0001-01-01, in days since 1970-01-01. */
const FIRST_DAY = -719_162

/** Whether the pattern parses a value that our types hold: year 1 or later, no finer than microseconds. */
function isRead(parser: PatternParser, bytes: Uint8Array, start: number, end: number): boolean {
  return parser.parse(bytes, start, end) && parser.nanos % 1000 === 0 && parser.days >= FIRST_DAY
}

const CLOCK =
  /^\d{1,2}([:.h])\d{2}(?:(\1\d{2})(?:([.,])\d{1,9})?)?(?:([ \u00a0\u202f]?)[ap](?:m|\.[ \u00a0\u202f]?m\.))?( Uhr)?$/i
/** A UTC offset or UTC/GMT after a time of day, optionally followed by the zone's name: ` (CET)`, or `[Europe/Berlin]` (RFC 9557). */
const ZONE =
  /(?<=[\dmM])( ?)(?:(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?|Z|[+-]\d{2}:?\d{2})(?: \([^()]*\)|\[[^[\]]*\])?$/i
/** The same in parentheses, as AWS’ console writes it. */
const ZONE_IN_PARENTHESES = /(?<=[\dmM]) \((?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?\)$/i
const HALF = `(?:${[...HALVES.keys()].join('|')})`
const HALF_FIRST = new RegExp(`^${HALF}( ?)`)
const BETWEEN = new RegExp(
  String.raw`^(.*?\d{1,4}[^\s\d:T,]*)(T|:|,? (?:(?:at|à|um|kl\.?|klo|-|@) )?)((?:${HALF} ?)?\d{1,2}[:.h]\d{2}.*)$`,
)
/** A time zone's abbreviation, which may be ambiguous. */
const ZONE_NAME = /(?<=[\dmM]) (?![AP]M)[A-Z]{2,5}$/
/** The form of C's `ctime`, and of Twitter's API: Jan 31 10:15:00 +0000 2024. */
const YEAR_LAST = /^(\p{L}+ \d{1,2}) (\d{1,2}:\d{2}:\d{2})( (?:[A-Z]{2,5}|[+-]\d{4}))? (\d{4})$/u
const UNIVERSAL = /^ (?:UTC|GMT|[+-].*)$/
/** ISO 8601's basic format. */
const BASIC = /^\d{8}T\d{6}(Z|[+-]\d{4})?$/

/** Milliseconds since 1970, as Microsoft's first JSON serializers write them. */
const SINCE_1970 = /^\/Date\(\d+\)\/$/

/** ISO 8601 needs no pattern. Such a text gets here only if it has more digits than a timestamp holds. */
const ISO_MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?$/

const WEEKDAY = /^([\p{L}-]+)\.?(,? )(?=[\p{L}\d])(.*)$/u

/** The strptime patterns that can parse a text as a date, a time or both, optionally after a weekday. Empty if none. */
function patternsOf(value: string): string[] {
  const text = value.replaceAll(/ {2,}/g, ' ')
  const [, name, between, rest] = WEEKDAY.exec(text) ?? []
  if (name === undefined || weekdayOf(name.toLowerCase().normalize('NFC')) === undefined) return momentPatterns(text)
  const dated = momentPatterns(rest).filter(hasDateParts)
  // “mar” is Tuesday (mardi, martes) or March.
  return dated.length > 0 ? dated.map((pattern) => `%a${between}${pattern}`) : momentPatterns(text)
}

function momentPatterns(text: string): string[] {
  if (ISO_MOMENT.test(text)) return []
  const basic = BASIC.exec(text)
  if (SINCE_1970.test(text)) return ['/Date(%Q)/']
  if (basic) return [`%Y%m%dT%H%M%S${basic[1] === undefined ? '' : '%z'}`]
  const clock = /^\d+:/.test(text) ? clockPattern(text) : null
  if (clock !== null) return [clock]
  const [, day, , offset, year] = YEAR_LAST.exec(text) ?? []
  if (day !== undefined) {
    const time = `%H:%M:%S${offset === undefined ? '' : UNIVERSAL.test(offset) ? ' %z' : offset}`
    return datePatterns(`${day} ${year}`).map((pattern) => pattern.replace('%Y', `${time} %Y`))
  }
  const parts = BETWEEN.exec(text)
  if (!parts) return datePatterns(text)
  const [, date, between, time] = parts
  const within = ZONE_IN_PARENTHESES.exec(time)
  const zone = within ?? ZONE.exec(time)
  const name = zone ? null : ZONE_NAME.exec(time)
  const timePattern = clockPattern(time.slice(0, (zone ?? name)?.index))
  if (timePattern === null) return []
  const end = within ? ' (%z)' : zone ? `${zone[1]}%z` : (name?.[0] ?? '')
  return datePatterns(date).map((pattern) => `${pattern}${between}${timePattern}${end}`)
}

function clockPattern(text: string): string | null {
  const half = HALF_FIRST.exec(text)
  if (half) {
    const rest = clockPattern(text.slice(half[0].length))
    return rest?.startsWith('%H') ? `%p${half[1]}${rest.replace('%H', '%I')}` : null
  }
  const found = CLOCK.exec(text)
  if (!found) return null
  const [, mark, seconds, point, space, end = ''] = found
  const rest = seconds === undefined ? '' : point === undefined ? `${mark}%S` : `${mark}%S${point}%f`
  return space === undefined ? `%H${mark}%M${rest}${end}` : `%I${mark}%M${rest}${space}%p${end}`
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
  // Dates with points always have the day first. Years of two digits come first only before hyphens.
  if (mark.startsWith('.')) return [dayFirst]
  const monthFirst = `%m${mark}%d${mark}${year}${end}`
  return year === '%y' && mark === '-' ? [dayFirst, monthFirst, '%y-%m-%d'] : [dayFirst, monthFirst]
}

/** Words that dates in some languages have besides the month's name. */
const BESIDE = new Set(['de', 'del', 'den', 'le', 'of', 'г'])
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
        // The point after an abbreviated month is part of `%b`, since not all months have one.
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

/** The type of a column of dates or timestamps that aren't ISO; null for any other column. */
export function dateType(stats: ColumnStats, count: number, conventions: Conventions): InferredType | null {
  return numericDateType(stats, count, conventions) ?? patternType(stats, count, conventions)
}

function numericDateType(stats: ColumnStats, count: number, conventions: Conventions): InferredType | null {
  const { counts, orders, separator, firstTexts } = stats
  if (counts[kinds.NUMERIC_DATE] === 0 || kinds.sum(counts, kinds.DATE, kinds.NUMERIC_DATE) < count) return null
  const mark = String.fromCharCode(separator)
  const patterns = [
    ...(orders & YEAR_FIRST ? [`%Y${mark}%m${mark}%d`] : []),
    ...(orders & DAY_FIRST ? [`%d${mark}%m${mark}%Y`] : []),
    // Dates with points have the day first.
    ...(orders & MONTH_FIRST && !(mark === '.' && orders & DAY_FIRST) ? [`%m${mark}%d${mark}%Y`] : []),
  ]
  if (counts[kinds.DATE] === 0 && patterns.length > 0) {
    return ofPatterns(patterns, 'DATE', count, firstTexts[kinds.NUMERIC_DATE], conventions)
  }
  return {
    type: VARCHAR,
    reason: 'All values look like dates, but they are written in different ways, so they stay text.',
    flags: ['ambiguous-date', 'mixed-types'],
  }
}

function patternType(stats: ColumnStats, count: number, conventions: Conventions): InferredType | null {
  const { formattedDates } = stats
  const [pattern] = formattedDates.patterns
  if (pattern === undefined || readByPattern(stats) < count) return null
  if (hasDateParts(pattern)) {
    const type = pattern.includes('%z') ? 'TIMESTAMP WITH TIME ZONE' : /%[HIQ]/.test(pattern) ? 'TIMESTAMP' : 'DATE'
    const { example } = formattedDates
    const read = ofPatterns(formattedDates.patterns, type, count, example, conventions, rewritesOf(stats))
    const zone = zoneNameIn(pattern)
    return zone === undefined ? read : inNamedZone(read, zone, count, example)
  }
  const type = scalar('TIME')
  const iso = pattern === '%H:%M' && formattedDates.short === 0
  const format = iso ? {} : { dateFormat: pattern }
  // Zero-padded hours and AM/PM are certain. `9:30` may be a score or a ratio.
  if (pattern.includes('%p') || (formattedDates.padded > 0 && formattedDates.short === 0)) {
    return { type, format, reason: `${all(count, 'times of day', 'a time of day')}.`, rewrites: formattedDates.text }
  }
  const reason = `${all(count, 'texts', 'a text')}, which may be times of day such as ${quote(formattedDates.example)}.`
  const choices = timeChoices({ code: 'times', type, format, from: formattedDates.example }, pattern)
  return { type: VARCHAR, reason, choices }
}

const PADDED: ReadonlyMap<string, number> = new Map([
  ['%Y-%m-%d', kinds.DATE],
  ['%Y-%m-%d %H:%M:%S', kinds.TIMESTAMP],
  ['%Y-%m-%dT%H:%M:%S', kinds.TIMESTAMP],
  ['%H:%M:%S', kinds.TIME],
])

/**
 * The number of values that the column's pattern parses. That includes ISO values beside unpadded ones (2024-12-13
 * beside 2024-3-3, 18:01:02 beside 8:01:02).
 */
export function readByPattern({ formattedDates, counts, maxFraction }: ColumnStats): number {
  const hits = Math.min(formattedDates.hits, counts[kinds.TEXT])
  const padded = hits === 0 ? undefined : PADDED.get(formattedDates.patterns[0])
  return hits + (padded === undefined || maxFraction > 6 ? 0 : counts[padded])
}

function rewritesOf({ formattedDates, spellings }: ColumnStats): InferredType['rewrites'] {
  const sum = (form: (typeof FORMS)[number]): Rewrites => ({
    count: formattedDates[form].count + spellings[form].counts[kinds.TIMESTAMP],
    from: formattedDates[form].from || spellings[form].texts[kinds.TIMESTAMP],
  })
  return { ...sum('text'), json: sum('json') }
}

function ofPatterns(
  patterns: readonly string[],
  name: 'DATE' | 'TIMESTAMP' | 'TIMESTAMP WITH TIME ZONE',
  count: number,
  from: string,
  { order }: Conventions,
  rewrites: InferredType['rewrites'] = { count, from },
): InferredType {
  const values = name === 'DATE' ? all(count, 'dates', 'a date') : all(count, 'dates with times', 'a date with a time')
  const orders = [...new Set(patterns.map(orderOf))]
  const chosen = orders.length > 1 ? patterns.find((pattern) => orderOf(pattern) === order) : undefined
  const dateFormat = orders.length === 1 ? patterns[0] : chosen
  const type = scalar(name)
  if (dateFormat !== undefined) {
    const also = chosen === undefined ? '' : ', as in other columns'
    const reason = `${values} written ${shownPattern(dateFormat)}${also}.`
    return { type, format: { dateFormat }, reason, rewrites }
  }
  const choices = orders.flatMap((each): Choice[] => {
    const pattern = patterns.find((candidate) => orderOf(candidate) === each)
    if (pattern === undefined) return []
    const words = (value: string): string => dateWords(value, each)
    return [{ code: `${each}-first`, type, format: { dateFormat: pattern }, from, words, ambiguous: true }]
  })
  const unknown = orders.includes('year') ? 'what comes first' : 'whether the day or the month comes first'
  const reason = `${values}, but it’s unclear ${unknown}, as in ${quote(from)}. They stay text until you choose.`
  return { type: VARCHAR, reason, flags: ['ambiguous-date'], choices }
}

/** The order of day and month that a column of dates shows; null if it doesn't. */
export function dateOrderOf(stats: ColumnStats, count: number): Order | null {
  const found = dateType(stats, count, {})
  const pattern = found && printType(found.type) !== 'VARCHAR' ? found.format?.dateFormat : undefined
  if (pattern === undefined || !/%m/.test(pattern)) return null
  const order = orderOf(pattern)
  return order === 'year' ? null : order
}
