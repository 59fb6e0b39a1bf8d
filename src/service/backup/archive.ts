import { packedBytes, readDirectory, type ZipEntry, ZipError } from '../../lib/zip/read.ts'
import { BackupError, MANIFEST, MANIFEST_HASH } from './format.ts'

/** Stored (uncompressed) ZIP entries, each as a slice of the file. */
export type Archive = ReadonlyMap<string, Blob>

const TABLE_ENTRY = /^(tables|extras\/[a-z]{1,32})\/[0-9]{1,8}\.duckdb$/

const NOT_A_BACKUP =
  'This isn’t a backup of Rowhouse, or it isn’t whole. Use the file as “Download backup” or “rowhouse backup” made it.'
const DAMAGED =
  'The backup is damaged: its bytes aren’t those that were written. Copy or download it again from where it was kept.'

/**
 * Reads the directory of a backup. Accepts only what `createBackup` writes: stored entries with known names, within the
 * file and without overlaps.
 * @throws {BackupError} `not-a-backup`, `damaged`
 */
export async function openArchive(file: Blob): Promise<Archive> {
  const entries = await directoryOf(file)
  const archive = new Map<string, Blob>()
  let claimed = 0
  for (const entry of entries) {
    const known = entry.name === MANIFEST || entry.name === MANIFEST_HASH || TABLE_ENTRY.test(entry.name)
    if (!known || archive.has(entry.name)) throw new BackupError('not-a-backup', NOT_A_BACKUP)
    if (entry.method !== 0 || entry.encrypted || entry.compressedSize !== entry.size) {
      throw new BackupError(
        'not-a-backup',
        'This backup was packed again by another program. Use the file as “Download backup” or “rowhouse backup” made it.',
      )
    }
    claimed += entry.compressedSize
    // Larger in total than the file: entries overlap.
    if (claimed > file.size) throw new BackupError('damaged', DAMAGED)
    archive.set(entry.name, await contentOf(file, entry))
  }
  if (!archive.has(MANIFEST) || !archive.has(MANIFEST_HASH)) throw new BackupError('not-a-backup', NOT_A_BACKUP)
  return archive
}

async function directoryOf(file: Blob): Promise<ZipEntry[]> {
  try {
    return await readDirectory(file)
  } catch (cause) {
    throw notABackup(cause)
  }
}

async function contentOf(file: Blob, entry: ZipEntry): Promise<Blob> {
  try {
    return await packedBytes(file, entry)
  } catch (cause) {
    throw cause instanceof ZipError ? new BackupError('damaged', DAMAGED, cause) : cause
  }
}

/** The error for damaged bytes; `what` says which part. */
export function damaged(what: string): BackupError {
  return new BackupError('damaged', `${DAMAGED} What isn’t right is ${what}.`, undefined, `${what} isn’t right`)
}

export function notABackup(cause?: unknown): BackupError {
  return new BackupError('not-a-backup', NOT_A_BACKUP, cause)
}
