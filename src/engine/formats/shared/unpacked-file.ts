import { formatBytes } from '../../../lib/bytes.ts'
import type { Compression } from '../../../tables/settings.ts'
import { EngineError } from '../../errors.ts'
import { openBytes } from '../../io/text-stream.ts'
import { onceAFile } from './once-a-file.ts'
import { unpackedName } from '../../../tables/file-names.ts'

/** Maximum unpacked size of a compressed file that needs random access. */
const MAX_UNPACKED = 256 * 1024 * 1024
/** Bytes passed to a blob at once. Browsers keep large blobs on disk. */
const PIECE = 8 * 1024 * 1024

/**
 * Unpacks a compressed file for formats that need random access: workbooks and databases.
 * @throws {EngineError} `too-large` as soon as the limit is exceeded, and errors of unpacking
 */
export const unpackedFile = onceAFile(unpackFile)

/** @param most maximum unpacked size in bytes */
export async function unpackFile(
  file: File,
  compression: Compression,
  signal: AbortSignal,
  most = MAX_UNPACKED,
): Promise<File> {
  const blobs: Blob[] = []
  let parts: Uint8Array<ArrayBuffer>[] = []
  let [size, held] = [0, 0]
  for await (const part of openBytes(file, { compression, signal })) {
    signal.throwIfAborted()
    size += part.length
    if (size > most) throw tooLarge(file, compression, most)
    parts.push(part.slice())
    held += part.length
    if (held < PIECE) continue
    blobs.push(new Blob(parts))
    parts = []
    held = 0
  }
  return new File([...blobs, ...parts], unpackedName(file.name), { lastModified: file.lastModified })
}

function tooLarge({ name, size }: File, compression: Compression, most: number): EngineError {
  return new EngineError(
    'too-large',
    `“${name}” has ${formatBytes(size)} and unpacks to over ${formatBytes(most)}, the most that can be unpacked of a ${compression} archive of this kind.`,
    {
      remedy: 'If you trust where it comes from, unpack it first, then add the file that is in it.',
    },
  )
}
