import { KIND } from '../../columns/json/scanner.ts'
import type { TextSums } from '../../kernel/text-sums.ts'
import type { RowTokens } from './tokens.ts'

export function isText(kind: number): boolean {
  return kind === KIND.string || kind === KIND.escaped
}

/** Adds a value of the row to a column's sum, as it stands in the text. */
export function sumValue(sums: TextSums, column: number, { kinds, starts, ends }: RowTokens, place: number): void {
  const quote = isText(kinds[place]) ? 1 : 0
  sums.add(column, starts[place] - quote, ends[place] + quote)
}

/** As `sumValue`, of the members that have no column. */
export function sumOthers(sums: TextSums, column: number, { others }: RowTokens): void {
  for (let i = 0; i < others.length; i += 2) sums.add(column, others[i], others[i + 1])
}
