import type { ResultColumn } from '../../../../engine/client.ts'
import { quoteName, quoteText } from '../../../../lib/duckdb-sql/index.ts'
import { isNumeric } from '../../../../tables/types.ts'
import { hasParts } from '../../../../tables/type-names.ts'

/*
 * Sorting and filtering rewrite the SQL: the statement becomes `SELECT * FROM (…) AS result WHERE … ORDER BY …`. That
 * form is recognized again, so that the next sort replaces the last one.
 */

interface Sort {
  readonly column: string
  readonly direction: 'ascending' | 'descending'
}

interface Wrapped {
  /** The original statement. */
  readonly inner: string
  /** Conditions, combined with AND. */
  readonly where: readonly string[]
  readonly sort: Sort | null
}

export type Operator =
  | 'equals'
  | 'differs'
  | 'one-of'
  | 'less'
  | 'at-most'
  | 'greater'
  | 'at-least'
  | 'contains'
  | 'contains-not'
  | 'begins'
  | 'ends'
  | 'null'
  | 'filled'
  | 'true'
  | 'false'

const HEAD = 'SELECT * FROM (\n'
const TAIL = '\n) AS result'
const IDENTIFIER = String.raw`(?:[A-Za-z_][A-Za-z0-9_]*|"(?:[^"\n]|"")+")`
const QUOTED = String.raw`'(?:[^'\n]|'')*'`
const TEXT = String.raw`(?:${QUOTED}|\((?:${QUOTED}|chr\(\d+\))(?: \|\| (?:${QUOTED}|chr\(\d+\)))*\))`
const LITERAL = String.raw`(?:true|false|-?[0-9][0-9.eE+-]*|from_base64\(${TEXT}\)|${TEXT}(?:::[A-Z][A-Za-z0-9_ (),]*)?)`
const CONDITION = new RegExp(
  `^(?:${IDENTIFIER} IS (?:NOT )?NULL|(?:NOT )?${IDENTIFIER}|${IDENTIFIER} (?:=|<>|<=|>=|<|>|IS DISTINCT FROM) ${LITERAL}|${IDENTIFIER} IN \\(${LITERAL}(?:, ${LITERAL})*\\)` +
    String.raw`|(?:NOT )?(?:contains|starts_with|suffix)\(${IDENTIFIER}(?:::VARCHAR)?, ${TEXT}\))$`,
)
const ORDER = new RegExp(`^(${IDENTIFIER}) (ASC|DESC) NULLS LAST$`)

/** Splits a statement into the original one and its conditions and sort. */
export function takeApart(statement: string): Wrapped {
  const opaque: Wrapped = { inner: statement, where: [], sort: null }
  const end = statement.lastIndexOf(TAIL)
  if (!statement.startsWith(HEAD) || end < HEAD.length) return opaque
  let rest = statement.slice(end + TAIL.length)
  let sort: Sort | null = null
  const order = rest.lastIndexOf('\nORDER BY ')
  if (order >= 0) {
    const [, name = '', direction] = ORDER.exec(rest.slice(order + 10)) ?? []
    if (name === '') return opaque
    sort = { column: unquote(name), direction: direction === 'ASC' ? 'ascending' : 'descending' }
    rest = rest.slice(0, order)
  }
  const where = rest === '' ? [] : rest.startsWith('\nWHERE ') ? rest.slice(7).split('\n  AND ') : null
  if (!where?.every((own) => CONDITION.test(own))) return opaque
  const wrapped = { inner: statement.slice(HEAD.length, end), where, sort }
  return build(wrapped) === statement ? wrapped : opaque
}

const unquote = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name)

function build({ inner, where, sort }: Wrapped): string {
  if (where.length === 0 && !sort) return inner
  const conditions = where.length > 0 ? `\nWHERE ${where.join('\n  AND ')}` : ''
  const order = sort
    ? `\nORDER BY ${quoteName(sort.column)} ${sort.direction === 'ascending' ? 'ASC' : 'DESC'} NULLS LAST`
    : ''
  return `${HEAD}${inner.replace(/;\s*$/, '')}${TAIL}${conditions}${order}`
}

