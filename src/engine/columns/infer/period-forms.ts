/** What all values of a column are: parts of years, which no type of ours holds. */
export type Period = 'month' | 'quarter'

/** How many values are so, and what they are; null where there are none, or others too. */
export type Periods = { readonly period: Period; readonly count: number } | null

const LONGEST = 8
const MONTH = /^(?:\d{4}[-/.](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])[-/.]\d{4})$/
const QUARTER = /^(?:[Qq][1-4][ -/]?\d{4}|\d{4}[ -/]?[Qq][1-4])$/
const decoder = new TextDecoder()

/** The values of a column, as long as all of them are months (`2024-01`, `01/2024`) or all quarters (`Q1 2024`, `2024-Q1`). */
export class PeriodForms {
  private period: Period | null = null
  private count = 0
  isLikely = true

  observe(bytes: Uint8Array, start: number, end: number): void {
    const text = end - start > LONGEST ? '' : decoder.decode(bytes.subarray(start, end))
    this.take(MONTH.test(text) ? 'month' : QUARTER.test(text) ? 'quarter' : null, 1)
  }

  private take(period: Period | null, count: number): void {
    this.period ??= period
    this.isLikely &&= period !== null && period === this.period
    this.count += count
  }

  findings(): Periods {
    return this.isLikely && this.period ? { period: this.period, count: this.count } : null
  }

  /** @param texts whether there were texts in later rows */
  merge(later: Periods, texts: boolean): void {
    if (later) this.take(later.period, later.count)
    else if (texts) this.isLikely = false
  }
}
