import { LF } from '../../lib/ascii.ts'
import { readBytes } from './read-bytes.ts'

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