/** Sorts the statement by a column; null removes the sort. */
export function sorted(statement: string, sort: Sort | null): string {
  return build({ ...takeApart(statement), sort })
}

/** Adds a condition. */
export function filtered(statement: string, more: string): string {
  const wrapped = takeApart(statement)
  return build({ ...wrapped, where: [...wrapped.where.filter((own) => own !== more), more] })
}

/** Removes all conditions. */
export function unfiltered(statement: string): string {
  return build({ ...takeApart(statement), where: [] })
}

/** The cycle of clicks on a header: ascending, descending, unsorted. */
export function nextSort(sort: Sort | null, column: string): Sort | null {
  if (sort?.column !== column) return { column, direction: 'ascending' }
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : null
}

/** Explains why a result can't be sorted and filtered by SQL; null if it can. */
export function cannotWrap(statement: string, columns: readonly ResultColumn[]): string | null {
  const word = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*(\w+)/.exec(statement)?.[1]?.toUpperCase() ?? ''
  if (/^(EXPLAIN|PRAGMA|CALL|CREATE|INSERT|UPDATE|DELETE)$/.test(word)) {
    return `What ${word} gives can’t be sorted or filtered by another statement.`
  }
  const seen = new Set<string>()
  for (const { name } of columns) {
    const key = name.toLowerCase()
    if (seen.has(key)) {
      return `Two columns are named “${name}”. Give one of them another name (AS …) to sort or filter the result.`
    }
    seen.add(key)
  }
  return null
}

export const OPERATORS: Readonly<Record<Operator, { readonly label: string; readonly hasValue: boolean }>> = {
  equals: { label: 'is', hasValue: true },
  differs: { label: 'is not', hasValue: true },
  'one-of': { label: 'is one of', hasValue: true },
  less: { label: 'is less than', hasValue: true },
  'at-most': { label: 'is at most', hasValue: true },
  greater: { label: 'is greater than', hasValue: true },
  'at-least': { label: 'is at least', hasValue: true },
  contains: { label: 'contains', hasValue: true },
  'contains-not': { label: 'doesn’t contain', hasValue: true },
  begins: { label: 'begins with', hasValue: true },
  ends: { label: 'ends with', hasValue: true },
  null: { label: 'is NULL', hasValue: false },
  filled: { label: 'is not NULL', hasValue: false },
  true: { label: 'is true', hasValue: false },
  false: { label: 'is false', hasValue: false },
}

const ORDERED: readonly Operator[] = ['equals', 'differs', 'one-of', 'less', 'at-most', 'greater', 'at-least']
const WITHIN: readonly Operator[] = ['contains', 'contains-not', 'begins', 'ends']
const NULLS: readonly Operator[] = ['null', 'filled']

/** The operators for a type, the likeliest first. */
export function operatorsOf(type: string): readonly Operator[] {
  if (type === 'BOOLEAN') return ['true', 'false', ...NULLS]
  if (hasParts(type)) return ['contains', 'contains-not', ...NULLS]
  if (type === 'BLOB') return ['equals', 'differs', ...NULLS]
  return isText(type) ? [...ORDERED.slice(0, 3), ...WITHIN, ...ORDERED.slice(3), ...NULLS] : [...ORDERED, ...NULLS]
}

const isText = (type: string): boolean => /^(VARCHAR|JSON|ENUM\b|UUID)/.test(type)
const NUMBER = /^-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$/

/**
 * A condition on a column.
 * @param value for `one-of`, one value per line
 * @throws {RangeError} with a message for people, if the value isn't valid for the column's type
 */
