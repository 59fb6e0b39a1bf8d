import type { ColumnFlag, Proposal, Rewritten, ValueFormat } from '../../../tables/plan.ts'
import { nullWord, PLAIN_TEXT } from '../../../tables/meaning.ts'
import { sameType, scalar, VARCHAR, type ColumnType, type ScalarName } from '../../../tables/types.ts'
import { dateType, readByPattern } from './dates.ts'
import {
  valueCount,
  type Choice,
  type Conventions,
  type ColumnStats,
  type InferredType,
  all,
  print,
  quote,
} from './column-stats.ts'
import * as kinds from './kinds.ts'
import { countNumbers } from './number-forms.ts'
import { formattedNumberType, numberType } from './number-type.ts'
import { rewritten } from './spellings.ts'
import { durationType, lastingType } from './durations.ts'
import { jsonTextType } from './json-texts.ts'
import { booleanWordType } from './words.ts'
import { severalZonesType } from './zones.ts'

export interface InferredColumn {
  readonly type: ColumnType
  /** Shown to people. */
  readonly reason: string
  readonly flags: ColumnFlag[]
  readonly nulls: number
  readonly format?: ValueFormat
  /** Values that text output, and JSON output, would write differently than the file. */
  readonly rewritten: { readonly text: Rewritten; readonly json: Rewritten }
  /** Other meanings, which the user can apply. */
  readonly proposals?: readonly Proposal[]
  /** The value format to start from if the user chooses a number or a date type. */
  readonly likely?: ValueFormat
}

/**
 * Infers a column's type, with the reason and anything to check. Numbers of a typed source are doubles if doubles hold
 * all of them exactly; numbers that no numeric type holds stay JSON or text.
 */
export function inferColumn(stats: ColumnStats, source: kinds.Source): InferredColumn {
  return inferredColumn(stats, inferType(stats, source, {}))
}

/** Completes an inferred type with its notes and its changed values. */
export function inferredColumn(stats: ColumnStats, found: InferredType): InferredColumn {
  return {
    type: found.type,
    reason: found.reason,
    flags: [...(found.flags ?? [])],
    nulls: stats.nulls,
    ...(found.format && Object.keys(found.format).length > 0 ? { format: found.format } : {}),
    rewritten: rewritten(stats, found),
  }
}

/** The type that holds for all values; VARCHAR where that isn't certain. */
export function inferType(stats: ColumnStats, source: kinds.Source, conventions: Conventions): InferredType {
  const count = valueCount(stats)
  if (count === 0) return { type: VARCHAR, reason: 'There are no values in this column.', flags: ['empty'] }
  const ofText = source === 'text'
  return (
    (ofText ? formattedNumberType(stats, count, conventions) : null) ??
    numberType(stats, count, source) ??
    (ofText ? lastingType(stats, count, conventions) : null) ??
    simpleType(stats, count, source) ??
    datesType(stats, count, conventions) ??
    (ofText ? booleanWordType(stats, count) : null) ??
    textType(stats, count, source, conventions)
  )
}

const SIMPLE: readonly (readonly [readonly number[], ScalarName, string, string])[] = [
  [[kinds.BOOLEAN], 'BOOLEAN', 'true or false', 'true or false'],
  [[kinds.DATE], 'DATE', 'dates (YYYY-MM-DD)', 'a date (YYYY-MM-DD)'],
  [[kinds.TIME], 'TIME', 'times of day', 'a time of day'],
  [[kinds.ZONED], 'TIMESTAMP WITH TIME ZONE', 'timestamps with a UTC offset', 'a timestamp with a UTC offset'],
  [[kinds.TIME, kinds.DURATION], 'INTERVAL', 'durations', 'a duration'],
]
/** Workbooks store dates as numbers, so no text changes; a timestamp without a time of day is midnight. */
const SIMPLE_CELLS: typeof SIMPLE = [
  [[kinds.DATE], 'DATE', 'dates', 'a date'],
  ...SIMPLE,
  [[kinds.DATE, kinds.TIMESTAMP], 'TIMESTAMP', 'timestamps', 'a timestamp'],
]

function simpleType(stats: ColumnStats, count: number, source: kinds.Source): InferredType | null {
  const { counts, maxFraction, outsideNanos, beyondDay } = stats
  for (const [of, name, many, one] of source === 'cells' ? SIMPLE_CELLS : SIMPLE) {
    if (name === 'INTERVAL' && source !== 'cells' && !beyondDay) continue
    if (kinds.sum(counts, ...of) === count) return { type: scalar(name), reason: `${all(count, many, one)}.` }
  }
  if (counts[kinds.TIMESTAMP] !== count) return null
  if (maxFraction <= 6) return { type: scalar('TIMESTAMP'), reason: `${all(count, 'timestamps', 'a timestamp')}.` }
  if (outsideNanos) {
    const reason = `${all(count, 'timestamps', 'a timestamp')}, but nanoseconds and years this far apart fit no type, so they stay text.`
    return { type: VARCHAR, reason }
  }
  const reason = `${all(count, 'timestamps', 'a timestamp')} with ${maxFraction} digits after the seconds.`
  return { type: scalar('TIMESTAMP_NS'), reason }
}

