import type { Column, Plan, Scope, ServiceFormat, Visibility, WindowName } from '../contract/schemas.ts'

/* Interfaces to the host. The app implements them in the browser, the server in Node, and tests in memory. */

export interface Ports {
  readonly clock: Clock
  readonly records: Records
  readonly objects: Objects
  readonly tables: Tables
  /** Logs failures: request ids, but never bodies or keys. */
  readonly log: (line: string, cause?: unknown) => void
}

/** Signed URLs don't need tables. */
export type StoragePorts = Omit<Ports, 'tables'>

/** A temporary failure of any port. The message tells people what to do. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

/* Records: the service's data, in transactions */

export interface WorkspaceRecord {
  readonly id: string
  readonly name: string
  /** Unique. */
  readonly slug: string
  readonly plan: Plan
  readonly createdAt: number
}

export interface KeyRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Hex SHA-256 of the key. Unique. */
  readonly hash: string
  readonly last4: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

export interface TableRecord {
  /** Id of the table's file in `Tables`. */
  readonly fileId: string
  readonly name: string
  readonly description: string
  readonly rowCount: number
  readonly byteSize: number
  readonly schema: readonly Column[]
}

/** A dataset with its tables in a single record, so that it's written atomically. */
export interface DatasetRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** The folded name, `foldName(name)`. Unique in the workspace. */
  readonly nameKey: string
  readonly description: string
  readonly visibility: Visibility
  readonly tags: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly tables: readonly TableRecord[]
}

/** An object with a signed URL for uploading or downloading. */
export interface ObjectRecord {
  /** The id in its path. Unique. */
  readonly id: string
  readonly workspaceId: string
  readonly kind: 'dataset-upload' | 'conversion-source' | 'conversion-result'
  /** `<YYYY-MM-DD>/<id>/<name>.<ext>` */
  readonly path: string
  /** File name for downloads. */
  readonly filename: string
  readonly contentType: string
  readonly format: ServiceFormat
  readonly createdAt: number
  /** When its signed URL expires. */
  readonly expiresAt: number
  /** Id of its bytes in `Objects`; null before the upload. */
  readonly blobId: string | null
  readonly size: number
  readonly uploadedAt: number | null
  /** When a dataset or a conversion used it. It can't be replaced after that. */
  readonly consumedAt: number | null
  /** For the source of a conversion: the object for the result, whose URL was issued together with it. */
  readonly resultId?: string
}

/** Number of a key's requests in a window. */
export interface CounterRecord {
  /**
   * `<key id> <endpoint or *> <window> <start>`. The start is part of it, so that counts survive when the clock is set
   * back.
   */
  readonly id: string
  /** Start of the window, in seconds since 1970. */
  readonly start: number
  readonly count: number
}

/** A rate limit window. Aligned to 1970, so that all keys' windows start at the same time. */
export interface RateWindow {
  /** `POST /convert`; null for the plan's window, which counts all requests. */
  readonly endpoint: string | null
  readonly name: WindowName
  readonly limit: number
  /** In seconds since 1970; `end` is the start of the next window. */
  readonly start: number
  readonly end: number
}

export interface WindowState extends RateWindow {
  readonly used: number
}

export interface AdmissionRequest {
  /** Hash of the API key. */
  readonly hash: string
  /** Endpoint with windows of its own; null if only the plan's apply. */
  readonly endpoint: string | null
  /** The caller's clock. Records that several servers share use their own clock instead. */
  readonly now: number
  /** Whether to count the request. */
  readonly counts: boolean
}

export interface Admission {
  /** The time that was used, in milliseconds since 1970. */
  readonly now: number
  /** Null if no key has the hash, or its workspace is gone. The key may have expired. */
  readonly caller: Caller | null
  readonly counted: boolean
}

/** Whose key a request was sent with. */
export interface Caller {
  readonly key: KeyRecord
  readonly workspace: WorkspaceRecord
  /** Current counts, including this request if it was counted. */
  readonly windows: readonly WindowState[]
}

/** Single values, such as `signing-key` (raw bytes). */
export interface SecretRecord {
  readonly id: string
  readonly value: Uint8Array
}

export interface Stores {
  workspaces: WorkspaceRecord
  keys: KeyRecord
  datasets: DatasetRecord
  objects: ObjectRecord
  counters: CounterRecord
  secrets: SecretRecord
}
export type StoreName = keyof Stores

/** Indexes by store. Each indexes the field of its name; `name` indexes `workspaceId` and `nameKey`. */
interface Indexes {
  workspaces: 'slug'
  keys: 'hash' | 'workspaceId'
  datasets: 'workspaceId' | 'visibility' | 'name'
  objects: 'workspaceId'
  counters: never
  secrets: never
}

/**
 * Within a transaction, await only its own calls: browsers end a transaction that waits for anything else. If `work`
 * rejects, nothing is changed.
 */
export interface ReadTransaction {
  get<S extends StoreName>(store: S, id: string): Promise<Stores[S] | undefined>
  /** The existing records among these ids, in any order. */
  some<S extends StoreName>(store: S, ids: readonly string[]): Promise<readonly Stores[S][]>
  /** Records whose ids have this prefix. */
  beginning<S extends StoreName>(store: S, text: string): Promise<readonly Stores[S][]>
  all<S extends StoreName>(store: S): Promise<readonly Stores[S][]>
  /**
   * May return the same list again if nothing in it has changed.
   * @param value value of the index's field, or a list for several fields
   */
  by<S extends StoreName>(store: S, index: Indexes[S], value: string | readonly string[]): Promise<readonly Stores[S][]>
  count(store: StoreName): Promise<number>
  /** Total size of a workspace's objects in bytes. */
  objectBytes(workspaceId: string): Promise<number>
}