export function condition({ name, type }: ResultColumn, operator: Operator, value: string): string {
  const own = quoteName(name)
  const text = type === 'VARCHAR' ? own : `${own}::VARCHAR`
  switch (operator) {
    case 'null':
      return `${own} IS NULL`
    case 'filled':
      return `${own} IS NOT NULL`
    case 'true':
      return own
    case 'false':
      return `NOT ${own}`
    case 'contains':
      return `contains(${text}, ${textLiteral(value)})`
    case 'contains-not':
      return `NOT contains(${text}, ${textLiteral(value)})`
    case 'begins':
      return `starts_with(${text}, ${textLiteral(value)})`
    case 'ends':
      return `suffix(${text}, ${textLiteral(value)})`
    case 'one-of': {
      const values = linesOf(value)
      if (values.length === 0) throw new RangeError('Write a value.')
      return `${compared(name, type)} IN (${values.map((each) => literal(type, each)).join(', ')})`
    }
    case 'equals':
    case 'differs':
    case 'less':
    case 'at-most':
    case 'greater':
    case 'at-least':
      return `${compared(name, type)} ${SIGNS[operator]} ${literal(type, value)}`
  }
}

/** The left side of a comparison. JSON is compared as text, because the literal would otherwise have to be JSON. */
const compared = (name: string, type: string): string =>
  type === 'JSON' ? `(${quoteName(name)}::VARCHAR)` : quoteName(name)

/** Longest value that makes a readable condition, in characters. */
const LONGEST = 1000

/**
 * A condition that keeps or excludes rows with a cell's value. Excluding keeps NULLs.
 * @param text the cell's text; null for NULL
 * @returns null for values without a readable literal: nested or very long ones
 */
export function conditionOfCell(column: ResultColumn, text: string | null, keep: boolean): string | null {
  const own = quoteName(column.name)
  if (text === null) return `${own} IS ${keep ? '' : 'NOT '}NULL`
  if (hasParts(column.type) || text.length > LONGEST) return null
  const value = column.type === 'BOOLEAN' ? text : literal(column.type, text)
  return `${compared(column.name, column.type)} ${keep ? '=' : 'IS DISTINCT FROM'} ${value}`
}

export const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== '')

const SIGNS = { equals: '=', differs: '<>', less: '<', 'at-most': '<=', greater: '>', 'at-least': '>=' } as const

/** A text as an SQL literal on one line. */
export function textLiteral(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they're what has to be written another way
  const parts = text.split(/([\u0000-\u001f\u007f\u2028\u2029])/)
  if (parts.length === 1) return quoteText(text)
  const written = parts.flatMap((part, i) =>
    i % 2 === 1 ? `chr(${part.charCodeAt(0)})` : part === '' ? [] : quoteText(part),
  )
  return `(${written.join(' || ')})`
}

function literal(type: string, value: string): string {
  if (isNumeric(type)) {
    const number = value.trim()
    if (NUMBER.test(number)) return number
    if (/^(FLOAT|DOUBLE)$/.test(type) && /^(nan|[+-]?inf(inity)?)$/i.test(number))
      return `${textLiteral(number)}::DOUBLE`
    throw new RangeError(number === '' ? 'Write a number.' : `“${number}” isn’t a number.`)
  }
  if (type === 'BLOB') return `from_base64(${textLiteral(value)})`
  if (isText(type)) return type === 'UUID' ? `${textLiteral(value.trim())}::UUID` : textLiteral(value)
  if (value.trim() === '') throw new RangeError('Write a value.')
  return `${textLiteral(value.trim())}::${type}`
}

/** Removes a condition. */
export function without(statement: string, own: string): string {
  const wrapped = takeApart(statement)
  return build({ ...wrapped, where: wrapped.where.filter((each) => each !== own) })
}

/** Whether a condition from `condition` is about a column. */
export function isAbout(own: string, column: string): boolean {
  const name = quoteName(column)
  return [name, `NOT ${name}`, `${name} `, `(${name},`, `(${name}::`].some((part, i) =>
    i < 2 ? own === part : i === 2 ? own.startsWith(part) : own.includes(part),
  )
}
