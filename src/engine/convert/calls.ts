import type {
  AdoptRequest,
  ConvertProgress,
  ConvertRequest,
  ConvertResult,
  InspectProgress,
  InspectRequest,
  InspectResult,
  Preview,
  PreviewRequest,
} from '../protocol.ts'
import type { IngestProgress, IngestRequest, StoredTable } from '../storage/table-types.ts'

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
  preview: { request: PreviewRequest & OfFile; result: Preview }
  convert: { request: ConvertRequest & OfFile; progress: ConvertProgress; result: WithFiles }
  adopt: { request: AdoptRequest & OfFile; progress: ConvertProgress; result: WithFiles }
  /** A table's file is in the private file system, or in `stored` where there is none. */
  ingest: {
    request: IngestRequest & OfFile & { readonly folder: string }
    progress: IngestProgress
    result: StoredTable & { readonly stored?: File }
  }
}
