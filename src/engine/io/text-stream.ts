import { concatBytes } from '../../lib/bytes.ts'
import { fileChanged } from '../errors.ts'
import type { Compression } from '../../tables/settings.ts'
import { unpack } from './compression.ts'
import { readBytes } from './read-bytes.ts'
import { Utf8, type Transcoder } from './utf8.ts'

export interface TextOptions {
  readonly compression: Compression | null
  /** One of `ENCODINGS`, or another WHATWG label. */
  readonly encoding: string
  readonly signal: AbortSignal
  /** Called with the number of the file's bytes read so far; compressed bytes if it is compressed. */
  readonly onBytes?: (bytes: number) => void
  /** How many bytes to read at a time; for tests. */
  readonly sliceSize?: number
}

/**
 * How much of a file is taken at a time: little at first, for a preview's sake, then more. Chromium reads 16 MB at a
 * time twice as fast as 1 MB.
 */
const FIRST_SLICE = 1024 * 1024
const LARGEST_SLICE = 16 * 1024 * 1024

/**
 * Streams a text file as UTF-8, 1 to 16 MB at a time, without its byte order mark. Others may have the same bytes: they
 * stay as they are.
 *
 * What isn't text in the file's encoding arrives as bytes that aren't UTF-8 (those of the file itself, or 0xFF): never
 * as U+FFFD, which couldn't be told from a character of the file. Whoever makes strings of the bytes checks them with
 * `findInvalidUtf8`. A character may be split between two slices.
 * @throws {EngineError} `corrupt-file` for damaged compressed data, `file-changed` when the file can't be read any
 * more, `not-text` for an encoding that isn't known
 */
export async function* openText(file: Blob, options: TextOptions): AsyncGenerator<Uint8Array, void, void> {
  const transcoder = await openTranscoder(options.encoding)
  for await (const slice of openBytes(file, options)) {
    options.signal.throwIfAborted()
    const text = transcoder.push(slice)
    if (text.length > 0) yield text
  }
  const rest = transcoder.end()
  if (rest.length > 0) yield rest
}

/**
 * What turns the text to UTF-8; what knows other encodings is loaded when one is met.
 * @throws {EngineError} `not-text` for an encoding that isn't known
 */
export async function openTranscoder(encoding: string): Promise<Transcoder> {
  return encoding === 'utf-8' ? new Utf8() : (await import('./transcode.ts')).makeTranscoder(encoding)
}

/** A text file's bytes in slices, decompressed but in the file's own encoding. */
export function openBytes(file: Blob, options: Omit<TextOptions, 'encoding'>): AsyncIterable<Uint8Array> {
  const slices = readSlices(file, options)
  return options.compression === null ? slices : unpack(slices, options.compression, options.signal)
}

/** The file's bytes as they are, in slices. */
async function* readSlices(file: Blob, options: Omit<TextOptions, 'encoding'>): AsyncGenerator<Uint8Array, void, void> {
  const { sliceSize } = options
  let end = 0
  let size = sliceSize ?? FIRST_SLICE
  const load = (): Promise<Uint8Array> | null => {
    if (end >= file.size) return null
    const from = end
    end += size
    if (sliceSize === undefined) size = Math.min(size * 2, LARGEST_SLICE)
    const loading = readBytes(file, from, end)
    // Its failure is thrown when it's waited for; until then it is no unhandled rejection.
    loading.catch(() => undefined)
    return loading
  }
  let at = 0
  // One slice is on its way while the one before is worked on.
  for (let next = load(); next;) {
    options.signal.throwIfAborted()
    let bytes: Uint8Array
    try {
      bytes = await next
    } catch (cause) {
      throw fileChanged(cause)
    }
    next = load()
    at += bytes.length
    options.onBytes?.(at)
    yield bytes
  }
}

/** The first bytes of a text file, decompressed but in the file's own encoding: for detection. */
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
