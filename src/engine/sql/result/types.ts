import type { BatchBuffers } from '../../arrow/buffer-types.ts'
import type { ResultColumn, ResultSet } from '../session-types.ts'

/** A result that rows are still added to. */
export interface GrowingResult {
  readonly set: ResultSet
  readonly add: (message: BatchBuffers) => void
  readonly end: (status: 'complete' | 'cancelled' | 'failed') => void
}

/** What a column holds, over the rows that are here. */
export interface ColumnStats {
  readonly rows: number
  readonly nulls: number
  /** How many different values; `exact` false: within about 2 %. Null for nested types. */
  readonly distinct: { readonly count: number; readonly exact: boolean } | null
  /** Canonical texts; null where there are none, and for what has no order of its own. */
  readonly min: string | null
  readonly max: string | null
  /** Of numbers, as a double. */
  readonly mean: number | null
  /** Of numbers and dates: values in equal parts of the range from the smallest finite value to the largest. */
  readonly histogram: readonly number[] | null
  /** Of other types: the most frequent values. `exact` false: found among the first few thousand different ones. */
  readonly top: { readonly values: readonly TopValue[]; readonly exact: boolean } | null
}

export interface TopValue {
  readonly text: string
  readonly count: number
}

/** Cells to be copied. */
export interface CopySelection {
  /** `from` up to `to`. */
  readonly rows: { readonly from: number; readonly to: number }
  /** Columns of the result in the order in which they're copied. */
  readonly columns: readonly number[]
}

/** What cells add up to. */
export interface CellSummary {
  /** Cells that aren't null, and those that are. */
  readonly values: number
  readonly nulls: number
  /** Of the values, those of numeric columns. */
  readonly numbers: number
  /** Of the numbers: all digits of integers and decimals, else a double. Null where there are none. */
  readonly sum: string | null
  /** As a double. */
  readonly mean: number | null
}

/** A column's different values. `exact` false: there are more than those that are counted. */
export interface ColumnValues {
  readonly values: readonly TopValue[]
  readonly exact: boolean
}

/** How the rows of two results differ. */
export interface RowComparison {
  /** Rows of the one, by number from 0, that the other hasn't. */
  readonly onlyInOne: readonly number[]
  readonly onlyInOther: readonly number[]
  /** Whether each row is the other's at the same place. */
  readonly sameOrder: boolean
}

/** Cells that contain a text. */
export interface FoundCells {
  /** Ascending: the row times the number of columns, plus the column's position among those that were looked at. */
  readonly places: readonly number[]
  /** Whether these are all, there are more, or rows are still being looked at. */
  readonly end: 'all' | 'more' | 'looking'
}

export interface FindOptions {
  readonly signal: AbortSignal
  /** Called now and then with what was found so far. */
  readonly onFound: (found: FoundCells) => void
  /** Cells after which it stops. */
  readonly most?: number
}

export type CopyFormat = 'tsv' | 'csv' | 'json' | 'markdown' | 'in-list'

/** A column of an answer of the service, whose types it may not tell. */
export interface AnswerColumn {
  readonly name: string
  /** Null: found out from the values. */
  readonly type: string | null
}

/** What the page does with results: loaded when the first statement runs, with Arrow. */
export interface ResultTools {
  createResultSet(columns: readonly ResultColumn[]): GrowingResult
  /** A complete result of rows as the service answers them (`StatementResult.rows` by name). */
  rowsResult(columns: readonly AnswerColumn[], rows: readonly Readonly<Record<string, unknown>>[]): ResultSet
  /** Looks at a column in slices that leave the page free. @throws the signal's reason */
  columnStats(set: ResultSet, column: number, signal: AbortSignal): Promise<ColumnStats>
  /** Counts a column's different values in slices that leave the page free. @throws the signal's reason */
  columnValues(set: ResultSet, column: number, signal: AbortSignal): Promise<ColumnValues>
  /**
   * The cells' exact values as text.
   * @throws {RangeError} when it's more than a clipboard should hold; the signal's reason
   */
  formatCells(
    set: ResultSet,
    cells: CopySelection,
    format: CopyFormat,
    options: { readonly headers: boolean; readonly signal?: AbortSignal },
  ): Promise<string>
  /** Goes over cells in slices that leave the page free. @throws the signal's reason */
  summarizeCells(set: ResultSet, cells: CopySelection, signal: AbortSignal): Promise<CellSummary>
  /** Compares results of the same columns in slices that leave the page free. @throws the signal's reason */
  compareRows(one: ResultSet, other: ResultSet, signal: AbortSignal): Promise<RowComparison>
  /**
   * Finds the cells of columns whose text contains another, in either case, in slices that leave the page free.
   * @throws the signal's reason
   */
  findCells(set: ResultSet, text: string, columns: readonly number[], options: FindOptions): Promise<FoundCells>
}
