import type { Token } from '../statement.ts'

/* Where the operands of an operator begin and end, among a statement's tokens. */

/** A run of tokens, both ends included. */
export interface Run {
  readonly first: number
  readonly last: number
}

const CLOSERS = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const CLOSING = new Set(CLOSERS.values())
const UNITS =
  /^(?:microsecond|millisecond|second|minute|hour|day|week|month|quarter|year|decade|century|centurie|millennium|millennia)s?$/i
/** Operators that bind more than `+` does. */
const TIGHTER = new Set(['*', '/', '%', '^', '//', '**'])
/** Words that are part of a value, or end one. */
const IN_VALUES =
  /^(?:null|true|false|interval|date|time|timestamp|with|without|zone|at|collate|case|end|over|filter|within|group|cast|try_cast|extract|current_\w+|localtime\w*|row|array|map|to|varying|precision|double|character|distinct)$/i

const isOpener = ({ kind, text }: Token): boolean => kind !== 'string' && CLOSERS.has(text)
const isCloser = ({ kind, text }: Token): boolean => kind !== 'string' && CLOSING.has(text)

/** The bracket that closes one; the last token where none does. */
export function closerOf(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    if (isOpener(tokens[i])) depth++
    else if (isCloser(tokens[i]) && --depth === 0) return i
  }
  return tokens.length - 1
}

/** The arguments behind an opening bracket. */
export function argumentsOf(tokens: readonly Token[], open: number): Run[] {
  const found: Run[] = []
  let first = open + 1
  for (let i = open + 1; i < tokens.length; i++) {
    const { text, kind } = tokens[i]
    if (isOpener(tokens[i])) i = closerOf(tokens, i)
    else if (kind !== 'string' && (text === ',' || CLOSING.has(text))) {
      if (i > first) found.push({ first, last: i - 1 })
      if (text !== ',') return found
      first = i + 1
    }
  }
  return found
}

function openerOf(tokens: readonly Token[], close: number): number {
  let depth = 0
  for (let i = close; i >= 0; i--) {
    if (isCloser(tokens[i])) depth++
    else if (isOpener(tokens[i]) && --depth === 0) return i
  }
  return 0
}

/** Where a value begins that a postfix operator, such as `::`, stands behind. */
export function startOfValue(tokens: readonly Token[], last: number): number {
  let i = last
  for (;;) {
    const token = tokens[i]
    if (isCloser(token)) {
      i = openerOf(tokens, i)
      // A call, an index, or a field of what stands before.
      const before = tokens[i - 1]
      if (!before || !isCallee(tokens, i)) return i
      i--
      continue
    }
    if (token.kind === 'keyword' && /^end$/i.test(token.text)) return caseOf(tokens, i)
    const before = tokens[i - 1]
    if (before?.text === '.' && tokens[i - 2]) i -= 2
    else if (before?.text === '::' && tokens[i - 2]) i -= 2
    // `DATE '2024-01-01'`
    else if (token.kind === 'string' && before && /^[a-z_]\w*$/i.test(before.text) && isTypeName(before)) return i - 1
    else return i
  }
}

/** Whether what stands before an opening bracket is called or looked into by it. */
function isCallee(tokens: readonly Token[], open: number): boolean {
  const before = tokens[open - 1]
  const { text } = tokens[open]
  if (text === '{') return false
  if (isCloser(before)) return text === '[' || before.text !== ')'
  if (before.kind === 'identifier') return true
  if (before.kind === 'string') return text === '['
  return before.kind === 'keyword' && text === '(' && !RESERVED.test(before.text)
}

/** Words that a value in parentheses may stand behind, and that call nothing. */
const RESERVED =
  /^(?:select|distinct|all|where|and|or|not|in|any|some|on|using|by|having|then|else|when|case|between|like|ilike|similar|is|from|as|values|limit|offset|union|except|intersect|returning|set|qualify|escape|at|zone|->|->>|::|:|\/\/|\*\*)$/i

const isTypeName = ({ kind, text }: Token): boolean =>
  (kind === 'identifier' && !text.startsWith('"')) || /^(?:date|time|timestamp|interval|zone)$/i.test(text)

function caseOf(tokens: readonly Token[], end: number): number {
  let depth = 0
  for (let i = end; i >= 0; i--) {
    if (tokens[i].kind !== 'keyword') continue
    if (/^end$/i.test(tokens[i].text)) depth++
    else if (/^case$/i.test(tokens[i].text) && --depth === 0) return i
  }
  return 0
}

/** The operands of `+` or `-` between two values, as far as they reach. */
export function operandsOf(tokens: readonly Token[], operator: number): { left: Run; right: Run } | null {
  if (operator === 0 || operator === tokens.length - 1) return null
  const left = { first: leftmost(tokens, operator - 1), last: operator - 1 }
  const right = { first: operator + 1, last: rightmost(tokens, operator + 1) }
  return { left, right }
}

