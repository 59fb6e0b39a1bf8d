import type { ColumnFlag } from '../../../tables/plan.ts'
import {
  isJson,
  isNested,
  JSON_TYPE,
  sameType,
  scalar,
  VARCHAR,
  type ColumnType,
  type ScalarName,
} from '../../../tables/types.ts'
import { MANY, type JsonNumbers } from './numbers.ts'
import { GROUPS, type FieldStats, type ValueStats } from './stats.ts'

export interface Concluded {
  readonly type: ColumnType
  /** One sentence for people; of what is inside of nested values, the sentences that matter. */
  readonly reason: string
  readonly flags: readonly ColumnFlag[]
}

/** Objects with at least so many different keys may be maps. */
const MAP_KEYS = 50
/** An object of a map has at most this share of all keys. */
const MAP_SHARE = 0.25

const number = (count: number): string => count.toLocaleString('en-US')
const all = (count: number, many: string, one: string): string =>
  count === 1 ? `The one value is ${one}` : `All ${number(count)} values are ${many}`

/**
 * The type that carries values as they are spelled, where the concluded one doesn't; null where it does.
 * @param absent whether rows lack the key
 */
export function verbatimType(stats: ValueStats, { type }: Concluded, absent: boolean): ColumnType | null {
  if (isJson(type)) return null
  if (absent || isNested(type) || type.kind === 'decimal') return JSON_TYPE
  if (type.name === 'DOUBLE') return stats.numbers?.respelled || stats.numbers?.integers ? JSON_TYPE : null
  // Dates were strings.
  return stats.strings && type.name !== 'VARCHAR' ? VARCHAR : null
}

/** The type that holds every value, and why. */
export function conclude(stats: ValueStats): Concluded {
  const present = stats.counts.flatMap((count, group) => (count > 0 ? [group] : []))
  const [group] = present
  if (group === undefined) return { type: VARCHAR, reason: 'There are no values in this column.', flags: ['empty'] }
  if (present.length > 1) return mixed(stats, present)
  const count = stats.counts[group]
  if (group === 0) return { type: scalar('BOOLEAN'), reason: `${all(count, 'true or false', 'a boolean')}.`, flags: [] }
  if (group === 1 && stats.numbers) return numbers(stats.numbers)
  if (group === 2 && stats.strings) return strings(stats.strings.conclude(), count)
  if (group === 3 && stats.fields) return objects(stats.fields, count)
  return lists(stats.items, count)
}

const ONE = ['boolean', 'number', 'string', 'object', 'list']

function mixed(stats: ValueStats, present: readonly number[]): Concluded {
  const counts = stats.counts
  const sorted = [...present].sort((a, b) => counts[b] - counts[a])
  const parts = sorted.map((group) => `${number(counts[group])} ${counts[group] === 1 ? ONE[group] : GROUPS[group]}`)
  const rare = sorted.at(-1) ?? 0
  const where = `the first ${ONE[rare]} is in row ${number(stats.firstRows[rare])}`
  const text = present.includes(2) ? 'strings as they are, the others as JSON text' : 'JSON text'
  const reason = `Values of several types: ${parts.join(', ')}; ${where}. JSON keeps each as it is; other formats get ${text}.`
  return { type: JSON_TYPE, reason, flags: ['mixed-types'] }
}

function numbers(stats: JsonNumbers): Concluded {
  const { integers, decimals, floats, inexact } = stats
  const count = integers + decimals + floats
  const flags: ColumnFlag[] = stats.beyond53 ? ['beyond-2-53'] : []
  const beyond = stats.beyond53 ? ', some beyond 2^53, where a double would round them' : ''
  if (integers === count) {
    const whole = all(count, 'whole numbers', 'a whole number')
    if (stats.whole > 38) {
      const reason = `${whole} of up to ${number(stats.whole)} digits: more than any number type holds, so other formats than JSON get them as text.`
      return { type: JSON_TYPE, reason, flags: [...flags, 'as-text'] }
    }
    const digits = stats.beyond32 ? ` of up to ${stats.whole} digits` : ''
    return { type: scalar(integerName(stats)), reason: `${whole}${digits}${beyond}.`, flags }
  }
  const what = all(count, 'numbers', 'a number')
  if (inexact === 0) return { type: scalar('DOUBLE'), reason: `${what} that a double holds as written.`, flags: [] }
  const have = `${inexact === MANY ? 'many' : number(inexact)} of them ${inexact === 1 ? 'has' : 'have'} more digits than a double holds`
  if (floats === 0 && stats.whole + stats.scale <= 38) {
    const type: ColumnType = {
      kind: 'decimal',
      width: Math.max(1, stats.whole + stats.scale),
      scale: stats.scale,
    }
    return { type, reason: `${what}; ${have}, so the column is a decimal.`, flags }
  }
  return {
    type: JSON_TYPE,
    reason: `${what}, but ${have}, and no type holds all: other formats than JSON get them as text.`,
    flags: [...flags, 'as-text'],
  }
}

function integerName(stats: JsonNumbers): ScalarName {
  if (!stats.beyond32) return 'INTEGER'
  if (!stats.beyond64) return 'BIGINT'
  return !stats.negative && !stats.beyondUnsigned64 ? 'UBIGINT' : 'HUGEINT'
}

