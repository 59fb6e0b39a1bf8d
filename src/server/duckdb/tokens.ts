import { nextToken, type Token } from '../../lib/duckdb-sql/lexer.ts'

/** What DuckDB's tokenizer says of a text: offsets in bytes of UTF-8. */
export interface Tokens {
  readonly offsets: readonly number[]
  readonly types: readonly number[]
}

/** DuckDB's numbers of the kinds. */
const KIND = { identifier: 0, number: 1, string: 2, operator: 3, keyword: 4 } as const

/** For its tokenizer, spaces beyond ASCII's are letters, and these are signs of their own. */
const LETTERS = /[\u00a0\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/g
const SIGNS = /[\v#]/g
/** What stands between strings that are one. */
const CONTINUED = /(?:[ \t\f]|--[^\n\r]*)*[\n\r](?:[ \t\n\r\f]+|--[^\n\r]*[\n\r])*'/y
/** Where its tokenizer stops, beside what never closes. */
const STOP = /^(?:[uU]&['"]|""(?!"))/
const ESCAPE = /\\(?:x([\da-f]{1,2})|([0-7]{1,3})|[^])/gi
/** Operators that are words to it, unless a longer one was cut short. */
const WORDS = new Set(['::', '->', '->>', '**', '//', '..', ':'])
const DIGITS = /(?:_\d+)+/y
const OPERATORS = /[~!@^&|`+\-*/%<>=]+/y

/**
 * A text's tokens as DuckDB's own tokenizer has them, which its library for this machine doesn't give.
 * @param keywords DuckDB's, in lower case
 */
export function tokensOf(sql: string, keywords: ReadonlySet<string>): Tokens {
  const end = sql.indexOf('\0')
  const whole = end < 0 ? sql : sql.slice(0, end)
  const text = whole.replaceAll(LETTERS, 'é').replaceAll(SIGNS, ',')
  const offsets: number[] = []
  const types: number[] = []
  let bytes = 0
  let counted = 0
  const add = (from: number, kind: keyof typeof KIND): void => {
    bytes += Buffer.byteLength(whole.slice(counted, from))
    counted = from
    offsets.push(bytes)
    types.push(KIND[kind])
  }
  for (let token = tokenAt(text, 0); token; token = tokenAt(text, token.to)) {
    if (STOP.test(text.slice(token.from, token.from + 3))) break
    const parts = partsOf(text, token, keywords)
    if (!token.closed) {
      // Of what never closes, only what stands before its quote is a token.
      for (const part of parts.slice(0, -1)) add(token.from + part.at, part.kind)
      break
    }
    for (const part of parts) add(token.from + part.at, part.kind)
  }
  return { offsets, types }
}

interface Part {
  readonly at: number
  readonly kind: keyof typeof KIND
}

/** A token that's as long as DuckDB's. */
function tokenAt(text: string, at: number): Token | null {
  const token = nextToken(text, at)
  if (!token) return null
  const { kind, from } = token
  const next = text.charAt(from + 1)
  // Other bases than ten are its parser's business, and so is that a name belongs to its `$`.
  if ((kind === 'number' && /[xXbB]/.test(next)) || (kind === 'parameter' && /\D/.test(next)))
    return { ...token, to: from + 1 }
  if (kind === 'parameter') return { ...token, to: endOf(DIGITS, text, token.to) }
  return kind === 'string' ? continued(text, token) : token
}

/** Strings with a line's end between them are one, read as the first of them is; those in dollar signs aren't. */
function continued(text: string, token: Token): Token {
  const prefix = /[eExXbB]/.exec(text.charAt(token.from))?.[0] ?? ''
  let whole = quotedAt(text, token.from + prefix.length, prefix)
  while (whole.closed && text[whole.to - 1] === "'") {
    CONTINUED.lastIndex = whole.to
    if (!CONTINUED.test(text)) break
    whole = quotedAt(text, CONTINUED.lastIndex - 1, prefix)
  }
  return { ...whole, from: token.from }
}

/** The string that begins at a place, after its prefix: `e` has escapes, and in bytes and bits no quote is doubled. */
function quotedAt(text: string, at: number, prefix: string): Token {
  if (/[xXbB]/.test(prefix)) {
    const close = text.indexOf("'", at + 1)
    return { kind: 'string', from: at, to: close < 0 ? text.length : close + 1, closed: close >= 0 }
  }
  const token = nextToken(prefix + text.slice(at), 0)
  const to = at + (token?.to ?? 0) - prefix.length
  return { kind: 'string', from: at, to, closed: token?.closed === true && !(prefix && isRefused(text.slice(at, to))) }
}

/** DuckDB's scanner stops at escapes for code points, at those for bytes that aren't ASCII, and at escaped letters that aren't. */
function isRefused(escaped: string): boolean {
  return Array.from(escaped.matchAll(ESCAPE)).some(([escape, hex, octal]) => {
    const byte = hex ? Number.parseInt(hex, 16) : octal ? Number.parseInt(octal, 8) % 256 : null
    return byte === null ? /[u\u0080-\uffff]/i.test(escape) : byte === 0 || byte > 127
  })
}

/** A token of ours is one of DuckDB's, or two. */
function partsOf(text: string, { kind, from, to }: Token, keywords: ReadonlySet<string>): readonly Part[] {
  const token = text.slice(from, to)
  const word = (name: string): Part['kind'] => (keywords.has(name.toLowerCase()) ? 'keyword' : 'identifier')
  switch (kind) {
    case 'word':
      return [{ at: 0, kind: word(token) }]
    case 'quoted':
      return [{ at: 0, kind: 'identifier' }]
    case 'number':
      return [{ at: 0, kind: 'number' }]
    case 'string':
      // A national string is the type before a string.
      return /^n'/i.test(token)
        ? [
            { at: 0, kind: 'keyword' },
            { at: 1, kind: 'string' },
          ]
        : [{ at: 0, kind: 'string' }]
    case 'parameter':
      return [{ at: 0, kind: 'operator' }]
    case 'operator':
      return [{ at: 0, kind: WORDS.has(token) && endOf(OPERATORS, text, from) <= to ? 'keyword' : 'operator' }]
    case 'punctuation':
      return [{ at: 0, kind: WORDS.has(token) ? 'keyword' : 'operator' }]
    case 'comment':
      return []
  }
}

/** Where a match that begins at a place ends; the place itself when there's none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
