import { MINUTES_PATTERN } from '../../../tables/meaning.ts'
import { scalar, VARCHAR } from '../../../tables/types.ts'
import { hasDateParts } from '../builders/pattern.ts'
import { all, quote, type Choice, type ColumnStats, type InferredType } from './column-stats.ts'
import * as kinds from './kinds.ts'

const INTERVAL = scalar('INTERVAL')

const hours = (from: string): Choice => ({
  code: 'durations',
  type: INTERVAL,
  format: {},
  from,
  words: (value) => `${value} (hours and minutes)`,
  ambiguous: true,
})

const minutes = (from: string): Choice => ({
  code: 'minutes',
  type: INTERVAL,
  format: { dateFormat: MINUTES_PATTERN },
  from,
  words: (value) => `${value} (minutes and seconds)`,
  ambiguous: true,
})

/**
 * Durations that aren't written as DuckDB prints them: as an INTERVAL they'd have another form.
 * @param others what else may be chosen
 */
export function durationType(stats: ColumnStats, count: number, others: readonly Choice[] = []): InferredType | null {
  const { beyondDay, counts, formattedDates, periods } = stats
  const [pattern] = formattedDates.patterns
  const times = pattern === undefined || hasDateParts(pattern) ? 0 : formattedDates.hits
  const written = periods?.period === 'duration' ? periods.count : 0
  const clocks = kinds.sum(counts, kinds.TIME, kinds.DURATION)
  if (written + times + clocks < count) return null
  const certainty = beyondDay ? 2 : (periods?.certainty ?? 0)
  if (certainty === 0) return null
  const from = stats.firstTexts[kinds.TEXT]
  const isSure = certainty === 2
  const reason = isSure
    ? `${all(count, 'durations', 'a duration')}, such as ${quote(from)}. They stay text until you choose.`
    : `${all(count, 'texts', 'a text')}, which may be durations such as ${quote(from)}.`
  const pairs = (periods?.pairs ?? 0) + (pattern === '%H:%M' ? times : 0)
  const choice = { code: 'durations', type: INTERVAL, format: {}, from, ambiguous: !isSure } as const
  if (pairs === 0 || (periods?.words ?? 0) > 0) return { type: VARCHAR, reason, choices: [choice, ...others] }
  if (periods?.minutes) {
    return { type: VARCHAR, reason, choices: [{ ...minutes(from), ambiguous: false }, ...others] }
  }
  // Beside 1:02:03, 58:12 has no hours.
  const both = pairs < count ? [minutes(from), hours(from)] : [hours(from), minutes(from)]
  return { type: VARCHAR, reason, choices: [...both, ...others] }
}

/** Times of day that none shows to be one by a zero before the hour, so that they may be durations: `9:30`, `1:05:30`. */
export function timeChoices(time: Choice, pattern: string): readonly Choice[] {
  const { from } = time
  const asked = { ...time, words: (value: string) => `${value} (time of day)`, ambiguous: true } as const
  if (pattern === '%H:%M') return [asked, hours(from), minutes(from)]
  if (!/^%H:%M:%S(?:\.%f)?$/.test(pattern)) return [time]
  return [asked, { ...hours(from), words: (value) => `${value} (duration)` }]
}
