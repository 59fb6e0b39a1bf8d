import { monthOf } from '../../../lib/date-names.ts'
import { parseInterval, parseMinutes } from '../builders/intervals.ts'
import type { Certainty, Period, Periods } from './column-stats.ts'

const decoder = new TextDecoder()

const LONGEST_PERIOD = 24
const MONTH = /^(?:\d{4}[-/.](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])[-/.]\d{4})$/
const QUARTER = /^(?:[Qq][1-4][ -/]?\d{4}|\d{4}[ -/]?[Qq][1-4])$/

const NAMED_MONTH = /^(\p{L}+)\.?(?: |-|\/|[- ]?'|)(?:\d{4}|\d\d)$/u

function isMonth(text: string): boolean {
  if (MONTH.test(text)) return true
  const [, name = ''] = NAMED_MONTH.exec(text) ?? []
  return name !== '' && monthOf(name.toLowerCase(), false) !== undefined
}

function periodOf(text: string): Period | null {
  if (isMonth(text)) return 'month'
  if (QUARTER.test(text)) return 'quarter'
  return parseInterval(text) || parseMinutes(text) ? 'duration' : null
}

/** A count of one unit (`12h`), or a time of day (`8:30`). */
const UNLIKELY = /^(?:\d+ ?[a-z]+|(?:[01]?\d|2[0-3]):\d\d(?::.+)?|24:00(?::00)?)$/i
/** `10h30` may be a time of day, `P1M` a code for a frequency, `38:15` minutes and seconds. */
const AMBIGUOUS = /^(?:\d+h\d\d|P[^T]+|[+-]?\d+:\d\d)$/i

const CLOCK = /^[+-]?\d+(?::\d\d){1,2}(?:[.,]\d+)?$/

const certaintyOf = (text: string): Certainty => (UNLIKELY.test(text) ? 0 : AMBIGUOUS.test(text) ? 1 : 2)

/**
 * Recognizes columns of months only (`2024-01`, `01/2024`, `Jan-24`), of quarters only (`Q1 2024`, `2024-Q1`), or of
 * durations only (`1h 5m`, `PT1H30M`, `38:15`, `1:23.4`).
 */
export class PeriodStats {
  private period: Period | null = null
  private count = 0
  private certainty: Certainty = 0
  private readonly forms = { pairs: 0, minutes: 0, words: 0 }
  isLikely = true

  observe(bytes: Uint8Array, start: number, end: number): void {
    const text = end - start > LONGEST_PERIOD ? '' : decoder.decode(bytes.subarray(start, end))
    const period = periodOf(text)
    this.take(period, 1, period === null ? 0 : certaintyOf(text))
    if (period !== 'duration') return
    const isPair = parseMinutes(text) !== null
    if (isPair) this.forms.pairs++
    if (isPair && !parseInterval(text)) this.forms.minutes++
    if (!CLOCK.test(text)) this.forms.words++
  }

  private take(period: Period | null, count: number, certainty: Certainty): void {
    this.period ??= period
    this.isLikely &&= period !== null && period === this.period
    if (certainty > this.certainty) this.certainty = certainty
    this.count += count
  }

  stats(): Periods {
    const { period, count, certainty } = this
    return this.isLikely && period ? { period, count, certainty, ...this.forms } : null
  }

  /** @param texts whether the later rows have texts that can't be dates or times of day */
  merge(later: Periods, texts: boolean): void {
    if (later) {
      this.take(later.period, later.count, later.certainty)
      for (const form of ['pairs', 'minutes', 'words'] as const) this.forms[form] += later[form]
    } else if (texts) {
      this.isLikely = false
    }
  }
}
