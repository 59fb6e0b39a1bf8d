import { nextToken, type Token } from '../../lib/duckdb-sql/lexer.ts'

/** DuckDB's tokens of a text. Offsets are in bytes of UTF-8. */
export interface Tokens {
  readonly offsets: readonly number[]
  readonly types: readonly number[]
}

/** DuckDB's numbers for the kinds. */
const KIND = { identifier: 0, number: 1, string: 2, operator: 3, keyword: 4 } as const

/** DuckDB's tokenizer considers non-ASCII spaces letters, and these characters operators. */
const LETTERS = /[\u00a0\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/g
const SIGNS = /[\v#]/g
/** What may be between parts of one string. */
const CONTINUED = /(?:[ \t\f]|--[^\n\r]*)*[\n\r](?:[ \t\n\r\f]+|--[^\n\r]*[\n\r])*'/y
/** Where the tokenizer stops, besides at unclosed quotes. */
const STOP = /^(?:[uU]&['"]|""(?!"))/
const ESCAPE = /\\(?:x([\da-f]{1,2})|([0-7]{1,3})|[^])/gi
/** Operators that it reports as identifiers, unless they were cut from a longer one. */
const WORDS = new Set(['::', '->', '->>', '**', '//', '..', ':'])
const DIGITS = /(?:_\d+)+/y
const OPERATORS = /[~!@^&|`+\-*/%<>=]+/y

/**
 * The tokens that DuckDB's tokenizer would return, which the native library doesn't offer.
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
      // Of an unclosed string, only the part before its quote is a token.
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

/** A token with the length that it has in DuckDB. */
function tokenAt(text: string, at: number): Token | null {
  const token = nextToken(text, at)
  if (!token) return null
  const { kind, from } = token
  const next = text.charAt(from + 1)
  // Other bases are handled by DuckDB's parser, and so are names after `$`.
  if ((kind === 'number' && /[xXbB]/.test(next)) || (kind === 'parameter' && /\D/.test(next)))
    return { ...token, to: from + 1 }
  if (kind === 'parameter') return { ...token, to: endOf(DIGITS, text, token.to) }
  return kind === 'string' ? continued(text, token) : token
}

/**
 * Joins strings that are separated by a line end, which are one string. It has the kind of the first. Dollar-quoted
 * strings don't join.
 */
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

/**
 * The string that starts at a position after its prefix. `e` allows escapes; in bytes and bits, quotes can't be
 * doubled.
 */
function quotedAt(text: string, at: number, prefix: string): Token {
  if (/[xXbB]/.test(prefix)) {
    const close = text.indexOf("'", at + 1)
    return { kind: 'string', from: at, to: close < 0 ? text.length : close + 1, closed: close >= 0 }
  }
  const token = nextToken(prefix + text.slice(at), 0)
  const to = at + (token?.to ?? 0) - prefix.length
  return { kind: 'string', from: at, to, closed: token?.closed === true && !(prefix && isRefused(text.slice(at, to))) }
}

/** DuckDB's scanner stops at escapes of code points, of non-ASCII bytes and of non-ASCII letters. */
function isRefused(escaped: string): boolean {
  return Array.from(escaped.matchAll(ESCAPE)).some(([escape, hex, octal]) => {
    const byte = hex ? Number.parseInt(hex, 16) : octal ? Number.parseInt(octal, 8) % 256 : null
    return byte === null ? /[u\u0080-\uffff]/i.test(escape) : byte === 0 || byte > 127
  })
}

/** Splits one of our tokens into one or two of DuckDB's. */
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
      // A national string is a type followed by a string.
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

/** The end of a match at a position; the position itself if there's none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
