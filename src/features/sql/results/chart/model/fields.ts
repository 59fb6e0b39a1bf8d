import type { ResultColumn } from '../../../../../engine/client.ts'
import { isInteger, parseType } from '../../../../../tables/types.ts'

/* Which columns of a result can be drawn, and how. */

/** How a column's values are placed: on a numeric or time axis, or as categories. `other` can't be drawn. */
export type FieldKind = 'number' | 'integer' | 'time' | 'category' | 'other'

export interface Field {
  /** Unique name in a `ChartSpec`: the column's name, or `name (2)` for the second column with that name. */
  readonly key: string
  /** Index of the column. */
  readonly column: number
  /** DuckDB's type name. */
  readonly type: string
  readonly kind: FieldKind
  /** Whether all rows of the sample are null. */
  readonly empty: boolean
}

/** Integer types that only results have. */
const UNBOUNDED = new Set(['BIGNUM', 'VARINT'])
const CATEGORIES = new Set(['VARCHAR', 'JSON', 'BOOLEAN', 'UUID', 'TIME'])

/** Some rows as text; null for NULL. */
export type Sample = readonly (readonly (string | null)[])[]

export function fieldKind(type: string): FieldKind {
  const name = type.toUpperCase()
  // Lists end with brackets, whatever their element type.
  if (name.endsWith(']')) return 'other'
  if (isInteger(name) || UNBOUNDED.has(name)) return 'integer'
  if (name === 'DOUBLE' || name === 'FLOAT' || name.startsWith('DECIMAL')) return 'number'
  if (name === 'DATE' || name.startsWith('TIMESTAMP')) return 'time'
  if (CATEGORIES.has(name) || name.startsWith('ENUM')) return 'category'
  return 'other'
}

/**
 * A result's columns with unique keys.
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
/** Whether its values are distinct names. */
export const isDiscrete = ({ kind }: Field): boolean => kind === 'category' || kind === 'integer'
export const isDrawable = ({ kind }: Field): boolean => kind !== 'other'

/** Number of decimals of a DECIMAL; null for other types. */
export function scaleOf({ type, kind }: Field): number | null {
  const parsed = kind === 'number' ? parseType(type) : null
  return parsed?.kind === 'decimal' ? parsed.scale : null
}

const ID = /(?:^|[_\s.-])(?:id|ids|uuid|guid|key|pk|fk|code|zip|zipcode|postcode|plz|phone|sku|ean|isbn|hash|no|nr)$/i
const CAMEL_ID = /[a-z](?:Id|ID|Key|Code|Uuid)$/

/** Whether the column's name says that its values are identifiers rather than measurements. */
export function isIdName(name: string): boolean {
  return ID.test(name) || CAMEL_ID.test(name)
}

/* Converts exact texts to doubles for drawing. Tooltips and tables still show the texts. */

/** The nearest double; null if it isn't a finite number. */
export function toNumber(text: string): number | null {
  if (text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** As `toNumber`, for areas, which must be positive. */
export function toArea(text: string): number | null {
  const value = toNumber(text)
  return value !== null && value > 0 ? value : null
}

const MOMENT =
  /^(-?\d{1,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?( \(BC\))?$/
/** Range of a JavaScript `Date`, in milliseconds before and after 1970. */
const FARTHEST = 8.64e15

/** Milliseconds since 1970 in UTC, rounded down; null if it isn't finite or out of range. */
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
