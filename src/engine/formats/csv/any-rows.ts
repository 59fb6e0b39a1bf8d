import type { CsvSettings } from '../../../tables/plan.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'
import { DelimitedTokenizer } from './delimited.ts'
import { isDelimited, toDialect } from './detection/dialect-bytes.ts'
import { LineTokenizer } from './line-tokenizer.ts'
import { CsvRows } from './rows.ts'

/** Rows of text in any layout. Options as for `CsvRows` and its tokenizer. */
export function anyRows(
  settings: CsvSettings,
  { keep, cells }: { readonly keep?: number; readonly cells?: CellMemory } = {},
): CsvRows {
  const options = cells ? { cells } : {}
  const tokenizer = isDelimited(settings)
    ? new DelimitedTokenizer(toDialect(settings), options)
    : new LineTokenizer(settings, options)
  return new CsvRows(settings, tokenizer, keep)
}
