import { APOSTROPHE, DASH, EQUALS, ZERO } from '../../../lib/ascii.ts'
import { isMarkedText, isTextFormula, skipSpaces, spaceAt, spaceBefore, trimmedEnd } from '../text-bytes.ts'
import { inferColumn, type InferredColumn } from './column-type.ts'
import { FormattedDateStats } from './dates.ts'
import type { ColumnStats } from './column-stats.ts'
import { sample, SpellingStats, Tally } from './spellings.ts'
import * as kinds from './kinds.ts'
import { FormattedNumberStats } from './number-forms.ts'
import { NumberStats, type CountedNumbers } from './numbers.ts'
import { JsonStats } from './json-texts.ts'
import { PeriodStats } from './periods.ts'
import { BooleanWords } from './words.ts'
import { TemporalScanner } from './temporal.ts'

const NINE = 0x39
const LEAD_TEXT = 0
const LEAD_DIGIT = 1
const LEAD_NUMBER = 2
const LEAD_PLUS = 3
const LEAD_WORD = 4
/** What a value can be, by its first byte. Enough to recognize most texts. */
const LEADS = new Uint8Array(256)
for (let digit = 0x30; digit <= 0x39; digit++) LEADS[digit] = LEAD_DIGIT
LEADS[0x2d] = LEAD_NUMBER
LEADS[0x2e] = LEAD_NUMBER
LEADS[0x2b] = LEAD_PLUS
for (const letter of 'tTfFnNiI') LEADS[letter.charCodeAt(0)] = LEAD_WORD

/** The form of the last text. The next value usually has the same one, so it's tried first. */
const PLAIN = 0
const FORMATTED_NUMBER = 1
const FORMATTED_DATE = 2
const NUMERIC = 3

/**
 * By first byte, what a text may need a closer look for: 1 a leading space, 2 a placeholder for null such as `N/A`, 3 a
 * date of zeros. `CHECK_LAST` marks the last bytes of spaces.
 */
const CHECK_FIRST = new Uint8Array(256)
const CHECK_LAST = new Uint8Array(256)
for (let byte = 0; byte <= 0x20; byte++) CHECK_FIRST[byte] = CHECK_LAST[byte] = 1
for (const byte of [0xc2, 0xe2]) CHECK_FIRST[byte] = 1
for (const char of 'nNkK#-?.:\\(<$') CHECK_FIRST[char.charCodeAt(0)] = 2
// ClickHouse's clients print nulls as ᴺᵁᴸᴸ, which begins with this byte.
CHECK_FIRST[0xe1] = 2
CHECK_FIRST[ZERO] = 3
for (const byte of [0xa0, 0xaf, 0x89]) CHECK_LAST[byte] = 1

const NULL_LIKE = new Set(
  'na n/a n.a. n/d n.d. k.a. nan null none nil - -- --- – — ? . .. ... : #n/a \\n (null) (blank) (empty) <na> <null> #null! #div/0! #name? #num! #ref! #value! ᴺᵁᴸᴸ'.split(
    ' ',
  ),
)
const LONGEST_NULL = 12
/** MySQL's placeholder for an invalid date. */
const ZERO_DATE = /^0000-00-00(?:[ T]00:00:00)?$/
/** How Excel's format for accounting writes zero. */
const ZERO_AMOUNT = /^\p{Sc} *--?$/u
/** Sentinel values of instruments for a missing measurement. */
const SENTINEL = /^-9{3,6}(?:\.0+)?$/
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Infers a column's type from all of its values as text. It never samples: the column's builder accepts every value for
 * the type inferred here.
 */
export class ColumnInference {
  private rows = 0
  private nulls = 0
  private readonly counts = new Float64Array(kinds.KINDS)
  private readonly firstRows = new Float64Array(kinds.KINDS)
  private readonly firstTexts: string[] = Array.from({ length: kinds.KINDS }, () => '')
  private readonly numbers: NumberStats
  private readonly temporal = new TemporalScanner()
  private readonly spellings = new SpellingStats()
  private readonly nullLike = new Map<string, number>()
  private readonly sentinels = new Map<string, number>()
  private readonly formattedNumbers = new FormattedNumberStats()
  private readonly formattedDates = new FormattedDateStats()
  private readonly words = new BooleanWords()
  private readonly periods = new PeriodStats()
  private readonly json = new JsonStats()
  private last = PLAIN
  /** Kind of the last value. */
  private kind = kinds.TEXT
  /** Whether texts can still turn out to be numbers, dates, booleans, periods or JSON. */
  private checksTexts = true
  /** Values with leading or trailing spaces, and the statistics of the same values trimmed. */
  private spacedCount = 0
  private spacedText = ''
  private trimmed: ColumnInference | null = null
  private readonly formulas = new Tally()
  private readonly apostrophes = new Tally()
  private readonly source: kinds.Source
  /**
   * Whether the source has types of its own (JSON, workbooks), so that a text is never a number or a boolean, only
   * perhaps a date.
   */
  private readonly typedSource: boolean
  private orders = 7
  private separator = 0
  private maxFraction = 0
  /** Whether a timestamp is out of the range of 64-bit nanoseconds. */
  private outsideNanos = false
  private inFirstHour = false
  private afterFirstHour = false
  private beyondDay = false

