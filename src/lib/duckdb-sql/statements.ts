import { nextToken, type Token } from './lexer.ts'
import type { Words } from './dialect.ts'

/* Finds where statements end, and keeps that up to date during editing at a cost that depends on the edit. */

/** A text that is read in chunks. */
export interface Source {
  readonly length: number
  slice(from: number, to: number): string
}

/** A replacement: from `fromA` to `toA` in the old text, up to `toB` in the new one. */
export interface Edit {
  readonly fromA: number
  readonly toA: number
  readonly toB: number
}

export interface Boundaries {
  /** Positions after each semicolon that ends a statement, ascending. */
  readonly ends: readonly number[]
  /** Some of the positions where a token begins outside strings and comments, ascending, from 0. */
  readonly anchors: readonly number[]
}

/** A statement's position: between its semicolons, and without surrounding spaces and comments. */
export interface StatementPlace {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

const EVERY = 2048
/** No token's kind depends on more characters after it than this. */
const MARGIN = 16
const CHUNK = 16_384

/** Reads a whole text. */
export function findBoundaries(source: Source): Boundaries {
  return scan(source, 0, () => false)
}

/** The boundaries after an edit. Reads from before the edit until the old boundaries apply again. */
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

/** Each token's position, and whether it's a semicolon. */
function* tokenStarts(source: Source, start: number): Generator<readonly [number, boolean]> {
  let offset = start
  let size = CHUNK
  while (offset < source.length) {
    const text = source.slice(offset, Math.min(source.length, offset + size))
    const whole = offset + text.length === source.length
    let at = 0
    for (let token = nextToken(text, 0); token; token = nextToken(text, token.to)) {
      // A token at the end of a chunk may continue after it.
      if (!whole && token.to > text.length - MARGIN) break
      yield [offset + token.from, text.charAt(token.from) === ';']
      at = token.to
    }
    if (whole) return
    size = at === 0 && nextToken(text, 0) ? size * 2 : CHUNK
    offset += at === 0 && !nextToken(text, 0) ? text.length : at
  }
}

/** The statement at the cursor: the last one that begins at or before it, or else the first. */
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

/** The statements that touch a part of the text (all of it by default), in order, without empty ones. */
export function statementsIn(source: Source, { ends }: Boundaries, lo = 0, hi = source.length): StatementPlace[] {
  return [...ends, source.length].flatMap((end, index) => {
    const start = ends[index - 1] ?? 0
    return end < lo || start > hi ? [] : (statementIn(source, start, end, index < ends.length) ?? [])
  })
}

/**
 * In longer statements, a comment at the end counts as part of it: finding out would take too long at each key press.
 */
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

/** How a token is shown; null for plain text. */
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

/** Each token's class, in order. */
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
    // Any word directly after a dot is a name. After a space it isn't, since `o.` is then unfinished.
    if (sign(at - 1) === '.' && tokens[at - 1]?.to === token.from) return sign(at + 1) === '(' ? 'function' : null
    if (sign(at - 1) === '::') return 'type'
    if (/^(?:true|false|null)$/i.test(word)) return 'constant'
    const next = tokens[at + 1]
    // `DATE '2024-01-31'`, `x DECIMAL(10, 2)`; but `date` may also be a column's name.
    if (words.isType(word) && (next?.kind === 'string' || isDeclared(tokens[at - 1], sign(at - 1), words)))
      return 'type'
    const called = sign(at + 1) === '('
    if (called && words.functionNamed(word) && !/^(?:in|values|over|filter|as|on|using|and|or|not)$/i.test(word))
      return 'function'
    if (words.isKeyword(word)) return 'keyword'
    return called ? 'function' : null
  })
}

/** Whether a name or AS precedes it, as in a column's declaration or a cast. */
function isDeclared(before: Token | undefined, text: string, words: Words): boolean {
  if (text.toLowerCase() === 'as') return true
  return before?.kind === 'quoted' || (before?.kind === 'word' && text !== '' && !words.isKeyword(text))
}
