import { constantOf } from './constants.ts'
import { asDate, asTimestamp } from './dates.ts'
import { constant, fitted, hull, integer, made, stored, unless, widened, type Expression } from './expression.ts'
import { FUNCTIONS } from './functions.ts'
import { CALL_FIELDS, EXPRESSION_FIELDS, requireOnly, Untranslatable, type PlanExpression } from './plan.ts'
import { isInteger, rangeOf, sameType, typeOf, type Type } from './types.ts'

const BOOLEAN: Type = { name: 'BOOLEAN' }

/** The known fields of each class of expression. */
const FIELDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    BOUND_REF: ['index'],
    BOUND_CONSTANT: ['value'],
    BOUND_CAST: ['child', 'try_cast'],
    BOUND_COMPARISON: ['left', 'right'],
    BOUND_CONJUNCTION: ['children'],
    BOUND_BETWEEN: ['input', 'lower', 'upper', 'lower_inclusive', 'upper_inclusive'],
    BOUND_OPERATOR: ['children'],
    BOUND_CASE: ['case_checks', 'else_expr'],
    BOUND_FUNCTION: [...CALL_FIELDS, 'is_operator'],
  }).map(([kind, fields]) => [kind, new Set([...EXPRESSION_FIELDS, ...fields])]),
)

const COMPARISONS: Readonly<Record<string, string>> = {
  COMPARE_EQUAL: '=',
  COMPARE_NOTEQUAL: '!=',
  COMPARE_LESSTHAN: '<',
  COMPARE_GREATERTHAN: '>',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHANOREQUALTO: '>=',
}

/**
 * Translates an expression over a relation's columns.
 * @throws {Untranslatable}
 */
export function scalar(given: PlanExpression, columns: readonly Expression[]): Expression {
  const fields = FIELDS[given.expression_class]
  if (!fields) throw new Untranslatable(`the expression ${given.expression_class} ${given.type}`)
  requireOnly(given, fields, given.expression_class)
  if (given.expression_class === 'BOUND_REF') {
    const column = columns[given.index ?? -1]
    const type = typeOf(given.return_type)
    if (!column || !sameType(column.type, type)) throw new Untranslatable('a column of another type')
    return column
  }
  const known = constantOf(given)
  if (known !== undefined) return constant(known, typeOf(given.return_type ?? given.value?.type))
  return composed(given, (part) => {
    if (!part) throw new Untranslatable(`${given.expression_class} without a part`)
    return scalar(part, columns)
  })
}

function composed(given: PlanExpression, of: (part: PlanExpression | undefined) => Expression): Expression {
  switch (given.expression_class) {
    case 'BOUND_CAST':
      if (given.try_cast) throw new Untranslatable('TRY_CAST')
      return cast(of(given.child), typeOf(given.return_type))
    case 'BOUND_COMPARISON':
      return compared(given.type, of(given.left), of(given.right))
    case 'BOUND_CONJUNCTION': {
      const word = given.type === 'CONJUNCTION_AND' ? 'AND' : given.type === 'CONJUNCTION_OR' ? 'OR' : null
      const parts = (given.children ?? []).map(of)
      if (!word || parts.some(({ type }) => type.name !== 'BOOLEAN')) throw new Untranslatable(given.type)
      return made(`(${parts.map(({ sql }) => sql).join(` ${word} `)})`, BOOLEAN, parts)
    }
    case 'BOUND_BETWEEN': {
      const [input, lower, upper] = [of(given.input), of(given.lower), of(given.upper)]
      const above = given.lower_inclusive ? 'COMPARE_GREATERTHANOREQUALTO' : 'COMPARE_GREATERTHAN'
      const below = given.upper_inclusive ? 'COMPARE_LESSTHANOREQUALTO' : 'COMPARE_LESSTHAN'
      const parts = [compared(above, input, lower), compared(below, input, upper)]
      return made(`(${parts.map(({ sql }) => sql).join(' AND ')})`, BOOLEAN, parts)
    }
    case 'BOUND_OPERATOR':
      return operator(given, (given.children ?? []).map(of))
    case 'BOUND_CASE':
      return choice(given, of)
    case 'BOUND_FUNCTION': {
      const translate = FUNCTIONS.get(given.name ?? '')
      if (!translate) throw new Untranslatable(`the function ${given.name}`)
      const result = translate((given.children ?? []).map(of), typeOf(given.return_type))
      if (!sameType(result.type, typeOf(given.return_type))) throw new Untranslatable(`${given.name} of another type`)
      return result
    }
    default:
      throw new Untranslatable(given.expression_class)
  }
}

/** @param type the plan expression's type */
export function compared(type: string, a: Expression, b: Expression): Expression {
  if (a.type.name !== b.type.name || scaleOf(a.type) !== scaleOf(b.type))
    throw new Untranslatable('a comparison of types')
  if (type === 'COMPARE_DISTINCT_FROM') return made(`(NOT ${same(a, b)})`, BOOLEAN, [a, b])
  if (type === 'COMPARE_NOT_DISTINCT_FROM') return made(same(a, b), BOOLEAN, [a, b])
  const sign = Object.hasOwn(COMPARISONS, type) ? COMPARISONS[type] : undefined
  if (!sign) throw new Untranslatable(type)
  return made(`(${a.sql} ${sign} ${b.sql})`, BOOLEAN, [a, b])
}

