import type { Words } from './dialect.ts'
import type { Token } from './lexer.ts'

/** What a token is shown as; null as plain text. */
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

/** The tokens' classes, in their order. */
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
    // What comes after a dot is a name, whatever it is; but not the next word after `o.`, which is still to be finished.
    if (sign(at - 1) === '.' && tokens[at - 1]?.to === token.from) return sign(at + 1) === '(' ? 'function' : null
    if (sign(at - 1) === '::') return 'type'
    if (/^(?:true|false|null)$/i.test(word)) return 'constant'
    const next = tokens[at + 1]
    // `DATE '2024-01-31'`, `x DECIMAL(10, 2)`; but a column may be called `date`.
    if (words.isType(word) && (next?.kind === 'string' || isDeclared(tokens[at - 1], sign(at - 1), words)))
      return 'type'
    const called = sign(at + 1) === '('
    if (called && words.functionNamed(word) && !/^(?:in|values|over|filter|as|on|using|and|or|not)$/i.test(word))
      return 'function'
    if (words.isKeyword(word)) return 'keyword'
    return called ? 'function' : null
  })
}

/** Whether a name or AS stands before it: a column's declaration, a cast. */
function isDeclared(before: Token | undefined, text: string, words: Words): boolean {
  if (text.toLowerCase() === 'as') return true
  return before?.kind === 'quoted' || (before?.kind === 'word' && text !== '' && !words.isKeyword(text))
}
