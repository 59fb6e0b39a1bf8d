import { LF } from '../../lib/ascii.ts'

/** Files up to this size are read whole. Bytes. */
const WHOLE = 4 * 1024 * 1024

/** How much of the following files is read ahead. Bytes. */
const AHEAD = 16 * 1024 * 1024

/** The small files last read, each alone or a group of them. Only two, so that a thousand don't stay in memory. */
let latest: readonly ReadonlyMap<Blob, Promise<Uint8Array>>[] = []

/**
 * Reads a range of a file. The returned bytes may be shared, so don't change them. Browsers ask another process for
 * each range, which takes about a millisecond, so a small file, whose first bytes several readers want, is read only
 * once.
 * @throws {DOMException} if the file can't be read any more
 */
export async function readBytes(file: Blob, from: number, to: number): Promise<Uint8Array> {
  if (file.size > WHOLE) return new Uint8Array(await file.slice(from, to).arrayBuffer())
  return (await (known(file) ?? readWhole(file))).subarray(from, to)
}

/**
 * Starts to read small files that are needed next, as many as come to 16 MB, unless the first one is read already.
 * Chromium takes half as long for them as one blob as for each alone.
 */
export function readAhead(files: readonly Blob[]): void {
  const group: Blob[] = []
  let size = 0
  for (const file of files) {
    size += file.size
    if (file.size > WHOLE || size > AHEAD) break
    group.push(file)
  }
  if (group.length === 0 || known(group[0])) return
  const whole = new Blob(group).arrayBuffer()
  let end = 0
  keep(
    group.map((file) => {
      const from = end
      end += file.size
      // If one of the files can't be read, the others must be.
      const bytes = whole.then((all) => new Uint8Array(all, from, file.size)).catch(() => bytesOf(file))
      return [file, bytes]
    }),
  )
}

function known(file: Blob): Promise<Uint8Array> | undefined {
  return latest.find((files) => files.has(file))?.get(file)
}

function readWhole(file: Blob): Promise<Uint8Array> {
  const bytes = bytesOf(file)
  keep([[file, bytes]])
  return bytes
}

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer())

function keep(files: readonly (readonly [Blob, Promise<Uint8Array>])[]): void {
  const kept = new Map(files)
  latest = [...latest.slice(-1), kept]
  for (const [file, bytes] of files) {
    // The error is thrown to whoever awaits it. The next attempt reads again.
    bytes.catch(() => kept.delete(file))
  }
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
