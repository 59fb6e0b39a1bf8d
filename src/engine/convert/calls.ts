import type { CombineInput, CombinePlan } from '../../tables/combine/plan.ts'
import type { FormatId } from '../../contract/formats.ts'
import type { ImportPlan, Inspection, ReadSettings, RejectedRow, SourceRows } from '../../tables/plan.ts'
import type { Difference, Receipt } from '../../tables/receipt.ts'
import type { ShapeTable } from '../../tables/reshape/types.ts'
import type { DatabaseTables, FileIngest, IngestProgress, StoredTable } from '../storage/table-types.ts'
import type { ConvertProgress, ConvertRequest, ConvertResult } from './protocol.ts'
import type { InspectRequest } from '../../tables/inspect-request.ts'

/** Tables of several files to combine into one, with one receipt. */
export interface CombineRequest extends Omit<ConvertRequest, 'plan'> {
  /** The output's name, without its extension. */
  readonly name: string
  /** What to read from each of the files, in order. */
  readonly inputs: readonly Omit<CombineInput, 'file'>[]
  readonly combine: CombinePlan
}

/** The tables that a statement would read. */
export interface SampleRequest {
  /** The statement's names for tables that have one. */
  readonly tables: readonly ShapeTable[]
  readonly what: { readonly plan: ImportPlan } | Pick<CombineRequest, 'name' | 'inputs' | 'combine'>
}

/** The first rows of a table that a statement would read. */
export interface SampledTable {
  readonly named: ShapeTable
  /** DuckDB's names of types. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: number
  /** The total number of rows, including rejected ones; null if unknown. */
  readonly total: number | null
  /** Whether these are all the valid rows. */
  readonly isWhole: boolean
  readonly fileId: string
  /** A database file with only that table, in memory. */
  readonly stored: File
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

interface OfFile {
  readonly file: File
}

/** A result's files are in the private file system; if there is none, in `files`, for the page to store. */
type WithFiles = ConvertResult & { readonly files?: ReadonlyMap<string, File> }

/** The calls of a worker that converts files or creates tables from them. */
export interface ConvertCalls {
  /** Loads and runs the code of a conversion, until the first real call cancels it. */
  warmUp: { request: null; result: void }
  inspect: { request: InspectRequest & OfFile; progress: InspectProgress; result: InspectResult }
  /** Null if the file isn't a DuckDB database. */
  database: { request: OfFile; result: DatabaseTables | null }
  preview: { request: PreviewRequest & OfFile; result: Preview }
  source: { request: SourceRowsRequest & OfFile; result: SourceRows | null }
  /** Reads a whole table to find the rows that don't fit. */
  check: { request: PreviewRequest & OfFile; progress: InspectProgress; result: CheckedTable }
  sample: { request: SampleRequest & { readonly files: readonly File[] }; result: readonly SampledTable[] }
  /** Reads rows that a person is fixing, to see whether they fit. */
  tryRows: { request: TryRequest; result: readonly TriedRow[] }
  /** A file's SHA-256, in hexadecimal. */
  hash: { request: OfFile; progress: FileProgress; result: string }
  /** The differences from each receipt; null if it doesn't say how its table is read. */
  verify: {
    request: VerifyRequest & OfFile
    progress: InspectProgress
    result: readonly (readonly Difference[] | null)[]
  }
  convert: { request: ConvertRequest & OfFile; progress: ConvertProgress; result: WithFiles }
  combine: {
    request: CombineRequest & { readonly files: readonly File[] }
    progress: ConvertProgress
    result: WithFiles
  }
  adopt: { request: AdoptRequest & OfFile; progress: ConvertProgress; result: WithFiles }
  /** A table's file is in the private file system; if there is none, in `stored`. */
  ingest: {
    request: FileIngest & OfFile & { readonly folder: string }
    progress: IngestProgress
    result: StoredTable & { readonly stored?: File }
  }
}
