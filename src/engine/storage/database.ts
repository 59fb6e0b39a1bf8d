import { asError } from '../../lib/errors.ts'
import { type RecordBatch, RecordBatchStreamWriter } from 'apache-arrow'
import { quoteText } from '../../lib/duckdb-sql/names.ts'
import { readBatches } from '../arrow/batch.ts'
import { EngineError } from '../errors.ts'
import type { Spill } from './spill.ts'

/** How DuckDB reaches a file that is registered with it: the library's numbers. */
export const PROTOCOL = { fileReader: 2, accessHandle: 3 } as const

/** What DuckDB's WebAssembly runs in. */
export interface WebAssemblyParts {
  readonly instance: WebAssembly.Instance
  readonly memory: WebAssembly.Memory
  /** The functions that it calls by number. */
  readonly table: WebAssembly.Table
}

/** The part of DuckDB-WASM's blocking bindings that we use. */
export interface Bindings {
  /** Not where DuckDB isn't WebAssembly. */
  readonly wasm?: WebAssemblyParts
  open(config: { path: string; query?: { queryPollingInterval?: number } }): void
  connect(): { useUnsafe(callback: (bindings: unknown, connection: number) => number): number }
  runQuery(connection: number, sql: string): Uint8Array
  /** Begins a query that `pollPendingQuery` goes on with; null until the result's schema is known. */
  startPendingQuery(connection: number, sql: string, stream: boolean): Uint8Array | null
  pollPendingQuery(connection: number): Uint8Array | null
  cancelPendingQuery(connection: number): boolean
  /** A message of the result; empty after the last. */
  fetchQueryResults(connection: number): Uint8Array | null
  /** Where each token begins, in bytes of UTF-8, and of which kind it is. Comments are none. */
  tokenize(sql: string): { readonly offsets: readonly number[]; readonly types: readonly number[] }
  insertArrowFromIPCStream(connection: number, buffer: Uint8Array, options: { name: string; create: boolean }): void
  registerFileHandle(name: string, handle: unknown, protocol: number, directIO: boolean): void
  registerFileBuffer(name: string, buffer: Uint8Array): void
  copyFileToBuffer(name: string): Uint8Array<ArrayBuffer>
  dropFile(name: string): void
  /** Lets SQL read a file under a name, where that isn't the library's own way. */
  registerFile?(name: string, file: Blob): Promise<void>
}

export interface DatabaseOptions {
  /** The one folder whose registered files SQL can reach, with `/` at both ends; none by default. Unguessable. */
  readonly folder?: string
  /** In DuckDB's notation, such as `1GB`. */
  readonly memoryLimit?: string
  /** Where what there's no memory for goes; without it a statement ends. Needs a folder. */
  readonly spill?: Spill | null
  /** Whether there's a connection that looks at statements while another one runs. */
  readonly checker?: boolean
  /** Whether settings can still be changed: the caller sees to it that statements of others don't. By default they're locked. */
  readonly settable?: boolean
  /** An empty catalog beside the database's own, in which names by themselves are looked up last. */
  readonly searched?: string
}

/** How long a pending query runs between two polls, in milliseconds. */
const POLLING_INTERVAL = 10

/** A stream's messages that are read at once, the schema's among them, and their bytes. */
const MESSAGES = 33
const MESSAGES_BYTES = 256 * 1024

/**
 * DuckDB 1.4 gives wrong answers by them. By the first a correlated EXISTS with two comparisons loses rows; TPC-H is as fast
 * without. By the second an ASOF LEFT JOIN loses all rows where the right side can't have any; it does no more than to spare
 * work on what has none.
 * Source: https://github.com/duckdb/duckdb/issues/22267, https://github.com/duckdb/duckdb/issues/23979
 */
const WRONG_OPTIMIZERS = 'deliminator,empty_result_pullup'

/**
 * Makes every error a clean one. A failed fetch of an extension corrupts the instance, and turning autoload off isn't
 * enough, because some functions try to load one all the same: so nothing may be reached at all.
 */