function strings(found: Concluded & { readonly format?: unknown }, count: number): Concluded {
  // Only ISO 8601 is a convention of JSON; any other notation is text that was meant to be text.
  if (found.format)
    return {
      type: VARCHAR,
      reason: `${all(count, 'strings', 'a string')}; dates are told by YYYY-MM-DD alone.`,
      flags: [],
    }
  const { type, reason, flags } = found
  return { type, reason, flags }
}

function lists(items: ValueStats | null, count: number): Concluded {
  const lead = all(count, 'lists', 'a list')
  if (!items || items.count === 0) {
    const reason = `${lead} with no values in ${count === 1 ? 'it' : 'them'}.`
    return { type: { kind: 'list', item: VARCHAR }, reason, flags: ['nested'] }
  }
  const inner = conclude(items)
  const flags: ColumnFlag[] = ['nested', ...inner.flags.filter((flag) => flag !== 'nested')]
  const about = inside('items', inner)
  // Text in place of each item would be no list of what the items are.
  const type: ColumnType = isJson(inner.type) ? JSON_TYPE : { kind: 'list', item: inner.type }
  return { type, reason: `${lead}.${about}`, flags }
}

function objects(fields: FieldStats, count: number): Concluded {
  const lead = all(count, 'objects', 'an object')
  if (fields.values.length === 0) {
    const reason = `${lead} with nothing in ${count === 1 ? 'it' : 'them'}.`
    return { type: { kind: 'map', key: VARCHAR, value: VARCHAR }, reason, flags: ['nested'] }
  }
  const inner = fields.values.map((value) => conclude(value))
  const asMap = mapValue(fields, inner, count)
  if (asMap) {
    const reason = `${lead} with many different keys and values of one type.`
    return { type: { kind: 'map', key: VARCHAR, value: asMap }, reason, flags: ['nested'] }
  }
  if (fields.rest) {
    const reason = `${lead} with too many different keys for a struct, and values of several types: they are kept as JSON.`
    return { type: JSON_TYPE, reason, flags: ['as-text'] }
  }
  const flags = new Set<ColumnFlag>(['nested'])
  const about: string[] = []
  for (const [i, field] of inner.entries()) {
    for (const flag of field.flags) if (flag !== 'empty') flags.add(flag)
    about.push(inside(`“${fields.keys.name(i)}”`, field))
  }
  const type: ColumnType = {
    kind: 'struct',
    fields: inner.map((field, i) => ({ name: fields.keys.name(i), type: field.type })),
  }
  const keys = inner.length === 1 ? 'one key' : `${number(inner.length)} different keys`
  return { type, reason: `${lead}, with ${keys}.${about.filter(Boolean).slice(0, 3).join('')}`, flags: [...flags] }
}

/** What is worth telling of a nested place. */
function inside(place: string, inner: Concluded): string {
  const telling = inner.flags.some((flag) => flag !== 'nested' && flag !== 'empty')
  return telling ? ` In ${place}: ${inner.reason}` : ''
}

/** The type of a map's values, when the objects look like maps rather than structs. */
function mapValue(fields: FieldStats, inner: readonly Concluded[], count: number): ColumnType | null {
  const keys = fields.values.length
  if (keys < MAP_KEYS || fields.members > count * keys * MAP_SHARE) return null
  const rest = fields.rest ? [conclude(fields.rest)] : []
  let type: ColumnType | null = null
  for (const each of [...inner, ...rest]) {
    if (each.flags.includes('empty')) continue
    if (each.flags.includes('mixed-types') || each.flags.includes('as-text')) return null
    type = type === null ? each.type : unify(type, each.type)
    if (type === null) return null
  }
  return type ?? VARCHAR
}

const INTEGERS = ['INTEGER', 'BIGINT', 'HUGEINT']

/** The narrowest type that holds what both hold, if there's one. */
export function unify(a: ColumnType, b: ColumnType): ColumnType | null {
  if (sameType(a, b)) return a
  if (a.kind === 'scalar' && b.kind === 'scalar') return unifyScalars(a.name, b.name)
  if (a.kind === 'list' && b.kind === 'list') {
    const item = unify(a.item, b.item)
    return item && { kind: 'list', item }
  }
  if (a.kind === 'map' && b.kind === 'map') {
    const value = unify(a.value, b.value)
    return value && { kind: 'map', key: VARCHAR, value }
  }
  if (a.kind !== 'struct' || b.kind !== 'struct') return null
  const fields = new Map(a.fields.map(({ name, type }) => [name, type]))
  for (const { name, type } of b.fields) {
    const known = fields.get(name)
    const merged = known ? unify(known, type) : type
    if (!merged) return null
    fields.set(name, merged)
  }
  return { kind: 'struct', fields: [...fields].map(([name, type]) => ({ name, type })) }
}

function unifyScalars(a: ScalarName, b: ScalarName): ColumnType | null {
  const wide = Math.max(INTEGERS.indexOf(a), INTEGERS.indexOf(b))
  if (INTEGERS.includes(a) && INTEGERS.includes(b)) return scalar(INTEGERS[wide] as ScalarName)
  const names = [a, b]
  if (names.includes('UBIGINT') && names.some((name) => INTEGERS.includes(name))) return scalar('HUGEINT')
  if (names.includes('DOUBLE') && names.includes('INTEGER')) return scalar('DOUBLE')
  const text: readonly string[] = ['VARCHAR', 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE']
  // Strings of different looks are strings.
  return text.includes(a) && text.includes(b) ? VARCHAR : null
}
