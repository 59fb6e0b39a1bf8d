import { compared, scalar } from './scalars.ts'
import { made, stored, unless, type Expression } from './expression.ts'
import { common, equality, filtered, type Context } from './context.ts'
import { requireOnly, Untranslatable, type PlanCondition, type PlanExpression, type PlanNode } from './plan.ts'
import { columnsOf, joining, Names, select, sourceOf, wrapped, type Condition, type Relation } from './relation.ts'
import type { Type } from './types.ts'

const FIELDS: ReadonlySet<string> = new Set([
  'type',
  'children',
  'join_type',
  'mark_index',
  'mark_types',
  'conditions',
  'duplicate_eliminated_columns',
  'delim_flipped',
])

const BOOLEAN: Type = { name: 'BOOLEAN' }

/** Joins that keep all rows of the left side. */
const KEEPS_LEFT: ReadonlySet<string> = new Set(['LEFT', 'SINGLE', 'MARK'])

/**
 * Translates a join. Joins with a subquery return its value for each row, or whether it has a row.
 * @param filters conditions for its rows
 * @throws {Untranslatable}
 */
export function joined(node: PlanNode, context: Context, filters: readonly PlanExpression[]): Relation {
  const [left] = node.children ?? []
  if (!left || !KEEPS_LEFT.has(node.join_type ?? '')) return filtered(filters, joinOf(node, context, []))
  // Conditions for only the left side are applied there, so that a subquery runs for fewer rows.
  const width = widthOf(left, context)
  const early = filters.filter((each) => references(each).every((index) => index < width))
  const late = filters.filter((each) => !early.includes(each))
  return filtered(late, joinOf(node, context, early))
}

/** The number of columns. It's cached, since nested joins would count the same columns again and again. */
function widthOf(node: PlanNode, context: Context): number {
  const known = context.widths.get(node)
  if (known !== undefined) return known
  // With other names, so that nothing of this is printed.
  const width = context.relation(node, { ...context, names: new Names() }).columns.length
  context.widths.set(node, width)
  return width
}

/** The columns that an expression reads. */
function references(part: object): number[] {
  if ('expression_class' in part && part.expression_class === 'BOUND_REF' && 'index' in part)
    return [Number(part.index)]
  return Object.values(part).flatMap((each: unknown) =>
    typeof each === 'object' && each !== null ? references(each) : [],
  )
}

function joinOf(node: PlanNode, context: Context, early: readonly PlanExpression[]): Relation {
  requireOnly(node, FIELDS, node.type)
  const [leftNode, rightNode] = node.children ?? []
  if (!leftNode || !rightNode || node.delim_flipped) throw new Untranslatable('such a join')
  const isDelimited = node.type === 'LOGICAL_DELIM_JOIN'
  const left = isDelimited
    ? common(context.relation(leftNode, context, early), context)
    : context.relation(leftNode, context, early)
  const outer = (node.duplicate_eliminated_columns ?? []).map((each) => scalar(each, left.columns))
  const delimited = isDelimited ? [...context.delimited, { ...left, columns: outer }] : context.delimited
  const right = context.relation(rightNode, { ...context, delimited })
  const conditions = (node.conditions ?? []).map((each) => condition(each, left, right))
  switch (node.join_type ?? '') {
    case 'INNER':
      return {
        sources: [...left.sources, ...right.sources],
        conditions: [...left.conditions, ...right.conditions, ...conditions],
        columns: [...left.columns, ...right.columns],
        unordered: left.unordered && right.unordered,
      }
    case 'LEFT':
      return leftJoin(left, right, node.conditions ?? [], context)
    case 'RIGHT': {
      const swapped = leftJoin(right, left, (node.conditions ?? []).map(flipped), context)
      const { columns } = swapped
      const ofRight = right.columns.length
      return { ...swapped, columns: [...columns.slice(ofRight), ...columns.slice(0, ofRight)] }
    }
    case 'SINGLE':
      return leftJoin(left, single(right, node.conditions ?? [], context), node.conditions ?? [], context)
    case 'MARK':
      return isDelimited ? exists(left, right, node.conditions ?? [], context) : isIn(left, right, conditions, context)
    default:
      throw new Untranslatable(`the join ${node.join_type}`)
  }
}

function condition({ left, right, comparison }: PlanCondition, a: Relation, b: Relation): Condition {
  const [x, y] = [scalar(left, a.columns), scalar(right, b.columns)]
  if (comparison === 'COMPARE_EQUAL') return equality(x, y)
  const whole = compared(comparison, x, y)
  return comparison === 'COMPARE_NOT_DISTINCT_FROM' ? { ...whole, pair: [x, y], nullsMatch: true } : whole
}

