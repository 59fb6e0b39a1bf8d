import * as kinds from './kinds.ts'
import type { ColumnFlag, ValueFormat } from '../../../tables/plan.ts'
import { JSON_TYPE, scalar, VARCHAR, type ColumnType, printType } from '../../../tables/types.ts'
import {
  type ColumnStats,
  type InferredType,
  all,
  print,
  type Choice,
  type Conventions,
  type Mark,
  quote,
} from './column-stats.ts'
import { isMeasure, unitName } from '../../../tables/currencies.ts'
import { CREDIT, DEBIT } from '../number-affixes.ts'
import { POINT, COMMA } from '../text-bytes.ts'
import { sizeType } from './sizes.ts'
import { countDifferences, countNumbers, plainNumbers, readings, type ParsedNumbers } from './number-forms.ts'

/** The type of a column of plain numbers; null for any other column. */
export function numberType(
  stats: Pick<ColumnStats, 'counts' | 'numbers'>,
  count: number,
  source: kinds.Source,
): InferredType | null {
  const { counts, numbers } = stats
  if (counts[kinds.INTEGER] === count) return integerType(stats, count, source)
  const plain = kinds.sum(counts, kinds.INTEGER, kinds.DECIMAL)
  const real = kinds.sum(counts, kinds.DECIMAL, kinds.EXPONENT)
  if (plain + kinds.sum(counts, kinds.EXPONENT, kinds.SPECIAL, kinds.MINUS_ZERO) < count) return null
  // No integer type keeps the sign of -0, so in a text source the column stays text.
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

function beyondAll(reason: string, found: readonly ColumnFlag[], source: kinds.Source): InferredType {
  const flags: readonly ColumnFlag[] = source === 'text' ? found : [...found, 'as-text']
  return source === 'json'
    ? { type: JSON_TYPE, reason: `${reason}, so other formats than JSON get them as text.`, flags }
    : { type: VARCHAR, reason: `${reason}, so they ${source === 'text' ? 'stay' : 'become'} text.`, flags }
}

function integerType(
  { numbers }: Pick<ColumnStats, 'numbers'>,
  count: number,
  source: kinds.Source,
): InferredType | null {
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

/** The ways to parse a column's numbers, and whether they give different values. */
interface NumberReadings {
  readonly readings: readonly ParsedNumbers[]
  readonly differ: boolean
}

/** The ways to parse all values of a column as numbers, plain or formatted; null if some aren't numbers. */
function numberReadings(stats: ColumnStats, count: number): NumberReadings | null {
  const { formattedNumbers } = stats
  const formed = formattedNumbers.hits + countDifferences(stats)
  const plain = plainNumbers(stats)
  const { decimals, exponents } = plain
  if (countNumbers(stats) < count || formed + decimals === 0) return null
  if (formed === 0 && exponents > 0) return null
  const found = readings(formattedNumbers, plain)
  return {
    readings: found,
    differ: found.length > 1 && formattedNumbers.points + formattedNumbers.commas + decimals > 0,
  }
}

/** The type of a column of formatted numbers, or of plain ones that the file's conventions parse differently. */
export function formattedNumberType(stats: ColumnStats, count: number, conventions: Conventions): InferredType | null {
  const sizes = sizeType(stats, count)
  if (sizes) return sizes
  const found = numberReadings(stats, count)
  const [first] = found?.readings ?? []
  if (!found || !first) return null
  const { formattedNumbers } = stats
  // Where nothing else is a debit, “1.5 Cr” may be 15 million (crores).
  if (formattedNumbers.negatives === CREDIT && !conventions.debits) return null
  const chosen = found.differ ? found.readings.find(({ mark }) => mark === conventions.mark) : first
  if (formattedNumbers.hits + formattedNumbers.differences === 0) {
    // Plain numbers, whose point may separate thousands.
    if (conventions.mark !== ',' && (conventions.mark !== undefined || conventions.delimiter !== ';')) return null
    if (!found.differ) return null
  }
  if (!chosen) return unsure(stats, count, found.readings, conventions)
  const type = typed(stats, count, chosen)
  if (!type) return null
  if (!conventions.isGrouped && mayBeCodes(stats)) {
    const reason = `${all(count, 'texts', 'a text')} such as ${quote(exampleOf(stats))}, which may be codes, or numbers with a point between thousands. They stay text until you choose.`
    const message = `Values such as ${quote(exampleOf(stats))} may be codes. As numbers, they would lose the point between thousands.`
    return { ...TEXT, reason, choices: [{ ...choiceOf(stats, type.type, chosen, 'decimal-mark'), message }] }
  }
  if (!isSure(stats, count, chosen)) {
    const reason = `${all(count, 'texts', 'a text')}, which may be numbers such as ${quote(exampleOf(stats))}.`
    return { ...TEXT, reason, choices: [choiceOf(stats, type.type, chosen, 'formed-numbers')] }
  }
  return type
}

const TEXT = { type: { kind: 'scalar', name: 'VARCHAR' } as const }

const exampleOf = ({ formattedNumbers, firstTexts }: ColumnStats): string =>
  formattedNumbers.example || firstTexts[kinds.PLUS] || firstTexts[kinds.DECIMAL]

function typed(stats: ColumnStats, count: number, read: ParsedNumbers): InferredType | null {
  const counts = new Float64Array(kinds.KINDS)
  counts[kinds.INTEGER] = read.integers
  counts[kinds.DECIMAL] = read.decimals
  counts[kinds.EXPONENT] = read.exponents
  const found = numberType({ counts, numbers: read.numbers }, count, 'text')
  if (!found || printType(found.type) === 'VARCHAR') return null
  return {
    ...found,
    reason: found.reason.replace(/\.$/, `, written as ${quote(exampleOf(stats))}${unitWords(read.format)}.`),
    format: read.format,
    rewrites: { count: rewrites(stats, found, read), from: exampleOf(stats) },
  }
}

/** Describes a unit or suffix that isn't part of the parsed numbers. */
function unitWords({ unit, percent, scaled }: ValueFormat): string {
  if (unit) return `; the unit is ${unitName(unit)}`
  if (percent) return '; percentages are fractions'
  return scaled ? '; k, M and bn are thousands, millions and billions' : ''
}

function rewrites(
  { counts, numbers, spellings, formattedNumbers }: ColumnStats,
  { type }: InferredType,
  { mark }: ParsedNumbers,
): number {
  const [integers, decimals] = [counts[kinds.INTEGER], counts[kinds.DECIMAL]]
  const formed = formattedNumbers.hits + formattedNumbers.differences
  const exponents = spellings.text.counts[kinds.EXPONENT]
  const others = mark === ',' ? decimals : 0
  if (type.kind === 'decimal') {
    const same = numbers.maxScale === type.scale ? numbers.atMaxScale - (spellings.pointFirst[type.scale] ?? 0) : 0
    return formed + integers + (others || decimals - same)
  }
  if (printType(type) !== 'DOUBLE') return formed + others
  return formed + integers + exponents + (others || spellings.text.counts[kinds.DECIMAL])
}

/** Whether all values are plain, with a point after the same number of digits, so that it may be part of a code: `10.201`. */
const mayBeCodes = ({ counts, numbers: { lengths }, formattedNumbers: { hits, differences } }: ColumnStats): boolean =>
  hits + differences + counts[kinds.INTEGER] === 0 && (lengths & (lengths - 1)) === 0

/** Whether hardly anything but numbers is written like this. */
function isSure({ formattedNumbers }: ColumnStats, count: number, { integers, numbers }: ParsedNumbers): boolean {
  const { units, codes, percents, scaled, negatives, plus, differences, groups } = formattedNumbers
  // A measure is part of the text's meaning. The user decides whether to drop it.
  if ([...units.keys()].some(isMeasure) || codes === count) return false
  const withUnit = [...units.values()].reduce((sum, each) => sum + each, 0)
  if ((units.size > 0 && withUnit < count) || (percents > 0 && percents < count) || scaled > 0) return false
  if (differences > 0 || (plus > 0 && units.size === 0) || (negatives & (DEBIT | CREDIT)) !== 0) return false
  if (units.size > 0 || percents > 0 || integers < count) return true
  // Only "(5)" or "5-", or groups of a fixed number of digits (123 456 789), may be codes.
  if (negatives !== 0 && groups === 0) return false
  return (
    groups === 0 ||
    groups === POINT ||
    groups === COMMA ||
    formattedNumbers.fewest < formattedNumbers.most ||
    numbers.whole < 4
  )
}

function unsure(
  stats: ColumnStats,
  count: number,
  found: readonly ParsedNumbers[],
  { delimiter }: Conventions,
): InferredType | null {
  const likelier: Mark = delimiter === ',' ? '.' : ','
  const choices = found
    .toSorted((a, b) => Number(b.mark === likelier) - Number(a.mark === likelier))
    .flatMap((read): Choice[] => {
      const type = typed(stats, count, read)
      return type ? [choiceOf(stats, type.type, read, 'decimal-mark', delimiter !== ',')] : []
    })
  if (choices.length < 2) return null
  const reason = `${all(count, 'numbers', 'a number')}, but it’s unclear whether ${quote(exampleOf(stats))} has a thousands separator or a decimal mark. They stay text until you choose.`
  return { ...TEXT, reason, flags: ['ambiguous-number'], choices }
}

function choiceOf(
  stats: ColumnStats,
  type: InferredType['type'],
  read: ParsedNumbers,
  code: string,
  ambiguous = false,
): Choice {
  const { formattedNumbers } = stats
  const { unit } = read.format
  const words = (value: string): string => {
    if (read.format.negative === 'debit') return `${value} (debits are negative)`
    if (code !== 'decimal-mark') return unit && isMeasure(unit) ? `${value} (${unit})` : value
    const mark = (formattedNumbers.commas > 0 ? ',' : '.') === read.mark ? 'decimal' : 'thousands'
    const name = formattedNumbers.commas > 0 ? 'comma' : 'point'
    return mark === 'decimal' ? `${value} (decimal ${name})` : `${value} (${name} between thousands)`
  }
  return { code, type, format: read.format, from: exampleOf(stats), words, ambiguous }
}

/** The decimal mark that a column of numbers shows; null if it doesn't. */
export function markOf(stats: ColumnStats, count: number): Mark | null {
  const found = numberReadings(stats, count)
  if (!found || found.readings.length !== 1) return null
  const [{ mark, decimals, exponents, format }] = found.readings
  return decimals + exponents > 0 || format.grouping === '.' || format.grouping === ',' ? mark : null
}

/** The likeliest number format of a column in which not all values need to be numbers. */
export function likelyNumberFormat(stats: ColumnStats, { mark }: Conventions): ValueFormat | null {
  const { formattedNumbers } = stats
  if (formattedNumbers.hits === 0 || formattedNumbers.hits < formattedNumbers.misses) return null
  const found = readings(formattedNumbers, plainNumbers(stats))
  return (found.find((read) => read.mark === mark) ?? found[0])?.format ?? null
}
