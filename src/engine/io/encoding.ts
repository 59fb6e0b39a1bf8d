import type { EncodingCandidate } from '../../tables/plan.ts'
import { findInvalidUtf8, isAscii, makeTranscoder } from './transcode.ts'

interface Known {
  readonly encoding: string
  readonly label: string
}
const UTF8: Known = { encoding: 'utf-8', label: 'Unicode (UTF-8)' }
const UTF16LE: Known = { encoding: 'utf-16le', label: 'Unicode (UTF-16, little endian)' }
const UTF16BE: Known = { encoding: 'utf-16be', label: 'Unicode (UTF-16, big endian)' }
/** In the order in which they are proposed when nothing speaks for one of them. */
const SINGLE: readonly Known[] = [
  { encoding: 'windows-1252', label: 'Western (Windows-1252, Latin-1)' },
  { encoding: 'iso-8859-15', label: 'Western with euro (ISO 8859-15)' },
  { encoding: 'windows-1250', label: 'Central European (Windows-1250)' },
  { encoding: 'iso-8859-2', label: 'Central European (ISO 8859-2)' },
  { encoding: 'windows-1251', label: 'Cyrillic (Windows-1251)' },
  { encoding: 'koi8-r', label: 'Cyrillic (KOI8-R)' },
  { encoding: 'windows-1253', label: 'Greek (Windows-1253)' },
  { encoding: 'windows-1254', label: 'Turkish (Windows-1254)' },
  { encoding: 'macintosh', label: 'Western (Mac)' },
  { encoding: 'ibm866', label: 'Cyrillic (DOS)' },
]
const MULTI: readonly Known[] = [
  { encoding: 'shift_jis', label: 'Japanese (Shift JIS)' },
  { encoding: 'euc-jp', label: 'Japanese (EUC)' },
  { encoding: 'gb18030', label: 'Chinese, simplified (GB 18030)' },
  { encoding: 'big5', label: 'Chinese, traditional (Big5)' },
  { encoding: 'euc-kr', label: 'Korean (EUC)' },
]

/**
 * The encodings that a text may be in, the likeliest first; never empty. A byte order mark decides, then whether the
 * bytes are UTF-8, then the NULs that UTF-16 has at every other place, then how much the text looks like one.
 */
export function detectEncoding(sample: Uint8Array): readonly EncodingCandidate[] {
  const ranked = rank(sample)
  // What is ASCII reads the same in all of them, save UTF-16.
  const [first] = ranked
  const same = isAscii(sample, 0, sample.length) ? sampleLine(sample, first.encoding) : null
  return ranked.map((known) => ({ ...known, sample: same ?? sampleLine(sample, known.encoding) }))
}

function rank(sample: Uint8Array): readonly Known[] {
  if (sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf) return [UTF8, ...SINGLE.slice(0, 1)]
  if (sample[0] === 0xff && sample[1] === 0xfe) return [UTF16LE]
  if (sample[0] === 0xfe && sample[1] === 0xff) return [UTF16BE]
  const wide = utf16ByNuls(sample)
  if (wide) return [wide, wide === UTF16LE ? UTF16BE : UTF16LE]
  // Text in another encoding is hardly ever UTF-8 by chance, and judging fifteen of them costs more than reading 10 MB.
  if (isUtf8Sample(sample)) return [UTF8, ...SINGLE]
  const others = [...SINGLE, ...MULTI]
    .map((known) => ({ known, score: likeness(sample, known) }))
    .filter(({ score }) => score > -Infinity)
    .sort((a, b) => b.score - a.score)
    .map(({ known }) => known)
  return [...others, UTF8]
}

/** Whether a sample, which may end amid a character, is UTF-8. */
function isUtf8Sample(sample: Uint8Array): boolean {
  const bad = findInvalidUtf8(sample, 0, sample.length)
  if (bad < 0) return true
  // The cut end of a character: a lead byte and fewer followers than it asks for.
  if (bad < sample.length - 3) return false
  const lead = sample[bad]
  const wanted = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0
  return bad + wanted > sample.length && sample.subarray(bad + 1).every((byte) => (byte & 0xc0) === 0x80)
}

