import { DASH, EQUALS, ZERO } from '../../../lib/ascii.ts'
import { isTextFormula, skipSpaces, spaceAt, spaceBefore, trimmedEnd } from '../text-bytes.ts'
import { inferColumn, type InferredColumn } from './column-type.ts'
import { FormattedDateStats } from './dates.ts'
import type { ColumnStats } from './column-stats.ts'
import { sample, SpellingStats } from './spellings.ts'
import * as kinds from './kinds.ts'
import { FormattedNumberStats } from './number-forms.ts'
import { NumberStats, type CountedNumbers } from './numbers.ts'
import { PeriodForms, WordForms } from './words.ts'
import { TemporalScanner } from './temporal.ts'

const NINE = 0x39
const LEAD_TEXT = 0
const LEAD_DIGIT = 1
const LEAD_NUMBER = 2
const LEAD_PLUS = 3
const LEAD_WORD = 4
/** What a value may be by its first byte: most texts are recognized by it alone. */
const LEADS = new Uint8Array(256)
for (let digit = 0x30; digit <= 0x39; digit++) LEADS[digit] = LEAD_DIGIT
LEADS[0x2d] = LEAD_NUMBER
LEADS[0x2e] = LEAD_NUMBER
LEADS[0x2b] = LEAD_PLUS
for (const letter of 'tTfFnNiI') LEADS[letter.charCodeAt(0)] = LEAD_WORD

/** What the last text looked like: the next ones are likely the same. */
const PLAIN = 0
const FORMATTED_NUMBER = 1
const FORMATTED_DATE = 2
const STYLED = 3

/**
 * Bytes that a space may begin with: 1; that only a word for no value may: 2; that only a date of zeros may: 3. And bytes
 * that a space may end with.
 */
const ODD_FIRST = new Uint8Array(256)
const ODD_LAST = new Uint8Array(256)
for (let byte = 0; byte <= 0x20; byte++) ODD_FIRST[byte] = ODD_LAST[byte] = 1
for (const byte of [0xc2, 0xe2]) ODD_FIRST[byte] = 1
for (const char of 'nNkK#-?.:\\(<') ODD_FIRST[char.charCodeAt(0)] = 2
// As the null that ClickHouse draws does.
ODD_FIRST[0xe1] = 2
ODD_FIRST[ZERO] = 3
for (const byte of [0xa0, 0xaf, 0x89]) ODD_LAST[byte] = 1

