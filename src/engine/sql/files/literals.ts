import { foldIdentifier, unquoted, type Token } from '../statement.ts'

/** A value that a function's argument is, as it's written. */
export type Literal = string | number | boolean | null | readonly Literal[] | ReadonlyMap<string, Literal>

export interface Arguments {
  /** Without a name. Undefined: no literal. */
  readonly plain: readonly (Literal | undefined)[]
  /** By their folded names. */
  readonly named: ReadonlyMap<string, Literal | undefined>
  /** The token that closes them. */
  readonly last: number
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const STRING = /^(?:'((?:[^']|'')*)'|\$(\w*)\$([^]*?)\$\2\$)/

/** The text that a token is, and how long it's as written; null where it's none, or one with escapes. */
export function stringOf({ kind, text }: Token): { readonly value: string; readonly length: number } | null {
  // What follows it, such as a comment, is in the token.
  const found = kind === 'string' ? STRING.exec(text) : null
  return found && { value: found[1]?.replaceAll("''", "'") ?? found[3] ?? '', length: found[0].length }
}

/** A function's arguments after its opening bracket; null where that isn't closed. */
export function argumentsAt(tokens: readonly Token[], open: number): Arguments | null {
  const last = closing(tokens, open)
  if (last === null) return null
  const plain: (Literal | undefined)[] = []
  const named = new Map<string, Literal | undefined>()
  for (const own of parts(tokens.slice(open + 1, last))) {
    const name = own[1] && isAssigned(own) ? foldIdentifier(own[0].text) : null
    if (name === null) plain.push(literal(own))
    // `=` is one token, `:=` and `=>` are two or one.
    else named.set(name, literal(own.slice(own.findIndex(({ kind, text }, i) => i > 0 && !isSign(kind, text)))))
  }
  return { plain, named, last }
}

const isSign = (kind: Token['kind'], text: string): boolean => kind === 'operator' && /^[:=>]/.test(text)

function isAssigned([name, sign]: readonly Token[]): boolean {
  return (name.kind === 'identifier' || name.kind === 'keyword') && isSign(sign.kind, sign.text)
}

function closing(tokens: readonly Token[], open: number): number | null {
  const expected: string[] = []
  for (let i = open; i < tokens.length; i++) {
    const { kind, text } = tokens[i]
    if (kind === 'string') continue
    if (CLOSING[text] !== undefined) expected.push(CLOSING[text])
    else if (text === expected.at(-1)) {
      expected.pop()
      if (expected.length === 0) return i
    }
  }
  return null
}

/** What stands between the commas that are in no brackets. */
function parts(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = []
  let depth = 0
  for (const token of tokens) {
    const { kind, text } = token
    const sign = kind !== 'string'
    if (sign && '([{'.includes(text)) depth++
    else if (sign && ')]}'.includes(text)) depth--
    if (found.length === 0 || (sign && depth === 0 && text === ',')) found.push([])
    if (!sign || depth > 0 || text !== ',') found[found.length - 1].push(token)
  }
  return found.filter((part) => part.length > 0)
}

/** Undefined: it isn't one. */
function literal(tokens: readonly Token[]): Literal | undefined {
  const [first, second] = tokens
  if (!first) return undefined
  if (tokens.length === 1) return scalar(first)
  if (tokens.length === 2 && first.text === '-' && second.kind === 'number') return -Number(second.text)
  const inner = tokens.slice(1, -1)
  const closes = tokens[tokens.length - 1].text
  if (first.text === '[' && closes === ']') return all(parts(inner).map(literal))
  if (first.text === '{' && closes === '}') return struct(parts(inner))
  // As a parameter's value is put in.
  if (/^cast$/i.test(first.text) && closes === ')' && tokens.length === 6 && /^varchar$/i.test(tokens[4].text))
    return scalar(tokens[2])
  return undefined
}

function scalar(token: Token): Literal | undefined {
  if (token.kind === 'string') return stringOf(token)?.value
  if (token.kind === 'number') return Number(token.text)
  const word = token.text.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  return word === 'null' ? null : undefined
}

function all(values: readonly (Literal | undefined)[]): readonly Literal[] | undefined {
  return values.every((value) => value !== undefined) ? values : undefined
}

function struct(entries: readonly (readonly Token[])[]): ReadonlyMap<string, Literal> | undefined {
  const found = new Map<string, Literal>()
  for (const [key, colon, ...value] of entries) {
    const own = literal(value)
    if (!key || colon?.text !== ':' || own === undefined) return undefined
    found.set(stringOf(key)?.value ?? unquoted(key.text), own)
  }
  return found
}
