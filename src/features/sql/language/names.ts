import { quoteName } from '../../../tables/sql-names.ts'
import { nextToken, type Token } from './lexer.ts'

/** Whether a word can't be a name by itself. */
export function isReserved(word: string): boolean {
  return /^[a-z_]+$/i.test(word) && quoteName(word) !== word
}

/** What a word or a quoted name names. */
export function nameOf(text: string, { kind, from, to, closed }: Token): string {
  if (kind !== 'quoted') return text.slice(from, to)
  return text.slice(from + 1, closed ? to - 1 : to).replaceAll('""', '"')
}

/** The names of a reference: `ws."Sales 2024".orders`. Null when it's none. */
export function namesOf(reference: string): string[] | null {
  const names: string[] = []
  let dot = true
  for (let token = nextToken(reference, 0); token; token = nextToken(reference, token.to)) {
    const isName = token.kind === 'word' || (token.kind === 'quoted' && token.closed)
    if (dot !== isName) return null
    if (isName) names.push(nameOf(reference, token))
    else if (reference.slice(token.from, token.to) !== '.') return null
    dot = !isName
  }
  return dot ? null : names
}

/** Names are the same whatever their case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
