import { tableFromIPC, type RecordBatch, RecordBatchStreamWriter } from 'apache-arrow'
import { EngineError } from '../errors.ts'

/** The part of DuckDB-WASM's blocking bindings that we use. */
export interface Bindings {
  open(config: { path: string }): void
  connect(): { useUnsafe(callback: (bindings: unknown, connection: number) => number): number }
  runQuery(connection: number, sql: string): Uint8Array
  insertArrowFromIPCStream(connection: number, buffer: Uint8Array, options: { name: string; create: boolean }): void
}

/**
 * Makes every error a clean one. A failed fetch of an extension corrupts the instance, and turning autoload off isn't
 * enough, because some functions try to load one all the same: so nothing may be reached at all.
 */
const LOCK_DOWN = `
  SET autoload_known_extensions=false;
  SET autoinstall_known_extensions=false;
  SET enable_external_access=false;
  SET lock_configuration=true;
`

/** One DuckDB instance with one connection. Calls block the worker while they run. */
export class Database {
  private readonly bindings: Bindings
  private readonly connection: number

  private constructor(bindings: Bindings, connection: number) {
    this.bindings = bindings
    this.connection = connection
  }

  static start(bindings: Bindings): Database {
    bindings.open({ path: ':memory:' })
    const connection = bindings.connect().useUnsafe((_, id) => id)
    const database = new Database(bindings, connection)
    database.run(LOCK_DOWN)
    return database
  }

  /**
   * Runs statements and gives the last one's rows.
   * @throws {EngineError} with DuckDB's message; the instance goes on
   */
  run(sql: string): RecordBatch[] {
    try {
      return tableFromIPC(this.bindings.runQuery(this.connection, sql)).batches
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause)
      const memory = /out of memory/i.test(text)
      throw new EngineError(memory ? 'out-of-memory' : 'internal', `The query engine refused: ${text}`, {
        ...(memory ? { remedy: 'Leave out the columns with the longest values, or split the file.' } : {}),
        cause,
      })
    }
  }

  /** Makes a table of a batch; its columns keep their names. */
  insert(name: string, batch: RecordBatch): void {
    const ipc = RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true)
    this.bindings.insertArrowFromIPCStream(this.connection, ipc, { name, create: true })
    // An empty buffer ends the stream.
    this.bindings.insertArrowFromIPCStream(this.connection, new Uint8Array(0), { name, create: true })
  }
}
