import { compareFingerprints } from '../../tables/compare.ts'
import type { TableFingerprint } from '../../tables/receipt.ts'
import type { Column } from '../../tables/types.ts'
import { Fingerprinter } from '../arrow/fingerprint.ts'
import { EngineError } from '../errors.ts'
import type { FileEngine } from '../formats/duckdb/attached.ts'
import { readKnown } from '../formats/duckdb/reader.ts'

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
  return new EngineError('verification', 'What was kept of the table isn’t what was read, so nothing is kept of it.', {
    remedy: 'Make sure that there’s room on the disk, and try again.',
    details,
    cause,
  })
}
