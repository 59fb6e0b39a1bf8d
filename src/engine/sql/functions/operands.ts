import type { Token } from '../statement.ts'

/* Where values and calls begin and end, among a statement's tokens. */

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

/** The arguments after an opening bracket. */
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

/** Where a value begins that a postfix operator, such as `::`, stands after. */
export function startOfValue(tokens: readonly Token[], last: number): number {
  let i = last
  for (;;) {
    const token = tokens[i]
    if (isCloser(token)) {
      i = openerOf(tokens, i)
      // A call, an index, or a field of what stands before.
      const before = tokens[i - 1]
      // Of `::UNION(…)` as well, where the word calls nothing elsewhere.
      if (!before || (!isCallee(tokens, i) && tokens[i - 2]?.text !== '::')) return i
      i--
      continue
    }
    if (token.kind === 'keyword' && /^end$/i.test(token.text)) return caseOf(tokens, i)
    // `INTERVAL 1 DAY`
    if (token.kind !== 'string' && /^interval$/i.test(tokens[i - 2]?.text ?? '')) return i - 2
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
  if (text === '{') return /^map$/i.test(before.text)
  if (isCloser(before)) return text === '[' || before.text !== ')'
  if (before.kind === 'identifier') return true
  if (before.kind === 'string') return text === '['
  if (before.kind !== 'keyword') return false
  return text === '(' ? !RESERVED.test(before.text) : /^array$/i.test(before.text)
}

/** Words that a value in parentheses may stand after, and that call nothing. */
const RESERVED =
  /^(?:select|distinct|all|where|and|or|not|in|any|some|on|using|by|having|then|else|when|case|between|like|ilike|similar|is|from|as|values|limit|offset|union|except|intersect|returning|set|qualify|escape|at|zone|->|->>|::|:|\/\/|\*\*)$/i

/** Whether a run is an item of a SELECT by itself: nothing else of the item stands before it or after it. */
export function isSelected(tokens: readonly Token[], { first, last }: Run): boolean {
  const after = tokens[last + 1]
  if (after && !ITEM_END.test(after.text)) return false
  if (!/^(?:,|select|distinct|all)$/i.test(tokens[first - 1]?.text ?? '')) return false
  for (let i = first - 1; i >= 0; i--) {
    if (isCloser(tokens[i])) i = openerOf(tokens, i)
    else if (isOpener(tokens[i])) return false
    else if (tokens[i].kind === 'keyword' && CLAUSE.test(tokens[i].text)) return /^select$/i.test(tokens[i].text)
  }
  return false
}

const ITEM_END = /^(?:,|\)|from|where|group|having|window|qualify|order|limit|offset|union|intersect|except)$/i
const CLAUSE = /^(?:select|from|where|by|having|on|using|values|qualify|set|limit|returning)$/i

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
