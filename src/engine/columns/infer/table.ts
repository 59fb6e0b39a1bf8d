import * as kinds from './kinds.ts'
import { dateOrderOf } from './dates.ts'
import {
  valueCount,
  type Conventions,
  type ColumnStats,
  type Mark,
  type Choice,
  type InferredType,
  quote,
} from './column-stats.ts'
import { COMMA, POINT, SPACE, APOSTROPHE } from '../text-bytes.ts'
import { markOf, likelyNumberFormat } from './number-type.ts'
import type { CsvSettings, NumberStyle, ValueFormat } from '../../../tables/plan.ts'
import { printType, sameType, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import type { ColumnInference } from './column-inference.ts'
import { inferredColumn, inferType, type InferredColumn } from './column-type.ts'
import { proposalsOf } from './proposals.ts'

/**
 * What the columns of a file tell of each other: a mark or an order holds where some columns have it and none the other.
 * @param given what the person said, and what separates the fields
 */
function conventionsOf(columns: readonly ColumnStats[], given: Conventions): Conventions {
  const marks = new Set<Mark>()
  const orders = new Set<'day' | 'month'>()
  for (const stats of columns) {
    const count = valueCount(stats)
    const mark = count > 0 ? markOf(stats, count) : null
    if (mark !== null) marks.add(mark)
    const order = count > 0 ? dateOrderOf(stats, count) : null
    if (order !== null) orders.add(order)
  }
  const mark = given.mark ?? only(marks)
  // Nobody who writes a comma before fractions writes the month first.
  const order = given.order ?? only(orders) ?? (orders.size === 0 && mark === ',' ? 'day' : undefined)
  return { ...given, ...(mark ? { mark } : {}), ...(order ? { order } : {}) }
}

function only<T>(values: ReadonlySet<T>): T | undefined {
  const [first] = values
  return values.size === 1 ? first : undefined
}

/** What stands before fractions in numbers that look so. */
const markOfStyle = (style: NumberStyle): Mark => (style.endsWith(',56') ? ',' : '.')

/** How the numbers of a file look; undefined where nothing tells. */
export function styleOf(columns: readonly ColumnStats[], { mark }: Conventions): NumberStyle | undefined {
  if (mark === undefined) return undefined
  const groups = columns.reduce(
    (all, { formattedNumbers }) =>
      all | (formattedNumbers.hits > formattedNumbers.misses ? formattedNumbers.groups : 0),
    0,
  )
  if (mark === ',') return (groups & SPACE) !== 0 && (groups & POINT) === 0 ? '1 234,56' : '1.234,56'
  return (groups & APOSTROPHE) !== 0 && (groups & COMMA) === 0 ? "1'234.56" : '1,234.56'
}

export interface InferredTable {
  readonly columns: readonly InferredColumn[]
  /** How the file's numbers look; absent where nothing tells. */
  readonly numbers?: NumberStyle
}

/** What the columns of a file are, where each helps to read the others. */
export function inferTable(
  inferences: readonly ColumnInference[],
  { delimiter, numbers: given }: Pick<CsvSettings, 'delimiter' | 'numbers'>,
): InferredTable {
  const all = inferences.map((inference) => inference.stats())
  const conventions = conventionsOf(all, { delimiter, ...(given ? { mark: markOfStyle(given) } : {}) })
  const columns = all.map((stats): InferredColumn => {
    const found = inferType(stats, 'text', conventions)
    return { ...inferredColumn(stats, found), ...meaningOf(stats, conventions, found) }
  })
  const numbers = given ?? styleOf(all, conventions)
  return { columns, ...(numbers ? { numbers } : {}) }
}

/** A column of a source that tells its texts from other values. */
export interface TextColumn {
  /** What its texts are, as texts alone. */
  readonly texts: ColumnStats
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
    const found = inferType(texts, 'text', conventions)
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
function sureChoice(
  { counts, firstRows, firstTexts }: ColumnStats,
  { type, format = {}, rewrites }: InferredType,
): Choice[] {
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

type Meaning = Pick<InferredColumn, 'proposals' | 'likely'>

/** @param others the type of values that are no texts, if there are such */
function meaningOf(stats: ColumnStats, conventions: Conventions, found: InferredType, others?: ColumnType): Meaning {
  const proposals = proposalsOf(stats, conventions, found, others)
  const numbers = others ? null : likelyNumberFormat(stats, conventions)
  const likely = likelyFormats(numbers, stats.formattedDates.patterns, proposals)
  return { ...(proposals.length > 0 ? { proposals } : {}), ...(likely ? { likely } : {}) }
}

/** How values would be read as numbers, and as dates, if the person made them such. */
function likelyFormats(
  number: ValueFormat | null,
  patterns: readonly string[],
  proposals: NonNullable<InferredColumn['proposals']>,
): InferredColumn['likely'] {
  const [pattern] = patterns
  const proposedDate = proposals
    .map(({ change }) => (change.kind === 'column' ? change.patch.format?.dateFormat : undefined))
    .find((each) => each !== undefined)
  const dateFormat = proposedDate ?? pattern
  if (!number && dateFormat === undefined) return undefined
  return { ...number, ...(dateFormat === undefined ? {} : { dateFormat }) }
}
