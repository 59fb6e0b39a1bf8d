import { ELEMENT, elementType, typeOfPath, type ColumnSources, type KnownColumn } from './columns.ts'
import { nameOf, type Token } from './lexer.ts'
import type { Parsed } from './parse.ts'
import type { Scope } from './scope.ts'

/* Names that only a part of an expression has: those of lambdas and list comprehensions. */

/** The parameters of the lambdas, and the variables of the list comprehensions, that a position is in: nearest first. */
export function localNames(scope: Scope, position: number, sources: ColumnSources): readonly KnownColumn[] {
  return [...lambdas(scope, position, sources), ...comprehensions(scope, position, sources)]
}

const textOf = ({ text, tokens }: Parsed, at: number): string => {
  const token = tokens[at]
  return token ? text.slice(token.from, token.to) : ''
}

/** `f(list, x -> …` and `f(list, lambda x, i: …` */
function lambdas(scope: Scope, position: number, sources: ColumnSources): KnownColumn[] {
  const { parsed } = scope
  const out: KnownColumn[] = []
  let names: readonly string[] = []
  let depth = 0
  // A comma ends the lambda's body.
  let ended = false
  for (let at = parsed.tokens.findLastIndex(({ to }) => to <= position); at >= 0; at--) {
    const sign = textOf(parsed, at)
    if (isBracket(parsed, at, ')]}')) depth++
    else if (isBracket(parsed, at, '([{')) {
      if (depth > 0) depth--
      else {
        const element = sign === '(' && names.length > 0 ? elementOf(scope, at + 1, sources) : null
        const reduces = /reduce/i.test(textOf(parsed, at - 1))
        out.push(...names.map((name, index) => ({ name, type: index === 0 || reduces ? element : 'BIGINT' })))
        names = []
        ended = false
      }
    } else if (depth === 0 && sign === ',') ended = true
    else if (depth === 0 && !ended && (sign === '->' || sign === ':')) {
      names = sign === '->' ? beforeArrow(parsed, at) : beforeColon(parsed, at)
      // The commas between the parameters aren't the body's.
      ended = names.length > 0
    }
  }
  return out
}

/** `x ->` or `(x, y) ->` */
function beforeArrow(parsed: Parsed, arrow: number): readonly string[] {
  if (textOf(parsed, arrow - 1) !== ')') return namesIn(parsed, arrow - 1, arrow)
  const open = parsed.tokens.findLastIndex((_, at) => at < arrow && parsed.partners[at] === arrow - 1)
  return namesIn(parsed, open + 1, arrow - 1)
}

/** `lambda x, y:` */
function beforeColon(parsed: Parsed, colon: number): readonly string[] {
  const start = parsed.tokens.findLastIndex((_, at) => at < colon && /^lambda$/i.test(textOf(parsed, at)))
  return start === -1 ? [] : namesIn(parsed, start + 1, colon)
}

/** `[x for x in list if …]` */
function comprehensions(scope: Scope, position: number, sources: ColumnSources): KnownColumn[] {
  const { parsed } = scope
  return parsed.tokens.flatMap(({ to }, open) => {
    const close = parsed.partners[open] ?? 0
    const inside =
      textOf(parsed, open) === '[' && to <= position && position <= (parsed.tokens[close]?.from ?? Infinity)
    if (!inside) return []
    const start = parsed.tokens.findIndex((_, at) => at > open && at < close && /^for$/i.test(textOf(parsed, at)))
    const end = parsed.tokens.findIndex((_, at) => at > start && at < close && /^in$/i.test(textOf(parsed, at)))
    if (start === -1 || end === -1) return []
    const element = elementOf(scope, end + 1, sources)
    return namesIn(parsed, start + 1, end).map((name, index) => ({ name, type: index === 0 ? element : 'BIGINT' }))
  })
}

const isBracket = ({ text, tokens }: Parsed, at: number, brackets: string): boolean => {
  const token = tokens[at]
  return token?.kind === 'punctuation' && brackets.includes(text.charAt(token.from))
}

const isName = ({ kind }: Token): boolean => kind === 'word' || kind === 'quoted'

function namesIn({ text, tokens }: Parsed, lo: number, hi: number): readonly string[] {
  return tokens
    .slice(Math.max(0, lo), hi)
    .filter(isName)
    .map((token) => nameOf(text, token))
}

/** The type of the elements of the list whose path begins at an index; null if it isn't known. */
function elementOf(scope: Scope, start: number, sources: ColumnSources): string | null {
  const { text, tokens, partners } = scope.parsed
  const path: string[] = []
  for (let at = start; ; at++) {
    const name = tokens[at++]
    if (!name || !isName(name)) break
    path.push(nameOf(text, name))
    for (; textOf(scope.parsed, at) === '['; at = (partners[at] ?? tokens.length) + 1) path.push(ELEMENT)
    if (textOf(scope.parsed, at) !== '.') break
  }
  return elementType(typeOfPath(path, scope, sources))
}
