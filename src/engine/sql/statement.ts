import { foldName } from '../../lib/names.ts'
import { EngineError } from '../errors.ts'
import type { ScriptStatement } from './session-types.ts'

/** DuckDB's tokens of a text. Offsets are in bytes of UTF-8. */
interface Tokens {
  readonly offsets: readonly number[]
  readonly types: readonly number[]
}

export interface Token {
  /** As written, including quotes, without the blanks after it. */
  readonly text: string
  /** In UTF-16 code units. */
  readonly start: number
  readonly kind: 'identifier' | 'number' | 'string' | 'operator' | 'keyword'
}

/** A statement without its semicolon. Comments are part of the text, but aren't tokens. */
export interface Statement {
  readonly text: string
  readonly tokens: readonly Token[]
}

const KINDS = ['identifier', 'number', 'string', 'operator', 'keyword'] as const
const decoder = new TextDecoder()

/**
 * Parses a text that must be a single statement.
 * @param tokens from DuckDB's tokenizer, which alone knows what DuckDB takes for comments and quotes
 * @throws {EngineError} `sql-error` if there's none, `sql-not-allowed` if there are several
 */
export function oneStatement(sql: string, found: Tokens): Statement {
  const tokens = tokensOf(sql, found)
  const end = tokens.findIndex(isSemicolon)
  const own = end < 0 ? tokens : tokens.slice(0, end)
  if (end >= 0 && tokens.slice(end).some((token) => !isSemicolon(token))) {
    throw new EngineError('sql-not-allowed', 'There is more than one statement, and one is run at a time.', {
      remedy: 'Send each of them by itself.',
    })
  }
  if (own.length === 0) {
    throw new EngineError('sql-error', 'There is no statement.', { details: { line: 1, column: 1 } })
  }
  return { text: end < 0 ? sql : sql.slice(0, tokens[end].start), tokens: own }
}

/** Tokens with their positions in the text. */
function tokensOf(sql: string, { offsets, types }: Tokens): Token[] {
  const bytes = new TextEncoder().encode(sql)
  let at = 0
  const ends = offsets.map((_, i) => offsets[i + 1] ?? bytes.length)
  return offsets.map((offset, i): Token => {
    const raw = decoder.decode(bytes.subarray(offset, ends[i]))
    if (i === 0) at = decoder.decode(bytes.subarray(0, offset)).length
    const start = at
    at += raw.length
    const kind = KINDS[types[i]] ?? 'operator'
    return { text: withoutTrail(raw, kind), start, kind }
  })
}

function isSemicolon({ kind, text }: Token): boolean {
  return kind === 'operator' && text.startsWith(';')
}

/** Cuts white space and comments after a token. */
function withoutTrail(raw: string, kind: Token['kind']): string {
  if (kind === 'identifier' || kind === 'keyword') {
    const match = /^(?:"(?:[^"]|"")*"|[^\s"'();,.[\]{}:+*/<>=~!@#%^&|`?-]+)/.exec(raw)
    return match?.[0] ?? raw.trimEnd()
  }
  if (kind === 'operator') return /^\$\d+/.exec(raw)?.[0] ?? raw.slice(0, 1)
  return raw.trimEnd()
}

/** An identifier's name, without quotes. */
export function unquoted(text: string): string {
  const quoted = text.startsWith('"') && text.endsWith('"') && text.length > 1
  return quoted ? text.slice(1, -1).replaceAll('""', '"') : text
}

/** An identifier, folded for comparison. */
export function foldIdentifier(text: string): string {
  return foldName(unquoted(text))
}

/** Returns a function that gives a token's word in lower case; empty for strings and beyond the end. */
export function wordsOf(tokens: readonly Token[]): (i: number) => string {
  return (i) => (tokens[i] && tokens[i].kind !== 'string' ? tokens[i].text.toLowerCase() : '')
}

/** The qualified name that begins at a token: its parts, the index after it, and its text. */
export function dottedAt(
  { tokens, text }: Statement,
  first: number,
): { readonly parts: readonly Token[]; readonly last: number; readonly written: string; readonly name: string } {
  let last = first
  while (tokens[last + 1]?.text === '.' && tokens[last + 2]) last += 2
  const parts = tokens.slice(first, last + 1).filter((_, i) => i % 2 === 0)
  const written = text.slice(tokens[first].start, tokens[last].start + tokens[last].text.length)
  return { parts, last, written, name: tokens[last].text }
}

/** The qualified name at an offset, as written; null if there's none. */
export function nameAt(statement: Statement, start: number): string | null {
  const first = statement.tokens.findIndex((token) => token.start === start)
  return first < 0 ? null : dottedAt(statement, first).written
}

/** The rest of a statement, from a token on. */
export function statementFrom({ text, tokens }: Statement, first: number): Statement {
  const { start } = tokens[first]
  return {
    text: text.slice(start),
    tokens: tokens.slice(first).map((token) => ({ ...token, start: token.start - start })),
  }
}

/** An occurrence of a parameter, in UTF-16 code units: `$name`, `$1`, or `?`, which counts as `$1`, `$2` and so on. */
export interface ParameterUse {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Only white space and comments. */
const BLANK = /^(?:\s|--[^\n]*|\/\*[^]*?\*\/)*$/

/**
 * Splits a script into statements.
 * @param found from DuckDB's tokenizer, which stops at an unclosed quote; the rest belongs to the last statement
 */
export function splitScript(script: string, found: Tokens): ScriptStatement[] {
  const statements: ScriptStatement[] = []
  let own: Token[] = []
  let after = 0
  const end = (to: number): void => {
    const rest = script.slice(after, to)
    if (own.length > 0 || !BLANK.test(rest)) {
      const from = own[0]?.start ?? after + rest.length - rest.trimStart().length
      const text = script.slice(from, to).trimEnd()
      statements.push({ from, to: from + text.length, text, parameters: parameterNames(own) })
    }
    own = []
    after = to + 1
  }
  for (const token of tokensOf(script, found)) {
    if (isSemicolon(token)) end(token.start)
    else own.push(token)
  }
  end(script.length)
  return statements
}

function parameterNames(tokens: readonly Token[]): string[] {
  return [...new Set(parameterUses(tokens).map(({ name }) => name))]
}

/** The parameters in a statement, in order. Those of PREPARE don't count: EXECUTE gives their values. */
export function parameterUses(tokens: readonly Token[]): ParameterUse[] {
  return wordsOf(tokens)(0) === 'prepare' ? [] : placeholders(tokens)
}

/** The placeholders in a statement, in order. */
export function placeholders(tokens: readonly Token[]): ParameterUse[] {
  let count = 0
  return tokens.flatMap(({ text, start, kind }, i) => {
    if (kind !== 'operator') return []
    if (text === '?') return [{ name: String(++count), from: start, to: start + 1 }]
    if (/^\$\d/.test(text)) {
      // A later `?` is the next number.
      count = Math.max(count, Number(text.slice(1)))
      return [{ name: text.slice(1), from: start, to: start + text.length }]
    }
    const name = tokens[i + 1]
    const isName = name?.kind === 'identifier' || name?.kind === 'keyword'
    // `$ a` isn't a parameter.
    if (text !== '$' || !isName || name.start !== start + 1 || name.text.startsWith('"')) return []
    return [{ name: name.text, from: start, to: name.start + name.text.length }]
  })
}
