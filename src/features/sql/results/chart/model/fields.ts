import type { ResultColumn } from '../../../../../engine/client.ts'
import { isInteger } from '../../../../../tables/types.ts'

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
  /** None of the rows that were looked at has a value. */
  readonly empty: boolean
}

/** Integers that a table has none of. */
const UNBOUNDED = new Set(['BIGNUM', 'VARINT'])
const CATEGORIES = new Set(['VARCHAR', 'JSON', 'BOOLEAN', 'UUID', 'TIME'])

/** Some rows, as texts; null for NULL. */
export type Sample = readonly (readonly (string | null)[])[]

export function fieldKind(type: string): FieldKind {
  const name = type.toUpperCase()
  // Lists end with brackets, whatever they're of.
  if (name.endsWith(']')) return 'other'
  if (isInteger(name) || UNBOUNDED.has(name)) return 'integer'
  if (name === 'DOUBLE' || name === 'FLOAT' || name.startsWith('DECIMAL')) return 'number'
  if (name === 'DATE' || name.startsWith('TIMESTAMP')) return 'time'
  if (CATEGORIES.has(name) || name.startsWith('ENUM')) return 'category'
  return 'other'
}

/**
 * A result's columns by keys that are unique.
 * @param sample some of its rows
 */
export function fieldsOf(columns: readonly ResultColumn[], sample: Sample = []): Field[] {
  const taken = new Set(columns.map(({ name }) => name))
  const seen = new Set<string>()
  return columns.map(({ name, type }, column) => {
    let key = name
    for (let i = 2; seen.has(key) || (key !== name && taken.has(key)); i++) key = `${name} (${i})`
    seen.add(key)
    const empty = sample.length > 0 && sample.every((row) => row[column] === null)
    return { key, column, type, kind: fieldKind(type), empty }
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

/* Exact texts as the doubles that a drawing needs. The texts themselves stay what is shown. */

/** The nearest double; null for what is no finite number. */
export function toNumber(text: string): number | null {
  if (text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** The same of what an area can be: it's above 0. */
export function toArea(text: string): number | null {
  const value = toNumber(text)
  return value !== null && value > 0 ? value : null
}

const MOMENT =
  /^(-?\d{1,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?( \(BC\))?$/
/** What a JavaScript `Date` reaches, in milliseconds on either side of 1970. */
const FARTHEST = 8.64e15

/** Milliseconds since 1970 in UTC, rounded down; null for what isn't finite or is beyond what can be drawn. */
export function toTime(text: string): number | null {
  const match = MOMENT.exec(text)
  if (!match) return null
  const [, year = '', month, day, hour = 0, minute = 0, second = 0, fraction = '', sign, hours = 0, minutes = 0, bc] =
    match
  const date = new Date(0)
  date.setUTCFullYear(bc ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  const time = date.getTime() - (sign === '-' ? -offset : offset)
  return Math.abs(time) <= FARTHEST ? time : null
}
