import type { CsvSettings, NumberStyle, ValueFormat } from '../../../tables/plan.ts'
import type { ColumnInference } from './column-inference.ts'
import { concluded, typeOf, type Conclusion } from './conclude.ts'
import { conventionsOf, markOfStyle, styleOf } from './conventions.ts'
import { likelyNumberFormat } from './number-form-type.ts'
import { proposalsOf } from './proposals.ts'

export interface TableConclusion {
  readonly columns: readonly Conclusion[]
  /** How the file's numbers look; absent where nothing tells. */
  readonly numbers?: NumberStyle
}

/** What the columns of a file are, where each helps to read the others. */
export function concludeTable(
  inferences: readonly ColumnInference[],
  { delimiter, numbers: given }: Pick<CsvSettings, 'delimiter' | 'numbers'>,
): TableConclusion {
  const all = inferences.map((inference) => inference.findings())
  const conventions = conventionsOf(all, { delimiter, ...(given ? { mark: markOfStyle(given) } : {}) })
  const columns = all.map((findings): Conclusion => {
    const found = typeOf(findings, 'text', conventions)
    const proposals = proposalsOf(findings, 'text', conventions, found)
    const likely = likelyFormats(likelyNumberFormat(findings, conventions), findings.dated.patterns, proposals)
    return {
      ...concluded(findings, found),
      ...(proposals.length > 0 ? { proposals } : {}),
      ...(likely ? { likely } : {}),
    }
  })
  const numbers = given ?? styleOf(all, conventions)
  return { columns, ...(numbers ? { numbers } : {}) }
}

/** How values would be read as numbers, and as dates, if the person made them such. */
function likelyFormats(
  number: ValueFormat | null,
  patterns: readonly string[],
  proposals: NonNullable<Conclusion['proposals']>,
): Conclusion['likely'] {
  const [pattern] = patterns
  const proposedDate = proposals
    .map(({ change }) => (change.kind === 'column' ? change.patch.format?.dateFormat : undefined))
    .find((each) => each !== undefined)
  const dateFormat = proposedDate ?? pattern
  if (!number && dateFormat === undefined) return undefined
  return { ...number, ...(dateFormat === undefined ? {} : { dateFormat }) }
}