  constructor(source: kinds.Source = 'text') {
    this.source = source
    this.typedSource = source !== 'text'
    this.numbers = new NumberStats(this.typedSource)
  }

  /** Adds the value `bytes[start, end)`, UTF-8. */
  observe(bytes: Uint8Array, start: number, end: number): void {
    this.rows++
    let kind = kinds.TEXT
    if (this.last !== PLAIN) {
      if (
        this.last === NUMERIC
          ? this.temporal.isSameNumericDate(bytes, start, end)
          : this.fitsLastForm(bytes, start, end)
      ) {
        this.take(this.last === NUMERIC ? this.numericDate() : kind, bytes, start, end)
        return
      }
      this.last = PLAIN
    }
    if (end > start) {
      const lead = LEADS[bytes[start]]
      if (lead === LEAD_DIGIT) {
        if (!this.typedSource) kind = this.numbers.kind(bytes, start, end)
        if (kind === kinds.TEXT) kind = this.temporalKind(bytes, start, end)
      } else if (lead !== LEAD_TEXT && !this.typedSource) {
        kind = this.otherKind(lead, bytes, start, end)
      }
    }
    this.take(kind, bytes, start, end)
    if (kind !== kinds.TEXT) return
    if (end === start) {
      // Some programs quote every field. Among numbers, an empty text is then likely a null.
      addTo(this.nullLike, '', 1)
      return
    }
    const odd = CHECK_FIRST[bytes[start]]
    if (bytes[start] === EQUALS && isTextFormula(bytes, start, end)) this.formulas.add(bytes, start, end)
    else if (bytes[start] === APOSTROPHE && isMarkedText(bytes, start, end)) this.apostrophes.add(bytes, start, end)
    if (this.checksTexts || odd === 1 || mayBeNull(bytes, start, end) || CHECK_LAST[bytes[end - 1]] !== 0) {
      this.text(bytes, start, end)
    }
  }

