import type { Entry } from '@zip.js/zip.js'
import { BackupError, MANIFEST, MANIFEST_HASH } from './format.ts'

/** Entries of a ZIP whose bytes lie in it as they are: a part of the file each, nothing is unpacked. */
export type Archive = ReadonlyMap<string, Blob>

const LOCAL_HEADER_BYTES = 30
const LOCAL_HEADER_SIGNATURE = 0x04034b50
const TABLE_ENTRY = /^(tables|extras\/[a-z]{1,32})\/[0-9]{1,8}\.duckdb$/

const NOT_A_BACKUP =
  'This isn’t a backup of Rowhouse, or it isn’t whole. Choose the file that “Download backup” gave you, as it was: it’s called “rowhouse-backup-….zip”.'
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
    const known = entry.filename === MANIFEST || entry.filename === MANIFEST_HASH || TABLE_ENTRY.test(entry.filename)
    if (!known || archive.has(entry.filename)) throw new BackupError('not-a-backup', NOT_A_BACKUP)
    if (entry.compressionMethod !== 0 || entry.encrypted || entry.compressedSize !== entry.uncompressedSize) {
      throw new BackupError(
        'not-a-backup',
        'This backup was packed again by another program. Choose the file as “Download backup” gave it to you.',
      )
    }
    claimed += entry.compressedSize
    // Entries can't be larger together than the file they're in, unless they lie over each other.
    if (claimed > file.size) throw new BackupError('damaged', DAMAGED)
    archive.set(entry.filename, await contentOf(file, entry))
  }
  if (!archive.has(MANIFEST) || !archive.has(MANIFEST_HASH)) throw new BackupError('not-a-backup', NOT_A_BACKUP)
  return archive
}

async function directoryOf(file: Blob): Promise<Entry[]> {
  const { BlobReader, ZipReader } = await import('@zip.js/zip.js')
  const reader = new ZipReader(new BlobReader(file), {
    strictness: 'strict',
    filenameValidation: 'strict',
    useWebWorkers: false,
  })
  try {
    return await reader.getEntries()
  } catch (cause) {
    throw new BackupError('not-a-backup', NOT_A_BACKUP, cause)
  } finally {
    await reader.close()
  }
}

async function contentOf(file: Blob, { filename, offset, compressedSize }: Entry): Promise<Blob> {
  const header = new DataView(await file.slice(offset, offset + LOCAL_HEADER_BYTES).arrayBuffer())
  if (header.byteLength < LOCAL_HEADER_BYTES || header.getUint32(0, true) !== LOCAL_HEADER_SIGNATURE) {
    throw new BackupError('damaged', DAMAGED)
  }
  const nameAt = offset + LOCAL_HEADER_BYTES
  const nameEnd = nameAt + header.getUint16(26, true)
  const start = nameEnd + header.getUint16(28, true)
  const end = start + compressedSize
  const name = await file.slice(nameAt, nameEnd).text()
  if (name !== filename || end > file.size) throw new BackupError('damaged', DAMAGED)
  return file.slice(start, end)
}

/** A backup whose bytes aren't right: `what` of it isn't. */
export function damaged(what: string): BackupError {
  return new BackupError('damaged', `${DAMAGED} What isn’t right is ${what}.`)
}

export function notABackup(cause?: unknown): BackupError {
  return new BackupError('not-a-backup', NOT_A_BACKUP, cause)
}
