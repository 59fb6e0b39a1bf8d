import type { Proposal, ValueFormat } from '../../../tables/plan.ts'
import { isNumeric, printType, scalar, type ColumnType } from '../../../tables/types.ts'
import { unify } from '../../../tables/combine/unify.ts'
import { plural } from '../../../lib/counts.ts'
import { ColumnInference } from './column-inference.ts'
import { inferType } from './column-type.ts'
import {
  valueCount,
  type Choice,
  type Conventions,
  type ColumnStats,
  type InferredType,
  quote,
} from './column-stats.ts'
import * as kinds from './kinds.ts'
import { rewriteOf } from './spellings.ts'
import { nullWord } from '../../../tables/meaning.ts'
import { capitalized } from '../../../lib/text.ts'

/**
 * Other meanings that a column's values may have, each with a change that the user can apply.
 * @param others the type of the column's values that aren't text, if there are any
 */
export function proposalsOf(
  stats: ColumnStats,
  conventions: Conventions,
  found: InferredType,
  others?: ColumnType,
): Proposal[] {
  const count = valueCount(stats)
  if (count === 0) return []
  const numbers = [...integerChoices(stats, count, found), ...decimalChoices(stats, count, found)]
  const choices = [...(found.choices ?? []), ...numbers]
  return [
    ...toProposals(choices, count, others),
    ...cleaningProposals(stats, conventions, found, others),
    ...sentinelProposals(stats, count, found),
    ...formulaProposals(stats, found),
    ...apostropheProposals(stats, count, found),
  ]
}

/** Proposes the text inside Excel formulas such as `="00123"`, which exports use to keep digits as text. */
function formulaProposals({ formulas: { count, text } }: ColumnStats, { type, format }: InferredType): Proposal[] {
  if (count === 0 || printType(type) !== 'VARCHAR') return []
  // The example may be truncated.
  const [, to = ''] = /^="([^"]*)/.exec(text) ?? []
  const shown = to === '' ? 'empty text' : to
  return [
    {
      code: 'formulas',
      label: `Apply: ${shown} instead of ${text}`,
      message: `${plural(count, 'value')} would lose Excel’s formula around ${count === 1 ? 'it' : 'them'}, such as ${quote(text)}: ${shown}.`,
      count,
      example: { from: text, to },
      change: { kind: 'column', patch: { format: { ...format, formulas: true } } },
    },
  ]
}

/**
 * Proposes to drop the apostrophe by which spreadsheets keep a text. One alone among other values may belong to its
 * text.
 */
function apostropheProposals(
  { apostrophes: { count, text } }: ColumnStats,
  values: number,
  { type, format }: InferredType,
): Proposal[] {
  if (count === 0 || (count === 1 && values > 1) || printType(type) !== 'VARCHAR') return []
  const to = text.slice(1)
  return [
    {
      code: 'apostrophes',
      label: `Apply: ${to} instead of ${text}`,
      message: `${plural(count, 'value')} would lose the apostrophe by which spreadsheets keep ${count === 1 ? 'it' : 'them'} as text, such as ${quote(text)}: ${to}.`,
      count,
      example: { from: text, to },
      change: { kind: 'column', patch: { format: { ...format, apostrophes: true } } },
    },
  ]
}

/** Proposes that sentinel values such as -999 are null, if they repeat and no number has more digits. */
function sentinelProposals({ sentinels: words, numbers }: ColumnStats, count: number, found: InferredType): Proposal[] {
  if (!isNumeric(printType(found.type))) return []
  const total = [...words.values()].reduce((sum, each) => sum + each, 0)
  const nullValues = [...words.keys()]
  const digits = Math.max(...nullValues.map((word) => word.split('.', 1)[0].length - 1))
  if (total < 2 || total === count || numbers.whole > digits) return []
  const named = nullValues.map(quote).join(', ')
  return [
    {
      code: 'null-words',
      label: `Apply: ${areNull(nullValues)}`,
      message: `${named} (${plural(total, 'value')}) would be null: instruments often write such numbers for missing measurements.`,
      count: total,
      example: { from: nullValues[0], to: 'null' },
      change: { kind: 'column', patch: { format: { ...found.format, nullValues } } },
      // It may still be a measurement.
      ambiguous: true,
    },
  ]
}

