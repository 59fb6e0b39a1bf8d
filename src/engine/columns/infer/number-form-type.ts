import type { ValueFormat } from '../../../tables/plan.ts'
import { unitName } from '../../../tables/currencies.ts'
import { printType } from '../../../tables/types.ts'
import { POINT, COMMA } from '../separators.ts'
import type { Choice, Conventions, Findings, TypeFound } from './findings.ts'
import * as kinds from './kinds.ts'
import { readings, type Mark, type ReadNumbers } from './number-forms.ts'
import { numberType } from './number-type.ts'
import { all, quote } from './sentences.ts'

/** Every way in which a column of numbers can be read, and whether it matters which is taken. */
export interface NumberReadings {
  readonly readings: readonly ReadNumbers[]
  readonly differ: boolean
}

/** How all values of a column can be read as numbers of which some may not be plain; null where they can't. */
export function numberReadings({ counts, numbers, formed }: Findings, count: number): NumberReadings | null {
  const [integers, decimals] = [counts[kinds.INTEGER], counts[kinds.DECIMAL]]
  if (formed.hits + integers + decimals < count || formed.hits + decimals === 0) return null
  const found = readings(formed, { integers, decimals, numbers })
  return { readings: found, differ: found.length > 1 && formed.points + formed.commas + decimals > 0 }
}

/** The type of a column of numbers that aren't plain, or that other columns say to read otherwise. */
export function formedNumberType(findings: Findings, count: number, conventions: Conventions): TypeFound | null {
  const found = numberReadings(findings, count)
  const [first] = found?.readings ?? []
  if (!found || !first) return null
  const { formed } = findings
  const chosen = found.differ ? found.readings.find(({ mark }) => mark === conventions.mark) : first
  if (formed.hits === 0) {
    // Plain numbers, in which a point may stand between thousands.
    if (conventions.mark !== ',' && (conventions.mark !== undefined || conventions.delimiter !== ';')) return null
    if (!found.differ) return null
  }
  if (!chosen) return unsure(findings, count, found.readings, conventions)
  const type = typed(findings, count, chosen)
  if (!type) return null
  if (!isSure(findings, count, chosen)) {
    const reason = `${all(count, 'texts', 'a text')}, which may be numbers such as ${quote(exampleOf(findings))}.`
    return { ...TEXT, reason, choices: [choiceOf(findings, type.type, chosen, 'formed-numbers')] }
  }
  return type
}

const TEXT = { type: { kind: 'scalar', name: 'VARCHAR' } as const }

const exampleOf = ({ formed, firstTexts }: Findings): string => formed.example || firstTexts[kinds.DECIMAL]

function typed(findings: Findings, count: number, read: ReadNumbers): TypeFound | null {
  const counts = new Float64Array(kinds.KINDS)
  counts[kinds.INTEGER] = read.integers
  counts[kinds.DECIMAL] = read.decimals
  const found = numberType({ counts, numbers: read.numbers }, count, 'text')
  if (!found || printType(found.type) === 'VARCHAR') return null
  return {
    ...found,
    reason: found.reason.replace(/\.$/, `, written as ${quote(exampleOf(findings))}${unitWords(read.format)}.`),
    format: read.format,
    rewrites: { count: rewrites(findings, found, read), from: exampleOf(findings) },
  }
}

/** What is said of a unit that isn't part of the numbers. */
function unitWords({ unit, percent, scaled }: ValueFormat): string {
  if (unit) return `; the unit is ${unitName(unit)}`
  if (percent) return '; percentages are fractions'
  return scaled ? '; k, M and bn are thousands, millions and billions' : ''
}

function rewrites({ counts, numbers, forms, formed }: Findings, { type }: TypeFound, { mark }: ReadNumbers): number {
  const [integers, decimals] = [counts[kinds.INTEGER], counts[kinds.DECIMAL]]
  const others = mark === ',' ? decimals : 0
  if (type.kind === 'decimal') {
    const same = numbers.maxScale === type.scale ? numbers.atMaxScale - (forms.bare[type.scale] ?? 0) : 0
    return formed.hits + integers + (others || decimals - same)
  }
  if (printType(type) !== 'DOUBLE') return formed.hits + others
  return formed.hits + integers + (others || forms.text.counts[kinds.DECIMAL])
}

/** Whether nothing else than numbers is likely to be written so. */
function isSure({ formed }: Findings, count: number, { integers, numbers }: ReadNumbers): boolean {
  const { units, percents, scaled, negatives, groups } = formed
  const withUnit = [...units.values()].reduce((sum, each) => sum + each, 0)
  if ((units.size > 0 && withUnit < count) || (percents > 0 && percents < count) || scaled > 0) return false
  if (units.size > 0 || percents > 0 || integers < count) return true
  // "(5)" and "5-" alone, and codes of one length in groups: 123 456 789.
  if (negatives !== 0 && groups === 0) return false
  return groups === 0 || groups === POINT || groups === COMMA || formed.fewest < formed.most || numbers.whole < 4
}

function unsure(
  findings: Findings,
  count: number,
  found: readonly ReadNumbers[],
  { delimiter }: Conventions,
): TypeFound | null {
  const likelier: Mark = delimiter === ',' ? '.' : ','
  const choices = found
    .toSorted((a, b) => Number(b.mark === likelier) - Number(a.mark === likelier))
    .flatMap((read): Choice[] => {
      const type = typed(findings, count, read)
      return type ? [choiceOf(findings, type.type, read, 'decimal-mark', delimiter !== ',')] : []
    })
  if (choices.length < 2) return null
  const reason = `${all(count, 'numbers', 'a number')}, but nothing tells whether ${quote(exampleOf(findings))} has thousands or a fraction: they stay text until you say.`
  return { ...TEXT, reason, flags: ['ambiguous-number'], choices }
}

function choiceOf(
  findings: Findings,
  type: TypeFound['type'],
  read: ReadNumbers,
  code: string,
  ambiguous = false,
): Choice {
  const { formed } = findings
  const words = (value: string): string => {
    if (code !== 'decimal-mark') return value
    const mark = (formed.commas > 0 ? ',' : '.') === read.mark ? 'decimal' : 'thousands'
    const name = formed.commas > 0 ? 'comma' : 'point'
    return mark === 'decimal' ? `${value} (decimal ${name})` : `${value} (${name} between thousands)`
  }
  return { code, type, format: read.format, from: exampleOf(findings), words, ambiguous }
}

/** What a column of numbers tells of the file: what stands before fractions; null where it doesn't tell. */
export function markOf(findings: Findings, count: number): Mark | null {
  const found = numberReadings(findings, count)
  if (!found || found.readings.length !== 1) return null
  const [{ mark, decimals, format }] = found.readings
  return decimals > 0 || format.grouping === '.' || format.grouping === ',' ? mark : null
}

/** The separators of a column's numbers, as far as they're numbers at all. */
export function likelyNumberFormat({ counts, numbers, formed }: Findings, { mark }: Conventions): ValueFormat | null {
  if (formed.hits === 0 || formed.hits < formed.misses) return null
  const plain = { integers: counts[kinds.INTEGER], decimals: counts[kinds.DECIMAL], numbers }
  const found = readings(formed, plain)
  return (found.find((read) => read.mark === mark) ?? found[0])?.format ?? null
}
