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
import { DEBIT } from '../number-affixes.ts'
import { COMMA, POINT, SPACE, APOSTROPHE } from '../text-bytes.ts'
import { markOf, likelyNumberFormat } from './number-type.ts'
import type { CsvSettings, NumberStyle, ValueFormat } from '../../../tables/plan.ts'
import { printType, sameType, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import type { ColumnInference } from './column-inference.ts'
import { inferredColumn, inferType, type InferredColumn } from './column-type.ts'
import { lastingOf } from './durations.ts'
import { proposalsOf } from './proposals.ts'

/**
 * The file's conventions: a decimal mark or date order counts if some columns show it and none shows the other.
 * @param given what the user set, and the field delimiter
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
  // No locale with a decimal comma writes the month first.
  const order = given.order ?? only(orders) ?? (orders.size === 0 && mark === ',' ? 'day' : undefined)
  const debits = columns.some(({ formattedNumbers }) => (formattedNumbers.negatives & DEBIT) !== 0)
  const isGrouped =
    given.isGrouped ??
    columns.some(({ formattedNumbers: { hits, misses, groups } }) => hits > misses && (groups & POINT) !== 0)
  return { ...given, debits, isGrouped, ...(mark ? { mark } : {}), ...(order ? { order } : {}) }
}

function named(conventions: Conventions, name = ''): Conventions {
  const lasting = lastingOf(name)
  return lasting === undefined ? conventions : { ...conventions, lasting }
}

function only<T>(values: ReadonlySet<T>): T | undefined {
  const [first] = values
  return values.size === 1 ? first : undefined
}

const markOfStyle = (style: NumberStyle): Mark => (style.endsWith(',56') ? ',' : '.')

/** The file's number style; undefined if no column shows it. */
function styleOf(columns: readonly ColumnStats[], { mark }: Conventions): NumberStyle | undefined {
  if (mark === undefined) return undefined
  const groups = columns.reduce(
    (all, { formattedNumbers }) =>
      all | (formattedNumbers.hits > formattedNumbers.misses ? formattedNumbers.groups : 0),
    0,
  )
  if (mark === ',') return (groups & SPACE) !== 0 && (groups & POINT) === 0 ? '1 234,56' : '1.234,56'
  return (groups & APOSTROPHE) !== 0 && (groups & COMMA) === 0 ? "1'234.56" : '1,234.56'
}

interface InferredTable {
  readonly columns: readonly InferredColumn[]
  /** The file's number style; absent if no column shows it. */
  readonly numbers?: NumberStyle
}

/** Infers the types of all columns. What one column shows about the file's conventions helps to parse the others. */
export function inferTable(
  inferences: readonly ColumnInference[],
  { delimiter, numbers: given }: Pick<CsvSettings, 'delimiter' | 'numbers'>,
  names: readonly string[] = [],
): InferredTable {
  const all = inferences.map((inference) => inference.stats())
  const conventions = conventionsOf(all, {
    delimiter,
    ...(given ? { mark: markOfStyle(given), isGrouped: true } : {}),
  })
  const columns = all.map((stats, i): InferredColumn => {
    const own = named(conventions, names[i])
    const found = inferType(stats, 'text', own)
    return { ...inferredColumn(stats, found), ...meaningOf(stats, own, found) }
  })
  const numbers = given ?? styleOf(all, conventions)
  return { columns, ...(numbers ? { numbers } : {}) }
}

/** A column of a source with types (JSON, workbooks). */
export interface TextColumn {
  /** Statistics of its texts. */
  readonly texts: ColumnStats
  /** Type of its values that aren't text. */
  readonly others?: ColumnType
  /** The column's current type. */
  readonly type: ColumnType
}

/** Other meanings of values that the source says are text. They are only proposed, never applied. */
export function textMeanings(columns: readonly (TextColumn | null)[], names: readonly string[]): readonly Meaning[] {
  const shared = conventionsOf(
    columns.flatMap((column) => column?.texts ?? []),
    {},
  )
  return columns.map((column, i) => {
    if (!column) return {}
    const { texts, others, type } = column
    const conventions = named(shared, names[i])
    const found = inferType(texts, 'text', conventions)
    if (sameType(found.type, type) && !sameType(type, VARCHAR)) return {}
    const { choices = [] } = found
    const all = { ...found, choices: [...sureChoice(texts, found), ...choices] }
    const { proposals, likely } = meaningOf(texts, conventions, all, others)
    // Trimmed texts are still text, so trimming doesn't help a column with other values.
    const telling = proposals?.filter(
      ({ change }) => sameType(type, VARCHAR) || (change.kind === 'column' && change.patch.type),
    )
    return { ...(telling?.length ? { proposals: telling } : {}), ...(likely ? { likely } : {}) }
  })
}

/** Numbers that may be times since 1970, in a source that says they are numbers. */
export function epochMeaning(numbers: ColumnStats): Meaning {
  const { proposals = [] } = meaningOf(numbers, {}, inferType(numbers, 'json', {}))
  const epochs = proposals.filter(({ code }) => code === 'epoch')
  return epochs.length > 0 ? { proposals: epochs } : {}
}

/** The type that all texts fit. Ambiguous for digits only, since they may be codes. */
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

/** @param others the type of the values that aren't text, if there are any */
function meaningOf(stats: ColumnStats, conventions: Conventions, found: InferredType, others?: ColumnType): Meaning {
  const proposals = proposalsOf(stats, conventions, found, others)
  const numbers = others ? null : likelyNumberFormat(stats, conventions)
  const likely = likelyFormats(numbers, stats.formattedDates.patterns, proposals)
  return { ...(proposals.length > 0 ? { proposals } : {}), ...(likely ? { likely } : {}) }
}

/** The format to start from if the user chooses a number or a date type. */
function likelyFormats(
  number: ValueFormat | null,
  patterns: readonly string[],
  proposals: NonNullable<InferredColumn['proposals']>,
): InferredColumn['likely'] {
  const [pattern] = patterns
  const proposedDate = proposals
    .map(({ change }) =>
      change.kind === 'column' && change.patch.type !== 'INTERVAL' ? change.patch.format?.dateFormat : undefined,
    )
    .find((each) => each !== undefined)
  const dateFormat = proposedDate ?? pattern
  if (!number && dateFormat === undefined) return undefined
  return { ...number, ...(dateFormat === undefined ? {} : { dateFormat }) }
}
