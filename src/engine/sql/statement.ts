import { foldName } from '../../lib/names.ts'
import { EngineError } from '../errors.ts'
import type { ScriptStatement } from './session-types.ts'

/** What DuckDB's tokenizer says of a text: offsets in bytes of UTF-8. */
export interface Tokens {
  readonly offsets: readonly number[]
  readonly types: readonly number[]
}

export interface Token {
  /** As it stands, quotes included, without what follows it. */
  readonly text: string
  /** In UTF-16 code units. */
  readonly start: number
  readonly kind: 'identifier' | 'number' | 'string' | 'operator' | 'keyword'
}

/** One statement: its text up to its semicolon, and its tokens. Comments are in the text, and are no tokens. */
export interface Statement {
  readonly text: string
  readonly tokens: readonly Token[]
}

const KINDS = ['identifier', 'number', 'string', 'operator', 'keyword'] as const
const decoder = new TextDecoder()

/**
 * Takes the one statement that a text is.
 * @param tokens of the text, by DuckDB's own tokenizer: nothing else knows what it takes for a comment or a quote
 * @throws {EngineError} `sql-error` when there's none, `sql-not-allowed` when there are several
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

/** A text's tokens by their places in it. */
export function tokensOf(sql: string, { offsets, types }: Tokens): Token[] {
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

/** The token itself: what lies between it and the next one is white space and comments. */
function withoutTrail(raw: string, kind: Token['kind']): string {
  if (kind === 'identifier' || kind === 'keyword') {
    const match = /^(?:"(?:[^"]|"")*"|[^\s"'();,.[\]{}:+*/<>=~!@#%^&|`?-]+)/.exec(raw)
    return match?.[0] ?? raw.trimEnd()
  }
  if (kind === 'operator') return /^\$\d+/.exec(raw)?.[0] ?? raw.slice(0, 1)
  return raw.trimEnd()
}

/** The name that an identifier is. */
export function unquoted(text: string): string {
  const quoted = text.startsWith('"') && text.endsWith('"') && text.length > 1
  return quoted ? text.slice(1, -1).replaceAll('""', '"') : text
}

/** A name as it's compared: without quotes, in lower case. */
export function foldIdentifier(text: string): string {
  return foldName(unquoted(text))
}

/** The words of tokens, in lower case; what stands in quotes is none, and neither is what isn't there. */
export function wordsOf(tokens: readonly Token[]): (i: number) => string {
  return (i) => (tokens[i] && tokens[i].kind !== 'string' ? tokens[i].text.toLowerCase() : '')
}

/** The dotted name that begins with a token: its parts, where it ends, and how it was written. */
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

/** The dotted name that stands at a place of the statement, as it was written; null when none does. */
export function nameAt(statement: Statement, start: number): string | null {
  const first = statement.tokens.findIndex((token) => token.start === start)
  return first < 0 ? null : dottedAt(statement, first).written
}

/** A statement's rest, from one of its tokens on. */
export function statementFrom({ text, tokens }: Statement, first: number): Statement {
  const { start } = tokens[first]
  return {
    text: text.slice(start),
    tokens: tokens.slice(first).map((token) => ({ ...token, start: token.start - start })),
  }
}

/** A parameter where it stands, in UTF-16 code units: `$name`, `$1`, or `?`, which is `$1`, `$2` and so on. */
export interface ParameterUse {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** White space and comments alone. */
const BLANK = /^(?:\s|--[^\n]*|\/\*[^]*?\*\/)*$/

/**
 * A script's statements.
 * @param found by DuckDB's tokenizer, which stops at a quote that never closes: what follows is of the last statement
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

/** The parameters among a statement's tokens, in their order. Those of PREPARE are for EXECUTE to fill in. */
export function parameterUses(tokens: readonly Token[]): ParameterUse[] {
  return wordsOf(tokens)(0) === 'prepare' ? [] : placeholders(tokens)
}

/** What stands for values among a statement's tokens, in their order. */
export function placeholders(tokens: readonly Token[]): ParameterUse[] {
  let count = 0
  return tokens.flatMap(({ text, start, kind }, i) => {
    if (kind !== 'operator') return []
    if (text === '?') return [{ name: String(++count), from: start, to: start + 1 }]
    if (/^\$\d/.test(text)) {
      // A `?` after it is the next one.
      count = Math.max(count, Number(text.slice(1)))
      return [{ name: text.slice(1), from: start, to: start + text.length }]
    }
    const name = tokens[i + 1]
    const isName = name?.kind === 'identifier' || name?.kind === 'keyword'
    // `$ a` is none.
    if (text !== '$' || !isName || name.start !== start + 1 || name.text.startsWith('"')) return []
    return [{ name: name.text, from: start, to: name.start + name.text.length }]
  })
}
