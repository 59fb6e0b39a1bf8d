import { LF } from '../../lib/ascii.ts'
import { readBytes } from './read-bytes.ts'

const COUNTED = 4 * 1024 * 1024

/** Of a U+FEFF, which at the beginning of a text is a byte order mark, and no part of it. */
const MARK = 0xef

/**
 * Where the first line begins that begins behind the byte `near`, not one that could be taken for a byte order mark and
 * more. Null where there's none within so many bytes.
 */
export async function lineBehind(file: Blob, near: number, within: number): Promise<number | null> {
  const bytes = new Uint8Array(await readBytes(file, near, near + within))
  let at = bytes.indexOf(LF)
  while (at >= 0 && bytes[at + 1] === MARK) at = bytes.indexOf(LF, at + 1)
  return at < 0 || at + 1 >= bytes.length ? null : near + at + 1
}

/** Line ends between two bytes of a file. */
export async function countLines(file: Blob, from: number, to: number): Promise<number> {
  let count = 0
  for (let at = from; at < to; at += COUNTED) {
    const bytes = new Uint8Array(await readBytes(file, at, Math.min(to, at + COUNTED)))
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, end + 1)) count++
  }
  return count
}
