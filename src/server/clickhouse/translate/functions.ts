import { dateTrunc, datePart } from './dates.ts'
import { fitted, made, quoted, stored, unless, widened, hull, type Expression } from './expression.ts'
import { Untranslatable } from './plan.ts'
import { isInteger, sameType, type Range, type Type } from './types.ts'

/* Functions with the same results in both engines, as differential tests have shown. DuckDB runs all others. */

type Translate = (args: readonly Expression[], type: Type) => Expression

const BOOLEAN: Type = { name: 'BOOLEAN' }

export const FUNCTIONS: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ['+', (args, type) => arithmetic('+', args, type)],
  ['-', (args, type) => (args.length === 1 ? negative(args, type) : arithmetic('-', args, type))],
  ['*', (args, type) => arithmetic('*', args, type)],
  ['/', divided],
  ['%', remainder],
  ['mod', remainder],
  ['~~', (args) => like(args, 'LIKE')],
  ['!~~', (args) => like(args, 'NOT LIKE')],
  ['||', joined],
  ['length', (args) => counted('lengthUTF8', args)],
  ['len', (args) => counted('lengthUTF8', args)],
  ['strlen', (args) => counted('length', args)],
  ['substring', substring],
  ['substr', substring],
  ['contains', (args) => found('position', args, ' > 0')],
  ['starts_with', (args) => found('startsWith', args)],
  ['^@', (args) => found('startsWith', args)],
  ['prefix', (args) => found('startsWith', args)],
  ['suffix', (args) => found('endsWith', args)],
  ['ends_with', (args) => found('endsWith', args)],
  ['regexp_matches', (args) => matched(args, patternOf(args[1]))],
  ['regexp_full_match', (args) => matched(args, patternOf(args[1], true))],
  ['regexp_replace', replaced],
  ['date_part', (args) => datePart(textOf(args[0]), only(args, 2)[1])],
  ['datepart', (args) => datePart(textOf(args[0]), only(args, 2)[1])],
  ['date_trunc', (args, type) => dateTrunc(textOf(args[0]), only(args, 2)[1], type)],
  ['datetrunc', (args, type) => dateTrunc(textOf(args[0]), only(args, 2)[1], type)],
  ['least', (args, type) => extreme('least', args, type)],
  ['greatest', (args, type) => extreme('greatest', args, type)],
  ...['year', 'month', 'day', 'hour', 'minute', 'second'].map((part): [string, Translate] => [
    part,
    (args) => datePart(part, only(args, 1)[0]),
  ]),
])

function only(args: readonly Expression[], count: number): readonly Expression[] {
  if (args.length !== count) throw new Untranslatable(`a function of ${args.length} arguments`)
  return args
}

/** An argument that must be a constant text. */
function textOf(argument: Expression | undefined): string {
  if (typeof argument?.constant === 'string') return argument.constant
  throw new Untranslatable('a text that isn’t known')
}

function requireTexts(args: readonly Expression[]): void {
  if (args.some(({ type }) => type.name !== 'VARCHAR'))
    throw new Untranslatable('a function of something else than texts')
}

function arithmetic(operator: '+' | '-' | '*', args: readonly Expression[], type: Type): Expression {
  const [a, b] = only(args, 2)
  if (type.name === 'DOUBLE' && a.type.name === 'DOUBLE' && b.type.name === 'DOUBLE')
    return finite(`(${a.sql} ${operator} ${b.sql})`, args)
  if (!a.range || !b.range || !(isInteger(type) || type.name === 'DECIMAL'))
    throw new Untranslatable(`${operator} of ${type.name}`)
  requireNumbers(args)
  requireScales(operator, args, type)
  const range = combined(operator, a.range, b.range)
  const all = hull([range, a.range, b.range])
  return fitted(`(${widened(a, all)} ${operator} ${widened(b, all)})`, range, type, args)
}

function requireNumbers(args: readonly Expression[]): void {
  if (args.some(({ type }) => !isInteger(type) && type.name !== 'DECIMAL'))
    throw new Untranslatable('arithmetic of something else')
}

/** Decimals are added as integers, so they need the same scale. */
function requireScales(operator: string, args: readonly Expression[], type: Type): void {
  const scales = args.map((argument) => (argument.type.name === 'DECIMAL' ? argument.type.scale : 0))
  const scale = type.name === 'DECIMAL' ? type.scale : 0
  const fits = operator === '*' ? scales.reduce((a, b) => a + b, 0) === scale : scales.every((each) => each === scale)
  if (!fits) throw new Untranslatable('decimals of other scales')
}

function combined(operator: '+' | '-' | '*', a: Range, b: Range): Range {
  if (operator === '+') return { low: a.low + b.low, high: a.high + b.high }
  if (operator === '-') return { low: a.low - b.high, high: a.high - b.low }
  const products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
  return hull(products.map((each) => ({ low: each, high: each })))
}

function negative(args: readonly Expression[], type: Type): Expression {
  const [a] = only(args, 1)
  if (type.name === 'DOUBLE' && a.type.name === 'DOUBLE') return finite(`(-${a.sql})`, args)
  if (!a.range) throw new Untranslatable(`- of ${type.name}`)
  requireNumbers(args)
  requireScales('-', args, type)
  const range = { low: -a.range.high, high: -a.range.low }
  return fitted(`(-${widened(a, hull([range, a.range]))})`, range, type, args)
}

/**
 * Makes ClickHouse fail if a result isn't finite, since DuckDB has other rules for those, or is -0: it equals 0, so
 * either may be a minimum, and DuckDB's ORDER BY turns it into 0.
 */
