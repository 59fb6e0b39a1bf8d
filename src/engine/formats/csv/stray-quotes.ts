import { CR, LF, SPACE, TAB } from '../../../lib/ascii.ts'
import type { Dialect } from './detection/dialect-bytes.ts'
import { ESCAPED, PLAIN, QUOTED } from './tokenizer.ts'

/** Position and kind of a field in a line. */
interface LooseField {
  readonly start: number
  readonly end: number
  readonly kind: number
}

/**
 * Splits a line with a misplaced quote as it was probably meant: a quote ends a field only if the delimiter or the end
 * of the line follows, and a quote that isn't closed is text.
 */
export function splitLoosely(bytes: Uint8Array, start: number, end: number, dialect: Dialect): LooseField[] {
  const fields: LooseField[] = []
  for (let at = start; ;) {
    let first = at
    while (first < end && bytes[first] === SPACE && dialect.delimiter !== SPACE) first++
    const closing = first < end && bytes[first] === dialect.quote ? closingQuote(bytes, first + 1, end, dialect) : -1
    let next: number
    if (closing < 0) {
      next = at
      while (next < end && !isDelimiter(bytes, next, end, dialect)) next++
      fields.push({ start: at, end: next, kind: PLAIN })
    } else {
      const escaped = hasEscapes(bytes, first + 1, closing, dialect)
      fields.push({ start: first + 1, end: closing, kind: escaped ? ESCAPED : QUOTED })
      next = afterBlanks(bytes, closing + 1, end, dialect)
    }
    if (next >= end) return fields
    at = next + 1 + (dialect.delimiterRest?.length ?? 0)
  }
}

/** Position of the next quote that is followed by the delimiter or the end of the line; -1 if there's none. */
function closingQuote(bytes: Uint8Array, from: number, end: number, dialect: Dialect): number {
  for (let at = from; at < end; at++) {
    if (bytes[at] !== dialect.quote) continue
    const after = afterBlanks(bytes, at + 1, end, dialect)
    if (after >= end || isDelimiter(bytes, after, end, dialect)) return at
    if (bytes[at + 1] !== dialect.quote || dialect.escape !== dialect.quote) continue
    at++
    const afterPair = afterBlanks(bytes, at + 1, end, dialect)
    if (afterPair >= end || isDelimiter(bytes, afterPair, end, dialect)) return at
  }
  return -1
}

function hasEscapes(bytes: Uint8Array, from: number, end: number, { quote, escape }: Dialect): boolean {
  for (let at = from; at + 1 < end; at++) {
    if (bytes[at] === escape && (bytes[at + 1] === quote || bytes[at + 1] === escape)) return true
  }
  return false
}

function isDelimiter(bytes: Uint8Array, at: number, end: number, { delimiter, delimiterRest }: Dialect): boolean {
  if (bytes[at] !== delimiter) return false
  if (delimiterRest === null) return true
  return at + delimiterRest.length < end && delimiterRest.every((byte, i) => bytes[at + 1 + i] === byte)
}

function afterBlanks(bytes: Uint8Array, from: number, end: number, { delimiter }: Dialect): number {
  let at = from
  while (at < end && bytes[at] !== delimiter && (bytes[at] === SPACE || bytes[at] === TAB)) at++
  return at
}

/** Where the line after the one that ends at `end` begins and ends, within the available bytes. */
export function lineAfter(
  bytes: Uint8Array,
  end: number,
  size: number,
): { readonly start: number; readonly end: number } {
  let start = Math.min(end + 1, size)
  if (bytes[start - 1] === CR && start < size && bytes[start] === LF) start++
  let to = start
  while (to < size && bytes[to] !== LF && bytes[to] !== CR) to++
  return { start, end: to }
}
