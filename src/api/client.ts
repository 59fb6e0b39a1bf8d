import type {
  Column,
  ConvertData,
  FormatEntry,
  QueryData,
  ServiceFormat,
  UploadUrlsData,
  Visibility,
} from '../contract/schemas.ts'
import type { Readable } from '../lib/store.ts'

/* The service in the app's own words, whichever service it is. */

export interface DatasetSummary {
  readonly id: string
  readonly name: string
  readonly workspaceId: string
  readonly visibility: Visibility
  readonly createdAt: Date
  readonly tags: readonly string[]
  /** Null if they weren't requested. */
  readonly tables: readonly DatasetTable[] | null
}

export interface DatasetTable {
  readonly name: string
  readonly description: string
  readonly rowCount: number
  readonly byteSize: number
  readonly schema: readonly Column[]
}

export interface DatasetDetails extends DatasetSummary {
  readonly description: string
  readonly updatedAt: Date
  readonly tables: readonly DatasetTable[]
}

export interface NewDataset {
  readonly name: string
  readonly description: string
  readonly visibility: Visibility
  readonly tags: readonly string[]
  readonly tables: readonly { readonly name: string; readonly signedUrl: string; readonly description: string }[]
}

export interface CreatedTable {
  readonly name: string
  readonly rows: number
  readonly schema: readonly Column[]
  /** Null if it was loaded. */
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface CreatedDataset {
  readonly id: string
  readonly name: string
  readonly tables: readonly CreatedTable[]
}

/** Uploads to add to a dataset as tables, or as rows of its tables. */
export type AddedTables = readonly (NewDataset['tables'][number] & { readonly append: boolean })[]

export interface DatasetChange {
  readonly name?: string
  readonly description?: string
  readonly visibility?: Visibility
  readonly tags?: readonly string[]
}

export interface UploadTarget {
  readonly filename: string
  readonly signedUrl: string
  readonly expiresAt: Date
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

interface UploadOptions extends CallOptions {
  readonly contentType: string
  /** Bytes sent so far. */
  readonly onProgress?: (sent: number) => void
}

/** The window with the fewest requests left, according to the last answer. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly reset: Date
}

/**
 * All operations of the service. Calls reject with `ApiError` or the signal's reason. 429 and 503 are retried (after
 * `Retry-After`, or growing pauses) if that can't do anything twice; other errors aren't.
 */
export interface ApiClient {
  signUploads(
    files: readonly { filename: string; contentType: string }[],
    options?: CallOptions,
  ): Promise<UploadTarget[]>
  /** PUT to a signed URL. */
  upload(url: string, body: Blob, options: UploadOptions): Promise<void>
  /** GET from a signed URL. */
  download(
    url: string,
    options?: CallOptions & { readonly onProgress?: (received: number, total: number | null) => void },
  ): Promise<Blob>
  createDataset(dataset: NewDataset, options?: CallOptions): Promise<CreatedDataset>
  listDatasets(options?: CallOptions & { readonly tables?: boolean }): Promise<DatasetSummary[]>
  getDataset(id: string, options?: CallOptions): Promise<DatasetDetails>
  /** Returns the changed dataset; null if the key may change it but not read it. */
  updateDataset(id: string, change: DatasetChange): Promise<DatasetDetails | null>
  /** Adds all or nothing; `tables` in the answer counts the added rows. */
  addTables(id: string, tables: AddedTables, options?: CallOptions): Promise<CreatedDataset>
  deleteDataset(id: string): Promise<void>
  query(sql: string, options?: CallOptions & { readonly timeoutSeconds?: number }): Promise<QueryData>
  conversionUrls(
    from: ServiceFormat,
    to: ServiceFormat,
    filename?: string,
    options?: CallOptions,
  ): Promise<UploadUrlsData>
  convert(
    filePath: string,
    from: ServiceFormat,
    to: ServiceFormat,
    filename?: string,
    options?: CallOptions,
  ): Promise<ConvertData>
  formats(options?: CallOptions): Promise<FormatEntry[]>
  /** The OpenAPI document, unchanged. */
  openApi(options?: CallOptions): Promise<unknown>
  /** From the last answer; null before the first. */
  readonly rateLimit: Readable<RateLimit | null>
}
