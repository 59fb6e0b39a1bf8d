import { formatCount } from '../../../lib/counts.ts'
import type { ColumnFlag } from '../../../tables/plan.ts'
import {
  isJson,
  isNested,
  JSON_TYPE,
  sameType,
  scalar,
  VARCHAR,
  withoutJson,
  type ColumnType,
  type ScalarName,
} from '../../../tables/types.ts'
import { inferColumn, type InferredColumn } from '../../columns/infer/column-type.ts'
import { asTexts, type ColumnStats } from '../../columns/infer/column-stats.ts'
import type { TextColumn } from '../../columns/infer/table.ts'
import { GROUPS, STRINGS, type FieldStats, type ValueStats } from './stats.ts'

export interface InferredType {
  readonly type: ColumnType
  /** One sentence for people, and for nested values the sentences that matter. */
  readonly reason: string
  readonly flags: readonly ColumnFlag[]
  /** Whether some numbers would be printed differently from the file: `2.50`, `1e5`, `-0`. */
  readonly respelled?: boolean
}

/** Objects with at least this many different keys may be maps. */
const MAP_KEYS = 50
/** An object that is a map has at most this share of all keys. */
const MAP_SHARE = 0.25

const all = (count: number, many: string, one: string): string =>
  count === 1 ? `The one value is ${one}` : `All ${formatCount(count)} values are ${many}`

/**
 * A type that keeps values exactly as in the file; null if the inferred type does.
 * @param absent whether rows lack the key
 */
export function verbatimType(stats: ValueStats, { type, respelled }: InferredType, absent: boolean): ColumnType | null {
  // As JSON, NaN and infinities are null.
  if (isJson(type) || stats.nonFinite > 0) return null
  if (absent || isNested(type) || type.kind === 'decimal') return JSON_TYPE
  if (type.name === 'DOUBLE') return respelled ? JSON_TYPE : null
  // Dates come from strings.
  return stats.counts[STRINGS] > 0 && type.name !== 'VARCHAR' ? VARCHAR : null
}

/** The type that holds every value of a column, and the reason. */
export function columnType(stats: ValueStats): InferredType {
  const found = inferType(stats)
  const type = withoutJson(found.type)
  if (sameType(type, found.type) || stats.nonFinite === 0) return found
  const reason = 'Only JSON could hold all values, but it has no NaN and no infinity, so they are text.'
  return { type, reason, flags: found.flags }
}

/** The type that holds every value in one place, and the reason. */
function inferType(stats: ValueStats): InferredType {
  const present = stats.counts.flatMap((count, group) => (count > 0 ? [group] : []))
  const [group] = present
  if (group === undefined) return { type: VARCHAR, reason: 'There are no values in this column.', flags: ['empty'] }
  if (present.length > 1) return mixed(stats, present)
  const count = stats.counts[group]
  if (group === 0) return { type: scalar('BOOLEAN'), reason: `${all(count, 'true or false', 'a boolean')}.`, flags: [] }
  if (stats.numbers && group === 1) return numbersOf(stats.numbers.column())
  if (stats.strings && group === 2) return stringsOf(stats.strings.stats(), count)
  if (group === 3 && stats.fields) return objects(stats.fields, count)
  return lists(stats.items, count)
}

const ONE = ['boolean', 'number', 'string', 'object', 'list']

function mixed(stats: ValueStats, present: readonly number[]): InferredType {
  const counts = stats.counts
  const sorted = [...present].sort((a, b) => counts[b] - counts[a])
  const parts = sorted.map(
    (group) => `${formatCount(counts[group])} ${counts[group] === 1 ? ONE[group] : GROUPS[group]}`,
  )
  const rare = sorted.at(-1) ?? 0
  const where = `the first ${ONE[rare]} is in row ${formatCount(stats.firstRows[rare])}`
  const text = present.includes(2) ? 'strings as they are, the others as JSON text' : 'JSON text'
  const reason = `Values of several types: ${parts.join(', ')}; ${where}. JSON keeps each as it is; other formats get ${text}.`
  return { type: JSON_TYPE, reason, flags: ['mixed-types'] }
}

function numbersOf({ type, reason, flags, rewritten }: InferredColumn): InferredType {
  return { type, reason, flags, respelled: rewritten.text.count > 0 }
}

function stringsOf(findings: ColumnStats, count: number): InferredType {
  const { type, reason, flags, format } = inferColumn(asTexts(findings), 'json')
  // Only ISO 8601 is a convention of JSON; other notations are text unless the person decides otherwise.
  if (format) {
    const isoOnly = `${all(count, 'strings', 'a string')}; dates are recognized only as YYYY-MM-DD.`
    return { type: VARCHAR, reason: isoOnly, flags: [] }
  }
  return { type, reason, flags }
}

/** The column's strings, if it has no values other than strings or those of one scalar type; else null. */
export function textColumn(stats: ValueStats, { type }: InferredType): TextColumn | null {
  const { strings, numbers, counts } = stats
  const [booleans, numeric, , ...nested] = counts
  if (!strings || nested.some((count) => count > 0) || (booleans > 0 && numeric > 0)) return null
  const others = booleans > 0 ? scalar('BOOLEAN') : numbers?.column().type
  if (others && isJson(others)) return null
  return { texts: strings.stats(), type, ...(others ? { others } : {}) }
}

function lists(items: ValueStats | null, count: number): InferredType {
  const lead = all(count, 'lists', 'a list')
  if (!items || items.count === 0) {
    const reason = `${lead} with no values in ${count === 1 ? 'it' : 'them'}.`
    return { type: { kind: 'list', item: VARCHAR }, reason, flags: ['nested'] }
  }
  const inner = inferType(items)
  const flags: ColumnFlag[] = ['nested', ...inner.flags.filter((flag) => flag !== 'nested')]
  const about = inside('items', inner)
  // If items can only be JSON text, so is the whole list: a list of texts would hide what the items are.
  const type: ColumnType = isJson(inner.type) ? JSON_TYPE : { kind: 'list', item: inner.type }
  return { type, reason: `${lead}.${about}`, flags }
}

function objects(fields: FieldStats, count: number): InferredType {
  const lead = all(count, 'objects', 'an object')
  if (fields.values.length === 0) {
    const reason = `${lead} with nothing in ${count === 1 ? 'it' : 'them'}.`
    return { type: { kind: 'map', key: VARCHAR, value: VARCHAR }, reason, flags: ['nested'] }
  }
  const inner = fields.values.map((value) => inferType(value))
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
  const keys = inner.length === 1 ? 'one key' : `${formatCount(inner.length)} different keys`
  return { type, reason: `${lead}, with ${keys}.${about.filter(Boolean).slice(0, 3).join('')}`, flags: [...flags] }
}

/** What is worth mentioning about a nested value. */
function inside(place: string, inner: InferredType): string {
  const telling = inner.flags.some((flag) => flag !== 'nested' && flag !== 'empty')
  return telling ? ` In ${place}: ${inner.reason}` : ''
}

/** The type of a map's values, if the objects look like maps rather than structs. */
function mapValue(fields: FieldStats, inner: readonly InferredType[], count: number): ColumnType | null {
  const keys = fields.values.length
  if (keys < MAP_KEYS || fields.members > count * keys * MAP_SHARE) return null
  const rest = fields.rest ? [inferType(fields.rest)] : []
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

/** The narrowest type that holds the values of both, or null. */
function unify(a: ColumnType, b: ColumnType): ColumnType | null {
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
  // Strings of different kinds are VARCHAR.
  return text.includes(a) && text.includes(b) ? VARCHAR : null
}
