import type { ColumnFlag, Rewritten, ValueFormat } from '../../../tables/plan.ts'
import { JSON_TYPE, printType, scalar, VARCHAR, type ColumnType, type ScalarName } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { makeColumnBuilder } from '../builder.ts'
import type { FormFindings } from './forms.ts'
import * as kinds from './kinds.ts'
import type { NumberFindings } from './numbers.ts'
import { DAY_FIRST, MONTH_FIRST, YEAR_FIRST } from './temporal.ts'

/** What a column's values came to; arrays are indexed by kind. Plain data, so that it can cross between threads. */
export interface Findings {
  readonly nulls: number
  readonly counts: Float64Array
  /** From 1; 0 when there's none. */
  readonly firstRows: Float64Array
  readonly firstTexts: readonly string[]
  readonly numbers: NumberFindings
  /** Orders that make a date of every date that isn't ISO. */
  readonly orders: number
  readonly separator: number
  readonly maxFraction: number
  readonly outsideNanos: boolean
  readonly nullLike: ReadonlyMap<string, number>
  readonly forms: FormFindings
}

export interface Conclusion {
  readonly type: ColumnType
  /** One sentence for people. */
  readonly reason: string
  readonly flags: ColumnFlag[]
  readonly nulls: number
  readonly format?: ValueFormat
  /** What becomes of the texts as values of the type: as text, and as JSON. */
  readonly rewritten: { readonly text: Rewritten; readonly json: Rewritten }
}

interface Proposal {
  readonly type: ColumnType
  readonly reason: string
  readonly flags?: readonly ColumnFlag[]
  readonly format?: ValueFormat
}

const print = (count: number): string => count.toLocaleString('en-US')
const quote = (text: string): string => `“${text}”`
const sum = (counts: Float64Array, ...of: number[]): number => of.reduce((total, kind) => total + counts[kind], 0)
const all = (count: number, what: string, whatOne: string): string =>
  count === 1 ? `The one value is ${whatOne}` : `All ${print(count)} values are ${what}`

/**
 * The type for a column, why, and what to look at. Numbers of a source that tells them from texts are doubles where these
 * hold all of them; where no number type does, they stay JSON, or text.
 */
export function conclude(findings: Findings, source: kinds.Source): Conclusion {
  const count = findings.counts.reduce((total, each) => total + each, 0)
  const proposal =
    count === 0
      ? { type: VARCHAR, reason: 'There are no values in this column.', flags: ['empty'] as const }
      : (numberType(findings, count, source) ??
        simpleType(findings, count, source) ??
        dateType(findings, count) ??
        textType(findings, count, source))
  return {
    type: proposal.type,
    reason: proposal.reason,
    flags: [...(proposal.flags ?? [])],
    nulls: findings.nulls,
    ...(proposal.format ? { format: proposal.format } : {}),
    rewritten: rewritten(findings, proposal.type, proposal.format),
  }
}