/** The type of a column of dates. Proposes to change the few values that aren't in the same form. */
function datesType(stats: ColumnStats, count: number, conventions: Conventions): InferredType | null {
  const found = dateType(stats, count, conventions)
  if (!found?.flags?.includes('mixed-types')) return found
  const { counts, firstRows, firstTexts } = stats
  const [few, most] =
    counts[kinds.DATE] < counts[kinds.NUMERIC_DATE]
      ? [kinds.DATE, kinds.NUMERIC_DATE]
      : [kinds.NUMERIC_DATE, kinds.DATE]
  if (counts[few] === 0) return found
  const are = counts[few] === 1 ? 'is' : 'are'
  const first = `${quote(firstTexts[few])} in row ${print(firstRows[few])}`
  const reason = `${print(counts[few])} of ${print(count)} dates ${are} written otherwise than the others, the first is ${first}.`
  const choice = mostChoice(stats, { of: [most], name: 'dates', size: counts[most] }, count, reason, conventions)
  return choice ? { ...found, reason, choices: [choice] } : found
}

const NUMERIC = [kinds.INTEGER, kinds.DECIMAL, kinds.EXPONENT, kinds.SPECIAL, kinds.MINUS_ZERO]
const CODES: readonly (readonly [number, ColumnFlag, string])[] = [
  [kinds.LEADING_ZEROS, 'leading-zeros', 'would lose its leading zeros as a number'],
  [kinds.PLUS, 'plus-sign', 'would lose its plus sign as a number'],
  [kinds.CODE, 'exponent-code', 'is more likely a code than a number'],
]
const FAMILIES: readonly (readonly [readonly number[], string])[] = [
  [[kinds.INTEGER], 'whole numbers'],
  [NUMERIC, 'numbers'],
  [[kinds.BOOLEAN], 'true or false'],
  [[kinds.DATE, kinds.NUMERIC_DATE], 'dates'],
  [[kinds.TIME], 'times of day'],
  [[kinds.TIMESTAMP], 'timestamps'],
  [[kinds.ZONED], 'timestamps with a UTC offset'],
]
/** Workbook cells have types, so text among other values is also an outlier. */
const CELL_FAMILIES: typeof FAMILIES = [...FAMILIES, [[kinds.DURATION], 'durations'], [[kinds.TEXT], 'text']]

function textType(stats: ColumnStats, count: number, source: kinds.Source, conventions: Conventions): InferredType {
  const { counts, firstRows, firstTexts, periods } = stats
  const formed = source === 'text' ? mostlyFormatted(stats, count, conventions) : null
  const durations = durationType(stats, count, formed?.choices)
  if (durations) return durations
  if (periods?.count === count && periods.period !== 'duration') {
    const { period } = periods
    const reason = `${all(count, `${period}s`, `a ${period}`)}, such as ${quote(firstTexts[kinds.TEXT])}, which no type holds: the column stays text.`
    return { type: VARCHAR, reason }
  }
  if (formed) return formed
  const nulls = source === 'text' ? nullsAmongNumbers(stats, count) : null
  if (nulls) return nulls
  const zones = severalZonesType(stats, count)
  if (zones) return zones
  const json = jsonTextType(stats, count)
  if (json) return json
  if (counts[kinds.TEXT] === count) return { type: VARCHAR, reason: PLAIN_TEXT }
  const coded = kinds.sum(counts, ...CODES.map(([kind]) => kind))
  if (coded > 0 && kinds.sum(counts, ...NUMERIC) + coded === count) {
    const found = CODES.filter(([kind]) => counts[kind] > 0)
    const said = found.map(([kind, , what]) => `${quote(firstTexts[kind])} in row ${print(firstRows[kind])} ${what}`)
    return { type: VARCHAR, reason: `${said.join(', and ')}.`, flags: found.map(([, flag]) => flag) }
  }
  return mixedType(stats, count, source, conventions)
}

