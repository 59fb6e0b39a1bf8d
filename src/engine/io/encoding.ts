import { encodingLabel, encodingName } from '../../tables/encodings.ts'
import type { EncodingCandidate, Note } from '../../tables/plan.ts'
import { hasMark, textOf, findInvalidUtf8 } from './utf8.ts'
import type { Compression } from '../../tables/settings.ts'
import { openBytes, openTranscoder } from './text-stream.ts'

export interface FoundEncoding {
  /** Possible encodings, the most likely first; never empty. */
  readonly candidates: readonly EncodingCandidate[]
  /** Whether another one is nearly as likely. */
  readonly doubt: boolean
  /** Whether all of the file's bytes were considered. */
  readonly weighed: boolean
  /** The first byte that isn't UTF-8; -1 if there's none. */
  readonly badByte: number
}

const SAMPLE_CHARS = 80

/**
 * The encoding that a text's first bytes reveal: by a byte order mark, by the NULs of UTF-16 and UTF-32, or by being
 * UTF-8; null if they don't.
 */
export function encodingOfStart(sample: Uint8Array): string | null {
  return wideEncoding(sample) ?? (isUtf8Start(sample) ? 'utf-8' : null)
}

/** UTF-16 or UTF-32, if the bytes are one of them. */
function wideEncoding(sample: Uint8Array): string | null {
  const [a, b, c, d] = sample
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le'
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const head = sample.subarray(0, 4096)
  if (!head.includes(0) || hasMark(sample)) return null
  for (const encoding of ['utf-32le', 'utf-32be', 'utf-16le', 'utf-16be']) if (isWide(head, encoding)) return encoding
  return null
}

/** Whether the bytes are text in units of two or four bytes: all are characters, with lines or words of ASCII. */
function isWide(bytes: Uint8Array, encoding: string): boolean {
  const width = encoding.startsWith('utf-32') ? 4 : 2
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length - (bytes.length % width))
  if (view.byteLength < width * 2) return false
  const littleEndian = encoding.endsWith('le')
  let ascii = 0
  let lineEnds = 0
  for (let at = 0; at < view.byteLength; at += width) {
    const unit = width === 4 ? view.getUint32(at, littleEndian) : view.getUint16(at, littleEndian)
    const isLineEnd = unit === 10 || unit === 13
    if (isLineEnd) lineEnds++
    if (isLineEnd || unit === 9 || (unit >= 32 && unit < 127)) ascii++
    // Control characters, noncharacters, and line ends in the wrong byte order.
    else if (unit < 32 || unit > 0x10ffff || (unit & 0xfffe) === 0xfffe || unit === 0x0a00 || unit === 0x0d00)
      return false
  }
  const units = view.byteLength / width
  if (width === 4 || ascii > units * 0.4) return true
  // A text with a stray NUL is still UTF-8, and has no other control characters.
  return (
    lineEnds > 0 && (!isUtf8Start(bytes) || bytes.some((byte) => (byte > 0 && byte < 9) || (byte > 13 && byte < 32)))
  )
}

/** Whether a sample, which may end inside a character, is UTF-8. */
function isUtf8Start(sample: Uint8Array): boolean {
  const bad = findInvalidUtf8(sample, 0, sample.length)
  if (bad < 0) return true
  // The beginning of a truncated character: a lead byte with too few continuation bytes.
  if (bad < sample.length - 3) return false
  const lead = sample[bad]
  const wanted = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0
  return bad + wanted > sample.length && sample.subarray(bad + 1).every((byte) => (byte & 0xc0) === 0x80)
}

const CONTROLS = Uint8Array.from({ length: 256 }, (_, byte) => +(byte < 9 || (byte > 13 && byte < 26) || byte === 127))

/** Whether bytes aren't text: more than a few control characters that texts don't have. UTF-16 is full of NULs. */
export function looksBinary(sample: Uint8Array): boolean {
  if (wideEncoding(sample)) return false
  let odd = 0
  // By index, since the first calls in a worker aren't optimized yet.
  for (let i = 0; i < sample.length; i++) odd += CONTROLS[sample[i]]
  return odd > Math.max(2, sample.length / 50)
}

/** An encoding for people to choose, with the part of a line around `at` as decoded with it. */
export const candidate = (encoding: string, line: string, at: number): EncodingCandidate => ({
  encoding,
  label: encodingLabel(encoding),
  sample: around(line, at),
})

function around(line: string, at: number): string {
  if (line.length <= SAMPLE_CHARS) return line
  const from = Math.max(0, Math.min(at - SAMPLE_CHARS / 2, line.length - SAMPLE_CHARS))
  return line.slice(from, from + SAMPLE_CHARS)
}

/** With at most this many characters beyond ASCII, a text may look like UTF-8 by chance. */
const FEW = 3

interface FileOptions {
  readonly compression: Compression | null
  readonly signal: AbortSignal
}

/**
 * Detects the encoding of a text file: from its first bytes if they determine it (a byte order mark, the NULs of UTF-16
 * and UTF-32, or valid UTF-8), else from all bytes beyond ASCII.
 * @param sample the first bytes, decompressed
 */
export async function detectEncoding(file: Blob, sample: Uint8Array, options: FileOptions): Promise<FoundEncoding> {
  const marked = encodingOfStart(sample)
  if (marked === null) return detectByBytes(file, options)
  if (marked === 'utf-8' && mayBeChance(sample)) return (await import('./weigh.ts')).weighBytes(sample)
  return {
    candidates: [await firstLine(sample, marked)],
    doubt: false,
    weighed: false,
    badByte: -1,
  }
}

/** Detects the encoding of a file that isn't entirely UTF-8, from its bytes beyond ASCII. */
export async function detectByBytes(file: Blob, options: FileOptions): Promise<FoundEncoding> {
  const { weighSlices } = await import('./weigh.ts')
  return weighSlices(openBytes(file, options), options.signal)
}

/** Whether a text has so few characters beyond ASCII that it may be valid UTF-8 by chance. */
function mayBeChance(sample: Uint8Array): boolean {
  if (hasMark(sample)) return false
  let leads = 0
  for (const byte of sample) if (byte >= 0xc0 && ++leads > FEW) return false
  return leads > 0 && findInvalidUtf8(sample, 0, sample.length) < 0
}

/** Tells people that an encoding is a guess, with words of the file in this encoding and in the next one. */
export function guessNote({ candidates, doubt }: FoundEncoding): Note[] {
  const [first, second] = candidates
  if (!doubt || !second) return []
  const message = `The encoding is a guess. Read as ${encodingName(first.encoding)}, a line is “${first.sample}”; as ${encodingName(second.encoding)}, it would be “${second.sample}”.`
  return [{ code: 'encoding-guess', message, doubt: true }]
}

/** An encoding with the first line that has a character beyond ASCII, or else with the first line. */
async function firstLine(sample: Uint8Array, encoding: string): Promise<EncodingCandidate> {
  const text = textOf(sample.subarray(0, 16 * 1024), await openTranscoder(encoding))
  const lines = text.split(/\r\n|\r|\n/)
  const line = lines.find((one) => /[^\0-\u007f\ufffd]/.test(one)) ?? lines[0]
  return candidate(encoding, line, line.search(/[^\0-\u007f]/))
}