const toProposals = (choices: readonly Choice[], count: number, others: ColumnType | undefined): Proposal[] =>
  choices.flatMap((choice) => widened(choice, others) ?? []).map((choice) => toProposal(choice, count))

/**
 * Widens a type so that it also holds the values that aren't text, which are in standard form; null if no format parses
 * both.
 */
function widened<T extends Pick<InferredType, 'type' | 'format'>>(found: T, others: ColumnType | undefined): T | null {
  if (!others) return found
  const { format = {} } = found
  const { decimalMark, grouping, trueValues, falseValues } = format
  const type = unify([found.type, others])
  if (printType(type) === 'VARCHAR' || decimalMark === ',' || grouping === '.') return null
  if (!trueValues || !falseValues) return { ...found, type }
  return {
    ...found,
    format: { ...format, trueValues: [...trueValues, 'true'], falseValues: [...falseValues, 'false'] },
  }
}

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['DATE', 'dates'],
  ['TIME', 'times of day'],
  ['TIMESTAMP', 'dates with times'],
  ['TIMESTAMP_NS', 'dates with times'],
  ['TIMESTAMP WITH TIME ZONE', 'dates with times'],
  ['INTERVAL', 'durations'],
  ['BOOLEAN', 'true or false'],
  ['INTEGER', 'whole numbers'],
  ['BIGINT', 'whole numbers'],
  ['UBIGINT', 'whole numbers'],
  ['HUGEINT', 'whole numbers'],
])
const typeWords = (type: ColumnType): string => TYPE_WORDS.get(printType(type)) ?? 'numbers'

/** The choice as a proposal with a button. */
function toProposal({ code, type, format, from, words, message, ambiguous }: Choice, count: number): Proposal {
  const { example } = rewriteOf(count, from, type, format, (to) => to)
  const said = words?.(example?.to ?? from) ?? example?.to ?? from
  return {
    code,
    label: `Apply: ${said}`,
    message: message ?? `${plural(count, 'value')} would become ${typeWords(type)}, such as ${quote(from)}: ${said}.`,
    count,
    ...(example ? { example } : {}),
    change: { kind: 'column', patch: { type: printType(type), format } },
    ...(ambiguous ? { ambiguous } : {}),
  }
}

/** Dates and times without separators, each as a pattern. */
const UNSEPARATED = [
  { of: 'days', type: 'DATE', pattern: '%Y%m%d' },
  { of: 'hours', type: 'TIMESTAMP', pattern: '%Y%m%d%H' },
  { of: 'minutes', type: 'TIMESTAMP', pattern: '%Y%m%d%H%M' },
  { of: 'moments', type: 'TIMESTAMP', pattern: '%Y%m%d%H%M%S' },
] as const

/** What integers may stand for: booleans, dates without separators (YYYYMMDD) or Unix timestamps. */
function integerChoices({ counts, numbers, firstTexts }: ColumnStats, count: number, found: InferredType): Choice[] {
  if (counts[kinds.INTEGER] < count || found.format) return []
  const from = firstTexts[kinds.INTEGER]
  if (numbers.bits === 3 && !numbers.negative) {
    const format = { trueValues: ['1'], falseValues: ['0'] }
    const words = (): string => '1 is true, 0 is false'
    return [{ code: 'booleans', type: scalar('BOOLEAN'), format, from, words, ambiguous: true }]
  }
  const date = UNSEPARATED.find(({ of }) => numbers[of] === count)
  if (date)
    return [{ code: 'dates', type: scalar(date.type), format: { dateFormat: date.pattern }, from, ambiguous: true }]
  const epoch = EPOCHS.find(({ unit }) => numbers[unit] === count)
  return epoch === undefined || numbers.negative || numbers.isBeyondNow ? [] : [epochChoice(epoch, from)]
}