function leftmost(tokens: readonly Token[], from: number): number {
  let first = from
  for (let i = from; i >= 0; i--) {
    const token = tokens[i]
    if (isCloser(token)) i = openerOf(tokens, i)
    else if (token.kind === 'keyword' && /^end$/i.test(token.text)) i = caseOf(tokens, i)
    else if (endsLeft(token)) break
    first = Math.max(i, 0)
  }
  return first
}

/** Whether a token, seen from the right, isn't part of a sum any more. */
function endsLeft(token: Token): boolean {
  const { kind, text } = token
  if (isOpener(token)) return true
  if (kind === 'operator')
    return !(text === '+' || text === '-' || text === '.' || TIGHTER.has(text) || /^[$?]/.test(text))
  if (kind !== 'keyword') return false
  if (text === '::' || TIGHTER.has(text)) return false
  return !(IN_VALUES.test(text) || UNITS.test(text)) || /^(?:case|distinct)$/i.test(text)
}

/** Where the value ends that begins at a token, with all that binds more than a sum. */
function rightmost(tokens: readonly Token[], first: number): number {
  let i = endOfValue(tokens, first)
  while (tokens[i + 1] && TIGHTER.has(tokens[i + 1].text) && tokens[i + 2]) i = endOfValue(tokens, i + 2)
  return i
}

/** Where the value ends that begins at a token. */
export function endOfValue(tokens: readonly Token[], first: number): number {
  let i = first
  while ((tokens[i].text === '-' || tokens[i].text === '+') && tokens[i + 1]) i++
  if (isOpener(tokens[i])) i = closerOf(tokens, i)
  else if (/^case$/i.test(tokens[i].text)) i = endOfCase(tokens, i)
  else if (/^interval$/i.test(tokens[i].text) && tokens[i + 1]) {
    i = isOpener(tokens[i + 1]) ? closerOf(tokens, i + 1) : i + 1
    if (tokens[i + 1] && UNITS.test(tokens[i + 1].text)) i++
  } else i = endOfTyped(tokens, i)
  return endOfPostfixes(tokens, i)
}

/** `TIMESTAMP WITH TIME ZONE '…'`, `DATE '…'`, or a value of one token. */
function endOfTyped(tokens: readonly Token[], first: number): number {
  let i = first
  while (tokens[i + 1] && /^(?:timestamp|time|with|without|zone)$/i.test(tokens[i].text) && i - first < 4) i++
  if (tokens[i].kind === 'string') return i
  return tokens[first + 1]?.kind === 'string' && isTypeName(tokens[first]) ? first + 1 : first
}

function endOfCase(tokens: readonly Token[], first: number): number {
  let depth = 0
  for (let i = first; i < tokens.length; i++) {
    if (tokens[i].kind !== 'keyword') continue
    if (/^case$/i.test(tokens[i].text)) depth++
    else if (/^end$/i.test(tokens[i].text) && --depth === 0) return i
  }
  return tokens.length - 1
}

/** Calls, fields, indexes, casts, zones and windows behind a value. */
function endOfPostfixes(tokens: readonly Token[], last: number): number {
  let i = last
  for (;;) {
    const next = tokens[i + 1]
    const word = next?.kind === 'keyword' ? next.text.toLowerCase() : ''
    if (!next) return i
    if (next.text === '.' && tokens[i + 2]) i += 2
    else if (next.text === '(' || next.text === '[') i = closerOf(tokens, i + 1)
    else if (next.text === '::' && tokens[i + 2]) i = endOfType(tokens, i + 2)
    else if (word === 'at' && tokens[i + 4]) i = endOfValue(tokens, i + 4)
    else if (word === 'collate' && tokens[i + 2]) i += 2
    else if ((word === 'over' || word === 'filter') && tokens[i + 2])
      i = tokens[i + 2].text === '(' ? closerOf(tokens, i + 2) : i + 2
    else return i
  }
}

/** The end of a type behind a cast: `TIMESTAMP WITH TIME ZONE`, `DECIMAL(9, 2)`, `a.b`, `DATE[]`. */
export function endOfType(tokens: readonly Token[], first: number): number {
  let i = first
  const word = (at: number): string => (tokens[at]?.kind === 'keyword' ? tokens[at].text.toLowerCase() : '')
  while (tokens[i + 1]?.text === '.' && tokens[i + 2]) i += 2
  if (/^(?:with|without)$/.test(word(i + 1)) && word(i + 3) === 'zone') i += 3
  else if (word(i) === 'double' && word(i + 1) === 'precision') i++
  if (tokens[i + 1]?.text === '(') i = closerOf(tokens, i + 1)
  while (tokens[i + 1]?.text === '[' && (tokens[i + 2]?.text === ']' || tokens[i + 3]?.text === ']'))
    i = closerOf(tokens, i + 1)
  return i
}
