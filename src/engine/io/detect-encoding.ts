import { encodingName } from '../../tables/encodings.ts'
import type { EncodingCandidate, Note } from '../../tables/plan.ts'
import type { Compression } from '../../tables/settings.ts'
import { candidate, encodingOfStart, type FoundEncoding } from './encoding.ts'
import { openBytes, openTranscoder } from './text-stream.ts'
import { findInvalidUtf8, hasMark, isAscii, textOf } from './utf8.ts'

/** Characters of a UTF-8 text beyond ASCII, which may look like it by chance. */
const FEW = 3

interface FileOptions {
  readonly compression: Compression | null
  readonly signal: AbortSignal
}

/**
 * The encoding of a text file: by its first bytes where they tell (a byte order mark, the NULs of UTF-16 and UTF-32, or
 * that they are UTF-8), else by all bytes beyond ASCII that it has.
 * @param sample the first bytes, decompressed
 */
export async function detectEncoding(file: Blob, sample: Uint8Array, options: FileOptions): Promise<FoundEncoding> {
  const told = encodingOfStart(sample)
  if (told === null) return detectByBytes(file, options)
  if (told === 'utf-8' && mayBeChance(sample)) return (await import('./weigh.ts')).weighBytes(sample)
  return {
    candidates: [await firstLine(sample, told)],
    doubt: false,
    weighed: false,
    margin: Infinity,
    badByte: -1,
  }
}

/** The encoding of a file that isn't UTF-8 all through, by the bytes beyond ASCII. */
export async function detectByBytes(file: Blob, options: FileOptions): Promise<FoundEncoding> {
  const { weighSlices } = await import('./weigh.ts')
  return weighSlices(openBytes(file, options), options.signal)
}

/** Whether so few characters make a text UTF-8 that it could be by chance. */
function mayBeChance(sample: Uint8Array): boolean {
  if (hasMark(sample) || isAscii(sample, 0, sample.length) || findInvalidUtf8(sample, 0, sample.length) >= 0)
    return false
  let leads = 0
  for (const byte of sample) if (byte >= 0xc0 && ++leads > FEW) return false
  return true
}

/** What tells people that an encoding is a guess: the file's own words as it's read, and as they would be otherwise. */
export function guessNote({ candidates, doubt }: FoundEncoding): Note[] {
  const [first, second] = candidates
  if (!doubt || !second) return []
  const message = `The encoding is a guess. Read as ${encodingName(first.encoding)}, a line is “${first.sample}”; as ${encodingName(second.encoding)}, it would be “${second.sample}”.`
  return [{ code: 'encoding-guess', message, doubt: true }]
}

/** An encoding with the first line that has a character beyond ASCII, else with the first line. */
async function firstLine(sample: Uint8Array, encoding: string): Promise<EncodingCandidate> {
  const text = textOf(sample.subarray(0, 16 * 1024), await openTranscoder(encoding))
  const lines = text.split(/\r\n|\r|\n/)
  const line = lines.find((one) => /[^\0-\u007f\ufffd]/.test(one)) ?? lines[0]
  return candidate(encoding, line, line.search(/[^\0-\u007f]/))
}
