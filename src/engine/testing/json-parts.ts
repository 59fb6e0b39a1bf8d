/* Judges JSON by its text, for `JSON.parse` makes one of 2.5 and 2.50. Tests only. */

/** The parts of a JSON text: objects as maps, numbers as what they are spelled like, strings as what they stand for. */
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