/** UTF-16 of a mostly Latin text has a NUL in nearly every unit, always on the same side. */
function utf16ByNuls(sample: Uint8Array): Known | null {
  const length = Math.min(sample.length, 4096) & ~1
  if (length < 4) return null
  const nuls = [0, 0]
  for (let i = 0; i < length; i++) if (sample[i] === 0) nuls[i & 1]++
  const units = length / 2
  if (nuls[1] > units * 0.4 && nuls[0] < units * 0.05) return UTF16LE
  if (nuls[0] > units * 0.4 && nuls[1] < units * 0.05) return UTF16BE
  return null
}

const LETTER = /\p{L}/u
const JOINED = /\p{L}[^\p{L}\p{N}\s.,;:'"’/()&@_+-]\p{L}/gu
const MIXED_CASE = /\p{Ll}\p{Lu}/gu
/** Letters that are common in the languages that each encoding is for. */
const COMMON = new Map([
  ['windows-1252', /[äöüßÄÖÜéèêëàâçñáíóúãõåæøïîôûœ€–“”‘’]/g],
  ['iso-8859-15', /[äöüßÄÖÜéèêëàâçñáíóúãõåæøïîôûœ€]/g],
  ['windows-1250', /[ąćęłńóśźżŁŚŻěščřžýáíéúůťďňőűţşăâî]/g],
  ['iso-8859-2', /[ąćęłńóśźżŁŚŻěščřžýáíéúůťďňőűţşăâî]/g],
  ['windows-1251', /[а-яА-ЯёЁ]/g],
  ['koi8-r', /[а-яА-ЯёЁ]/g],
  ['ibm866', /[а-яА-ЯёЁ]/g],
  ['windows-1253', /[α-ωΑ-Ωάέήίόύώ]/g],
  ['windows-1254', /[ğışçöüİĞŞ]/g],
  ['macintosh', /[äöüßÄÖÜéèêëàâçñáíóú]/g],
  ['shift_jis', /[ぁ-んァ-ヶー東京大阪市県区町村株式会社日本人年月山田中川高木]/g],
  ['euc-jp', /[ぁ-んァ-ヶー東京大阪市県区町村株式会社日本人年月山田中川高木]/g],
  ['gb18030', /[的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年市区公司京海北南东西]/g],
  ['big5', /[的一是不了人我在有他這中大來上個國到說們為子和你地出道也時年市區公司京海北南東西]/g],
  ['euc-kr', /[가-힣]/g],
])

/**
 * How much the bytes, read this way, look like a text: above 0 is likely, -Infinity impossible. Only the characters
 * beyond ASCII and what stands beside them count.
 */
function likeness(sample: Uint8Array, known: Known): number {
  const text = decodeSample(sample, known.encoding)
  const order = -[...SINGLE, ...MULTI].indexOf(known) / 1000
  let beyond = 0
  let bad = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x80) continue
    beyond++
    if (code === 0xfffd || (code >= 0x80 && code < 0xa0)) bad += 4
    else if (!LETTER.test(char)) bad += 0.3
  }
  if (beyond === 0) return MULTI.includes(known) ? -Infinity : order
  if (text.includes('\ufffd') && MULTI.includes(known)) return -Infinity
  const common = text.match(COMMON.get(known.encoding) ?? /$^/g)?.length ?? 0
  const odd = (text.match(JOINED)?.length ?? 0) + (text.match(MIXED_CASE)?.length ?? 0) / 2
  return (common - bad - odd) / beyond + order
}

function decodeSample(sample: Uint8Array, encoding: string): string {
  const bytes = makeTranscoder(encoding).push(sample.subarray(0, 16 * 1024))
  return new TextDecoder().decode(bytes, { stream: true })
}

/** The first line with a character beyond ASCII, else the first line, read in the encoding. */
function sampleLine(sample: Uint8Array, encoding: string): string {
  const text = decodeSample(sample, encoding)
  let first = ''
  for (const line of text.split(/\r\n|\r|\n/)) {
    const at = Array.from(line).findIndex((char) => char > '\u007f')
    first ||= line
    if (at >= 0)
      return Array.from(line)
        .slice(Math.max(0, at - 40), at + 40)
        .join('')
  }
  return first.slice(0, 80)
}

/**
 * Whether bytes are no text at all: control characters that no text has, in other than a stray place. UTF-16 must be
 * told first, as it is full of NULs.
 */
export function looksBinary(sample: Uint8Array): boolean {
  if ((sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff)) return false
  if (utf16ByNuls(sample)) return false
  let odd = 0
  for (const byte of sample) {
    if (byte < 9 || (byte > 13 && byte < 26) || byte === 127) odd++
  }
  return odd > Math.max(2, sample.length / 50)
}