function numberType(findings: Findings, count: number, source: kinds.Source): Proposal | null {
  const { counts, numbers } = findings
  if (counts[kinds.INTEGER] === count) return integerType(findings, count, source)
  const plain = sum(counts, kinds.INTEGER, kinds.DECIMAL)
  const real = sum(counts, kinds.DECIMAL, kinds.EXPONENT)
  if (plain + sum(counts, kinds.EXPONENT, kinds.SPECIAL, kinds.MINUS_ZERO) < count) return null
  // As text, -0 among whole numbers is none.
  if (real === 0 && source === 'text') return null
  const width = Math.max(numbers.whole, 1) + numbers.maxScale
  const decimal: ColumnType | null =
    source !== 'cells' && plain === count && !numbers.negativeZero && numbers.whole + numbers.maxScale <= 38
      ? { kind: 'decimal', width: Math.min(38, width), scale: numbers.maxScale }
      : null
  if (decimal && numbers.minScale === numbers.maxScale && source === 'text') {
    const digits = numbers.maxScale === 1 ? 'one digit' : `${numbers.maxScale} digits`
    return { type: decimal, reason: `${all(count, 'numbers', 'a number')} with ${digits} after the point.` }
  }
  if (numbers.inexact === 0) {
    const differing = numbers.minScale < numbers.maxScale ? ', with differing digits after the point,' : ''
    const written = counts[kinds.EXPONENT] > 0 ? ', some in scientific notation,' : differing
    return {
      type: scalar('DOUBLE'),
      reason: `${all(count, 'numbers', 'a number')}${written} that a double holds exactly.`,
    }
  }
  if (decimal) {
    const reason = `${all(count, 'numbers', 'a number')}; ${print(numbers.inexact)} of them ${
      numbers.inexact === 1 ? 'has' : 'have'
    } more digits than a double holds, so the column is a decimal.`
    return { type: decimal, reason }
  }
  const reason = `All values are numbers, but ${print(numbers.inexact)} of them ${
    numbers.inexact === 1 ? 'has' : 'have'
  } more digits than any number type holds`
  return beyondAll(reason, numbers.beyond53 ? ['beyond-2-53'] : [], source)
}

function beyondAll(reason: string, found: readonly ColumnFlag[], source: kinds.Source): Proposal {
  const flags: readonly ColumnFlag[] = source === 'text' ? found : [...found, 'as-text']
  return source === 'json'
    ? { type: JSON_TYPE, reason: `${reason}, so other formats than JSON get them as text.`, flags }
    : { type: VARCHAR, reason: `${reason}, so they ${source === 'text' ? 'stay' : 'become'} text.`, flags }
}

function integerType({ numbers }: Findings, count: number, source: kinds.Source): Proposal | null {
  const whole = all(count, 'whole numbers', 'a whole number')
  const flags: ColumnFlag[] = numbers.beyond53 ? ['beyond-2-53'] : []
  const beyond = numbers.beyond53 ? ', some beyond 2^53, where a double would round them' : ''
  if (!numbers.beyond32) return { type: scalar('INTEGER'), reason: `${whole}.` }
  if (!numbers.beyond64)
    return { type: scalar('BIGINT'), reason: `${whole} of up to ${numbers.whole} digits${beyond}.`, flags }
  if (source !== 'cells' && !numbers.negative && !numbers.beyondUnsigned64) {
    return { type: scalar('UBIGINT'), reason: `${whole} of up to 20 digits, none negative${beyond}.`, flags }
  }
  if (numbers.whole <= 38) {
    return { type: scalar('HUGEINT'), reason: `${whole} of up to ${numbers.whole} digits${beyond}.`, flags }
  }
  return beyondAll(`${whole} of up to ${print(numbers.whole)} digits: more than any number type holds`, flags, source)
}

const SIMPLE: readonly (readonly [readonly number[], ScalarName, string, string])[] = [
  [[kinds.BOOLEAN], 'BOOLEAN', 'true or false', 'true or false'],
  [[kinds.DATE], 'DATE', 'dates (YYYY-MM-DD)', 'a date (YYYY-MM-DD)'],
  [[kinds.TIME], 'TIME', 'times of day', 'a time of day'],
  [[kinds.ZONED], 'TIMESTAMP WITH TIME ZONE', 'timestamps with a UTC offset', 'a timestamp with a UTC offset'],
  [[kinds.TIME, kinds.DURATION], 'INTERVAL', 'durations', 'a duration'],
]
/** A date in a workbook is a number: it's written in no way, and one without a time of day is midnight. */
const SIMPLE_CELLS: typeof SIMPLE = [
  [[kinds.DATE], 'DATE', 'dates', 'a date'],
  ...SIMPLE,
  [[kinds.DATE, kinds.TIMESTAMP], 'TIMESTAMP', 'timestamps', 'a timestamp'],
]

