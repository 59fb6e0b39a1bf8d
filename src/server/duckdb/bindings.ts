import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { once } from 'node:events'
import { readBatches } from '../../engine/arrow/batch.ts'
import type { Bindings } from '../../engine/storage/database.ts'
import type { Files } from './files.ts'
import type { Ask, FromThread, ThreadData, ToThread } from './protocol.ts'
import { tokensOf, type Tokens } from './tokens.ts'

/** Milliseconds of waiting for a pending query before yielding to messages. */
const POLL_MS = 10

/** The connection for our own statements. The ids of others are counted up. */
const OWN = 0

/** A query in progress on a connection. */
interface Pending {
  /** Id of the request to answer. */
  id: number
  begun: boolean
}

/**
 * The native DuckDB library with the interface of DuckDB-WASM's bindings, whose calls are synchronous: the library runs
 * in its own thread.
 */
export class NativeBindings implements Bindings {
  private readonly thread: Worker
  private readonly port: MessagePort
  private readonly answered = new Int32Array(new SharedArrayBuffer(4))
  private readonly answers = new Map<number, FromThread>()
  /** Requests whose responses nobody waits for any more. */
  private readonly unwanted = new Set<number>()
  private readonly pending = new Map<number, Pending>()
  private readonly files: Files
  private keywords: ReadonlySet<string> | null = null
  private asked = 0
  private connections = 0

  /**
   * @param script the thread's script
   * @param files makes files available under the names that statements use
   */
  constructor(script: string, files: Files) {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    this.files = files
    const workerData: ThreadData = { port: port2, answered: this.answered.buffer }
    this.thread = new Worker(script, { workerData, transferList: [port2], stdout: true, stderr: true, env: {} })
    this.port.unref()
    this.thread.unref()
  }

  /**
   * Resolves when the thread has loaded the library. Before that, nothing may block on it, because its failure couldn't
   * be received.
   */
  async ready(): Promise<void> {
    await once(this.thread, 'message')
  }

  open(): void {
    // The first connection opens the database.
  }

  connect(): { useUnsafe(callback: (bindings: unknown, connection: number) => number): number } {
    const connection = this.connections++
    this.waitFor(this.ask(connection, { do: 'connect' }))
    return { useUnsafe: (callback) => callback(this, connection) }
  }

  runQuery(connection: number, sql: string): Uint8Array {
    return this.waitFor(this.ask(connection, { do: 'query', sql, several: connection === OWN })) ?? new Uint8Array(0)
  }

  /** Registers our functions. */
  register(connection: number): void {
    this.waitFor(this.ask(connection, { do: 'register' }))
  }

  startPendingQuery(connection: number, sql: string): Uint8Array | null {
    this.pending.set(connection, { id: this.ask(connection, { do: 'start', sql }), begun: false })
    return this.pollPendingQuery(connection)
  }

  pollPendingQuery(connection: number): Uint8Array | null {
    const pending = this.pendingOf(connection)
    const answer = this.taken(pending.id, POLL_MS)
    if (answer !== null) pending.begun = true
    return answer
  }

  cancelPendingQuery(connection: number): boolean {
    const pending = this.pending.get(connection)
    this.pending.delete(connection)
    if (!pending) return false
    this.send({ interrupt: connection })
    if (!this.answers.delete(pending.id)) this.unwanted.add(pending.id)
    return true
  }

  fetchQueryResults(connection: number): Uint8Array | null {
    const pending = this.pendingOf(connection)
    if (pending.begun) {
      pending.id = this.ask(connection, { do: 'fetch' })
      pending.begun = false
    }
    const answer = this.taken(pending.id, POLL_MS)
    if (answer !== null) pending.begun = true
    if (answer?.length === 0) this.pending.delete(connection)
    return answer
  }

  tokenize(sql: string): Tokens {
    return tokensOf(sql, (this.keywords ??= this.readKeywords()))
  }

  insertArrowFromIPCStream(): void {
    throw new Error('this engine only reads tables')
  }

  registerFileHandle(): void {
    throw new Error('this engine reads files of the disk')
  }

  registerFileBuffer(): void {
    throw new Error('this engine reads files of the disk')
  }

  copyFileToBuffer(): never {
    throw new Error('this engine writes no files')
  }

  dropFile(name: string): void {
    this.files.drop(name)
  }

  registerFile(name: string, file: Blob): Promise<void> {
    return this.files.link(name, file)
  }

  private readKeywords(): ReadonlySet<string> {
    const batches = readBatches(this.runQuery(OWN, 'SELECT keyword_name FROM duckdb_keywords()'))
    return new Set(batches.flatMap((batch) => Array.from(batch.getChildAt(0) ?? [], String)))
  }

  private pendingOf(connection: number): Pending {
    const pending = this.pending.get(connection)
    if (!pending) throw new Error('no query is under way')
    return pending
  }

  private ask(connection: number, ask: Ask): number {
    const id = this.asked++
    this.send({ id, connection, ask })
    return id
  }

  private send(message: ToThread): void {
    this.port.postMessage(message)
  }

  private waitFor(id: number): Uint8Array | null {
    return this.taken(id, Number.POSITIVE_INFINITY)
  }

  /** A response; null if there's none in time. @throws {Error} DuckDB's */
  private taken(id: number, milliseconds: number): Uint8Array | null {
    const until = performance.now() + milliseconds
    for (;;) {
      const seen = Atomics.load(this.answered, 0)
      this.receive()
      const answer = this.answers.get(id)
      if (answer) {
        this.answers.delete(id)
        if ('error' in answer) throw new Error(answer.error)
        return answer.bytes ?? new Uint8Array(0)
      }
      const left = until - performance.now()
      if (left <= 0) return null
      Atomics.wait(this.answered, 0, seen, left)
    }
  }

  private receive(): void {
    for (let got = receiveMessageOnPort(this.port); got; got = receiveMessageOnPort(this.port)) {
      const answer = got.message as FromThread
      if (!this.unwanted.delete(answer.id)) this.answers.set(answer.id, answer)
    }
  }
}
