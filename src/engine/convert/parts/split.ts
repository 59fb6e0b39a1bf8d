import { concatBytes } from '../../../lib/bytes.ts'
import type { Cutter, FilePart } from '../../formats/types.ts'
import { openText } from '../../io/text-stream.ts'

/** Work for a few hundredths of a second: neither thread waits long for the other at the end. Bytes. */
const LARGEST_PART = 2 * 1024 * 1024
/** Below, handing a part over costs more than it spares. Bytes. */
const SMALLEST_PART = 128 * 1024
/** So many parts, at least, keep two threads about equally long at work. */
const PARTS = 16
const SLICE = 8 * 1024 * 1024

/**
 * A UTF-8 file in parts of whole rows.
 * @param size of a part, about; for tests
 */
export async function* splitFile(
  file: Blob,
  cut: Cutter,
  { signal, size = partSize(file.size) }: { readonly signal: AbortSignal; readonly size?: number },
): AsyncGenerator<FilePart, void, undefined> {
  /** Of the next part, in slices. */
  let begun: Uint8Array[] = []
  let length = 0
  let index = 0
  let from = 0
  let read = 0
  const part = (): FilePart => {
    const bytes = begun.length === 1 ? begun[0] : concatBytes(begun)
    const made = { index: index++, from, bytes }
    from += length
    begun = []
    length = 0
    return made
  }
  const add = (bytes: Uint8Array): void => {
    begun.push(bytes)
    length += bytes.length
  }
  const slices = openText(file, {
    compression: null,
    encoding: 'utf-8',
    signal,
    sliceSize: SLICE,
    onBytes: (bytes) => (read = bytes),
  })
  for await (const slice of slices) {
    // The file's beginning may be a byte order mark, which the text is without.
    if (index === 0 && length === 0) from = read - slice.length
    const base = from + length
    let at = 0
    while (slice.length - at + length >= size) {
      const end = cut(slice, Math.max(at, at + size - length), base)
      if (end < 0) break
      add(slice.subarray(at, end))
      yield part()
      at = end
    }
    if (at < slice.length) add(slice.subarray(at))
  }
  if (length > 0) yield part()
}

const partSize = (file: number): number => Math.max(SMALLEST_PART, Math.min(LARGEST_PART, Math.ceil(file / PARTS)))
