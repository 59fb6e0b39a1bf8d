import { longQuotient, shortQuotient } from './averages.ts'
import { made, fitted, stored, unless, type Expression } from './expression.ts'
import { CALL_FIELDS, EXPRESSION_FIELDS, requireOnly, Untranslatable, type PlanExpression } from './plan.ts'
import { scalar } from './scalars.ts'
import { isInteger, sameType, typeOf, type Type } from './types.ts'

const FIELDS: ReadonlySet<string> = new Set([...EXPRESSION_FIELDS, ...CALL_FIELDS, 'aggregate_type', 'filter'])

/** The largest sum that is allowed. It's larger than sums in practice, and leaves room to compute with them. */
const MOST = 10n ** 27n
/**
 * Translates an aggregate over a relation's columns.
 * @throws {Untranslatable}
 */
export function aggregate(given: PlanExpression, columns: readonly Expression[]): Expression {
  if (given.expression_class !== 'BOUND_AGGREGATE') throw new Untranslatable(given.expression_class)
  requireOnly(given, FIELDS, 'an aggregate')
  const filter = given.filter && scalar(given.filter, columns)
  if (filter && filter.type.name !== 'BOOLEAN') throw new Untranslatable('a filter of another type')
  const args = (given.children ?? []).map((child) => filtered(scalar(child, columns), filter))
  const type = typeOf(given.return_type)
  const distinct = given.aggregate_type === 'DISTINCT'
  const [value] = args
  if (given.name === 'count_star' && !distinct)
    return count(filter ? `countIf(ifNull(${filter.sql}, 0))` : 'count()', filter ? [filter] : [])
  if (!value || args.length > 1) throw new Untranslatable(`the aggregate ${given.name}`)
  switch (given.name ?? '') {
    case 'count':
      if (distinct && value.type.name === 'DOUBLE') throw new Untranslatable('different DOUBLEs')
      return count(`${distinct ? 'uniqExact' : 'count'}(${stored(value)})`, args)
    case 'min':
    case 'max':
      if (!sameType(type, value.type)) throw new Untranslatable(`${given.name} of another type`)
      return made(`${given.name}OrNull(${value.sql})`, type, args, value.range)
    case 'sum':
      if (distinct) break
      return sum(value, type)
    case 'avg':
      if (distinct || type.name !== 'DOUBLE') break
      return average(value)
  }
  throw new Untranslatable(`the aggregate ${given.name}${distinct ? ' DISTINCT' : ''}`)
}

/** Replaces values that don't pass the filter with NULL, which all of these aggregates ignore. */
function filtered(value: Expression, filter: Expression | undefined): Expression {
  if (!filter) return value
  return made(`if(ifNull(${filter.sql}, 0), ${stored(value)}, NULL)`, value.type, [value, filter], value.range)
}

function count(sql: string, parts: readonly Expression[]): Expression {
  return made(`toInt64(${sql})`, { name: 'BIGINT' }, parts, { low: 0n, high: 2n ** 63n - 1n })
}

/** Sums with 128 bits if 2^63 rows can't overflow them, else with 256. ClickHouse fails if a sum exceeds `MOST`. */
function sum(value: Expression, type: Type): Expression {
  const { sql, range } = value
  const scale = type.name === 'DECIMAL' ? type.scale : 0
  const own = value.type.name === 'DECIMAL' ? value.type.scale : 0
  const isNumber = isInteger(value.type) || value.type.name === 'DECIMAL'
  if (!range || !isNumber || scale !== own || !(type.name === 'HUGEINT' || type.name === 'DECIMAL'))
    throw new Untranslatable(`the sum of ${value.type.name} as ${type.name}`)
  const isSmall = range.low > -(2n ** 64n) && range.high < 2n ** 64n
  const whole = isSmall ? `sumOrNull(toInt128(${sql}))` : `sumOrNull(toInt256(${sql}))`
  // DuckDB also fails if an intermediate sum is too large, so the sum of absolute values is checked.
  const largest = isSmall ? `abs(${whole})` : `sumOrNull(abs(toInt256(${sql})))`
  const safe = unless(`${largest} > toInt128('${MOST}')`, whole)
  return fitted(`toInt128(${safe})`, { low: -MOST, high: MOST }, type, [value])
}

/** A sum divided by a count, and by the power of ten that a decimal's integers are multiplied by. */
function average(value: Expression): Expression {
  const { type, range, sql } = value
  const isNumber = (isInteger(type) && type.name !== 'HUGEINT') || (type.name === 'DECIMAL' && type.width <= 18)
  if (!isNumber || !range) throw new Untranslatable(`the average of ${type.name}`)
  const isShort = type.name === 'SMALLINT' || (type.name === 'DECIMAL' && type.width <= 4)
  const whole = `ifNull(sumOrNull(toInt128(${sql})), 0)`
  const power = 10n ** BigInt(type.name === 'DECIMAL' ? type.scale : 0)
  const by = `toUInt256(greatest(count(${sql}), 1)) * toUInt256('${power}')`
  const quotient = isShort ? shortQuotient(whole, by) : longQuotient(whole, by)
  return made(`if(count(${sql}) = 0, NULL, ${quotient})`, { name: 'DOUBLE' }, [value])
}
