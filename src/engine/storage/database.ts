import { asError } from '../../lib/errors.ts'
import { type RecordBatch, RecordBatchStreamWriter } from 'apache-arrow'
import { quoteText } from '../../lib/duckdb-sql/names.ts'
import { readBatches } from '../arrow/batch.ts'
import type { IpcMessages } from '../arrow/ipc/rows.ts'
import { EngineError } from '../errors.ts'
import type { Spill } from './spill.ts'

/** The library's numbers for ways to access a registered file. */
export const PROTOCOL = { fileReader: 2, accessHandle: 3 } as const

/** DuckDB's WebAssembly instance. */
export interface WebAssemblyParts {
  readonly instance: WebAssembly.Instance
  readonly memory: WebAssembly.Memory
  /** The table of functions called by index. */
  readonly table: WebAssembly.Table
}

/** The part of DuckDB-WASM's blocking bindings that we use. */
export interface Bindings {
  /** Absent if DuckDB isn't WebAssembly. */
  readonly wasm?: WebAssemblyParts
  open(config: { path: string; query?: { queryPollingInterval?: number } }): void
  connect(): { useUnsafe(callback: (bindings: unknown, connection: number) => number): number }
  runQuery(connection: number, sql: string): Uint8Array
  /** Starts a query, to be continued with `pollPendingQuery`; null until the result's schema is known. */
  startPendingQuery(connection: number, sql: string, stream: boolean): Uint8Array | null
  pollPendingQuery(connection: number): Uint8Array | null
  cancelPendingQuery(connection: number): boolean
  /** A message of the result; empty after the last. */
  fetchQueryResults(connection: number): Uint8Array | null
  /** Start of each token in bytes of UTF-8, and its kind. Comments aren't tokens. */
  tokenize(sql: string): { readonly offsets: readonly number[]; readonly types: readonly number[] }
  insertArrowFromIPCStream(connection: number, buffer: Uint8Array, options: { name: string; create: boolean }): void
  registerFileHandle(name: string, handle: unknown, protocol: number, directIO: boolean): void
  registerFileBuffer(name: string, buffer: Uint8Array): void
  copyFileToBuffer(name: string): Uint8Array<ArrayBuffer>
  dropFile(name: string): void
  /** Lets SQL read a file under a name, if that needs more than the library. */
  registerFile?(name: string, file: Blob): Promise<void>
}

export interface DatabaseOptions {
  /** The only folder whose registered files SQL can read, with `/` at both ends; none by default. Unguessable. */
  readonly folder?: string
  /** In DuckDB's notation, such as `1GB`. */
  readonly memoryLimit?: string
  /** Where to spill data that exceeds memory; without it, the statement fails. Needs a folder. */
  readonly spill?: Spill | null
  /** Whether to open a connection that checks statements while another one runs. */
  readonly checker?: boolean
  /**
   * Whether settings can still be changed, so that the caller must prevent others' statements from doing so. By default
   * they're locked.
   */
  readonly settable?: boolean
  /** Name of an empty catalog in addition to the database's own, which is searched last for unqualified names. */
  readonly searched?: string
}

/** How long a pending query runs between two polls, in milliseconds. */
const POLLING_INTERVAL = 10

/** Maximum batches of a stream that come together, and their bytes. */
const MESSAGES = 256
const MESSAGES_BYTES = 256 * 1024

/**
 * Optimizers with which DuckDB 1.4 gives wrong results. With the first, a correlated EXISTS with two comparisons loses
 * rows; TPC-H is as fast without it. With the second, an ASOF LEFT JOIN loses all rows if the right side is known to be
 * empty; it only saves work on empty inputs. Source: https://github.com/duckdb/duckdb/issues/22267,
 * https://github.com/duckdb/duckdb/issues/23979
 */
const WRONG_OPTIMIZERS = 'deliminator,empty_result_pullup'

