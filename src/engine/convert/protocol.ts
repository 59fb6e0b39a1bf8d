import type { ImportPlan, Inspection, ReadSettings, RejectedRow, WriteOptions } from '../../tables/plan.ts'
import type { FormatId } from '../../contract/formats.ts'
import type { RowCountCheck } from '../../tables/checks.ts'
import type { Shape, Split } from '../../tables/reshape/types.ts'
import type { Receipt } from '../../tables/receipt.ts'

/* Messages between the page and the worker: plain data, no Arrow, nothing that only one side has. */

export interface ConvertRequest {
  /** The output's files are kept under it: a new one for each conversion. */
  readonly jobId: string
  readonly plan: ImportPlan
  readonly target: FormatId
  readonly options: WriteOptions
  /** How each table becomes several files. */
  readonly split?: Split
  readonly rowCount?: RowCountCheck
  /** The statement whose result is written in place of the tables. */
  readonly shape?: Shape
}

/** Reads a file that a conversion made once more. */
export interface VerifyRequest {
  /** The receipts of the tables in it. */
  readonly receipts: readonly Receipt[]
}

/** Accepts a file that was made elsewhere as the output of this plan's conversion. */
export interface AdoptRequest extends ConvertRequest {
  readonly made: Blob
}

export interface ConvertProgress {
  /**
   * `shape` runs a statement over what was read and writes its result, whose size isn't known beforehand. `split`
   * writes the files of a table's parts, and reads each back.
   */
  readonly phase: 'convert' | 'shape' | 'split' | 'verify'
  /** The table's number, from 0, and how many there are. */
  readonly table: number
  readonly tables: number
  /** When converting combined files, or writing the parts of a split table: index and number of files. */
  readonly file?: number
  readonly files?: number
  readonly rows: number
  /**
   * Bytes that this phase reads: of all sources when converting, of the rows when splitting, of the output when
   * verifying.
   */
  readonly bytes: number
  readonly totalBytes: number
}

/** A file that a conversion made, kept in this browser's private file system. */
export interface Output {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  readonly size: number
  /** One for each table in it. For a split table, the first file has the receipt for all of them. */
  readonly receipts: readonly Receipt[]
}

export interface ConvertResult {
  readonly outputs: readonly Output[]
  /** Rows that didn't fit and aren't in the output; the person must agree before downloading it. */
  readonly rejectedCount: number
  /** The first of them, at most 200. */
  readonly rejected: readonly RejectedRow[]
  /** All of them, as a CSV file; null when there are none. */
  readonly rejectedFile: Output | null
}

/** The first rows of a table as the plan reads them, as text. */
export interface Preview {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** At most 100 rows; text is cut at 500 characters. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** Those of these rows that don't fit the plan. */
  readonly rejected: readonly RejectedRow[]
}

export interface InspectResult {
  readonly inspection: Inspection
  /** One for each of the inspection's tables. */
  readonly previews: readonly Preview[]
}

export interface PreviewRequest {
  readonly plan: ImportPlan
  /** Index into the plan's tables. */
  readonly table: number
}

/** The table whose rows are shown as written in the file. */
export interface SourceRowsRequest {
  readonly format: FormatId
  readonly settings: ReadSettings
  /** As in the inspection. */
  readonly table: string | null
}

/** The rows of a table that don't fit a plan, ignoring fixes, and how many of them the fixes don't put back. */
export interface CheckedTable {
  /** Data rows, rejected ones too. */
  readonly rows: number
  readonly rejectedCount: number
  readonly leftOut: number
  /** The first of them, at most 1,000. */
  readonly rejected: readonly RejectedRow[]
}

export interface TryRequest extends PreviewRequest {
  /** Rejected rows, as text, or rows as cells in the order of the file's columns. */
  readonly rows: readonly (RejectedRow | readonly (string | null)[])[]
}

/** The result of reading a row that a person is fixing. */
export interface TriedRow {
  /** In the order of the file's columns; null if the text isn't such a row. */
  readonly cells: readonly (string | null)[] | null
  /** Why it doesn't fit; null if it does. */
  readonly problem: Pick<RejectedRow, 'message' | 'column'> | null
}

export interface InspectProgress {
  readonly bytes: number
  readonly totalBytes: number
  readonly rows: number
}

export type FileProgress = Pick<InspectProgress, 'bytes' | 'totalBytes'>