function finite(sql: string, args: readonly Expression[]): Expression {
  const isOdd = `NOT isFinite(${sql}) OR reinterpretAsUInt64(${sql}) = ${NEGATIVE_ZERO}`
  return made(unless(isOdd, sql), { name: 'DOUBLE' }, args)
}

/** The bits of -0. */
const NEGATIVE_ZERO = 'toUInt64(9223372036854775808)'

function divided(args: readonly Expression[], type: Type): Expression {
  const [a, b] = only(args, 2)
  if (type.name !== 'DOUBLE' || a.type.name !== 'DOUBLE' || b.type.name !== 'DOUBLE')
    throw new Untranslatable('/ of something else')
  return finite(`(${a.sql} / ${b.sql})`, args)
}

function remainder(args: readonly Expression[], type: Type): Expression {
  const [a, b] = only(args, 2)
  const by = b.constant
  if (!isInteger(type) || !isInteger(a.type) || !a.range || typeof by !== 'bigint' || by <= 0n)
    throw new Untranslatable('% of something else')
  const range = { low: a.range.low < 0n ? 1n - by : 0n, high: by - 1n }
  const wide = hull([a.range, { low: -by, high: by }])
  return fitted(`(${widened(a, wide)} % ${widened(b, wide)})`, range, type, args)
}

/** The largest number of arguments, since each is printed once per argument. */
const MOST_COMPARED = 3

/** Ignores NULL. What ClickHouse does with NULL depends on its version, so it's never given one beside a value. */
function extreme(name: 'least' | 'greatest', args: readonly Expression[], type: Type): Expression {
  const [first, ...others] = args
  // The engine wraps an expression in it to hide it from DuckDB's optimizer: see `engine/sql/functions/date-trunc.ts`.
  if (first && others.length === 0) return first
  const ranges = args.flatMap(({ range }) => (range ? [range] : []))
  const isOne = args.every((each) => sameType(each.type, type))
  if (!isOne || ranges.length < args.length || args.length > MOST_COMPARED)
    throw new Untranslatable(`${name} of ${args.length} ${type.name}`)
  const values = args.map(stored)
  const turned = values.map((_, i) => `coalesce(${[...values.slice(i), ...values.slice(0, i)].join(', ')})`)
  return made(`${name}(${turned.join(', ')})`, type, args, hull(ranges))
}

function like(args: readonly Expression[], operator: string): Expression {
  const [text] = only(args, 2)
  requireTexts(args)
  const pattern = textOf(args[1])
  // It has no special meaning for DuckDB, but escapes the next character for ClickHouse.
  if (pattern.includes('\\')) throw new Untranslatable('a pattern with a backslash')
  return made(`(${text.sql} ${operator} ${quoted(pattern)})`, BOOLEAN, args)
}

function joined(args: readonly Expression[]): Expression {
  const [a, b] = only(args, 2)
  requireTexts(args)
  return made(`concat(${a.sql}, ${b.sql})`, { name: 'VARCHAR' }, args)
}

/** A length, which is at most 2^32. */
function counted(name: string, args: readonly Expression[]): Expression {
  const [text] = only(args, 1)
  requireTexts(args)
  return fitted(`toInt64(${name}(${text.sql}))`, { low: 0n, high: 2n ** 32n }, { name: 'BIGINT' }, args)
}

function substring(args: readonly Expression[]): Expression {
  const [text, from, length] = args
  if (!text || !from) throw new Untranslatable('substring of nothing')
  requireTexts([text])
  const numbers = [from, length].flatMap((each) => (each ? [each.constant] : []))
  // For negative positions, DuckDB counts from the end.
  const known = numbers.filter((each) => typeof each === 'bigint' && each >= 0n && each < 2n ** 31n)
  if (known.length !== numbers.length || known[0] === 0n) throw new Untranslatable('substring from somewhere else')
  return made(`substringUTF8(${[text.sql, ...known].join(', ')})`, { name: 'VARCHAR' }, args)
}

function found(name: string, args: readonly Expression[], after = ''): Expression {
  const [text] = only(args, 2)
  requireTexts(args)
  const what = textOf(args[1])
  if (what === '') throw new Untranslatable('an empty text to look for')
  return made(`(${name}(${text.sql}, ${quoted(what)})${after})`, BOOLEAN, args)
}

/** A pattern for RE2, which both engines have. A dot matches no line break, unlike by ClickHouse's default. */
function patternOf(argument: Expression | undefined, isWhole = false): string {
  const inner = `(?-s:${textOf(argument)})`
  return quoted(isWhole ? String.raw`\A${inner}\z` : inner)
}

function matched(args: readonly Expression[], pattern: string): Expression {
  const [text] = only(args, 2)
  requireTexts(args)
  return made(`match(${text.sql}, ${pattern})`, BOOLEAN, args)
}

/** Replaces the first match. Engines go on differently after an empty one. */
function replaced(args: readonly Expression[]): Expression {
  const [text] = only(args, 3)
  requireTexts(args)
  const by = textOf(args[2])
  const groups =
    textOf(args[1])
      .replaceAll(/\\.|\[[^\]]*\]|\(\?/g, '')
      .split('(').length - 1
  // Engines differ for a backslash before anything else than the number of a group.
  const rest = by.replaceAll(/\\\d/g, (group) => (Number(group[1]) <= groups ? '' : group))
  if (rest.includes('\\')) throw new Untranslatable('a replacement with a backslash')
  return made(`replaceRegexpOne(${text.sql}, ${patternOf(args[1])}, ${quoted(by)})`, { name: 'VARCHAR' }, args)
}