/** Whether both are equal or both NULL. */
const same = (a: Expression, b: Expression): string =>
  `if(isNull(${a.sql}) OR isNull(${b.sql}), isNull(${a.sql}) AND isNull(${b.sql}), ifNull(${a.sql} = ${b.sql}, 0))`

const scaleOf = (type: Type): number => (type.name === 'DECIMAL' ? type.scale : 0)

function operator(given: PlanExpression, parts: readonly Expression[]): Expression {
  const [first, ...rest] = parts
  if (!first) throw new Untranslatable(`${given.type} of nothing`)
  switch (given.type) {
    case 'OPERATOR_NOT':
      return made(`(NOT ${first.sql})`, BOOLEAN, parts)
    case 'OPERATOR_IS_NULL':
      return made(`isNull(${first.sql})`, BOOLEAN, parts)
    case 'OPERATOR_IS_NOT_NULL':
      return made(`isNotNull(${first.sql})`, BOOLEAN, parts)
    case 'COMPARE_IN':
    case 'COMPARE_NOT_IN': {
      const any = rest.map((each) => compared('COMPARE_EQUAL', first, each).sql).join(' OR ')
      return made(given.type === 'COMPARE_IN' ? `(${any})` : `(NOT (${any}))`, BOOLEAN, parts)
    }
    case 'OPERATOR_COALESCE':
      return oneOf(typeOf(given.return_type), parts, (sqls) => `coalesce(${sqls.join(', ')})`, [])
    default:
      throw new Untranslatable(given.type)
  }
}

function choice(given: PlanExpression, of: (part: PlanExpression | undefined) => Expression): Expression {
  const checks = (given.case_checks ?? []).map(({ when_expr: when, then_expr: then }) => [of(when), of(then)] as const)
  const conditions = checks.map(([when]) => when)
  const values = [...checks.map(([, then]) => then), of(given.else_expr)]
  if (conditions.some(({ type }) => type.name !== 'BOOLEAN')) throw new Untranslatable('CASE by something else')
  return oneOf(
    typeOf(given.return_type),
    values,
    (sqls) =>
      `multiIf(${[...conditions.flatMap(({ sql }, i) => [`ifNull(${sql}, 0)`, sqls[i]]), sqls.at(-1)].join(', ')})`,
    conditions,
  )
}

/** One of several values, cast to the same type. */
function oneOf(
  type: Type,
  values: readonly Expression[],
  print: (sqls: string[]) => string,
  others: readonly Expression[],
): Expression {
  if (values.some((value) => !sameType(value.type, type))) throw new Untranslatable('values of several types')
  const range = rangeOf(type) && hull(values.map((each) => each.range))
  return made(print(values.map(stored)), type, [...values, ...others], range)
}

function cast(value: Expression, to: Type): Expression {
  const { type: from, range } = value
  if (sameType(from, to)) return value
  if (from.name === 'DATE' && to.name === 'TIMESTAMP') return asTimestamp(value)
  if (from.name === 'TIMESTAMP' && to.name === 'DATE') return asDate(value)
  if (!range || !(isInteger(from) || from.name === 'DECIMAL')) throw new Untranslatable(`${from.name} as ${to.name}`)
  if (to.name === 'DOUBLE') return asDouble(value)
  if (to.name === 'VARCHAR' && isInteger(from)) return made(`toString(${stored(value)})`, to, [value])
  if (to.name === 'DECIMAL') return asDecimal(value, to)
  if (isInteger(from) && isInteger(to)) return fitted(value.sql, range, to, [value])
  throw new Untranslatable(`${from.name} as ${to.name}`)
}

function asDecimal(value: Expression, to: Type): Expression {
  const added = scaleOf(to) - scaleOf(value.type)
  if (!value.range || added < 0) throw new Untranslatable('a decimal of fewer digits')
  const factor = 10n ** BigInt(added)
  const range = { low: value.range.low * factor, high: value.range.high * factor }
  const sql = added === 0 ? value.sql : `(${widened(value, hull([range, value.range]))} * ${integer(factor)})`
  return fitted(sql, range, to, [value])
}

/** Below 2^53, both engines convert exactly; for larger numbers, ClickHouse is made to fail. */
function asDouble(value: Expression): Expression {
  const exact = 2n ** 53n
  const safe = value.range && value.range.low > -exact && value.range.high < exact
  const sql = safe ? value.sql : unless(`${value.sql} < -${exact} OR ${value.sql} > ${exact}`, value.sql)
  const scale = scaleOf(value.type)
  const whole = `toFloat64(toInt64(${sql}))`
  return made(scale === 0 ? whole : `(${whole} / toFloat64(1e${scale}))`, { name: 'DOUBLE' }, [value])
}
