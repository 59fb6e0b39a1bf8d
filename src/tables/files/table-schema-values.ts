import type { ValueFormat } from '../plan.ts'

/* Values in the constraints of a Table Schema: JSON values, or text in the notation of the file's values. */

/** The properties of a field that determine the notation of its values. */
interface Writing {
  readonly type: string
  readonly format: string
  readonly decimalChar?: string | undefined
  readonly groupChar?: string | undefined
}

/** A strptime pattern; undefined if the format isn't one. */
export const patternOf = (format: string): string | undefined =>
  format === 'default' || format === 'any' ? undefined : format.replace(/^fmt:/, '')

/** A value in its type's text form; null if it's invalid. */
export function logicalText(value: string | number | boolean, writing: Writing): string | null {
  const { type, format, decimalChar, groupChar } = writing
  if (type === 'number' || type === 'integer') {
    if (typeof value === 'number') return String(value)
    const bare = groupChar ? String(value).replaceAll(groupChar, '') : String(value)
    const text = decimalChar && decimalChar !== '.' ? bare.replace(decimalChar, '.') : bare
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? text : null
  }
  const text = String(value)
  const usual = USUAL[type]
  if (!usual) return text
  if (usual.test(text)) return text
  const pattern = patternOf(format)
  return pattern === undefined ? null : fromPattern(text, pattern, type)
}

/** The inverse of `logicalText`; null if unknown. */
export function physicalText(text: string, type: string | undefined, format: ValueFormat): string | null {
  const { decimalMark = '.', dateFormat } = format
  if (type === 'number' || type === 'integer') return text.replace('.', decimalMark)
  if (dateFormat === undefined || !type || !(type in USUAL)) return text
  return toPattern(text, dateFormat)
}

/** Dates and times in their types' text form. */
const USUAL: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d(:\d\d(\.\d+)?)?$/,
  datetime: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
}

const PART = /%[YmdHMS]/g
const LENGTHS: Readonly<Record<string, number>> = { '%Y': 4, '%m': 2, '%d': 2, '%H': 2, '%M': 2, '%S': 2 }

function fromPattern(text: string, pattern: string, type: string): string | null {
  const parts = pattern.match(PART) ?? []
  const literal = pattern.split(PART)
  if (literal.some((between) => between.includes('%')) || new Set(parts).size < parts.length) return null
  const escaped = literal.map((between) => between.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  const source = escaped.map((between, i) => between + (parts[i] ? `(\\d{${LENGTHS[parts[i]] ?? 2}})` : '')).join('')
  const found = new RegExp(`^${source}$`, 'u').exec(text)
  if (!found) return null
  const value = (part: string): string => found[parts.indexOf(part as never) + 1] ?? '00'
  const has = (...all: string[]): boolean => all.every((part) => parts.includes(part as never))
  const day = has('%Y', '%m', '%d') ? `${value('%Y')}-${value('%m')}-${value('%d')}` : null
  const time = has('%H', '%M') ? `${value('%H')}:${value('%M')}:${has('%S') ? value('%S') : '00'}` : null
  if (type === 'date') return day
  if (type === 'time') return time
  return day && `${day} ${time ?? '00:00:00'}`
}

function toPattern(text: string, pattern: string): string | null {
  const found = /^(?:(\d{4})-(\d\d)-(\d\d))?[T ]?(?:(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)
  if (!found || pattern.replaceAll(PART, '').includes('%')) return null
  const [, ...values] = found
  const byPart = new Map(Object.keys(LENGTHS).map((part, i) => [part, values[i]]))
  const missing = (pattern.match(PART) ?? []).some((part) => byPart.get(part) === undefined)
  return missing ? null : pattern.replaceAll(PART, (part) => byPart.get(part) ?? '')
}
