import * as layout from '../../kernel/assembly/layout.ts'
import { stepsOf } from '../pattern-steps.ts'

/** The parts of a pattern that the kernel supports. */
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

/** Compiles a strptime pattern for the kernel; null if it has names, AM/PM or zones. */
export function compilePattern(pattern: string): Uint8Array | null {
  const bytes: number[] = []
  for (const { part, literal, least, most } of stepsOf(pattern)) {
    for (const byte of literal) bytes.push(layout.PATTERN_LITERAL, byte, 0, 0)
    if (part === '') continue
    const known = PARTS.get(part)
    if (known === undefined) return null
    bytes.push(known, least, most, 0)
  }
  return Uint8Array.from([...bytes, layout.PATTERN_END, 0, 0, 0])
}