/**
 * Ensures clean errors. A failed download of an extension corrupts the instance, and turning autoload off isn't enough,
 * because some functions try to load one anyway; so all access is disabled.
 */
const lockDown = ({ folder, memoryLimit, spill, settable }: DatabaseOptions): string => `
  SET autoload_known_extensions=false;
  SET autoinstall_known_extensions=false;
  SET disabled_optimizers='${WRONG_OPTIMIZERS}';
  ${folder === undefined ? '' : `SET allowed_directories=[${quoteText(folder)}];`}
  ${memoryLimit === undefined ? '' : `SET memory_limit='${memoryLimit}';`}
  ${spill ? `SET temp_directory='${spillDirectory(folder)}'; SET max_temp_directory_size='${Math.floor(spill.limit / 1e6)}MB';` : ''}
  SET enable_external_access=false;
  ${settable ? '' : 'SET lock_configuration=true;'}
`

const spillDirectory = (folder = '/'): string => `${folder}spill`

/**
 * Makes the engine track progress without printing it: printing evaluates a script, which the page's content security
 * policy forbids. Printing is turned off first, since otherwise a slow start would print in between.
 */
const COUNTS_PROGRESS = [
  'SET enable_progress_bar_print=false',
  'SET progress_bar_time=0',
  'SET enable_progress_bar=true',
]

/** DuckDB's description of a failed statement. */
export interface Refusal {
  /** DuckDB's kind of error: `Parser`, `Catalog`, `Binder`, `Out of Memory`, ... */
  readonly kind: string
  readonly message: string
  /** Position in the statement, in bytes of UTF-8. */
  readonly position: number | null
  /** For a `Catalog` error: name and kind of what doesn't exist. */
  readonly name: string | null
  readonly type: string | null
}

/** Parses an error of DuckDB; null for other errors. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null
  try {
    const parsed = JSON.parse(error.message.replace(/^[A-Za-z ]*Error: (?=\{)/, '')) as Record<string, unknown>
    const text = (key: string): string | null => (typeof parsed[key] === 'string' ? parsed[key] : null)
    const message = text('exception_message') ?? ''
    // For a name with too many parts, DuckDB's position is arbitrary.
    const position = message.startsWith('NameListToString') ? Number.NaN : Number(text('position') ?? Number.NaN)
    return {
      kind: text('exception_type') ?? 'Unknown',
      message,
      position: Number.isSafeInteger(position) ? position : null,
      name: text('name'),
      type: text('type'),
    }
  } catch {
    // While rows are fetched, DuckDB ignores the setting for errors as JSON.
    const plain = /^([A-Z][A-Za-z ]*) Error: ([^]*)$/.exec(error.message)
    return plain && { kind: plain[1] ?? '', message: plain[2] ?? '', position: null, name: null, type: null }
  }
}

/**
 * The error if WebAssembly was aborted, as happens if a single value needs more memory than there is; null for other
 * errors. The engine can't be used any more.
 */
export function stopped(error: unknown): EngineError | null {
  const cause = error instanceof EngineError ? error.cause : error
  if (!(cause instanceof WebAssembly.RuntimeError)) return null
  return new EngineError('out-of-memory', 'The statement needs more memory than the engine has.', {
    remedy: 'Ask for smaller values: a range of a billion numbers, or a text of a gigabyte, can’t be one value.',
    cause,
  })
}

/** A connection to a database, with its own temporary objects and settings. */
export class Connection {
  private readonly bindings: Bindings
  readonly id: number
  /** Progress of its statement, from 0 to 1; null if unknown. */
  progress: () => number | null = () => null
  private running = false

  constructor(bindings: Bindings) {
    this.bindings = bindings
    this.id = bindings.connect().useUnsafe((_, id) => id)
  }

  /** Whether a query's rows are still being read, so that the connection can't run anything else. */
  get isRunning(): boolean {
    return this.running
  }

