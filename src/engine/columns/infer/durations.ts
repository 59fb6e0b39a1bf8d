import { MINUTES_PATTERN } from '../../../tables/meaning.ts'
import { scalar, VARCHAR } from '../../../tables/types.ts'
import { hasDateParts } from '../builders/pattern.ts'
import { all, quote, type Choice, type ColumnStats, type Conventions, type InferredType } from './column-stats.ts'
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

/** Words before “time” that make it a duration. */
const OF_TIME =
  'run|play|air|up|down|over|lap|split|chip|gun|net|moving|riding|talk|hold|wait|waiting|idle|handle|handling|working|screen|watch|travel|cycle|lead'
const DURATION_WORDS = words(
  `duration|elapsed|(?:${OF_TIME}) ?times?|time (?:spent|taken|worked|on \\p{L}+)|\\p{L}*dauer|laufzeit|fahrzeit|wartezeit|arbeitszeit|überstunden|durées?|duree|temps (?:passé|écoulé)|duración|duracion|tiempo transcurrido|durata|duração|duur|varaktighet|varighed|varighet|kesto|czas trwania|süre|длительность|продолжительность`,
)
const MINUTES_WORDS = words('pace|tempo|allure|ritmo|min(?:utes)? ?(?:per|/) ?(?:km|mi|mile)')

function words(pattern: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'u')
}

/** Whether a column's name says that its values are durations (`Elapsed Time`), or minutes and seconds (`avgPace`). */
export function lastingOf(name: string): Conventions['lasting'] {
  const said = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .toLowerCase()
  return MINUTES_WORDS.test(said) ? 'minutes' : DURATION_WORDS.test(said) ? 'duration' : undefined
}

const OF_SECONDS = /^%H:%M:%S(?:\.%f)?$/

/** Fewer values within an hour may be so by chance. */
const FEW = 3

/** Times that look like times of day, but may be durations by their column's name, or because all are within an hour. */
export function lastingType(stats: ColumnStats, count: number, { lasting }: Conventions): InferredType | null {
  const { counts, firstTexts, formattedDates, inFirstHour, afterFirstHour } = stats
  const [pattern = ''] = formattedDates.patterns
  const clocks = counts[kinds.TIME]
  const isSplit = pattern === '%H:%M'
  if (clocks + (isSplit || OF_SECONDS.test(pattern) ? formattedDates.hits : 0) < count) return null
  const isShort = clocks === count && count >= FEW && inFirstHour && !afterFirstHour
  if (lasting === undefined && !isShort) return null
  const from = clocks === count ? firstTexts[kinds.TIME] : formattedDates.example
  const format = formattedDates.short > 0 ? { dateFormat: pattern } : {}
  const time = { code: 'times', type: scalar('TIME'), format, from } as const
  const [asked, ...lengths] = timeChoices(time, isSplit ? pattern : '%H:%M:%S')
  const isMinutes = lasting === 'minutes' || clocks > 0
  const choices = [...(isMinutes ? lengths.toReversed() : lengths), asked]
  const why = lasting === undefined ? 'as all are shorter than an hour' : 'as the name says'
  const reason = `${all(count, 'times', 'a time')} such as ${quote(from)}: durations perhaps, ${why}, or times of day. They stay text until you choose.`
  return { type: VARCHAR, reason, choices }
}

/** Times of day that none shows to be one by a zero before the hour, so that they may be durations: `9:30`, `1:05:30`. */
export function timeChoices(time: Choice, pattern: string): readonly Choice[] {
  const { from } = time
  const asked = { ...time, words: (value: string) => `${value} (time of day)`, ambiguous: true } as const
  if (pattern === '%H:%M') return [asked, hours(from), minutes(from)]
  if (!OF_SECONDS.test(pattern)) return [time]
  return [asked, { ...hours(from), words: (value) => `${value} (duration)` }]
}
