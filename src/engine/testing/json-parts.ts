/* Parses JSON without converting numbers, since `JSON.parse` doesn't distinguish 2.5 from 2.50. Tests only. */

/** Parses a JSON text: objects become maps, numbers keep their spelling, strings are unescaped. */
export function jsonParts(text: string): unknown {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? []
  let at = 0
  const value = (): unknown => {
    const token = tokens[at++] ?? ''
    if (token.startsWith('"')) return { string: JSON.parse(token) as string }
    if (token === '[') {
      const items: unknown[] = []
      while (tokens[at] !== ']') {
        if (tokens[at] === ',') at++
        items.push(value())
      }
      at++
      return items
    }
    if (token !== '{') return token
    const members = new Map<string, unknown>()
    while (tokens[at] !== '}') {
      if (tokens[at] === ',') at++
      const key = JSON.parse(tokens[at++] ?? '') as string
      at++
      members.set(key, value())
    }
    at++
    return members
  }
  return value()
}
