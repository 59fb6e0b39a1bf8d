import type { Edit } from '../parameters.ts'
import { foldIdentifier, type Statement } from '../statement.ts'
import { closerOf, startOfValue } from './operands.ts'

/** Gives what it's given. Whether that may be NULL DuckDB doesn't know beforehand. */
export const AS_NULLABLE = '__as_nullable'
export const TRUNC_MACROS = `CREATE MACRO memory.main.${AS_NULLABLE}(x) AS system.main.least(x);`

/**
 * Where DuckDB 1.4 has to be kept from what it believes of `date_trunc`: that it's never NULL, whatever it's given. NULLs
 * become groups of their own by the thousand, are counted, and aren't found by IS NULL.
 * Source: https://github.com/duckdb/duckdb/issues/20371, mended by https://github.com/duckdb/duckdb/pull/20421
 */
export function truncEdits({ text, tokens }: Statement): Edit[] {
  if (!/date_?trunc/i.test(text)) return []
  return tokens
    .flatMap((token, i): Edit[] => {
      const name = token.kind === 'string' ? '' : foldIdentifier(token.text)
      if ((name !== 'date_trunc' && name !== 'datetrunc') || tokens[i + 1]?.text !== '(') return []
      const close = closerOf(tokens, i + 1)
      const { start } = tokens[startOfValue(tokens, close)] ?? token
      const end = tokens[close].start + tokens[close].text.length
      return [
        { from: start, to: start, text: `${AS_NULLABLE}(` },
        { from: end, to: end, text: ')' },
      ]
    })
    .toSorted((a, b) => a.from - b.from)
}
