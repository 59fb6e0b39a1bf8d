import { EngineError } from '../../errors.ts'
import type { Note } from '../../../tables/plan.ts'
import { KIND, type Scanned } from '../../columns/json/scanner.ts'
import type { RowTokens } from './tokens.ts'

/* Paths to the rows in a JSON text, made of keys and list indexes. */

/** The keys that lead to a place, and the number of other values beside them on the way. */
export interface Outside {
  readonly path: readonly string[]
  readonly beside: number
}

/**
 * Moves from an object's brace to the value of one of its members.
 * @returns `KIND.object` if found, `KIND.null` if not, or if the value isn't an object
 */
export function seekMember({ scanner, keys }: RowTokens, key: string): Scanned {
  const text = new TextEncoder().encode(key)
  const wanted = keys.size
  if (scanner.space() !== 0x7b) return scanner.pos >= scanner.limit ? scanner.ended() : KIND.null
  scanner.pos++
  let c = scanner.space()
  if (c === 0x7d) return KIND.null
  for (;;) {
    const status = scanner.key(c)
    if (status < 0) return status
    keys.add(text, 0, text.length)
    const found = keys.is(wanted, scanner.bytes, scanner.start, scanner.end)
    keys.truncate(wanted)
    if (found) return KIND.object
    const value = scanner.value()
    if (value < 0) return value
    c = scanner.space()
    if (c === 0x7d) return KIND.null
    if (c !== 0x2c) return scanner.stopped('a comma or “}”')
    scanner.pos++
    c = scanner.space()
  }
}

/** The path element for a list item, by its index from 0. */
export const itemKey = (item: number): string => `[${item}]`

/** The index in such a path element; null if it's a key. */
export function itemOf(key: string): number | null {
  const found = /^\[(\d{1,9})\]$/.exec(key)
  return found ? Number(found[1]) : null
}

/**
 * Moves from an array's bracket to one of its items.
 * @returns `KIND.object` if found, `KIND.null` if not
 */
export function seekItem({ scanner }: RowTokens, item: number): Scanned {
  scanner.pos++
  for (let at = 0; at < item; at++) {
    if (scanner.space() === 0x5d) return KIND.null
    const value = scanner.value()
    if (value < 0) return value
    const c = scanner.space()
    if (c === 0x5d) return KIND.null
    if (c !== 0x2c) return scanner.stopped('a comma or “]”')
    scanner.pos++
  }
  return KIND.object
}

export function noSuchPath(path: readonly string[]): EngineError {
  const what = path.length === 0 ? 'isn’t one object' : `has no rows under “${path.join('” → “')}”`
  return new EngineError('corrupt-file', `The file ${what}.`, {
    remedy: 'Remove the file and add it again, so that its layout is detected again.',
  })
}

/** For rows that follow metadata about them. */
export const ANSWER: Note = {
  code: 'rows-inside',
  message: 'The rows are those in the list that is the file’s second item. The first item, an object, is left out.',
}

/** Says where the rows are, and what is beside them. */
export function aside(
  { path, beside }: Outside,
  edge: readonly string[] | null,
  others: readonly { readonly key: string }[],
): Note {
  const quoted = (keys: readonly string[], between: string): string => keys.map((key) => `“${key}”`).join(between)
  const where = quoted(path, ' → ')
  const rows = edge ? `the nodes under ${where}` : `those under ${where}`
  const left = [
    ...(beside > 0 ? [`${beside} ${beside === 1 ? 'value' : 'values'}`] : []),
    ...(edge && edge.length > 0 ? [`${quoted(edge, ', ')} of each node`] : []),
  ]
  const rest = left.length === 0 ? '' : ` What is beside them (${left.join(', ')}) is left out.`
  const more =
    others.length > 0
      ? ` Other rows are under ${quoted(
          others.map(({ key }) => key),
          ', ',
        )}.`
      : ''
  return { code: 'rows-inside', message: `The rows are ${rows}.${rest}${more}` }
}
