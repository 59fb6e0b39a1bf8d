import { formatBytes } from '../../../lib/bytes.ts'
import {
  type ByteSource,
  placeOf,
  readDirectory,
  unpackedBytes,
  type ZipEntry,
  ZipError,
} from '../../../lib/zip/read.ts'
import { EngineError, fileChanged } from '../../errors.ts'

/** A zip archive's directory, with case-insensitive names as in Excel. */
export interface ZipArchive {
  readonly file: Blob
  readonly entries: ReadonlyMap<string, ZipEntry>
}

/** Deflate's maximum ratio is 1,032; sheets have 5 to 30, and large ones never come near 500. */
const MAX_RATIO = 500
const RATIO_FROM = 64 * 1024 * 1024

const REPAIR =
  'Download or copy the file again; if that doesn’t help, open it in Excel or LibreOffice and save it again.'

export function corrupt(message: string, place?: string, cause?: unknown): EngineError {
  return new EngineError('corrupt-file', message, { remedy: REPAIR, place, cause })
}

/** Converts errors of the archive to the engine's. */
export async function withZipErrors<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (cause) {
    if (!(cause instanceof ZipError)) throw fileChanged(cause)
    if (cause.code === 'damaged') throw corrupt(cause.message, cause.place, cause.cause)
    throw new EngineError('too-large', cause.message, { remedy: REPAIR, cause })
  }
}

/** @throws {EngineError} `corrupt-file`, or `too-large` if the directory is larger than any workbook's */
export async function openZip(file: Blob): Promise<ZipArchive> {
  const entries = await withZipErrors(readDirectory(file))
  return { file, entries: new Map(entries.map((entry) => [entry.name.toLowerCase(), entry])) }
}

/**
 * Opens an entry as a stream of unpacked bytes.
 * @param limit maximum unpacked bytes; a declared or real size above it is refused
 * @throws {EngineError} here and while reading: `corrupt-file`, `password-protected`, `too-large`, `file-changed`
 */
export async function openEntry(zip: ZipArchive, entry: ZipEntry, limit: number): Promise<ByteSource> {
  const place = placeOf(entry.name)
  if (entry.encrypted) {
    throw new EngineError('password-protected', 'The file is a password-protected zip archive.', {
      place,
      remedy: 'Unpack it with its password first, then add the workbook that is in it.',
    })
  }
  if (entry.method !== 0 && entry.method !== 8) {
    throw new EngineError(
      'unsupported-format',
      `The archive packs a part in a way (${entry.method}) that workbooks don’t use.`,
      {
        place,
        remedy: 'Open it in Excel or LibreOffice and save it as .xlsx again.',
      },
    )
  }
  // The declared size is checked before unpacking, and enforced while unpacking.
  if (entry.size > limit) throw tooLarge(entry.size, limit, place)
  if (entry.size > RATIO_FROM && entry.size > entry.compressedSize * MAX_RATIO) {
    throw new EngineError(
      'too-large',
      `A part of the workbook unpacks to ${formatBytes(entry.size)}, over 500 times its size, as archive bombs do.`,
      {
        place,
        remedy: 'Don’t open it unless you trust where it comes from; if you do, save it again in Excel or LibreOffice.',
      },
    )
  }
  const source = await withZipErrors(unpackedBytes(zip.file, entry))
  return {
    get consumed() {
      return source.consumed
    },
    read: () => withZipErrors(source.read()),
    cancel: () => source.cancel(),
  }
}

function tooLarge(size: number, limit: number, place: string): EngineError {
  return new EngineError(
    'too-large',
    `A part of the workbook unpacks to ${formatBytes(size)}; up to ${formatBytes(limit)} can be read safely.`,
    { place, remedy: 'Split the workbook into smaller ones, or export the sheet as CSV.' },
  )
}
