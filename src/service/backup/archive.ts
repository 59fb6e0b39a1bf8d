import { packedBytes, readDirectory, type ZipEntry, ZipError } from '../../lib/zip/read.ts'
import { BackupError, MANIFEST, MANIFEST_HASH } from './format.ts'

/** Entries of a ZIP whose bytes lie in it as they are: a part of the file each, nothing is unpacked. */
export type Archive = ReadonlyMap<string, Blob>

const TABLE_ENTRY = /^(tables|extras\/[a-z]{1,32})\/[0-9]{1,8}\.duckdb$/

const NOT_A_BACKUP =
  'This isn’t a backup of Rowhouse, or it isn’t whole. Use the file as “Download backup” or “rowhouse backup” made it.'
const DAMAGED =
  'The backup is damaged: its bytes aren’t those that were written. Copy or download it again from where it was kept.'

/**
 * Reads the directory of a backup. Only what `createBackup` writes is taken: stored entries of known names, none over
 * another, all within the file.
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
    // Entries can't be larger together than the file they're in, unless they lie over each other.
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

/** A backup whose bytes aren't right: `what` of it isn't. */
export function damaged(what: string): BackupError {
  return new BackupError('damaged', `${DAMAGED} What isn’t right is ${what}.`, undefined, `${what} isn’t right`)
}

export function notABackup(cause?: unknown): BackupError {
  return new BackupError('not-a-backup', NOT_A_BACKUP, cause)
}
