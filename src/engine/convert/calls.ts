import type { CombineInput, CombinePlan } from '../../tables/combine/plan.ts'
import type { ImportPlan, SourceRows } from '../../tables/plan.ts'
import type { Difference } from '../../tables/receipt.ts'
import type { ShapeTable } from '../../tables/reshape/types.ts'
import type { DatabaseTables, FileIngest, IngestProgress, StoredTable } from '../storage/table-types.ts'
import type {
  AdoptRequest,
  CheckedTable,
  ConvertProgress,
  ConvertRequest,
  ConvertResult,
  FileProgress,
  InspectProgress,
  InspectRequest,
  InspectResult,
  Preview,
  PreviewRequest,
  SourceRowsRequest,
  TriedRow,
  TryRequest,
  VerifyRequest,
} from './protocol.ts'

/** Tables of files that become one, of one receipt. */
export interface CombineRequest extends Omit<ConvertRequest, 'plan'> {
  /** The output's, without what tells its format. */
  readonly name: string
  /** For each of the files, in order, what is read of it. */
  readonly inputs: readonly Omit<CombineInput, 'file'>[]
  readonly combine: CombinePlan
}

/** What a statement would read. */
export interface SampleRequest {
  /** What it calls the tables that it knows. */
  readonly tables: readonly ShapeTable[]
  readonly what: { readonly plan: ImportPlan } | Pick<CombineRequest, 'name' | 'inputs' | 'combine'>
}

/** The first rows of a table that a statement would read. */
export interface SampledTable {
  readonly named: ShapeTable
  /** DuckDB's names of types. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: number
  /** All that there are, those that don't fit too; null where that isn't known. */
  readonly total: number | null
  /** Whether these are all that fit. */
  readonly isWhole: boolean
  readonly fileId: string
  /** A database file of that one table, in memory. */
  readonly stored: File
}

interface OfFile {
  readonly file: File
}

/** A result's files are in the private file system, or in `files` where there is none, for the page to keep. */
type WithFiles = ConvertResult & { readonly files?: ReadonlyMap<string, File> }

/** What a worker is asked that converts, or makes tables of files. */
export interface ConvertCalls {
  /** Loads and runs what a conversion needs, until it's cancelled because somebody wants something. */
  warmUp: { request: null; result: void }
  inspect: { request: InspectRequest & OfFile; progress: InspectProgress; result: InspectResult }
  /** Null: the file is no DuckDB database. */
  database: { request: OfFile; result: DatabaseTables | null }
  preview: { request: PreviewRequest & OfFile; result: Preview }
  source: { request: SourceRowsRequest & OfFile; result: SourceRows | null }
  /** Reads a whole table, to find the rows that don't fit. */
  check: { request: PreviewRequest & OfFile; progress: InspectProgress; result: CheckedTable }
  sample: { request: SampleRequest & { readonly files: readonly File[] }; result: readonly SampledTable[] }
  /** Tries rows that a person is mending. */
  tryRows: { request: TryRequest; result: readonly TriedRow[] }
  /** A file's SHA-256, in hexadecimal. */
  hash: { request: OfFile; progress: FileProgress; result: string }
  /** For each receipt what differs; null where it doesn't say how its table is read. */
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
  /** A table's file is in the private file system, or in `stored` where there is none. */
  ingest: {
    request: FileIngest & OfFile & { readonly folder: string }
    progress: IngestProgress
    result: StoredTable & { readonly stored?: File }
  }
}
