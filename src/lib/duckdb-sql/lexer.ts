/* Splits DuckDB's SQL into tokens, like its own scanner. Accepts any text. */

export type TokenKind = 'comment' | 'string' | 'word' | 'quoted' | 'number' | 'parameter' | 'operator' | 'punctuation'

/** A token and its position in the text, in UTF-16 code units. Spaces aren't tokens. */
export interface Token {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
  /** False for a string, quoted name or comment that isn't closed. */
  readonly closed: boolean
}

// Characters that DuckDB treats as spaces, in addition to ASCII's.
const SPACE = /[\s\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]+/y
const WORD = /[A-Za-z_\u0080-\uffff](?:[\w$]|(?![\s\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff])[\u0080-\uffff])*/y
const NUMBER = /(?:\d+(?:_\d+)*(?:\.(?!\.)(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?/y
const RADIX = /0[xX][\da-fA-F]+(?:_[\da-fA-F]+)*|0[bB][01]+(?:_[01]+)*/y
const PARAMETER = /\$(?:\d+|[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|\?\d*|#\d+/y
const DOLLAR = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y
const STRING = /(?:[xXbBnN])?'(?:[^']+|'')*('?)/y
const ESCAPED = /[eE]'(?:[^'\\]+|''|\\[\s\S])*('?)/y
const QUOTED = /"(?:[^"]+|"")*("?)/y
const LINE_COMMENT = /--[^\r\n]*/y
const COMMENT_EDGE = /\/\*|\*\//g
const OPERATOR = /[~!@#^&|`+\-*/%<>=]+/y

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (let next = nextToken(text, 0); next; next = nextToken(text, next.to)) tokens.push(next)
  return tokens
}

/** The first token at or after a position; null if there's none. */
export function nextToken(text: string, at: number): Token | null {
  const from = end(SPACE, text, at) ?? at
  return from < text.length ? tokenAt(text, from) : null
}

function tokenAt(text: string, from: number): Token {
  const char = text.charAt(from)
  const next = text.charAt(from + 1)
  if (char === '-' && next === '-') return token('comment', from, end(LINE_COMMENT, text, from))
  if (char === '/' && next === '*') return blockComment(text, from)
  if (char === '"') return delimited('quoted', QUOTED, text, from)
  if (char === "'") return delimited('string', STRING, text, from)
  if (next === "'" && /[eE]/.test(char)) return delimited('string', ESCAPED, text, from)
  if (next === "'" && /[xXbBnN]/.test(char)) return delimited('string', STRING, text, from)
  const dollar = char === '$' ? end(DOLLAR, text, from) : null
  if (dollar !== null) return dollarQuoted(text, from, dollar)
  const parameter = end(PARAMETER, text, from)
  if (parameter !== null) return token('parameter', from, parameter)
  const number = end(RADIX, text, from) ?? end(NUMBER, text, from)
  if (number !== null) return token('number', from, number)
  const word = end(WORD, text, from)
  if (word !== null) return token('word', from, word)
  const operator = end(OPERATOR, text, from)
  if (operator !== null) return token('operator', from, operatorEnd(text, from, operator))
  const pair = text.slice(from, from + 2)
  if (pair === '::' || pair === ':=' || pair === '..') return token('operator', from, from + 2)
  return token('punctuation', from, from + 1)
}

/** A comment ends an operator. It may only end in `+` or `-` if it also has one of `~!@#^&|%` or a backtick. */
function operatorEnd(text: string, from: number, to: number): number {
  const run = text.slice(from, to)
  const comment = run.search(/--|\/\*/)
  const cut = comment > 0 ? run.slice(0, comment) : run
  const kept = /[~!@#^&|`%]/.test(cut) ? cut : cut.replace(/(?<=.)[+-]+$/, '')
  return from + kept.length
}

function blockComment(text: string, from: number): Token {
  let depth = 1
  COMMENT_EDGE.lastIndex = from + 2
  for (let edge = COMMENT_EDGE.exec(text); edge; edge = COMMENT_EDGE.exec(text)) {
    depth += edge[0] === '/*' ? 1 : -1
    if (depth === 0) return token('comment', from, COMMENT_EDGE.lastIndex)
  }
  return token('comment', from, text.length, false)
}

function dollarQuoted(text: string, from: number, open: number): Token {
  const tag = text.slice(from, open)
  const close = text.indexOf(tag, open)
  return close === -1 ? token('string', from, text.length, false) : token('string', from, close + tag.length)
}

function delimited(kind: TokenKind, pattern: RegExp, text: string, from: number): Token {
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return token(kind, from, found ? pattern.lastIndex : from + 1, found?.[1] !== '')
}

function token(kind: TokenKind, from: number, to: number | null, closed = true): Token {
  return { kind, from, to: to ?? from + 1, closed }
}

/** The end of a match that begins at a position; null if there's none. */
function end(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

/** The name that a word or quoted name stands for. */
export function nameOf(text: string, { kind, from, to, closed }: Token): string {
  if (kind !== 'quoted') return text.slice(from, to)
  return text.slice(from + 1, closed ? to - 1 : to).replaceAll('""', '"')
}

/** The parts of a reference: `ws."Sales 2024".orders`. Null if it isn't one. */
export function namesOf(reference: string): string[] | null {
  const names: string[] = []
  let dot = true
  for (let next = nextToken(reference, 0); next; next = nextToken(reference, next.to)) {
    const isName = next.kind === 'word' || (next.kind === 'quoted' && next.closed)
    if (dot !== isName) return null
    if (isName) names.push(nameOf(reference, next))
    else if (reference.slice(next.from, next.to) !== '.') return null
    dot = !isName
  }
  return dot ? null : names
}
