import type { CsvSettings } from '../../../tables/plan.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'
import { DelimitedTokenizer } from './delimited.ts'
import { isDelimited, toDialect } from './detection/dialect-bytes.ts'
import { LineTokenizer } from './line-tokenizer.ts'
import { InspectedRows } from './inspected-rows.ts'

/** Rows of text in any layout. Options as for `InspectedRows` and its tokenizer. */
export function anyRows(
  settings: CsvSettings,
  { keep, cells }: { readonly keep?: number; readonly cells?: CellMemory } = {},
): InspectedRows {
  const options = cells ? { cells } : {}
  const tokenizer = isDelimited(settings)
    ? new DelimitedTokenizer(toDialect(settings), options)
    : new LineTokenizer(settings, options)
  return new InspectedRows(settings, tokenizer, keep)
}