const lockDown = ({ folder, memoryLimit, spill, settable }: DatabaseOptions): string => `
  SET autoload_known_extensions=false;
  SET autoinstall_known_extensions=false;
  SET disabled_optimizers='${WRONG_OPTIMIZERS}';
  ${folder === undefined ? '' : `SET allowed_directories=['${folder}'];`}
  ${memoryLimit === undefined ? '' : `SET memory_limit='${memoryLimit}';`}
  ${spill ? `SET temp_directory='${spillDirectory(folder)}'; SET max_temp_directory_size='${Math.floor(spill.limit / 1e6)}MB';` : ''}
  SET enable_external_access=false;
  ${settable ? '' : 'SET lock_configuration=true;'}
`

const spillDirectory = (folder = '/'): string => `${folder}spill`

/**
 * The engine counts how far a statement is, and prints nothing of it: printing evaluates a script, which the page's content
 * security policy refuses. So it's turned off before counting is turned on, or a slow start prints between the two.
 */
const COUNTS_PROGRESS = [
  'SET enable_progress_bar_print=false',
  'SET progress_bar_time=0',
  'SET enable_progress_bar=true',
]

/** DuckDB's own words on a statement that failed. */
export interface Refusal {
  /** DuckDB's kind of error: `Parser`, `Catalog`, `Binder`, `Out of Memory`, ... */
  readonly kind: string
  readonly message: string
  /** Where in the statement, in bytes of UTF-8. */
  readonly position: number | null
  /** Of a `Catalog` error: what doesn't exist, and its kind. */
  readonly name: string | null
  readonly type: string | null
}

/** What DuckDB says of an error; null when the error isn't DuckDB's. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null
  try {
    const parsed = JSON.parse(error.message.replace(/^[A-Za-z ]*Error: (?=\{)/, '')) as Record<string, unknown>
    const text = (key: string): string | null => (typeof parsed[key] === 'string' ? parsed[key] : null)
    const message = text('exception_message') ?? ''
    // Of a name of more parts than it has, DuckDB gives any place.
    const position = message.startsWith('NameListToString') ? Number.NaN : Number(text('position') ?? Number.NaN)
    return {
      kind: text('exception_type') ?? 'Unknown',
      message,
      position: Number.isSafeInteger(position) ? position : null,
      name: text('name'),
      type: text('type'),
    }
  } catch {
    // While rows are fetched DuckDB doesn't heed the setting that gives errors as JSON.
    const plain = /^([A-Z][A-Za-z ]*) Error: ([^]*)$/.exec(error.message)
    return plain && { kind: plain[1] ?? '', message: plain[2] ?? '', position: null, name: null, type: null }
  }
}

/**
 * What is to be said when WebAssembly stopped in the middle of its work, as it does where one value asks for more memory than there
 * is; null for other errors. Nothing runs in that engine any more.
 */
export function stopped(error: unknown): EngineError | null {
  const cause = error instanceof EngineError ? error.cause : error
  if (!(cause instanceof WebAssembly.RuntimeError)) return null
  return new EngineError('out-of-memory', 'The statement needs more memory than the engine has.', {
    remedy: 'Ask for smaller values: a range of a billion numbers, or a text of a gigabyte, can’t be one value.',
    cause,
  })
}

/** A connection to a database: its temporary things and its settings no other sees. */
export class Connection {
  private readonly bindings: Bindings
  readonly id: number
  /** The share of its statement that is done, from 0 to 1; null where that isn’t known. */
  progress: () => number | null = () => null
  private running = false

  constructor(bindings: Bindings) {
    this.bindings = bindings
    this.id = bindings.connect().useUnsafe((_, id) => id)
  }

  /** Whether a query's rows are still being read: until then nothing else may run here. */
  get isRunning(): boolean {
    return this.running
  }

  /**
   * Runs statements and gives the last one's rows.
   * @throws {Error} DuckDB's, which `refusalOf` reads; the instance goes on
   */
  query(sql: string): RecordBatch[] {
    return readBatches(this.bindings.runQuery(this.id, sql))
  }