function mixedType(stats: ColumnStats, count: number, source: kinds.Source, conventions: Conventions): InferredType {
  const { counts, firstRows, firstTexts } = stats
  const flags = CODES.filter(([kind]) => counts[kind] > 0 && counts[kind] * 2 >= count).map(([, flag]) => flag)
  // A family that holds all values doesn't explain why there's no type (as with "-0" and "1").
  const families = (source === 'cells' ? CELL_FAMILIES : FAMILIES).map(([of, name]) => ({
    of,
    name,
    size: kinds.sum(counts, ...of),
  }))
  const best = families.filter(({ size }) => size < count).reduce((a, b) => (b.size > a.size ? b : a))
  if (source !== 'cells' && best.size * 2 < count) return { type: VARCHAR, reason: PLAIN_TEXT, flags }
  const offenders = Array.from(counts.keys()).filter((kind) => counts[kind] > 0 && !best.of.includes(kind))
  const first = offenders.reduce((a, b) => (firstRows[b] < firstRows[a] ? b : a))
  const off = count - best.size
  const where =
    firstRows[first] > 0 ? `, the first is ${nullWord(firstTexts[first])} in row ${print(firstRows[first])}` : ''
  const reason = `${print(off)} of ${print(count)} values ${off === 1 ? 'is' : 'are'} not ${singular(best.name, off)}${where}.`
  const likely = placeholders(stats)
  const hint = likely === off ? asNull(stats, count - off) : ''
  const choice = source === 'text' && likely < off ? mostChoice(stats, best, count, reason, conventions) : null
  return {
    type: VARCHAR,
    reason: reason + hint,
    flags: [...flags, 'mixed-types'],
    ...(choice ? { choices: [choice] } : {}),
  }
}

/** The number of values that may stand for null. */
const placeholders = ({ nullLike }: ColumnStats): number => [...nullLike.values()].reduce((sum, each) => sum + each, 0)

const asNull = ({ nullLike }: ColumnStats, rest: number): string =>
  ` Read ${[...nullLike.keys()].map(nullWord).join(', ')} as null and the rest ${rest === 1 ? 'fits' : 'fit'}.`

/** The reason for a column of numbers, some formatted (`1,234.50`), where all other values may stand for null. */
function nullsAmongNumbers(stats: ColumnStats, count: number): InferredType | null {
  const off = placeholders(stats)
  if (off === 0 || stats.formattedNumbers.hits === 0 || countNumbers(stats) + off < count) return null
  const reason = `${print(off)} of ${print(count)} values ${off === 1 ? 'is not a number' : 'are not numbers'}.`
  return { type: VARCHAR, reason: reason + asNull(stats, count - off), flags: ['mixed-types'] }
}

/** A type is proposed for a column if at most one of this many values doesn't fit it. */
const RARE = 100

/** The type of nearly all values. Rows with the other values would be rejected, and can be corrected. */
function mostChoice(
  stats: ColumnStats,
  { of, name, size }: { readonly of: readonly number[]; readonly name: string; readonly size: number },
  count: number,
  reason: string,
  conventions: Conventions,
): Choice | null {
  const off = count - size
  if (off * RARE > count) return null
  const counts = stats.counts.map((each, kind) => (of.includes(kind) ? each : 0))
  const found = inferType({ ...stats, counts }, 'text', conventions)
  const from = of.map((kind) => stats.firstTexts[kind]).find(Boolean) ?? ''
  return sameType(found.type, VARCHAR) ? null : mostly(found, from, name, off, reason)
}

/** As `mostChoice`, for formatted numbers and dates by pattern: `1.234,50 €`, `3 Mar 2024`. */
function mostlyFormatted(stats: ColumnStats, count: number, conventions: Conventions): InferredType | null {
  const { formattedNumbers, formattedDates, spaced } = stats
  const numbers = formattedNumbers.hits === 0 ? 0 : countNumbers(stats)
  const dates = readByPattern(stats)
  const [size, name, one, from] =
    numbers > dates
      ? [numbers, 'numbers', 'a number', formattedNumbers.example]
      : [dates, 'dates', 'a date', formattedDates.example]
  const off = count - size
  // Texts with spaces, and placeholders for null, have proposals of their own.
  const known = (spaced?.count ?? 0) + placeholders(stats)
  if (off * RARE > count || known >= off) return null
  const found = numbers > dates ? formattedNumberType(stats, size, conventions) : dateType(stats, size, conventions)
  if (!found || sameType(found.type, VARCHAR)) return null
  const reason = `${print(off)} of ${print(count)} values ${off === 1 ? `is not ${one}` : `are not ${name}`} such as ${quote(from)}.`
  return { type: VARCHAR, reason, flags: ['mixed-types'], choices: [mostly(found, from, name, off, reason)] }
}

function mostly({ type, format = {} }: InferredType, from: string, name: string, off: number, reason: string): Choice {
  const rows = off === 1 ? 'The row with it doesn’t' : 'The rows with them don’t'
  return {
    code: 'mostly',
    type,
    format,
    from,
    words: () => `${name}, and mend ${off === 1 ? '1 row' : `${print(off)} rows`}`,
    message: `${reason} ${rows} fit then: mend ${off === 1 ? 'it' : 'them'}, or leave ${off === 1 ? 'it' : 'them'} out.`,
    ambiguous: true,
  }
}

const SINGULAR = new Map([
  ['whole numbers', 'a whole number'],
  ['numbers', 'a number'],
  ['dates', 'a date'],
  ['times of day', 'a time of day'],
  ['timestamps', 'a timestamp'],
  ['timestamps with a UTC offset', 'a timestamp with a UTC offset'],
  ['durations', 'a duration'],
])
const singular = (name: string, count: number): string => (count === 1 ? (SINGULAR.get(name) ?? name) : name)
