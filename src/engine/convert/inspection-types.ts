import type { FormatId } from '../../contract/formats.ts'
import type { ImportPlan, Inspection, ReadSettings, RejectedRow } from '../../tables/plan.ts'

/* What is asked about a file before it's converted. */

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