export interface WriteTransaction extends ReadTransaction {
  put<S extends StoreName>(store: S, record: Stores[S]): Promise<void>
  remove(store: StoreName, id: string): Promise<void>
  clear(store: StoreName): Promise<void>
  /** Removes expired records (`stores/over.ts`) without reading others. @returns the removed ones */
  removeOver<S extends 'objects' | 'counters'>(store: S, now: number): Promise<readonly Stores[S][]>
}

export interface Records {
  read<T>(stores: readonly StoreName[], work: (transaction: ReadTransaction) => Promise<T>): Promise<T>
  /**
   * Resolves after the commit. Writers of a store run one after another, across all tabs. A `relaxed` commit may be
   * lost in a power failure, but not when a page closes; used for counters.
   * @throws {DOMException} `QuotaExceededError`, with nothing changed
   */
  write<T>(
    stores: readonly StoreName[],
    work: (transaction: WriteTransaction) => Promise<T>,
    options?: { readonly durability?: 'strict' | 'relaxed' },
  ): Promise<T>
  /**
   * Counts a request of a valid key against all of its windows, or against none if one is full. Requests of a key are
   * counted one at a time, whichever tab or server they come to.
   * @throws {DOMException} `QuotaExceededError`, with nothing changed
   */
  admit(request: AdmissionRequest): Promise<Admission>
}

/* Objects: uploaded bytes and bytes for download */

export interface Objects {
  /**
   * Stores a stream atomically under a new id.
   * @throws {TooLargeError} as soon as it exceeds `maxBytes`; nothing is kept
   */
  put(
    body: ReadableStream<Uint8Array> | null,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<{ readonly blobId: string; readonly size: number }>
  /** Undefined if it's gone. */
  get(blobId: string): Promise<Blob | undefined>
  remove(blobId: string): Promise<void>
  /**
   * Removes everything that isn't in `keep` and isn't being written. `keep` is called when nothing new can interfere.
   */
  sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void>
}

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
  readonly maxBytes: number
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

/* Tables: stored rows, and queries on them */

interface IngestedTable {
  readonly fileId: string
  readonly rowCount: number
  readonly byteSize: number
  readonly schema: readonly Column[]
}

/** A table that a query may read, with its qualified name. */
export interface ReadableTable {
  readonly workspace: string
  readonly dataset: string
  readonly table: string
  readonly fileId: string
}

export interface QueryAnswer {
  /** Unique: duplicates get `_1`, `_2`. */
  readonly columns: readonly string[]
  /** JSON values as in the contract (integers beyond 2^53 as strings, ...), in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[]
  readonly truncated: boolean
  /** Engine that ran the statement, if there are several. */
  readonly executor?: string
}

/** Why a file can't be loaded or a statement can't run; shown to the client. */
export type TablesErrorCode =
  /** The file is damaged, in another format, or has rows that don't fit. `place` says where. */
  | 'unreadable'
  /** The statement is invalid, or the engine refused it. `line` and `column` are set if known. */
  | 'sql'
  /** Not exactly one statement, or one that does more than read. */
  | 'not-allowed'
  /** The statement uses an unknown table; `table` is its name as written. */
  | 'unknown-table'
  | 'timeout'
  | 'out-of-space'
  | 'out-of-memory'
  /** A temporary failure: the engine crashed and is restarting. */
  | 'unavailable'

export class TablesError extends Error {
  override readonly name = 'TablesError'
  readonly code: TablesErrorCode
  readonly fields: {
    readonly place?: string
    readonly line?: number
    readonly column?: number
    readonly table?: string
  }
  constructor(
    code: TablesErrorCode,
    message: string,
    fields: TablesError['fields'] & { readonly cause?: unknown } = {},
  ) {
    const { cause, ...rest } = fields
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.fields = rest
  }
}

export interface Tables {
  /** Protects files created under `creationId` from sweeps until `work` has settled. */
  whileCreating<T>(creationId: string, work: () => Promise<T>): Promise<T>
  /**
   * Loads a file as a table, atomically. All rows must fit. With `onto`, the file of a table, the result has that
   * table's rows followed by the new ones; the columns must have the same names.
   * @throws {TablesError}
   */
  ingest(
    source: Blob,
    request: {
      readonly creationId: string
      readonly format: ServiceFormat
      readonly filename: string
      readonly onto?: string
    },
    signal: AbortSignal,
  ): Promise<IngestedTable>
  /**
   * Runs one reading statement that can only use the `readable` tables.
   * @throws {TablesError}
   */
  query(
    request: {
      readonly sql: string
      readonly readable: readonly ReadableTable[]
      readonly timeoutMs: number
      readonly maxRows: number
    },
    signal: AbortSignal,
  ): Promise<QueryAnswer>
  /**
   * Converts a file. The result is removed when `use` has settled.
   * @throws {TablesError}
   */
  convert<T>(
    source: Blob,
    request: { readonly from: ServiceFormat; readonly to: ServiceFormat; readonly filename: string },
    use: (result: Blob) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>
  remove(fileId: string): Promise<void>
  /** Removes everything that isn't in `keep` and isn't being created. `keep` is called under the creation's lock. */
  sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void>
}
