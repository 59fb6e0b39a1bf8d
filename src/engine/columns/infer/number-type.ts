import type { ColumnFlag } from '../../../tables/plan.ts'
import { JSON_TYPE, scalar, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import type { Findings, TypeFound } from './findings.ts'
import * as kinds from './kinds.ts'
import { all, print } from './sentences.ts'

/**
 * The type of a column of plain numbers; null for any other column.
 */
export function numberType(
  findings: Pick<Findings, 'counts' | 'numbers'>,
  count: number,
  source: kinds.Source,
): TypeFound | null {
  const { counts, numbers } = findings
  if (counts[kinds.INTEGER] === count) return integerType(findings, count, source)
  const plain = kinds.sum(counts, kinds.INTEGER, kinds.DECIMAL)
  const real = kinds.sum(counts, kinds.DECIMAL, kinds.EXPONENT)
  if (plain + kinds.sum(counts, kinds.EXPONENT, kinds.SPECIAL, kinds.MINUS_ZERO) < count) return null
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

function beyondAll(reason: string, found: readonly ColumnFlag[], source: kinds.Source): TypeFound {
  const flags: readonly ColumnFlag[] = source === 'text' ? found : [...found, 'as-text']
  return source === 'json'
    ? { type: JSON_TYPE, reason: `${reason}, so other formats than JSON get them as text.`, flags }
    : { type: VARCHAR, reason: `${reason}, so they ${source === 'text' ? 'stay' : 'become'} text.`, flags }
}

function integerType({ numbers }: Pick<Findings, 'numbers'>, count: number, source: kinds.Source): TypeFound | null {
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
