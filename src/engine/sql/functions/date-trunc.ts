import type { Edit } from '../parameters.ts'
import { foldIdentifier, type Statement } from '../statement.ts'

const NAMES = ['date_trunc', 'datetrunc']

/**
 * DuckDB 1.4 believes that `date_trunc` is never NULL, whatever it's given: NULLs become groups of their own by the thousand,
 * are counted, and aren't found by IS NULL. Of what `least` gives it believes nothing. As macros, calls keep the names that
 * they're written by.
 * Source: https://github.com/duckdb/duckdb/issues/20371, mended by https://github.com/duckdb/duckdb/pull/20421
 */
export const TRUNC_MACROS = NAMES.map(
  (name) => `CREATE MACRO memory.main.${name}(part, moment) AS system.main.${name}(part, system.main.least(moment));`,
).join('\n')

/** Takes away what would lead past the macros: `system.main.date_trunc(…)`. */
export function truncEdits({ text, tokens }: Statement): Edit[] {
  if (!/date_?trunc/i.test(text)) return []
  return tokens.flatMap((token, i): Edit[] => {
    if (token.kind === 'string' || !NAMES.includes(foldIdentifier(token.text)) || tokens[i + 1]?.text !== '(') return []
    let first = i
    while (tokens[first - 1]?.text === '.' && /^(?:system|main)$/.test(foldIdentifier(tokens[first - 2]?.text ?? '')))
      first -= 2
    return first === i ? [] : [{ from: tokens[first].start, to: token.start, text: '' }]
  })
}
