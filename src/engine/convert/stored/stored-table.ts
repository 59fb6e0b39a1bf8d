import type { RecordBatch } from 'apache-arrow'
import { checkpoint } from '../../../lib/abort.ts'
import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { compareFingerprints } from '../../../tables/compare.ts'
import type { TableFingerprint } from '../../../tables/receipt.ts'
import { printType, type Column } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import type { FileEngine } from '../../formats/duckdb/attached.ts'
import { readKnown } from '../../formats/duckdb/reader.ts'
import { Inserter } from '../../storage/inserter.ts'
import { openDatabase } from '../../storage/open-database.ts'
import { physicalName } from '../../storage/file-names.ts'
import type { PendingTable, TableStorage } from '../../storage/tables.ts'
import { Fingerprinter } from '../fingerprint/fingerprint.ts'

/* A table of a file as a database file of its own, which SQL reads. */

const MEMORY_LIMIT = '1GB'

/** A table's database file, being filled. Exactly one of `finish` and `discard` ends it. */
export class TableFilling {
  readonly fileId: string
  private readonly engine: FileEngine
  private readonly pending: PendingTable
  private readonly rows: Omit<StoredRows, 'expected'>
  private readonly insert: Inserter

  private constructor(engine: FileEngine, pending: PendingTable, rows: Omit<StoredRows, 'expected'>) {
    this.engine = engine
    this.pending = pending
    this.fileId = pending.fileId
    this.rows = rows
    this.insert = new Inserter(engine.db, rows.name)
  }

  /**
   * @param engine fills no other table meanwhile; where this fails, it isn't to be used again
   * @param creationId the file is kept under it
   * @param columns as `tableColumns` gives them
   */
  static async begin(
    engine: FileEngine,
    storage: TableStorage,
    creationId: string,
    columns: readonly Column[],
  ): Promise<TableFilling> {
    const { db, folder } = engine
    const path = `${folder}${crypto.randomUUID()}.db`
    const pending = await storage.create(creationId, db, path)
    const name = physicalName(pending.fileId)
    try {
      db.run(`ATTACH '${path}' AS target`)
      db.run('USE target')
      const definitions = columns.map((column) => `${quoteIdentifier(column.name)} ${printType(column.type)}`)
      db.run(`CREATE TABLE ${name} (${definitions.join(', ')})`)
      db.run('BEGIN')
    } catch (error) {
      await pending.discard().catch(() => undefined)
      throw pending.failure ?? error
    }
    return new TableFilling(engine, pending, { name, columns })
  }

  add(batch: RecordBatch): void {
    this.insert.add(batch)
  }

  /**
   * Makes the file whole, reads it again and compares.
   * @param expected what went in
   * @throws {EngineError} `verification`, `out-of-space`
   */
  async finish(expected: TableFingerprint, signal: AbortSignal): Promise<File> {
    const { db } = this.engine
    this.insert.flush()
    db.run('COMMIT')
    await checkpoint(signal)
    db.run('CHECKPOINT target')
    db.run('USE memory')
    db.run('DETACH target')
    const stored = await this.pending.commit()
    if (this.pending.failure) throw this.pending.failure
    await verifyStored(stored, { ...this.rows, expected }, this.engine, signal)
    return stored
  }

  /** Leaves nothing. Also after `finish`. */
  async discard(): Promise<void> {
    await this.pending.discard()
  }

  /** Why filling it really failed: the disk, where it was that. */
  reason(error: unknown, { aborted }: AbortSignal): unknown {
    return aborted ? error : (this.pending.failure ?? error)
  }
}

export interface StoredRows {
  /** The file's one table. */
  readonly name: string
  readonly columns: readonly Column[]
  /** What went into it. */
  readonly expected: TableFingerprint
}

/**
 * Reads a table's file as whoever queries it will, and compares every row with what went in.
 * @throws {EngineError} `verification` when they differ, or when it can't be read
 */
export async function verifyStored(
  file: File,
  { name, columns, expected }: StoredRows,
  engine: FileEngine,
  signal: AbortSignal,
): Promise<void> {
  const found = new Fingerprinter(columns)
  const context = { signal, progress: () => undefined }
  try {
    const batches = readKnown(file, { name, rows: expected.rows, columns }, engine, context)
    for await (const { batch } of batches) found.add(batch)
  } catch (cause) {
    signal.throwIfAborted()
    throw notKept(undefined, cause)
  }
  const differences = compareFingerprints(expected, found.finish())
  if (differences.length > 0) throw notKept(differences)
}

function notKept(details: unknown, cause?: unknown): EngineError {
  return new EngineError('verification', 'What was stored of the table isn’t what was read, so nothing was kept.', {
    remedy: 'Make sure that there’s room on the disk, and try again.',
    details,
    cause,
  })
}

/** Milliseconds that an engine waits for the next table: a dataset's files come one after another. */
const KEPT_MS = 10_000

let waiting: FileEngine | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** The engine that was handed back last, or a new one: starting one takes longer than loading most files. */
export async function takeEngine(): Promise<FileEngine> {
  const taken = waiting
  waiting = null
  clearTimeout(timer)
  if (taken) return taken
  const folder = `/${crypto.randomUUID()}/`
  return { db: await openDatabase({ folder, memoryLimit: MEMORY_LIMIT }), folder }
}

/** Hands an engine back, as it was. One in which something failed isn't. */
export function giveEngine(engine: FileEngine): void {
  waiting = engine
  clearTimeout(timer)
  timer = setTimeout(() => (waiting = null), KEPT_MS)
}
