import { fileChanged } from '../errors.ts'
import type { Compression } from '../../tables/settings.ts'
import { readBytes } from './read-bytes.ts'
import { Utf8, type Transcoder } from './utf8.ts'

interface TextOptions {
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
 * Size of a read: small at first, so that a preview is fast, then larger. With 16 MB, Chromium reads twice as fast as
 * with 1 MB.
 */
const FIRST_SLICE = 1024 * 1024
const LARGEST_SLICE = 16 * 1024 * 1024

/**
 * Streams a text file as UTF-8, 1 to 16 MB at a time, without its byte order mark. The bytes may be shared, so don't
 * change them. Text that is invalid in the file's encoding becomes bytes that aren't UTF-8 (the file's own, or 0xFF),
 * not U+FFFD, which couldn't be distinguished from that character in the file. Callers that create strings must check
 * the bytes with `findInvalidUtf8`. A character may be split between two slices.
 * @throws {EngineError} `corrupt-file` for damaged compressed data, `file-changed` if the file can't be read any more,
 * `not-text` for an unknown encoding
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
 * Creates a transcoder to UTF-8. Code for other encodings, and for compression, is loaded on demand.
 * @throws {EngineError} `not-text` for an unknown encoding
 */
export async function openTranscoder(encoding: string): Promise<Transcoder> {
  return encoding === 'utf-8' ? new Utf8() : (await import('./transcode.ts')).makeTranscoder(encoding)
}

/** A text file's bytes in slices, decompressed but in the file's own encoding. */
export async function* openBytes(
  file: Blob,
  options: Omit<TextOptions, 'encoding'>,
): AsyncGenerator<Uint8Array, void, void> {
  const slices = readSlices(file, options)
  if (options.compression === null) yield* slices
  else yield* (await import('./compression.ts')).unpack(slices, options.compression, options.signal)
}

/** The file's bytes in slices, without decompressing. */
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
    // The error is thrown when the slice is awaited; until then, it mustn't be an unhandled rejection.
    loading.catch(() => undefined)
    return loading
  }
  let at = 0
  // Reads one slice ahead while the previous one is processed.
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
