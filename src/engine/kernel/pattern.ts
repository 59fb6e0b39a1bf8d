import * as layout from './assembly/layout.ts'

/** What each part of a pattern is to the kernel: those that it reads. */
const PARTS: ReadonlyMap<string, number> = new Map([
  ['Y', layout.PATTERN_YEAR],
  ['y', layout.PATTERN_SHORT_YEAR],
  ['m', layout.PATTERN_MONTH],
  ['d', layout.PATTERN_DAY],
  ['H', layout.PATTERN_HOUR],
  ['M', layout.PATTERN_MINUTE],
  ['S', layout.PATTERN_SECOND],
  ['f', layout.PATTERN_FRACTION],
])
const encoder = new TextEncoder()

/**
 * A strptime pattern as the kernel reads it, by the rules of `columns/builders/pattern.ts`; null for one that has names, halves of
 * the day or zones.
 */
export function compilePattern(pattern: string): Uint8Array | null {
  const tokens = pattern.match(/%[^]|[^%]+|%$/g) ?? []
  const steps: number[] = []
  const isNumber = (token: string | undefined): boolean => token?.startsWith('%') === true && PARTS.has(token.slice(1))
  for (const [i, token] of tokens.entries()) {
    const part = token.startsWith('%') && token !== '%%' ? PARTS.get(token.slice(1)) : layout.PATTERN_LITERAL
    if (part === undefined) return null
    if (part === layout.PATTERN_LITERAL) {
      for (const byte of encoder.encode(token === '%%' ? '%' : token)) steps.push(part, byte, 0, 0)
      continue
    }
    const joined = isNumber(tokens[i + 1]) || isNumber(tokens[i - 1])
    const most = part === layout.PATTERN_YEAR ? 4 : part === layout.PATTERN_FRACTION ? 9 : 2
    const least = part === layout.PATTERN_YEAR ? 4 : joined && part !== layout.PATTERN_FRACTION ? 2 : 1
    steps.push(part, least, most, 0)
  }
  return Uint8Array.from([...steps, layout.PATTERN_END, 0, 0, 0])
}
