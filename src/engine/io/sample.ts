import { concatBytes } from '../../lib/bytes.ts'
import type { Compression } from '../../tables/settings.ts'
import { openBytes } from './text-stream.ts'

/** The first bytes of a text file for detection, decompressed but in the file's own encoding. */
export async function readSample(
  file: Blob,
  options: { readonly compression: Compression | null; readonly size: number; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const slice of openBytes(file, { ...options, sliceSize: options.size })) {
    parts.push(slice)
    length += slice.length
    if (length >= options.size) break
  }
  const sample = parts.length === 1 ? parts[0] : concatBytes(parts)
  return sample.subarray(0, options.size)
}
