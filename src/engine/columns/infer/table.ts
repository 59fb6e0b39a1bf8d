import type { CsvSettings, NumberStyle, ValueFormat } from '../../../tables/plan.ts'
import { printType, sameType, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import type { ColumnInference } from './column-inference.ts'
import { concluded, typeOf, type Conclusion } from './conclude.ts'
import { conventionsOf, markOfStyle, styleOf } from './conventions.ts'
import type { Choice, Conventions, Findings, TypeFound } from './findings.ts'
import * as kinds from './kinds.ts'
import { likelyNumberFormat } from './number-form-type.ts'
import { proposalsOf } from './proposals.ts'
import { quote } from './sentences.ts'

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
    return { ...concluded(findings, found), ...meaningOf(findings, conventions, found) }
  })
  const numbers = given ?? styleOf(all, conventions)
  return { columns, ...(numbers ? { numbers } : {}) }
}

/** A column of a source that tells its texts from other values. */
export interface TextColumn {
  /** What its texts are, as texts alone. */
  readonly texts: Findings
  /** Of its other values. */
  readonly others?: ColumnType
  /** What it's read as. */
  readonly type: ColumnType
}

/** What texts may mean that their source says are texts: all of it is for the person to say. */
export function textMeanings(columns: readonly (TextColumn | null)[]): readonly Meaning[] {
  const conventions = conventionsOf(
    columns.flatMap((column) => column?.texts ?? []),
    {},
  )
  return columns.map((column) => {
    if (!column) return {}
    const { texts, others, type } = column
    const found = typeOf(texts, 'text', conventions)
    if (sameType(found.type, type) && !sameType(type, VARCHAR)) return {}
    const { choices = [] } = found
    const all = { ...found, choices: [...sureChoice(texts, found), ...choices] }
    const { proposals, likely } = meaningOf(texts, conventions, all, others)
    // What is left of texts without spaces is text: among other values, that changes nothing.
    const telling = proposals?.filter(
      ({ change }) => sameType(type, VARCHAR) || (change.kind === 'column' && change.patch.type),
    )
    return { ...(telling?.length ? { proposals: telling } : {}), ...(likely ? { likely } : {}) }
  })
}

/** What all texts can be read as, for the person to say; digits alone may be a code. */
function sureChoice({ counts, firstRows, firstTexts }: Findings, { type, format = {}, rewrites }: TypeFound): Choice[] {
  if (sameType(type, VARCHAR)) return []
  const kind = [...counts.keys()]
    .filter((each) => counts[each] > 0)
    .reduce((a, b) => (firstRows[b] < firstRows[a] ? b : a))
  const from = rewrites?.from ?? firstTexts[kind]
  const { trueValues: [yes] = ['true'], falseValues: [no] = ['false'] } = format
  const isTruth = printType(type) === 'BOOLEAN'
  const ambiguous = kinds.sum(counts, kinds.INTEGER) === counts.reduce((total, each) => total + each, 0)
  return [
    {
      code: 'text-values',
      type,
      format,
      from,
      ...(isTruth
        ? { words: (): string => `${quote(yes)} is true, ${no === '' ? 'no value' : quote(no)} is false` }
        : {}),
      ...(ambiguous ? { ambiguous } : {}),
    },
  ]
}

type Meaning = Pick<Conclusion, 'proposals' | 'likely'>

/** @param others the type of values that are no texts, if there are such */
function meaningOf(findings: Findings, conventions: Conventions, found: TypeFound, others?: ColumnType): Meaning {
  const proposals = proposalsOf(findings, conventions, found, others)
  const numbers = others ? null : likelyNumberFormat(findings, conventions)
  const likely = likelyFormats(numbers, findings.dated.patterns, proposals)
  return { ...(proposals.length > 0 ? { proposals } : {}), ...(likely ? { likely } : {}) }
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
