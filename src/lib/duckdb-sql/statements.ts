import { nextToken, type Token } from './lexer.ts'
import type { Words } from './dialect.ts'

/* Where a text's statements end, kept up to date while it's edited: the cost of a change is that of what it touches. */

/** A text that is read in pieces. */
export interface Source {
  readonly length: number
  slice(from: number, to: number): string
}

/** A part that was replaced: `fromA` up to `toA` of the old text; it ends at `toB` of the new one. */
export interface Edit {
  readonly fromA: number
  readonly toA: number
  readonly toB: number
}

export interface Boundaries {
  /** Places after each semicolon that ends a statement, ascending. */
  readonly ends: readonly number[]
  /** Places where a token begins that no string or comment is open at, ascending, from 0; not all of them. */
  readonly anchors: readonly number[]
}

/** A statement's place: between the semicolons around it, and what of that it takes, without spaces and comments. */
export interface StatementPlace {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

const EVERY = 2048
/** No token's kind depends on more of what comes after it. */
const MARGIN = 16
const CHUNK = 16_384

/** Reads a whole text. */
export function findBoundaries(source: Source): Boundaries {
  return scan(source, 0, () => false)
}

/** The boundaries after an edit, by reading on from before it to where the old ones hold again. */
export function updateBoundaries(old: Boundaries, source: Source, edit: Edit): Boundaries {
  const start = last(old.anchors, edit.fromA - MARGIN) ?? 0
  const by = edit.toB - edit.toA
  const known = new Set(old.anchors)
  let met = Number.POSITIVE_INFINITY
  const fresh = scan(source, start, (at) => {
    if (at < edit.toB || at - by < edit.toA || !known.has(at - by)) return false
    met = at
    return true
  })
  const join = (before: readonly number[], between: readonly number[], inclusive: boolean): number[] => [
    ...before.filter((at) => (inclusive ? at <= start : at < start)),
    ...between,
    ...before.filter((at) => (inclusive ? at + by > met : at + by >= met)).map((at) => at + by),
  ]
  return { ends: join(old.ends, fresh.ends, true), anchors: join(old.anchors, fresh.anchors, false) }
}

function scan(source: Source, start: number, stop: (at: number) => boolean): Boundaries {
  const ends: number[] = []
  const anchors: number[] = []
  let afterEnd = true
  for (const [at, isEnd] of tokenStarts(source, start)) {
    if (stop(at)) return { ends, anchors }
    if (afterEnd || at - (anchors.at(-1) ?? 0) >= EVERY) anchors.push(at)
    if (isEnd) ends.push(at + 1)
    afterEnd = isEnd
  }
  return { ends, anchors }
}

/** Each token's place, and whether it's a semicolon. */
function* tokenStarts(source: Source, start: number): Generator<readonly [number, boolean]> {
  let offset = start
  let size = CHUNK
  while (offset < source.length) {
    const text = source.slice(offset, Math.min(source.length, offset + size))
    const whole = offset + text.length === source.length
    let at = 0
    for (let token = nextToken(text, 0); token; token = nextToken(text, token.to)) {
      // What ends with the piece may go on after it.
      if (!whole && token.to > text.length - MARGIN) break
      yield [offset + token.from, text.charAt(token.from) === ';']
      at = token.to
    }
    if (whole) return
    size = at === 0 && nextToken(text, 0) ? size * 2 : CHUNK
    offset += at === 0 && !nextToken(text, 0) ? text.length : at
  }
}

/** The place that the cursor's statement has: the last one that begins at or before it, else the first. */
export function statementAt(source: Source, { ends }: Boundaries, cursor: number): StatementPlace | null {
  let index = ends.filter((end) => end <= cursor).length
  for (let at = index; at >= 0; at--) {
    const place = statementIn(source, ends[at - 1] ?? 0, ends[at] ?? source.length, at < ends.length)
    if (place && place.from <= cursor) return place
  }
  for (; index <= ends.length; index++) {
    const place = statementIn(source, ends[index - 1] ?? 0, ends[index] ?? source.length, index < ends.length)
    if (place) return place
  }
  return null
}

/** The statements that touch a part of the text (all of it by default), in their order; empty ones are none. */
export function statementsIn(source: Source, { ends }: Boundaries, lo = 0, hi = source.length): StatementPlace[] {
  return [...ends, source.length].flatMap((end, index) => {
    const start = ends[index - 1] ?? 0
    return end < lo || start > hi ? [] : (statementIn(source, start, end, index < ends.length) ?? [])
  })
}

/** Beyond this, a comment at the end of a statement counts as a part of it: finding out costs too much at each key. */
const LONG = 65_536

function statementIn(source: Source, start: number, end: number, closed: boolean): StatementPlace | null {
  const text = source.slice(start, closed ? end - 1 : end)
  let token = nextToken(text, 0)
  while (token?.kind === 'comment') token = nextToken(text, token.to)
  if (!token) return null
  const from = token.from
  let to = text.trimEnd().length
  if (text.length <= LONG) for (; token; token = nextToken(text, token.to)) if (token.kind !== 'comment') to = token.to
  return { start, end, from: start + from, to: start + to }
}

function last(sorted: readonly number[], most: number): number | null {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return sorted[low - 1] ?? null
}

/** What a token is shown as; null as plain text. */
export type TokenClass =
  | 'keyword'
  | 'type'
  | 'function'
  | 'string'
  | 'number'
  | 'comment'
  | 'quoted'
  | 'parameter'
  | 'operator'
  | 'constant'
  | 'open'

/** The tokens' classes, in their order. */
export function classify(text: string, tokens: readonly Token[], words: Words): (TokenClass | null)[] {
  const sign = (at: number): string => {
    const token = tokens[at]
    return token && token.to - token.from <= 8 ? text.slice(token.from, token.to) : ''
  }
  return tokens.map((token, at) => {
    if (!token.closed) return token.kind === 'comment' ? 'comment' : 'open'
    if (token.kind === 'punctuation') return null
    if (token.kind !== 'word') return token.kind
    const word = text.slice(token.from, token.to)
    // What comes after a dot is a name, whatever it is; but not the next word after `o.`, which is still to be finished.
    if (sign(at - 1) === '.' && tokens[at - 1]?.to === token.from) return sign(at + 1) === '(' ? 'function' : null
    if (sign(at - 1) === '::') return 'type'
    if (/^(?:true|false|null)$/i.test(word)) return 'constant'
    const next = tokens[at + 1]
    // `DATE '2024-01-31'`, `x DECIMAL(10, 2)`; but a column may be called `date`.
    if (words.isType(word) && (next?.kind === 'string' || isDeclared(tokens[at - 1], sign(at - 1), words)))
      return 'type'
    const called = sign(at + 1) === '('
    if (called && words.functionNamed(word) && !/^(?:in|values|over|filter|as|on|using|and|or|not)$/i.test(word))
      return 'function'
    if (words.isKeyword(word)) return 'keyword'
    return called ? 'function' : null
  })
}

/** Whether a name or AS stands before it: a column's declaration, a cast. */
function isDeclared(before: Token | undefined, text: string, words: Words): boolean {
  if (text.toLowerCase() === 'as') return true
  return before?.kind === 'quoted' || (before?.kind === 'word' && text !== '' && !words.isKeyword(text))
}
