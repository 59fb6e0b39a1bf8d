import type { Column, Plan, Scope, ServiceFormat, Visibility, WindowName } from '../contract/schemas.ts'

/* What the service needs of the place it runs in. Given by the app in the browser, by tests, or by a server. */

export interface Ports {
  readonly clock: Clock
  readonly records: Records
  readonly objects: Objects
  readonly tables: Tables
  /** Where failures are logged: request ids, never bodies or keys. */
  readonly log: (line: string, cause?: unknown) => void
}

/** What answers signed URLs needs no tables. */
export type StoragePorts = Omit<Ports, 'tables'>

/**
 * A temporary failure, which any port may reject with. The message is for people, and says what to do.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

/* Records: what the service knows, in transactions */

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
  /** SHA-256 of the key, hex. Unique. */
  readonly hash: string
  readonly last4: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

export interface TableRecord {
  /** The table's file at `Tables`. */
  readonly fileId: string
  readonly name: string
  readonly description: string
  readonly rowCount: number
  readonly byteSize: number
  readonly schema: readonly Column[]
}

/** A dataset with its tables: one record, so that writing it is atomic. */
export interface DatasetRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** The name as it's compared: `foldName(name)`. Unique in the workspace. */
  readonly nameKey: string
  readonly description: string
  readonly visibility: Visibility
  readonly tags: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly tables: readonly TableRecord[]
}

/** A place for an object whose URL was given out, to upload to or to download from. */
export interface ObjectRecord {
  /** The id in its path. Unique. */
  readonly id: string
  readonly workspaceId: string
  readonly kind: 'dataset-upload' | 'conversion-source' | 'conversion-result'
  /** `<YYYY-MM-DD>/<id>/<name>.<ext>` */
  readonly path: string
  /** What a download is called. */
  readonly filename: string
  readonly contentType: string
  readonly format: ServiceFormat
  readonly createdAt: number
  /** When the URL that was given out for it expires. */
  readonly expiresAt: number
  /** Its bytes at `Objects`; null while there are none. */
  readonly blobId: string | null
  readonly size: number
  readonly uploadedAt: number | null
  /** When a dataset or a conversion used it: from then on it can't be replaced. */
  readonly consumedAt: number | null
  /** Of a conversion's source: the object whose URL was given out for its result. */
  readonly resultId?: string
}

/** How many requests a key made in a window. */
export interface CounterRecord {
  /** `<key id> <endpoint or *> <window> <start>`: a counter per start, so that a clock set back finds its count again. */
  readonly id: string
  /** Start of the window, in seconds since 1970. */
  readonly start: number
  readonly count: number
}

/** A period with a limit on a key's requests. Aligned to 1970, so that all keys' windows start at the same time. */
export interface RateWindow {
  /** `POST /convert`; null for the plan's, which counts every request. */
  readonly endpoint: string | null
  readonly name: WindowName
  readonly limit: number
  /** In seconds since 1970; `end` is the first second of the next. */
  readonly start: number
  readonly end: number
}

export interface WindowState extends RateWindow {
  readonly used: number
}

export interface AdmissionRequest {
  /** Of the key that it came with. */
  readonly hash: string
  /** The name of its own windows; null if it has only the plan's. */
  readonly endpoint: string | null
  /** The caller's clock. Records that several servers share use their own. */
  readonly now: number
  /** Whether it's counted if there's room. */
  readonly counts: boolean
}

export interface Admission {
  /** The time that was used, in milliseconds since 1970. */
  readonly now: number
  /** Null if no key has the hash, or the workspace is gone. The key may have expired. */
  readonly caller: {
    readonly key: KeyRecord
    readonly workspace: WorkspaceRecord
    /** How much of them is used, including this request if it was counted. */
    readonly windows: readonly WindowState[]
  } | null
  readonly counted: boolean
}

/** Single values: `signing-key` (raw bytes). */
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

/** Indexes that can be asked: each is of the field of its name, `name` of `workspaceId` and `nameKey`. */
interface Indexes {
  workspaces: 'slug'
  keys: 'hash' | 'workspaceId'
  datasets: 'workspaceId' | 'visibility' | 'name'
  objects: 'workspaceId'
  counters: never
  secrets: never
}

/**
 * Inside of a transaction only its own calls may be awaited: browsers end one that waits for anything else.
 * One that `work` rejects leaves nothing changed.
 */
