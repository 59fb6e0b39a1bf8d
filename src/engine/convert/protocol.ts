import type { ImportPlan, RejectedRow, WriteOptions } from '../../tables/plan.ts'
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