const NULL_LIKE = new Set(
  'na n/a n.a. n/d n.d. k.a. nan null none nil - -- – — ? . .. ... : #n/a \\n (null) (blank) (empty) <na> <null> #null! #div/0! #name? #num! #ref! #value! ᴺᵁᴸᴸ'.split(
    ' ',
  ),
)
const LONGEST_NULL = 12
/** As MySQL writes what is no date. */
const ZERO_DATE = /^0000-00-00(?:[ T]00:00:00)?$/
/** As programs that measure write what they didn't. */
const NO_MEASUREMENT = /^-9{3,6}(?:\.0+)?$/
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Finds the type that holds for every value of a column, from the values as text. Nothing is decided by a sample: it
 * looks at each value once, and the type it concludes is one that the column's builder accepts every value for.
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
  private readonly unmeasured = new Map<string, number>()
  private readonly formattedNumbers = new FormattedNumberStats()
  private readonly formattedDates = new FormattedDateStats()
  private readonly words = new WordForms()
  private readonly periods = new PeriodForms()
  private last = PLAIN
  /** Of the last value. */
  private kind = kinds.TEXT
  /** Whether texts may still be more than that. */
  private curious = true
  /** Values with spaces around them, and what they'd be without. */
  private spacedCount = 0
  private spacedText = ''
  private trimmed: ColumnInference | null = null
  private readonly formulas = { count: 0, text: '' }
  private readonly source: kinds.Source
  /** The source itself tells numbers and booleans from texts: of these only dates are more than text. */
  private readonly ownKinds: boolean
  private orders = 7
  private separator = 0
  private maxFraction = 0
  /** Timestamps outside of what 64 bits of nanoseconds reach. */
  private outsideNanos = false

  constructor(source: kinds.Source = 'text') {
    this.source = source
    this.ownKinds = source !== 'text'
    this.numbers = new NumberStats(this.ownKinds)
  }

  /** Takes in the text `bytes[start, end)`, UTF-8. */
  observe(bytes: Uint8Array, start: number, end: number): void {
    this.rows++
    let kind = kinds.TEXT
    if (this.last !== PLAIN) {
      if (this.last === STYLED ? this.temporal.sameStyled(bytes, start, end) : this.asLast(bytes, start, end)) {
        this.take(this.last === STYLED ? this.styled() : kind, bytes, start, end)
        return
      }
      this.last = PLAIN
    }
    if (end > start) {
      const lead = LEADS[bytes[start]]
      if (lead === LEAD_DIGIT) {
        if (!this.ownKinds) kind = this.numbers.kind(bytes, start, end)
        if (kind === kinds.TEXT) kind = this.temporalKind(bytes, start, end)
      } else if (lead !== LEAD_TEXT && !this.ownKinds) {
        kind = this.otherKind(lead, bytes, start, end)
      }
    }
    this.take(kind, bytes, start, end)
    if (kind !== kinds.TEXT) return
    if (end === start) {
      // As programs write that quote all: among numbers it's likely no value.
      addTo(this.nullLike, '', 1)
      return
    }
    const odd = ODD_FIRST[bytes[start]]
    if (bytes[start] === EQUALS && isTextFormula(bytes, start, end) && this.formulas.count++ === 0) {
      this.formulas.text = sample(bytes, start, end)
    }
    if (this.curious || odd === 1 || mayBeNull(bytes, start, end) || ODD_LAST[bytes[end - 1]] !== 0) {
      this.text(bytes, start, end)
    }
  }

  /** Whether a value is what the text before it was. */
  private asLast(bytes: Uint8Array, start: number, end: number): boolean {
    return this.last === FORMATTED_NUMBER
      ? this.formattedNumbers.observe(bytes, start, end)
      : this.formattedDates.observe(bytes, start, end)
  }

  /** What else a text may be. */
  private text(bytes: Uint8Array, start: number, end: number): void {
    if (isSpaced(bytes, start, end)) {
      this.spaced(bytes, start, end)
      return
    }
    if (mayBeNull(bytes, start, end) && this.isNullLike(bytes, start, end)) return
    if (!this.curious) return
    const { formattedNumbers: numbers, formattedDates: dates, words, periods } = this
    if (!this.ownKinds && numbers.isLikely && numbers.observe(bytes, start, end)) this.last = FORMATTED_NUMBER
    else if (dates.isLikely && dates.observe(bytes, start, end)) this.last = FORMATTED_DATE
    if (this.last !== FORMATTED_NUMBER) numbers.found.misses++
    if (this.last !== FORMATTED_DATE) dates.found.misses++
    if (words.isLikely && !this.ownKinds) words.observe(bytes, start, end)
    if (periods.isLikely) periods.observe(bytes, start, end)
    this.curious = dates.isLikely || periods.isLikely || (!this.ownKinds && (numbers.isLikely || words.isLikely))
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

  /** Takes in a number of a source that tells numbers from texts. */
  observeNumber(bytes: Uint8Array, start: number, end: number): void {
    this.rows++
    this.take(this.numbers.kind(bytes, start, end), bytes, start, end)
  }

  /** Takes in a value of which the source says what it is. */
  observeKind(kind: number, bytes: Uint8Array, start: number, end: number): void {
    this.rows++
    this.take(kind, bytes, start, end)
  }

  /** The kind of the last value, if of values like it nothing matters but how many there are; else -1. */
  get countedKind(): number {
    const { kind, counts, curious } = this
    if (this.last !== PLAIN || counts[kind] === 0 || (kind === kinds.TEXT && curious)) return -1
    // The first timestamp that JSON has otherwise is kept.
    return kind === kinds.TIMESTAMP && this.spellings.json.counts[kind] === 0 ? -1 : kind
  }

  /** The fewest digits that a decimal has after the point. */
  get leastScale(): number {
    return this.spellings.leastScale
  }

  /** Whether there were values of a kind that aren't in its canonical form. */
  hasNonCanonical(kind: number): boolean {
    return this.spellings.text.counts[kind] > 0
  }

  /** Takes in values of the kind that is counted, unquoted or quoted as the last one. */
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

  /** The next value is that of this row, from 1: for callers that leave out rows. */
  seekRow(row: number): void {
    this.rows = row - 1
  }

  column(): InferredColumn {
    return inferColumn(this.stats(), this.source)
  }

  /** What the values came to so far. */
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
      nullLike: this.nullLike,
      unmeasured: this.unmeasured,
      spellings: this.spellings,
      formattedNumbers: this.formattedNumbers.found,
      formattedDates: this.formattedDates.found,
      words: this.words.stats(),
      periods: this.periods.stats(),
      formulas: this.formulas,
      spaced: this.trimmed ? { count: this.spacedCount, text: this.spacedText, stats: this.trimmed.stats() } : null,
    }
  }

  /**
   * Takes in what was found of the column's values in later rows: as if they had been observed here.
   * @param rowsBefore how many rows come before the first of them
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
    for (const [text, count] of later.nullLike) addTo(this.nullLike, text, count)
    for (const [text, count] of later.unmeasured) addTo(this.unmeasured, text, count)
    this.formattedNumbers.merge(later.formattedNumbers)
    this.formattedDates.merge(later.formattedDates)
    this.words.merge(later.words)
    this.periods.merge(later.periods, later.counts[kinds.TEXT] > 0)
    this.formulas.text ||= later.formulas.text
    this.formulas.count += later.formulas.count
    if (later.spaced) {
      this.trimmed ??= new ColumnInference(this.source)
      this.trimmed.merge(later.spaced.stats, rowsBefore)
      this.spacedText ||= later.spaced.text
      this.spacedCount += later.spaced.count
    }
  }

  private otherKind(lead: number, bytes: Uint8Array, start: number, end: number): number {
    if (lead === LEAD_WORD) return kinds.wordKind(bytes, start, end, false)
    if (lead === LEAD_PLUS) return kinds.plusKind(bytes, start, end)
    const kind = this.numbers.kind(bytes, start, end)
    if (bytes[start] !== DASH) return kind
    if (kind === kinds.TEXT) return kinds.wordKind(bytes, start + 1, end, true)
    if (bytes[start + 1] === NINE && bytes[start + 2] === NINE) this.noMeasurement(bytes, start, end)
    return kind
  }

  private noMeasurement(bytes: Uint8Array, start: number, end: number): void {
    const text = decoder.decode(bytes.subarray(start, end))
    if (NO_MEASUREMENT.test(text)) addTo(this.unmeasured, text, 1)
  }

  private temporalKind(bytes: Uint8Array, start: number, end: number): number {
    const { temporal } = this
    const kind = temporal.kind(bytes, start, end)
    if (kind === kinds.TEXT || kind === kinds.DATE) return kind
    if (kind === kinds.STYLED_DATE) return this.styled()
    // Times have no more than microseconds.
    if (kind === kinds.TIME && temporal.fraction > 6) return kinds.TEXT
    if (kind === kinds.TIMESTAMP) {
      if (temporal.fraction > this.maxFraction) this.maxFraction = temporal.fraction
      if (temporal.year < 1678 || temporal.year > 2261) this.outsideNanos = true
    }
    return kind
  }

  /** Takes in a date that isn't ISO: all have to have one separator, and at least one order in common. */
  private styled(): number {
    const { temporal } = this
    if (this.separator === 0) this.separator = temporal.separator
    this.orders = temporal.separator === this.separator ? this.orders & temporal.order : 0
    this.last = STYLED
    return kinds.STYLED_DATE
  }

  private first(kind: number, bytes: Uint8Array, start: number, end: number): void {
    this.firstRows[kind] = this.rows
    this.firstTexts[kind] = sample(bytes, start, end)
  }

  /** Counts a word that stands for no value. */
  private isNullLike(bytes: Uint8Array, start: number, end: number): boolean {
    const text = decoder.decode(bytes.subarray(start, end))
    if (!NULL_LIKE.has(text.toLowerCase()) && !ZERO_DATE.test(text)) return false
    addTo(this.nullLike, text, 1)
    return true
  }
}

function addTo(counts: Map<string, number>, text: string, count: number): void {
  counts.set(text, (counts.get(text) ?? 0) + count)
}

/** Whether a text may be a word that stands for no value, by its length and a byte or two. */
function mayBeNull(bytes: Uint8Array, start: number, end: number): boolean {
  const odd = ODD_FIRST[bytes[start]]
  const length = end - start
  return odd === 3 ? (length === 10 || length === 19) && bytes[start + 4] === DASH : odd !== 0 && length <= LONGEST_NULL
}

/** Whether a text begins or ends with a space. */
function isSpaced(bytes: Uint8Array, start: number, end: number): boolean {
  if (ODD_FIRST[bytes[start]] !== 1 && ODD_LAST[bytes[end - 1]] === 0) return false
  return spaceAt(bytes, start, end) > 0 || spaceBefore(bytes, start, end) > 0
}