  /**
   * Runs one statement in slices and gives its rows, all of them in memory.
   * @param pause awaited between slices; what it throws ends the query
   */
  async queryInSlices(sql: string, pause: () => Promise<void>): Promise<RecordBatch[]> {
    const messages: Uint8Array[] = []
    for await (const message of this.messages(sql, false, pause)) if (message) messages.push(message)
    return readBatches(messages)
  }

  /**
   * Runs one statement and gives its rows as they come. Nothing else may run on the connection meanwhile.
   * @param pause awaited between slices; what it throws ends the query
   */
  async *stream(sql: string, pause: () => Promise<void>): AsyncGenerator<RecordBatch, void, undefined> {
    // What a query finds in a large table comes a few rows at a time: several are read at once, because the schema has to
    // be read with them. None waits while the engine works on.
    const held: Uint8Array[] = []
    let bytes = 0
    for await (const message of this.messages(sql, true, pause)) {
      if (message) {
        held.push(message)
        bytes += message.byteLength
      }
      if (held.length < 2 || (message && held.length < MESSAGES && bytes < MESSAGES_BYTES)) continue
      yield* readBatches(held)
      held.length = 1
      bytes = 0
    }
    if (held.length > 1) yield* readBatches(held)
  }

  /** Lets go of a query, and of the files that it reads. */
  private abandon(): void {
    this.bindings.cancelPendingQuery(this.id)
    // A result that was begun to be fetched is held until the connection's next query.
    this.bindings.runQuery(this.id, 'SELECT 1')
  }

  /** A query's Arrow IPC messages: the schema, then the batches. Null whenever there was nothing yet. */
  private async *messages(
    sql: string,
    stream: boolean,
    pause: () => Promise<void>,
  ): AsyncGenerator<Uint8Array | null, void, undefined> {
    let ended = false
    this.running = true
    try {
      let header = this.bindings.startPendingQuery(this.id, sql, stream)
      while (header === null) {
        header = this.bindings.pollPendingQuery(this.id)
        if (header === null) await pause()
      }
      yield header
      for (;;) {
        const message = this.bindings.fetchQueryResults(this.id)
        if (message?.length === 0) break
        yield message
        if (message === null) await pause()
      }
      ended = true
    } finally {
      this.running = false
      if (!ended) this.abandon()
    }
  }
}

/** One DuckDB instance with a connection of its own. Calls block the worker while they run. */
export class Database {
  readonly bindings: Bindings
  /** For what isn't ours: the statements of others. Its errors and its plans come in full, as JSON. */
  readonly guest: Connection
  /** As `guest`, for plans that are bound and not optimized. */
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
    // Settings of one connection: none can be made after the lock.
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
   * Runs statements and gives the last one's rows.
   * @throws {EngineError} with DuckDB's message; the instance goes on
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

  /** Makes a table of a batch; its columns keep their names. */
  insert(name: string, batch: RecordBatch): void {
    this.insertStream(RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true), { name, create: true })
  }

  /**
   * Makes a table of an Arrow IPC stream, or appends it to one: column by column, whatever their names.
   * @param connection by whose catalog the table's name is meant
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

  /** Lets SQL read a file under a path in the database's folder. In Node, where nothing reads files lazily, whole. */
  async registerFile(path: string, file: Blob): Promise<void> {
    if (this.bindings.registerFile) await this.bindings.registerFile(path, file)
    else if (typeof FileReaderSync === 'undefined') {
      this.bindings.registerFileBuffer(path, new Uint8Array(await file.arrayBuffer()))
    } else this.bindings.registerFileHandle(path, file, PROTOCOL.fileReader, true)
  }

  /** Whether something is in temporary files, as of a table that memory doesn't hold. */
  hasSpilled(): boolean {
    try {
      const [batch] = this.run('SELECT coalesce(sum(size), 0) > 0 FROM duckdb_temporary_files()')
      return batch?.getChildAt(0)?.get(0) === true
    } catch {
      // It has stopped.
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