export interface ReadTransaction {
  get<S extends StoreName>(store: S, id: string): Promise<Stores[S] | undefined>
  /** The records with these ids that exist, in any order. */
  some<S extends StoreName>(store: S, ids: readonly string[]): Promise<readonly Stores[S][]>
  /** The records whose ids begin with the text. */
  beginning<S extends StoreName>(store: S, text: string): Promise<readonly Stores[S][]>
  all<S extends StoreName>(store: S): Promise<readonly Stores[S][]>
  /**
   * May give the same list again for as long as nothing in it changed.
   * @param value of the index's field, or a list with one for each of its fields
   */
  by<S extends StoreName>(store: S, index: Indexes[S], value: string | readonly string[]): Promise<readonly Stores[S][]>
  /** How many there are. */
  count(store: StoreName): Promise<number>
  /** The total bytes of a workspace's objects. */
  objectBytes(workspaceId: string): Promise<number>
}

export interface WriteTransaction extends ReadTransaction {
  put<S extends StoreName>(store: S, record: Stores[S]): Promise<void>
  remove(store: StoreName, id: string): Promise<void>
  clear(store: StoreName): Promise<void>
  /** Removes those that have had their time (`stores/over.ts`), without reading the others. @returns them */
  removeOver<S extends 'objects' | 'counters'>(store: S, now: number): Promise<readonly Stores[S][]>
}

export interface Records {
  read<T>(stores: readonly StoreName[], work: (transaction: ReadTransaction) => Promise<T>): Promise<T>
  /**
   * Resolves when it's committed. Writers of one store go one after the other, in all tabs. `relaxed` may be lost when
   * the machine loses power, never when a page ends: for counters.
   * @throws {DOMException} `QuotaExceededError`, with nothing changed
   */
  write<T>(
    stores: readonly StoreName[],
    work: (transaction: WriteTransaction) => Promise<T>,
    options?: { readonly durability?: 'strict' | 'relaxed' },
  ): Promise<T>
  /**
   * Counts a request of a key that is still good against all of its windows, or, where one is full, against none. No two
   * requests of a key are counted at once, whichever tab or server they came to.
   * @throws {DOMException} `QuotaExceededError`, with nothing changed
   */
  admit(request: AdmissionRequest): Promise<Admission>
}

/* Objects: bytes that were uploaded or are to be downloaded */

export interface Objects {
  /**
   * Stores a stream under a new id, atomically.
   * @throws {TooLargeError} as soon as more than `maxBytes` came; nothing is kept
   */
  put(
    body: ReadableStream<Uint8Array> | null,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<{ readonly blobId: string; readonly size: number }>
  /** Undefined when it's gone. */
  get(blobId: string): Promise<Blob | undefined>
  remove(blobId: string): Promise<void>
  /** Removes all but what `keep` names and what is being written. `keep` is called when nothing new can interfere. */
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

/* Tables: rows at rest, and queries over them */

interface IngestedTable {
  readonly fileId: string
  readonly rowCount: number
  readonly byteSize: number
  readonly schema: readonly Column[]
}

/** A table that a query may read, with its names. */
export interface ReadableTable {
  readonly workspace: string
  readonly dataset: string
  readonly table: string
  readonly fileId: string
}

export interface QueryAnswer {
  /** Unique: duplicates have `_1`, `_2`. */
  readonly columns: readonly string[]
  /** JSON values by the contract (integers beyond 2^53 as strings, ...), in the columns' order. */
  readonly rows: readonly (readonly unknown[])[]
  readonly truncated: boolean
  /** Which engine ran the statement, if there are several. */
  readonly executor?: string
}

/** Why a file can't be loaded or a statement not run, for its sender. */
export type TablesErrorCode =
  /** The file is damaged, of another format, or has rows that don't fit. `place` says where. */
  | 'unreadable'
  /** The statement isn't SQL, or the engine refused it. `line` and `column` where the engine tells. */
  | 'sql'
  /** Not exactly one statement, or one that does more than read. */
  | 'not-allowed'
  /** Names a table that isn't among the readable ones; `table` as the statement wrote it. */
  | 'unknown-table'
  | 'timeout'
  | 'out-of-space'
  | 'out-of-memory'
  /** A temporary failure: the engine died and is restarting. */
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
  /** Keeps the files that are made under `creationId` from every sweep until `work` has settled. */
  whileCreating<T>(creationId: string, work: () => Promise<T>): Promise<T>
  /**
   * Loads one file as a table, atomically. Every row has to fit. With `onto`, a table's file, what is made has
   * that table's rows, and after them those of the file: its columns have to be the same by name.
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
   * Runs one reading statement that sees `readable` and nothing else.
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
   * Converts a file; the result is gone when `use` has settled.
   * @throws {TablesError}
   */
  convert<T>(
    source: Blob,
    request: { readonly from: ServiceFormat; readonly to: ServiceFormat; readonly filename: string },
    use: (result: Blob) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>
  remove(fileId: string): Promise<void>
  /** Removes all but what `keep` names and what is being created. `keep` is called under the creation's lock. */
  sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void>
}
