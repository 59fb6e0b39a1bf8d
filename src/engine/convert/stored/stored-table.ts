import type { RecordBatch } from 'apache-arrow'
import { quoteIdentifier, quoteText } from '../../../lib/duckdb-sql/names.ts'
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
import { checkpoint } from '../../../lib/yielding.ts'

/* Stores a table of a file in a database file of its own, for SQL to read. */

const MEMORY_LIMIT = '1GB'

/** A table's database file while it's being filled. End it with either `finish` or `discard`. */
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
   * @param engine must not fill another table meanwhile, and must not be reused if this fails
   * @param creationId the id under which the file is stored
   * @param columns as returned by `tableColumns`
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
      db.run(`ATTACH ${quoteText(path)} AS target`)
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
   * Completes the file, reads it again and compares.
   * @param expected fingerprint of the rows inserted
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

  /** Removes the file. Also works after `finish`. */
  async discard(): Promise<void> {
    await this.pending.discard()
  }

  /** The actual reason why filling failed: the disk's error, if there was one. */
  reason(error: unknown, { aborted }: AbortSignal): unknown {
    return aborted ? error : (this.pending.failure ?? error)
  }
}

interface StoredRows {
  /** The file's one table. */
  readonly name: string
  readonly columns: readonly Column[]
  /** Fingerprint of the rows inserted. */
  readonly expected: TableFingerprint
}

/**
 * Reads a table's file as later queries will, and compares it with what was inserted.
 * @throws {EngineError} `verification` if they differ, or if it can't be read
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
  return new EngineError('verification', 'The stored table isn’t what was read, so nothing was kept.', {
    remedy: 'Make sure that there’s room on the disk, and try again.',
    details,
    cause,
  })
}

/** Milliseconds for which an idle engine is kept: a dataset's files come one after another. */
const KEPT_MS = 10_000

let waiting: FileEngine | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** The engine last returned, or a new one, since starting one takes longer than loading most files. */
export async function takeEngine(): Promise<FileEngine> {
  const taken = waiting
  waiting = null
  clearTimeout(timer)
  if (taken) return taken
  const folder = `/${crypto.randomUUID()}/`
  return { db: await openDatabase({ folder, memoryLimit: MEMORY_LIMIT }), folder }
}

/** Returns an engine for reuse, unless something failed in it. */
export function giveEngine(engine: FileEngine): void {
  waiting = engine
  clearTimeout(timer)
  timer = setTimeout(() => (waiting = null), KEPT_MS)
}
