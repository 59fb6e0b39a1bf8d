import { formatBytes } from '../../../lib/bytes.ts'
import { unpackedName } from '../../../tables/names.ts'
import type { Compression } from '../../../tables/settings.ts'
import { EngineError } from '../../errors.ts'
import { openBytes } from '../../io/text-stream.ts'
import { onceAFile } from './once-a-file.ts'

/** What may come out of a compressed file that has to be read from any place of it. */
const MAX_UNPACKED = 256 * 1024 * 1024
/** Bytes to hand to a blob at once: browsers keep large blobs on the disk. */
const PIECE = 8 * 1024 * 1024

/**
 * The file that is in a compressed one, for formats that aren't read from their beginning to their end: workbooks and
 * databases.
 * @throws {EngineError} `too-large` as soon as there is more of it than can be unpacked, and what unpacking throws
 */
export const unpackedFile = onceAFile(unpackFile)

/** @param most bytes that may come out */
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