function simpleType(findings: Findings, count: number, source: kinds.Source): Proposal | null {
  const { counts, maxFraction, outsideNanos } = findings
  for (const [of, name, many, one] of source === 'cells' ? SIMPLE_CELLS : SIMPLE) {
    if (sum(counts, ...of) === count) return { type: scalar(name), reason: `${all(count, many, one)}.` }
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

function dateType(findings: Findings, count: number): Proposal | null {
  const { counts, orders, separator, firstTexts } = findings
  if (counts[kinds.STYLED_DATE] === 0 || sum(counts, kinds.DATE, kinds.STYLED_DATE) < count) return null
  const mark = String.fromCharCode(separator)
  const styles: readonly (readonly [number, string, string])[] = [
    [YEAR_FIRST, `%Y${mark}%m${mark}%d`, `YYYY${mark}MM${mark}DD`],
    [DAY_FIRST, `%d${mark}%m${mark}%Y`, `DD${mark}MM${mark}YYYY`],
    [MONTH_FIRST, `%m${mark}%d${mark}%Y`, `MM${mark}DD${mark}YYYY`],
  ]
  for (const [order, dateFormat, shown] of styles) {
    if (orders === order && counts[kinds.DATE] === 0) {
      return {
        type: scalar('DATE'),
        format: { dateFormat },
        reason: `${all(count, 'dates', 'a date')} written ${shown}.`,
      }
    }
  }
  const example = quote(firstTexts[kinds.STYLED_DATE])
  if (orders === (DAY_FIRST | MONTH_FIRST) && counts[kinds.DATE] === 0) {
    const reason = `${all(count, 'dates', 'a date')}, but nothing tells whether the day or the month comes first, as in ${example}: they stay text until you say.`
    return { type: VARCHAR, reason, flags: ['ambiguous-date'] }
  }
  return {
    type: VARCHAR,
    reason: 'All values look like dates, but they are written in different ways, so they stay text.',
    flags: ['ambiguous-date', 'mixed-types'],
  }
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
  [[kinds.DATE, kinds.STYLED_DATE], 'dates'],
  [[kinds.TIME], 'times of day'],
  [[kinds.TIMESTAMP], 'timestamps'],
  [[kinds.ZONED], 'timestamps with a UTC offset'],
]
/** Where the source tells what is text, a value of another kind among texts is what doesn't belong. */
const CELL_FAMILIES: typeof FAMILIES = [...FAMILIES, [[kinds.DURATION], 'durations'], [[kinds.TEXT], 'text']]

function textType(findings: Findings, count: number, source: kinds.Source): Proposal {
  const { counts, firstRows, firstTexts } = findings
  if (counts[kinds.TEXT] === count) return { type: VARCHAR, reason: 'The values are text.' }
  const coded = sum(counts, ...CODES.map(([kind]) => kind))
  if (coded > 0 && sum(counts, ...NUMERIC) + coded === count) {
    const found = CODES.filter(([kind]) => counts[kind] > 0)
    const said = found.map(([kind, , what]) => `${quote(firstTexts[kind])} in row ${print(firstRows[kind])} ${what}`)
    return { type: VARCHAR, reason: `${said.join(', and ')}.`, flags: found.map(([, flag]) => flag) }
  }
  return mixedType(findings, count, source)
}

function mixedType(findings: Findings, count: number, source: kinds.Source): Proposal {
  const { counts, firstRows, firstTexts, nullLike } = findings
  const flags = CODES.filter(([kind]) => counts[kind] > 0 && counts[kind] * 2 >= count).map(([, flag]) => flag)
  // A family that all values are of, and that still isn't the type, doesn't tell what is wrong: "-0" and "1".
  const families = (source === 'cells' ? CELL_FAMILIES : FAMILIES).map(([of, name]) => ({
    of,
    name,
    size: sum(counts, ...of),
  }))
  const best = families.filter(({ size }) => size < count).reduce((a, b) => (b.size > a.size ? b : a))
  if (source !== 'cells' && best.size * 2 < count) return { type: VARCHAR, reason: 'The values are text.', flags }
  const offenders = Array.from(counts.keys()).filter((kind) => counts[kind] > 0 && !best.of.includes(kind))
  const first = offenders.reduce((a, b) => (firstRows[b] < firstRows[a] ? b : a))
  const off = count - best.size
  const reason = `${print(off)} of ${print(count)} values ${off === 1 ? 'is' : 'are'} not ${singular(best.name, off)}, the first is ${quote(firstTexts[first])} in row ${print(firstRows[first])}.`
  const likely = [...nullLike.values()].reduce((total, each) => total + each, 0)
  const hint =
    likely === off
      ? ` Read ${[...nullLike.keys()].map(quote).join(', ')} as null and the rest ${count - off === 1 ? 'fits' : 'fit'}.`
      : ''
  return { type: VARCHAR, reason: reason + hint, flags: [...flags, 'mixed-types'] }
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

const encoder = new TextEncoder()

/** What becomes of a column's texts when they're values of a type: as text, and as JSON where that is another form. */
function rewritten(
  findings: Findings,
  type: ColumnType,
  format?: ValueFormat,
): { readonly text: Rewritten; readonly json: Rewritten } {
  const [count, from] = othersOf(findings, type)
  const text = told(count, from, type, format, (to) => to)
  const { json } = findings.forms
  const kind = [kinds.TIMESTAMP, kinds.ZONED].find((each) => json.counts[each] > 0)
  if (type.kind !== 'scalar' || !type.name.startsWith('TIMESTAMP')) return { text, json: text }
  const inJson = (to: string): string => to.replace(' ', 'T').replace(/\+00$/, 'Z')
  return { text, json: kind ? told(json.counts[kind], json.texts[kind], type, format, inJson) : { count: 0 } }
}

function othersOf({ counts, firstTexts, numbers, forms }: Findings, type: ColumnType): [count: number, first: string] {
  const { text, bare, bareText, least, leastText } = forms
  const first = (...of: number[]): string => of.map((kind) => text.texts[kind]).find(Boolean) ?? ''
  const total = (...of: number[]): number => sum(text.counts, ...of)
  if (type.kind === 'decimal') {
    const short = counts[kinds.INTEGER] + counts[kinds.DECIMAL] - numbers.atMaxScale
    const shown = least < type.scale ? leastText : bareText || firstTexts[kinds.INTEGER]
    return [short + (bare[type.scale] ?? 0), shown]
  }
  const name = printType(type)
  if (name === 'DATE') return [counts[kinds.STYLED_DATE], firstTexts[kinds.STYLED_DATE]]
  if (name === 'DOUBLE') {
    const whole = counts[kinds.INTEGER] + counts[kinds.MINUS_ZERO]
    const shown = first(kinds.DECIMAL, kinds.EXPONENT, kinds.SPECIAL)
    const count = whole + total(kinds.DECIMAL, kinds.EXPONENT, kinds.SPECIAL)
    return [count, shown || firstTexts[kinds.INTEGER] || firstTexts[kinds.MINUS_ZERO]]
  }
  const own = OWN_KIND.get(name)
  return own === undefined ? [0, ''] : [text.counts[own], text.texts[own]]
}

const OWN_KIND: ReadonlyMap<string, number> = new Map([
  ['BOOLEAN', kinds.BOOLEAN],
  ['TIME', kinds.TIME],
  ['TIMESTAMP', kinds.TIMESTAMP],
  ['TIMESTAMP_NS', kinds.TIMESTAMP],
  ['TIMESTAMP WITH TIME ZONE', kinds.ZONED],
])

function told(
  count: number,
  from: string,
  type: ColumnType,
  format: ValueFormat | undefined,
  form: (text: string) => string,
): Rewritten {
  if (count === 0) return { count }
  const bytes = encoder.encode(from)
  const builder = makeColumnBuilder(type, format)
  // A long value, of which only the beginning is known, may be none.
  if (!builder.appendText(bytes, 0, bytes.length)) return { count }
  const to = cellToString(type, builder.finish(), 0)
  return to === null ? { count } : { count, example: { from, to: form(to) } }
}
