import { LF } from '../../lib/ascii.ts'

/** Files up to this size are read whole. Bytes. */
const WHOLE = 4 * 1024 * 1024

/** The small files last read, and the one that is read ahead. No others, so that a thousand don't stay in memory. */
let latest: readonly { readonly file: Blob; readonly bytes: Promise<ArrayBuffer> }[] = []

/**
 * Reads a range of a file. The returned bytes may be shared, so don't change them. Browsers ask another process for
 * each range, which takes about a millisecond, so a small file, whose first bytes several readers want, is read only
 * once.
 * @throws {DOMException} if the file can't be read any more
 */
export async function readBytes(file: Blob, from: number, to: number): Promise<Uint8Array> {
  if (file.size > WHOLE) return new Uint8Array(await file.slice(from, to).arrayBuffer())
  return new Uint8Array(await wholeOf(file)).subarray(from, to)
}

/** Starts to read a small file that is needed next. */
export function readAhead(file: Blob): void {
  if (file.size <= WHOLE) void wholeOf(file)
}

function wholeOf(file: Blob): Promise<ArrayBuffer> {
  const known = latest.find((each) => each.file === file)
  if (known) return known.bytes
  const bytes = file.arrayBuffer()
  // The error is thrown to whoever awaits it. The next attempt reads again.
  bytes.catch(() => {
    latest = latest.filter((each) => each.bytes !== bytes)
  })
  latest = [...latest.slice(-1), { file, bytes }]
  return bytes
}

const COUNTED = 4 * 1024 * 1024

/** First byte of a U+FEFF, which would be dropped as a byte order mark at the beginning of a text. */
const MARK = 0xef

/**
 * The start of the first line after byte `near`, except lines that begin with what could be taken for a byte order
 * mark. Null if there's none within that many bytes.
 */
export async function lineAfter(file: Blob, near: number, within: number): Promise<number | null> {
  const bytes = await readBytes(file, near, near + within)
  let at = bytes.indexOf(LF)
  while (at >= 0 && bytes[at + 1] === MARK) at = bytes.indexOf(LF, at + 1)
  return at < 0 || at + 1 >= bytes.length ? null : near + at + 1
}

/** Counts line ends between two offsets of a file. */
export async function countLines(file: Blob, from: number, to: number): Promise<number> {
  let count = 0
  for (let at = from; at < to; at += COUNTED) {
    const bytes = await readBytes(file, at, Math.min(to, at + COUNTED))
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, end + 1)) count++
  }
  return count
}