function flipped({ left, right, comparison }: PlanCondition): PlanCondition {
  if (comparison !== 'COMPARE_EQUAL') throw new Untranslatable(`a join by ${comparison}`)
  return { left: right, right: left, comparison }
}

function leftJoin(left: Relation, right: Relation, by: readonly PlanCondition[], { names }: Context): Relation {
  const [a, b] = [wrapped(left, names), wrapped(right, names)]
  const on = by.map((each) => condition(each, a, b))
  if (on.length === 0 || on.some(({ pair }) => !pair)) throw new Untranslatable('an outer join by something else')
  const both: Relation = { ...a, columns: [...a.columns, ...b.columns] }
  const [first, second] = [a.sources[0], b.sources[0]]
  const sql = `${first.sql} AS ${first.alias} LEFT JOIN ${second.sql} AS ${second.alias} ON ${on.map(joining).join(' AND ')}`
  return sourceOf(`(${selectOf(both.columns, sql)})`, both.columns, names, left.unordered && right.unordered)
}

function selectOf(columns: readonly Expression[], from: string): string {
  return `SELECT ${columns.map((each, i) => `${stored(each)} AS c${i}`).join(', ')} FROM ${from}`
}

/** A scalar subquery's value for each key. ClickHouse fails if there are several. */
function single(right: Relation, by: readonly PlanCondition[], { names }: Context): Relation {
  const keys = by.map(({ right: key }) => (key.expression_class === 'BOUND_REF' ? (key.index ?? -1) : -1))
  if (keys.length === 0 || keys.some((key) => !right.columns[key])) throw new Untranslatable('a subquery without keys')
  const columns = right.columns.map((each, i) =>
    keys.includes(i) ? each : made(unless('count() > 1', `anyOrNull(${stored(each)})`), each.type, [each], each.range),
  )
  const groups = keys.map((key) => right.columns[key])
  // Counted even if the value isn't used, since several rows for a key are an error.
  const counted = made('count()', { name: 'BIGINT' }, [])
  const sql = select({ ...right, columns: [...columns, counted] }, { groups })
  return sourceOf(`(${sql})`, columns, names, true)
}

/** EXISTS: whether the subquery has a row for each key. */
function exists(left: Relation, right: Relation, by: readonly PlanCondition[], context: Context): Relation {
  const { names } = context
  if (by.some(({ comparison }) => comparison !== 'COMPARE_NOT_DISTINCT_FROM'))
    throw new Untranslatable('IN of a correlated subquery')
  const keys = by.map(({ right: key }) => scalar(key, right.columns))
  const found = wrapped({ ...right, columns: keys }, names)
  const distinct = sourceOf(`(${select(found, { distinct: true })})`, keys, names, true)
  const a = wrapped(left, names)
  const on = by.map((each, i): Condition => ({
    ...compared('COMPARE_NOT_DISTINCT_FROM', scalar(each.left, a.columns), distinct.columns[i]),
    pair: [scalar(each.left, a.columns), distinct.columns[i]],
    nullsMatch: true,
  }))
  const [first, second] = [a.sources[0], distinct.sources[0]]
  // Adds a column that is NULL only for rows without a match.
  const withHit = `(SELECT *, toUInt8(1) AS hit FROM ${second.sql})`
  const sql = `${first.sql} AS ${first.alias} LEFT JOIN ${withHit} AS ${second.alias} ON ${on.map(joining).join(' AND ')}`
  const mark = made(`isNotNull(${second.alias}.hit)`, BOOLEAN, distinct.columns)
  const columns = [...a.columns, mark]
  return sourceOf(`(${selectOf(columns, sql)})`, columns, names, left.unordered)
}

/** IN: whether a value is among a subquery's, with SQL's rules for NULL. */
function isIn(left: Relation, right: Relation, conditions: readonly Condition[], { names }: Context): Relation {
  const pair = conditions.length === 1 ? conditions[0].pair : undefined
  if (!pair || conditions[0].nullsMatch || pair[0].type.name === 'DOUBLE') throw new Untranslatable('such an IN')
  const name = names.name()
  names.common.push({ name, sql: select({ ...right, columns: [pair[1]] }) })
  const [value] = columnsOf(name, [pair[1]])
  const x = stored(pair[0])
  const among = `${x} IN (SELECT assumeNotNull(${value.sql}) FROM ${name} WHERE isNotNull(${value.sql}))`
  const sql = [
    `(SELECT count() FROM ${name}) = 0, CAST(0, 'Nullable(UInt8)')`,
    `isNull(${x}), NULL`,
    `ifNull(${among}, 0), 1`,
    `(SELECT countIf(isNull(${value.sql})) FROM ${name}) > 0, NULL`,
    '0',
  ].join(', ')
  const mark = made(`multiIf(${sql})`, BOOLEAN, [pair[0]])
  return { ...left, columns: [...left.columns, mark] }
}
