import { formatCount } from '../lib/counts.ts'
import type { z } from './zod.ts'
import type { Issue } from './errors.ts'

type Path = readonly PropertyKey[]

/**
 * A field's path in the service's notation: `files[0].filename`, empty for the body itself. Names that aren't plain
 * words are quoted: `["a b"]`.
 */
export function issuePath(path: Path): string {
  return path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`
    const name = String(part)
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)) return `${before}[${JSON.stringify(name)}]`
    return before === '' ? name : `${before}.${name}`
  }, '')
}

/**
 * Puts zod's issues into the service's words. Parse with `reportInput`, so that missing fields can be distinguished.
 * @param renamed maps the checked names of top-level fields to those that the caller used
 */
export function zodIssues(error: z.ZodError, renamed: ReadonlyMap<string, string> = new Map()): Issue[] {
  return withoutLooser(error.issues).map((issue) => {
    const [first, ...rest] = issue.path
    const written = typeof first === 'string' ? renamed.get(first) : undefined
    return { path: issuePath(written === undefined ? issue.path : [written, ...rest]), message: messageOf(issue) }
  })
}

/** Whole numbers have a bound of their own, at 2^53. What is beyond it is also beyond the field's, which comes next. */
function withoutLooser(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.filter((issue, i) => {
    if (issue.code !== 'too_big' && issue.code !== 'too_small') return true
    const next = issues[i + 1]
    return next?.code !== issue.code || issuePath(next.path) !== issuePath(issue.path)
  })
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  url: 'must be a URL',
  datetime: 'must be a date and time in UTC, like "2026-01-31T12:00:00Z"',
}

/** `is required`, `must be at most 128 characters`: follows the field's name. Never repeats the field's value. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.path.length > 0 && 'input' in issue && issue.input === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      // JSON has numbers, such as 1e400, that no double holds.
      if (typeof issue.input === 'number' && issue.expected === 'number') return 'is beyond the range of numbers'
      return `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'too_big':
      return `must ${verb(issue.origin)} at most ${amount(issue.maximum, issue.origin)}`
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty'
      return `must ${verb(issue.origin)} at least ${amount(issue.minimum, issue.origin)}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? issue.message
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return issue.message
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
}

const verb = (origin: string): string => (origin === 'array' ? 'hold' : 'be')

function amount(count: number | bigint, origin: string): string {
  const unit = UNITS[origin]
  const digits = formatCount(count)
  return unit ? `${digits} ${Number(count) === 1 ? unit[0] : unit[1]}` : digits
}

/** `"a"`, `"a" or "b"`, `"a", "b" or "c"` */
function oneOf(values: readonly z.core.util.Primitive[]): string {
  const words = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)))
  const last = words.pop() ?? 'nothing'
  return words.length > 0 ? `${words.join(', ')} or ${last}` : last
}