  /**
   * Runs statements, and returns the last one's rows.
   * @throws {Error} DuckDB's, for `refusalOf`; the instance remains usable
   */
  query(sql: string): RecordBatch[] {
    return readBatches(this.bindings.runQuery(this.id, sql))
  }

  /**
   * Runs a statement in slices, and returns its rows, all in memory.
   * @param pause awaited between slices; an error it throws ends the query
   */
  async queryInSlices(sql: string, pause: () => Promise<void>): Promise<RecordBatch[]> {
    const all: Uint8Array[] = []
    for await (const [schema, ...rows] of this.messages(sql, false, pause)) {
      if (all.length === 0) all.push(schema)
      all.push(...rows)
    }
    return readBatches(all)
  }

  /**
   * Runs a statement, and yields its rows as they arrive, as Arrow IPC messages: each time the schema, then batches.
   * Meanwhile, the connection can't run anything else.
   * @param pause awaited between slices; an error it throws ends the query
   */
  stream(sql: string, pause: () => Promise<void>): AsyncGenerator<IpcMessages, void, undefined> {
    return this.messages(sql, true, pause)
  }

  /** Ends a query, and releases the files that it reads. */
  private abandon(): void {
    this.bindings.cancelPendingQuery(this.id)
    // A partly fetched result is held until the connection's next query.
    try {
      this.bindings.runQuery(this.id, 'SELECT 1')
    } catch {
      // The statement's error has aborted its transaction, in which nothing else runs.
    }
  }

  /**
   * A query's Arrow IPC messages. Results from a large table arrive a few rows at a time, so several messages come
   * together; but none is held back while the engine works.
   */
  private async *messages(
    sql: string,
    stream: boolean,
    pause: () => Promise<void>,
  ): AsyncGenerator<IpcMessages, void, undefined> {
    let ended = false
    this.running = true
    try {
      let schema = this.bindings.startPendingQuery(this.id, sql, stream)
      while (schema === null) {
        schema = this.bindings.pollPendingQuery(this.id)
        if (schema === null) await pause()
      }
      let held: [Uint8Array, ...Uint8Array[]] = [schema]
      let bytes = 0
      for (;;) {
        const message = this.bindings.fetchQueryResults(this.id)
        if (message?.length === 0) break
        if (message) {
          held.push(message)
          bytes += message.byteLength
        }
        if (held.length > 1 && (!message || held.length > MESSAGES || bytes >= MESSAGES_BYTES)) {
          yield held
          held = [schema]
          bytes = 0
        }
        if (message === null) await pause()
      }
      ended = true
      yield held
    } finally {
      this.running = false
      if (!ended) this.abandon()
    }
  }
}

/** A DuckDB instance with a connection of its own. Calls block the worker. */
export class Database {
  readonly bindings: Bindings
  /** For statements of others. Its errors and plans are complete, as JSON. */
  readonly guest: Connection
  /** Like `guest`, for plans that are bound but not optimized. */
  readonly checker: Connection | null
  private readonly connection: Connection
  /** How statements of others compare texts that have no collation; empty: letter by letter. */
  private collation = ''

  private constructor(bindings: Bindings, { checker = false }: DatabaseOptions) {
    this.bindings = bindings
    this.connection = new Connection(bindings)
    this.guest = new Connection(bindings)
    this.checker = checker ? new Connection(bindings) : null
  }

  static start(bindings: Bindings, options: DatabaseOptions = {}): Database {
    bindings.open({ path: ':memory:', query: { queryPollingInterval: POLLING_INTERVAL } })
    if (options.spill) {
      for (const [path, file] of options.spill.filesIn(spillDirectory(options.folder)))
        bindings.registerFileHandle(path, file, PROTOCOL.accessHandle, true)
    }
    const database = new Database(bindings, options)
    // These are settings per connection, which can't be changed after the lock.
    for (const setting of ["SET explain_output='all'", 'SET errors_as_json=true']) {
      database.guest.query(setting)
      database.checker?.query(setting)
    }
    database.checker?.query('PRAGMA disable_optimizer')
    if (bindings.wasm) for (const setting of COUNTS_PROGRESS) database.guest.query(setting)
    const { searched } = options
    if (searched !== undefined) {
      database.run(`ATTACH ':memory:' AS ${searched}`)
      for (const connection of [database.connection, database.guest, database.checker])
        connection?.query(`SET search_path='memory.main,${searched}.main'`)
    }
    database.run(lockDown(options))
    return database
  }