  /** Whether a value has the same form as the text before it. */
  private fitsLastForm(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.last === FORMATTED_NUMBER) return this.formattedNumbers.observe(bytes, start, end)
    // An ISO value is one wherever it stands, though the pattern of the values before may parse it, too.
    return this.temporal.kind(bytes, start, end) === kinds.TEXT && this.formattedDates.observe(bytes, start, end)
  }

  /** Checks a text for placeholders, and for numbers, dates, booleans, periods and JSON that aren't in the standard form. */
  private text(bytes: Uint8Array, start: number, end: number): void {
    if (isSpaced(bytes, start, end)) {
      this.spaced(bytes, start, end)
      return
    }
    if (mayBeNull(bytes, start, end) && this.isNullLike(bytes, start, end)) return
    if (!this.checksTexts) return
    const { formattedNumbers: numbers, formattedDates: dates, words, periods, json } = this
    if (!this.typedSource && numbers.isLikely && numbers.observe(bytes, start, end)) this.last = FORMATTED_NUMBER
    else if (dates.isLikely && dates.observe(bytes, start, end)) this.last = FORMATTED_DATE
    if (this.last !== FORMATTED_NUMBER) numbers.found.misses++
    if (this.last !== FORMATTED_DATE) dates.found.misses++
    if (words.isLikely && !this.typedSource) words.observe(bytes, start, end)
    if (periods.isLikely && this.last !== FORMATTED_DATE) periods.observe(bytes, start, end)
    if (json.isLikely) json.observe(bytes, start, end)
    this.checksTexts =
      json.isLikely || dates.isLikely || periods.isLikely || (!this.typedSource && (numbers.isLikely || words.isLikely))
  }

  private spaced(bytes: Uint8Array, start: number, end: number): void {
    const from = skipSpaces(bytes, start, end)
    const to = trimmedEnd(bytes, from, end)
    this.trimmed ??= new ColumnInference(this.source)
    this.trimmed.seekRow(this.rows)
    if (from === to) this.trimmed.observeNull()
    else this.trimmed.observe(bytes, from, to)
    if (this.spacedCount++ === 0) this.spacedText = sample(bytes, start, end)
  }

  /** Adds a number of a source with types, such as JSON. */
  observeNumber(bytes: Uint8Array, start: number, end: number): void {
    this.rows++
    this.take(this.numbers.kind(bytes, start, end), bytes, start, end)
  }

  /** Adds a value whose kind the source gives. */
  observeKind(kind: number, bytes: Uint8Array, start: number, end: number): void {
    this.rows++
    this.take(kind, bytes, start, end)
  }

  /**
   * The kind of the last value if only the number of further values like it matters, so that the caller may pass them
   * to `count`; else -1.
   */
  get countedKind(): number {
    const { kind, counts, checksTexts } = this
    if (this.last !== PLAIN || counts[kind] === 0 || (kind === kinds.TEXT && checksTexts)) return -1
    // As long as all times of day are within the first hour, each is looked at.
    if (kind === kinds.TIME && !this.afterFirstHour) return -1
    // The first timestamp that JSON writes differently is kept as an example.
    return kind === kinds.TIMESTAMP && this.spellings.json.counts[kind] === 0 ? -1 : kind
  }

  /** Fewest digits after the decimal point. */
  get leastScale(): number {
    return this.spellings.leastScale
  }

  /** Whether a value of the kind isn't in its canonical form. */
  hasNonCanonical(kind: number): boolean {
    return this.spellings.text.counts[kind] > 0
  }

  /** Adds values of `countedKind`, quoted or unquoted like the last value. */
  count(count: number, counted: CountedNumbers): void {
    const { kind, spellings } = this
    this.rows += count
    this.counts[kind] += count
    if (kind === kinds.TIMESTAMP) spellings.json.counts[kind] += count
    if (kind !== kinds.INTEGER && kind !== kinds.DECIMAL) return
    this.numbers.count(counted)
    spellings.text.counts[kind] += counted.zeros
  }

  private take(kind: number, bytes: Uint8Array, start: number, end: number): void {
    this.kind = kind
    if (this.counts[kind]++ === 0) this.first(kind, bytes, start, end)
    if (kind > kinds.INTEGER && kind !== kinds.DATE) {
      const { scale, exact } = this.numbers
      this.spellings.observe(kind, kind === kinds.DECIMAL ? scale : this.temporal.fraction, exact, bytes, start, end)
    }
  }

  observeNull(): void {
    this.rows++
    this.nulls++
  }

  /** Sets the row of the next value, from 1, for callers that skip rows. */
  seekRow(row: number): void {
    this.rows = row - 1
  }

  column(): InferredColumn {
    return inferColumn(this.stats(), this.source)
  }

  stats(): ColumnStats {
    return {
      nulls: this.nulls,
      counts: this.counts,
      firstRows: this.firstRows,
      firstTexts: this.firstTexts,
      numbers: this.numbers,
      orders: this.orders,
      separator: this.separator,
      maxFraction: this.maxFraction,
      outsideNanos: this.outsideNanos,
      inFirstHour: this.inFirstHour,
      afterFirstHour: this.afterFirstHour,
      beyondDay: this.beyondDay,
      nullLike: this.nullLike,
      sentinels: this.sentinels,
      spellings: this.spellings,
      formattedNumbers: this.formattedNumbers.found,
      formattedDates: this.formattedDates.found,
      words: this.words.stats(),
      periods: this.periods.stats(),
      json: this.json.found,
      formulas: this.formulas,
      apostrophes: this.apostrophes,
      spaced: this.trimmed ? { count: this.spacedCount, text: this.spacedText, stats: this.trimmed.stats() } : null,
    }
  }

  /**
   * Adds the statistics of later rows, as if those values had been observed here.
   * @param rowsBefore the number of rows before the first of them
   */
  merge(later: ColumnStats, rowsBefore: number): void {
    this.nulls += later.nulls
    for (const [kind, count] of later.counts.entries()) {
      if (count > 0 && this.counts[kind] === 0) {
        this.firstRows[kind] = rowsBefore + later.firstRows[kind]
        this.firstTexts[kind] = later.firstTexts[kind]
      }
      this.counts[kind] += count
    }
    this.numbers.merge(later.numbers)
    this.spellings.merge(later.spellings)
    if (later.separator !== 0) {
      if (this.separator === 0) this.separator = later.separator
      this.orders = later.separator === this.separator ? this.orders & later.orders : 0
    }
    this.maxFraction = Math.max(this.maxFraction, later.maxFraction)
    this.outsideNanos ||= later.outsideNanos
    this.inFirstHour ||= later.inFirstHour
    this.afterFirstHour ||= later.afterFirstHour
    this.beyondDay ||= later.beyondDay
    for (const [text, count] of later.nullLike) addTo(this.nullLike, text, count)
    for (const [text, count] of later.sentinels) addTo(this.sentinels, text, count)
    this.formattedNumbers.merge(later.formattedNumbers)
    this.formattedDates.merge(later.formattedDates)
    this.words.merge(later.words)
    // Those that are read by a pattern of dates aren't looked at as periods.
    this.periods.merge(later.periods, later.counts[kinds.TEXT] > later.formattedDates.hits)
    this.json.merge(later.json)
    this.formulas.merge(later.formulas)
    this.apostrophes.merge(later.apostrophes)
    if (later.spaced) {
      this.trimmed ??= new ColumnInference(this.source)
      this.trimmed.merge(later.spaced.stats, rowsBefore)
      this.spacedText ||= later.spaced.text
      this.spacedCount += later.spaced.count
    }
  }

  private otherKind(lead: number, bytes: Uint8Array, start: number, end: number): number {
    if (lead === LEAD_WORD) return kinds.wordKind(bytes, start, end, false)
    if (lead === LEAD_PLUS) {
      this.formattedNumbers.observePlus(bytes, start, end)
      return kinds.plusKind(bytes, start, end)
    }
    const kind = this.numbers.kind(bytes, start, end)
    if (bytes[start] !== DASH) return kind
    if (kind === kinds.TEXT) return kinds.wordKind(bytes, start + 1, end, true)
    if (bytes[start + 1] === NINE && bytes[start + 2] === NINE) this.countSentinel(bytes, start, end)
    return kind
  }

  private countSentinel(bytes: Uint8Array, start: number, end: number): void {
    const text = decoder.decode(bytes.subarray(start, end))
    if (SENTINEL.test(text)) addTo(this.sentinels, text, 1)
  }

  private temporalKind(bytes: Uint8Array, start: number, end: number): number {
    const { temporal } = this
    const kind = temporal.kind(bytes, start, end)
    if (kind === kinds.TEXT || kind === kinds.DATE) return kind
    if (kind === kinds.NUMERIC_DATE) return this.numericDate()
    if (kind === kinds.DURATION && !temporal.isDay) this.beyondDay = true
    if (kind === kinds.TIME) {
      // Times have no more than microseconds.
      if (temporal.fraction > 6) return kinds.TEXT
      if (temporal.seconds >= 3600) this.afterFirstHour = true
      else if (temporal.seconds > 0) this.inFirstHour = true
    }
    if (kind === kinds.TIMESTAMP) {
      if (temporal.fraction > this.maxFraction) this.maxFraction = temporal.fraction
      if (temporal.year < 1678 || temporal.year > 2261) this.outsideNanos = true
    }
    return kind
  }

  /** Takes a numeric date. All dates of a column must share a separator and at least one order. */
  private numericDate(): number {
    const { temporal } = this
    if (this.separator === 0) this.separator = temporal.separator
    this.orders = temporal.separator === this.separator ? this.orders & temporal.order : 0
    this.last = NUMERIC
    return kinds.NUMERIC_DATE
  }

  private first(kind: number, bytes: Uint8Array, start: number, end: number): void {
    this.firstRows[kind] = this.rows
    this.firstTexts[kind] = sample(bytes, start, end)
  }

  /** Counts the text if it's a placeholder for null. */
  private isNullLike(bytes: Uint8Array, start: number, end: number): boolean {
    const text = decoder.decode(bytes.subarray(start, end))
    if (!NULL_LIKE.has(text.toLowerCase()) && !ZERO_DATE.test(text) && !ZERO_AMOUNT.test(text)) return false
    addTo(this.nullLike, text, 1)
    return true
  }
}

function addTo(counts: Map<string, number>, text: string, count: number): void {
  counts.set(text, (counts.get(text) ?? 0) + count)
}

/** A cheap check by length and a few bytes; `isNullLike` decides. */
function mayBeNull(bytes: Uint8Array, start: number, end: number): boolean {
  const odd = CHECK_FIRST[bytes[start]]
  const length = end - start
  return odd === 3 ? (length === 10 || length === 19) && bytes[start + 4] === DASH : odd !== 0 && length <= LONGEST_NULL
}

/** Whether a text has leading or trailing spaces. */
function isSpaced(bytes: Uint8Array, start: number, end: number): boolean {
  if (CHECK_FIRST[bytes[start]] !== 1 && CHECK_LAST[bytes[end - 1]] === 0) return false
  return spaceAt(bytes, start, end) > 0 || spaceBefore(bytes, start, end) > 0
}
