import type { ResultColumn } from '../../../../../engine/client.ts'

/* What of a result can be drawn, and as what. */

/** How a column's values are placed: along a line, along time, or each by itself. `other` can't be drawn. */
export type FieldKind = 'number' | 'integer' | 'time' | 'category' | 'other'

export interface Field {
  /** Names it in a `ChartSpec`: the column's name; `name (2)` for the second of that name. */
  readonly key: string
  /** Index of the column. */
  readonly column: number
  /** DuckDB's name of the type. */
  readonly type: string
  readonly kind: FieldKind
}

const INTEGERS = new Set([
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'UHUGEINT',
  'BIGNUM',
  'VARINT',
])
const CATEGORIES = new Set(['VARCHAR', 'BOOLEAN', 'UUID', 'TIME'])

export function fieldKind(type: string): FieldKind {
  const name = type.toUpperCase()
  // Lists end with brackets, whatever they're of.
  if (name.endsWith(']')) return 'other'
  if (INTEGERS.has(name)) return 'integer'
  if (name === 'DOUBLE' || name === 'FLOAT' || name.startsWith('DECIMAL')) return 'number'
  if (name === 'DATE' || name.startsWith('TIMESTAMP')) return 'time'
  if (CATEGORIES.has(name) || name.startsWith('ENUM')) return 'category'
  return 'other'
}

/** A result's columns by keys that are unique. */
export function fieldsOf(columns: readonly ResultColumn[]): Field[] {
  const taken = new Set(columns.map(({ name }) => name))
  const seen = new Set<string>()
  return columns.map(({ name, type }, column) => {
    let key = name
    for (let i = 2; seen.has(key) || (key !== name && taken.has(key)); i++) key = `${name} (${i})`
    seen.add(key)
    return { key, column, type, kind: fieldKind(type) }
  })
}

export const isNumeric = ({ kind }: Field): boolean => kind === 'number' || kind === 'integer'
export const isContinuous = (field: Field): boolean => isNumeric(field) || field.kind === 'time'
/** Whether its values can be told apart by name. */
export const isDiscrete = ({ kind }: Field): boolean => kind === 'category' || kind === 'integer'
export const isDrawable = ({ kind }: Field): boolean => kind !== 'other'

const ID = /(?:^|[_\s.-])(?:id|ids|uuid|guid|key|pk|fk|code|zip|zipcode|postcode|plz|phone|sku|ean|isbn|hash|no|nr)$/i
const CAMEL_ID = /[a-z](?:Id|ID|Key|Code|Uuid)$/

/** Whether a column's name says that its values name things, and measure nothing. */
export function isIdName(name: string): boolean {
  return ID.test(name) || CAMEL_ID.test(name)
}