  /**
   * Runs statements, and returns the last one's rows.
   * @throws {EngineError} with DuckDB's message; the instance remains usable
   */
  run(sql: string): RecordBatch[] {
    try {
      return this.connection.query(sql)
    } catch (cause) {
      throw refused(cause)
    }
  }

  /**
   * Sets how statements of others compare texts that have no collation.
   * @param name empty: letter by letter
   * @throws the engine's error if there's no such collation
   */
  setCollation(name: string): void {
    for (const connection of [this.guest, this.checker])
      connection?.query(`SET SESSION default_collation = ${quoteText(name)}`)
    this.collation = name
  }

  /** Runs a query of ours where statements of others run, which may see other tables. It ignores their collation. */
  askGuest(sql: string): RecordBatch[] {
    const { collation } = this
    if (collation === '') return this.guest.query(sql)
    this.setCollation('')
    try {
      return this.guest.query(sql)
    } finally {
      this.setCollation(collation)
    }
  }

  /** Creates a table from a batch, with its column names. */
  insert(name: string, batch: RecordBatch): void {
    this.insertStream(RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true), { name, create: true })
  }

  /**
   * Creates a table from an Arrow IPC stream, or appends it to one by column position.
   * @param connection whose catalog has the table
   * @throws {EngineError}
   */
  insertStream(
    stream: Uint8Array,
    options: { readonly name: string; readonly create: boolean },
    { id }: Connection = this.connection,
  ): void {
    try {
      this.bindings.insertArrowFromIPCStream(id, stream, options)
      // An empty buffer ends the stream.
      this.bindings.insertArrowFromIPCStream(id, new Uint8Array(0), options)
    } catch (cause) {
      throw refused(cause)
    }
  }

  /**
   * Lets SQL read a file under a path in the database's folder. In Node, which can't read files lazily, it's read
   * whole.
   */
  async registerFile(path: string, file: Blob): Promise<void> {
    if (this.bindings.registerFile) await this.bindings.registerFile(path, file)
    else if (typeof FileReaderSync === 'undefined') {
      this.bindings.registerFileBuffer(path, new Uint8Array(await file.arrayBuffer()))
    } else this.bindings.registerFileHandle(path, file, PROTOCOL.fileReader, true)
  }

  /** Whether data has been spilled to temporary files, such as a table that exceeds memory. */
  hasSpilled(): boolean {
    try {
      const [batch] = this.run('SELECT coalesce(sum(size), 0) > 0 FROM duckdb_temporary_files()')
      return batch?.getChildAt(0)?.get(0) === true
    } catch {
      // The instance has been aborted.
      return true
    }
  }

  dropFile(path: string): void {
    this.bindings.dropFile(path)
  }
}

function refused(cause: unknown): EngineError {
  const text = refusalOf(cause)?.message ?? asError(cause).message
  if (/no space|quota/i.test(text)) {
    return new EngineError('out-of-space', 'The disk, or this browser’s share of it, is full.', {
      remedy: 'Remove what you no longer need, or free disk space, and try again.',
      cause,
    })
  }
  const memory = /out of memory|failed to allocate/i.test(`${refusalOf(cause)?.kind ?? ''} ${text}`)
  return new EngineError(memory ? 'out-of-memory' : 'internal', `The query engine refused: ${text}`, {
    ...(memory ? { remedy: 'Leave out the columns with the longest values, or split the file.' } : {}),
    cause,
  })
}
