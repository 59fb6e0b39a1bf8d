import { LF } from '../../lib/ascii.ts'

/** Files up to this size are read whole. Bytes. */
const WHOLE = 4 * 1024 * 1024

/** Small files that were read last, and the one that is read ahead: no more, so that a thousand don't stay in memory. */
let latest: readonly { readonly file: Blob; readonly bytes: Promise<ArrayBuffer> }[] = []

/**
 * A file's bytes from one offset to another; others have the same ones, so they stay as they are. A browser asks another
 * process for each part of a file, about a millisecond each time: a small one, of which several readers want the first
 * bytes, is asked for once.
 * @throws {DOMException} when the file can't be read any more
 */
export async function readBytes(file: Blob, from: number, to: number): Promise<Uint8Array> {
  if (file.size > WHOLE) return new Uint8Array(await file.slice(from, to).arrayBuffer())
  return new Uint8Array(await wholeOf(file)).subarray(from, to)
}

/** Begins to read a small file that is wanted next. */
export function readAhead(file: Blob): void {
  if (file.size <= WHOLE) void wholeOf(file)
}

function wholeOf(file: Blob): Promise<ArrayBuffer> {
  const known = latest.find((each) => each.file === file)
  if (known) return known.bytes
  const bytes = file.arrayBuffer()
  // Its failure is thrown when it's waited for. Whoever tries again asks again.
  bytes.catch(() => {
    latest = latest.filter((each) => each.bytes !== bytes)
  })
  latest = [...latest.slice(-1), { file, bytes }]
  return bytes
}

const COUNTED = 4 * 1024 * 1024

/** Of a U+FEFF, which at the beginning of a text is a byte order mark, and no part of it. */
const MARK = 0xef

/**
 * Where the first line begins that begins after the byte `near`, not one that could be taken for a byte order mark and
 * more. Null where there's none within so many bytes.
 */
export async function lineAfter(file: Blob, near: number, within: number): Promise<number | null> {
  const bytes = await readBytes(file, near, near + within)
  let at = bytes.indexOf(LF)
  while (at >= 0 && bytes[at + 1] === MARK) at = bytes.indexOf(LF, at + 1)
  return at < 0 || at + 1 >= bytes.length ? null : near + at + 1
}

/** Line ends between two bytes of a file. */
export async function countLines(file: Blob, from: number, to: number): Promise<number> {
  let count = 0
  for (let at = from; at < to; at += COUNTED) {
    const bytes = await readBytes(file, at, Math.min(to, at + COUNTED))
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, end + 1)) count++
  }
  return count
}