/** Seconds since 1970 with a fraction. Amounts have fewer digits after the point. */
function decimalChoices({ counts, numbers, firstTexts }: ColumnStats, count: number, found: InferredType): Choice[] {
  const from = firstTexts[kinds.DECIMAL]
  const isEpoch = numbers.whole === 10 && numbers.minScale > 0 && numbers.maxScale >= 3 && numbers.maxScale <= 9
  if (counts[kinds.DECIMAL] < count || found.format || numbers.negative || !isEpoch || !EPOCH.test(from)) return []
  return [
    epochChoice(
      { unit: 'seconds', dateFormat: '%s.%f', type: numbers.maxScale > 6 ? 'TIMESTAMP_NS' : 'TIMESTAMP' },
      from,
    ),
  ]
}

const EPOCH = /^1\d{9}\./
const EPOCHS = [
  { unit: 'seconds', dateFormat: '%s', type: 'TIMESTAMP' },
  { unit: 'milliseconds', dateFormat: '%Q', type: 'TIMESTAMP' },
  { unit: 'microseconds', dateFormat: '%s%f', type: 'TIMESTAMP' },
  { unit: 'nanoseconds', dateFormat: '%s%f', type: 'TIMESTAMP_NS' },
] as const

interface Epoch {
  readonly unit: string
  readonly dateFormat: string
  readonly type: 'TIMESTAMP' | 'TIMESTAMP_NS'
}

const epochChoice = ({ unit, dateFormat, type }: Epoch, from: string): Choice => ({
  code: 'epoch',
  type: scalar(type),
  format: { dateFormat },
  from,
  words: (value) => `${value} (${unit} since 1970)`,
  ambiguous: true,
})

/** Proposes to trim spaces and to read placeholders such as N/A as null, with the type that this gives. */
function cleaningProposals(
  stats: ColumnStats,
  conventions: Conventions,
  found: InferredType,
  others: ColumnType | undefined,
): Proposal[] {
  const { nullLike, spaced } = stats
  const words = [...new Set([...nullLike.keys(), ...(spaced?.stats.nullLike.keys() ?? [])])]
  if (words.length === 0 && !spaced) return []
  const tries = [
    ...(nullLike.size > 0 ? [{ nulls: [...nullLike.keys()], trim: false }] : []),
    ...(spaced ? [{ nulls: [] as string[], trim: true }] : []),
    ...(spaced && words.length > 0 ? [{ nulls: words, trim: true }] : []),
  ]
  for (const { nulls, trim } of tries) {
    const rest = cleanedStats(stats, nulls.length > 0, trim)
    const format = { ...(nulls.length > 0 ? { nullValues: nulls } : {}), ...(trim ? { trim } : {}) }
    const count = valueCount(rest)
    if (count === 0) {
      if (others) return [cleaningProposal(stats, format, { type: others })]
      continue
    }
    const { choices, ...better } = inferType(rest, 'text', conventions)
    const known = printType(better.type) === 'VARCHAR' ? null : widened(better, others)
    if (known) return [cleaningProposal(stats, format, known)]
    if (choices) {
      return toProposals(
        choices.map((choice) => ({ ...choice, format: { ...choice.format, ...format } })),
        count,
        others,
      ).map((proposal) => ({ ...proposal, message: `${cleaningMessage(stats, format)}. ${proposal.message}` }))
    }
  }
  if (printType(found.type) !== 'VARCHAR') return []
  // An empty text is a value in a column of texts.
  const nullValues = [...nullLike.keys()].filter((word) => word !== '')
  return [
    ...(spaced ? [cleaningProposal(stats, { trim: true })] : []),
    ...(nullValues.length > 0 ? [cleaningProposal(stats, { nullValues })] : []),
  ]
}

