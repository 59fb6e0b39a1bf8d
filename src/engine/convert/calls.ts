import type { CombineInput, CombinePlan } from '../../tables/combine/plan.ts'
import type { ImportPlan, SourceRows } from '../../tables/plan.ts'
import type { Difference, Receipt } from '../../tables/receipt.ts'
import type { ShapeTable } from '../../tables/reshape/types.ts'
import type { DatabaseTables, FileIngest, IngestProgress, StoredTable } from '../storage/table-types.ts'
import type {
  CheckedTable,
  InspectResult,
  Preview,
  PreviewRequest,
  SourceRowsRequest,
  TriedRow,
  TryRequest,
} from './inspection-types.ts'
import type { ConvertProgress, ConvertRequest, ConvertResult } from './protocol.ts'
import type { InspectRequest } from '../../tables/inspect-request.ts'
import type { EngineContext } from '../formats/types.ts'

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
  inspect: {
    request: InspectRequest & OfFile & Pick<EngineContext, 'mostRows'>
    progress: InspectProgress
    result: InspectResult
  }
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
