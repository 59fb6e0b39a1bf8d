import { asError } from '../../lib/errors.ts'
import duckdb, { type Connection, type Database, type PreparedStatement, type Result } from '@duckdb/node-bindings'
import { Field, makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from 'apache-arrow'
import { concatBytes } from '../../lib/bytes.ts'
import { registerFunctions } from './functions.ts'
import type { Ask } from './protocol.ts'
import { readChunk, readerOf } from './vectors.ts'

/* DuckDB itself, in a thread that may block on it. */

const { StatementType } = duckdb

/** How long rows are collected before they are sent, in milliseconds, and the most of DuckDB's chunks at once. */
const GATHER_MS = 5
const GATHER_CHUNKS = 16

/** Interval for repeating an interrupt, in milliseconds. */
const INTERRUPT_MS = 5

/** The end of an Arrow stream: messages are longer. */
const STREAM_END = 8

type Bytes = Uint8Array<ArrayBuffer>

export class Engine {
  private readonly connections = new Map<number, Open>()
  private readonly database: Promise<Database> = open()

  /** @throws {Error} DuckDB's error, mostly as JSON because of `errors_as_json` */
  async do(connection: number, ask: Ask): Promise<Bytes | null> {
    const known = this.connections.get(connection) ?? new Open(this.database.then((each) => duckdb.connect(each)))
    this.connections.set(connection, known)
    try {
      return await known.inTurn(ask)
    } catch (error) {
      throw asJson(error)
    }
  }

  interrupt(connection: number): void {
    this.connections.get(connection)?.interrupt()
  }
}

const ERROR = /^(?:Failed to extract statements: )?(?:([A-Za-z ]+) Error: )?([^]*)$/

function asJson(error: unknown): Error {
  const [, kind = 'Unknown', message = ''] = ERROR.exec(asError(error).message) ?? []
  if (message.startsWith('{')) return new Error(message)
  return new Error(JSON.stringify({ exception_type: kind, exception_message: message }))
}

async function open(): Promise<Database> {
  const config = configuration()
  const database = await holding(config, duckdb.open(':memory:', config))
  // By default, it's the machine's time zone.
  const connection = await duckdb.connect(database)
  await holding(connection, duckdb.query(connection, "SET GLOBAL TimeZone = 'UTC'"))
  return database
}

const held = new Set<unknown>()

/** Keeps an argument from being garbage collected during a call: the library would free it. */
async function holding<T>(given: object, call: Promise<T>): Promise<T> {
  held.add(given)
  try {
    return await call
  } finally {
    held.delete(given)
  }
}

/** Settings that can't be changed once the database is open. */
function configuration(): ReturnType<typeof duckdb.create_config> {
  const config = duckdb.create_config()
  // With more threads, the order of groups, and the last digits of sums of fractions, would differ from the page's.
  for (const [name, value] of [
    ['threads', '1'],
    ['autoinstall_known_extensions', 'false'],
    ['autoload_known_extensions', 'false'],
    ['allow_community_extensions', 'false'],
    ['allow_persistent_secrets', 'false'],
    // No spilling to the disk: as in the page, a statement that exceeds the memory fails.
    ['temp_directory', ''],
  ] as const)
    duckdb.set_config(config, name, value)
  return config
}

/** A connection, whose requests run one after another. */
class Open {
  private readonly opened: Promise<Connection>
  private turn: Promise<unknown> = Promise.resolve()
  private running: Rows | null = null
  private connection: Connection | null = null

  constructor(opened: Promise<Connection>) {
    this.opened = opened
  }

  inTurn(ask: Ask): Promise<Bytes | null> {
    const done = this.turn.then(async () => {
      this.connection ??= await this.opened
      return this.do(this.connection, ask)
    })
    this.turn = done.catch(() => undefined)
    return done
  }

  /**
   * Interrupts the running request. DuckDB ignores it before the statement has begun, so it's repeated until there's a
   * response.
   */
  interrupt(): void {
    const { connection, turn } = this
    if (!connection) return
    const tell = (): void => duckdb.interrupt(connection)
    tell()
    const again = setInterval(tell, INTERRUPT_MS)
    void turn.then(() => clearInterval(again))
  }

  private async do(connection: Connection, ask: Ask): Promise<Bytes | null> {
    switch (ask.do) {
      case 'connect':
        return null
      case 'register':
        registerFunctions(connection)
        return null
      case 'query': {
        this.running = null
        const rows = await run(connection, ask.sql, ask.several)
        return rows.all()
      }
      case 'start':
        this.running = null
        this.running = await run(connection, ask.sql, false)
        return this.running.schema()
      case 'fetch':
        return (await this.running?.next()) ?? new Uint8Array(0)
    }
  }
}

/**
 * Runs the statements of a text, and returns the rows of the last one.
 * @param several whether there may be several. PIVOT always counts as several, since it first creates types from the
 * data.
 */
async function run(connection: Connection, sql: string, several: boolean): Promise<Rows> {
  const { extracted_statements: statements, statement_count: count } = await duckdb.extract_statements(connection, sql)
  // Comments alone are no statement, and no error either.
  if (count === 0) throw new Error(/\S/.test(sql) ? duckdb.extract_statements_error(statements) : '')
  for (let i = 0; i < count - 1; i++) {
    const statement = await holding(statements, duckdb.prepare_extracted_statement(connection, statements, i))
    if (!several && !isPart(statement)) throw new Error('there are several statements')
    await holding(statement, duckdb.execute_prepared(statement))
  }
  const last = await holding(statements, duckdb.prepare_extracted_statement(connection, statements, count - 1))
  const values = duckdb.nparams(last)
  if (values > 0) throw new Error(`Invalid Input Error: Expected ${values} parameters, but none were supplied`)
  return new Rows(await holding(last, duckdb.execute_prepared_streaming(last)), last)
}

const isPart = (statement: PreparedStatement): boolean =>
  duckdb.prepared_statement_type(statement) === StatementType.CREATE

/** A result's rows as messages of an Arrow stream. */
class Rows {
  private readonly result: Result
  private readonly readers: ReturnType<typeof readerOf>[]
  private readonly empty: Schema
  private readonly header: Bytes
  /** DuckDB's C API frees a statement's tables with the statement. */
  readonly statement: PreparedStatement

  constructor(result: Result, statement: PreparedStatement) {
    this.result = result
    this.statement = statement
    const columns = Array.from({ length: duckdb.column_count(result) }, (_, i) => i)
    this.readers = columns.map((i) => readerOf(duckdb.column_logical_type(result, i)))
    this.empty = new Schema(this.readers.map(({ type }, i) => new Field(duckdb.column_name(result, i), type, true)))
    this.header = withoutEnd(written(this.empty, []))
  }

  schema(): Bytes {
    return this.header.slice()
  }

  /** Some of the rows; no bytes after the last. */
  async next(): Promise<Bytes> {
    const parts: Bytes[] = []
    const begun = performance.now()
    while (parts.length < GATHER_CHUNKS && (parts.length === 0 || performance.now() - begun < GATHER_MS)) {
      const chunk = await holding(this.result, duckdb.fetch_chunk(this.result))
      const rows = chunk ? duckdb.data_chunk_get_size(chunk) : 0
      if (!chunk || rows === 0) break
      const data = makeData({
        type: new Struct(this.empty.fields),
        length: rows,
        nullCount: 0,
        children: readChunk(chunk, this.readers),
      })
      const stream = written(this.empty, [new RecordBatch(this.empty, data)])
      parts.push(withoutEnd(stream).subarray(this.header.length))
    }
    return concatBytes(parts)
  }

  async all(): Promise<Bytes> {
    const parts = [this.schema()]
    for (let part = await this.next(); part.length > 0; part = await this.next()) parts.push(part)
    return concatBytes(parts)
  }
}

function written(schema: Schema, batches: readonly RecordBatch[]): Bytes {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  for (const batch of batches) writer.write(batch)
  writer.finish()
  return writer.toUint8Array(true) as Bytes
}

const withoutEnd = (stream: Bytes): Bytes => stream.subarray(0, stream.length - STREAM_END)