const areNull = (words: readonly string[]): string =>
  `${words.map(nullWord).join(', ')} ${words.length === 1 ? 'is' : 'are'} null`

function cleaningProposal(
  stats: ColumnStats,
  format: ValueFormat,
  better?: Pick<InferredType, 'type' | 'format'>,
): Proposal {
  const { nullValues = [], trim } = format
  const { spaced } = stats
  const nulls = nullValues.reduce((sum, word) => sum + nullsOf(stats, word), 0)
  const label = [
    ...(nullValues.length > 0 ? [areNull(nullValues)] : []),
    ...(trim ? ['trim spaces'] : []),
    ...(better ? [typeWords(better.type)] : []),
  ].join(', ')
  const rest = better ? `; the values are ${typeWords(better.type)} then` : ''
  const from = nullValues[0] ?? spaced?.text ?? ''
  // “NA” may be a name or a country (Namibia).
  const ambiguous = !better && nullValues.some((word) => /^na$/i.test(word))
  return {
    code: nullValues.length > 0 ? 'null-words' : 'spaces',
    label: `Apply: ${label}`,
    message: `${cleaningMessage(stats, format)}${rest}.`,
    count: nulls + (trim ? (spaced?.count ?? 0) : 0),
    example: { from, to: nullValues.length > 0 ? 'null' : from.trim() },
    change: {
      kind: 'column',
      patch: { ...(better ? { type: printType(better.type) } : {}), format: { ...better?.format, ...format } },
    },
    ...(ambiguous ? { ambiguous } : {}),
  }
}

/** The effect of the null values and of trimming, as the first part of a sentence. */
function cleaningMessage(stats: ColumnStats, { nullValues = [], trim }: ValueFormat): string {
  const nulls = nullValues.reduce((sum, word) => sum + nullsOf(stats, word), 0)
  const spaced = stats.spaced?.count ?? 0
  const what = [
    ...(nullValues.length > 0
      ? [`${nullValues.map(nullWord).join(', ')} (${plural(nulls, 'value')}) would be null`]
      : []),
    ...(trim ? [`${plural(spaced, 'value')} would lose the spaces around ${spaced === 1 ? 'it' : 'them'}`] : []),
  ]
  return capitalized(what.join(', and '))
}

const nullsOf = ({ nullLike, spaced }: ColumnStats, word: string): number =>
  (nullLike.get(word) ?? 0) + (spaced?.stats.nullLike.get(word) ?? 0)

/** The statistics without placeholders for null, and with spaces trimmed. */
function cleanedStats(stats: ColumnStats, nulls: boolean, trim: boolean): ColumnStats {
  const whole = new ColumnInference()
  whole.merge(without(stats, nulls, trim), 0)
  if (trim && stats.spaced) whole.merge(without(stats.spaced.stats, nulls, trim), 0)
  return whole.stats()
}

function without(stats: ColumnStats, nulls: boolean, trim: boolean): ColumnStats {
  const words = nulls ? [...stats.nullLike.values()].reduce((sum, each) => sum + each, 0) : 0
  const counts = stats.counts.slice()
  counts[kinds.TEXT] -= words + (trim ? (stats.spaced?.count ?? 0) : 0)
  const first = stats.firstTexts[kinds.TEXT]
  const firstRows = stats.firstRows.slice()
  // We don't know which text is the first of those left.
  if ((nulls && stats.nullLike.has(first)) || (trim && first === stats.spaced?.text)) firstRows[kinds.TEXT] = 0
  return {
    ...stats,
    counts,
    firstRows,
    nulls: stats.nulls + words,
    ...(nulls ? { nullLike: new Map<string, number>() } : {}),
    ...(trim ? { spaced: null } : {}),
  }
}
