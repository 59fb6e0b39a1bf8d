import { CR, LF } from '../../lib/ascii.ts'
import { concatBytes } from '../../lib/bytes.ts'
import { utf8Length } from './utf8.ts'

/** Maximum number of different words, and the number of additional ones for each rare byte. */
const WORDS = 3000
const RARE = 24
/** Maximum bytes of a word and of a line. */
const LONGEST_WORD = 96
const LONGEST_LINE = 160
const LINES = 24
/** Maximum number of ASCII words, and the bytes in which to look for them. */
const PLAIN_WORDS = 100
const BEGINNING = 8 * 1024

/**
 * Bytes that are never part of a multibyte character: those below the digits (GB 18030 uses digits), and those after
 * them up to `?`.
 */
const SEPARATES = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0x30 || (byte >= 0x3a && byte < 0x40) ? 1 : 0))

/** Collects what a text's bytes beyond ASCII say about its encoding, from the whole text as it's read. */
export class Evidence {
  /**
   * Words with a byte beyond ASCII, one character per byte, including the separators around them; with their counts.
   */
  readonly words = new Map<string, number>()
  /** Words of ASCII letters at the beginning, which indicate the language. */
  readonly plainWords = new Set<string>()
  /** Count of each byte. */
  readonly bytes = new Float64Array(256)
  /** The first byte that isn't UTF-8; -1 if there's none. */
  firstInvalid = -1
  /** The first lines with such bytes, and the first line with each of these bytes. */
  readonly lines: Uint8Array[] = []
  private rest = new Uint8Array(0)
  /** Number of bytes before `rest`. */
  private before = 0

  push(slice: Uint8Array): void {
    if (this.plainWords.size === 0) this.takePlainWords(slice.subarray(0, BEGINNING))
    const all = this.rest.length > 0 ? concatBytes([this.rest, slice]) : slice
    // Words are only used once they are complete; one without an end is cut.
    let end = all.length
    while (end > 0 && all.length - end < LONGEST_LINE && SEPARATES[all[end - 1]] === 0) end--
    if (end === 0 || all.length - end >= LONGEST_LINE) end = Math.max(0, all.length - 4)
    // A separator belongs to the next word as well.
    end = Math.max(0, end - 1)
    this.look(all, end)
    this.before += end
    this.rest = all.slice(end)
  }

  end(): void {
    this.look(this.rest, this.rest.length)
    this.rest = this.rest.subarray(0, 0)
  }

  private takePlainWords(bytes: Uint8Array): void {
    for (const [word] of latin(bytes, 0, bytes.length).matchAll(
      /(?<![^\0-@[-`{-\u007f])[A-Za-z]{2,15}(?![^\0-@[-`{-\u007f])/g,
    )) {
      if (this.plainWords.size < PLAIN_WORDS) this.plainWords.add(`\n${word}\n`)
    }
  }

  private look(all: Uint8Array, end: number): void {
    const words = new Int32Array(all.buffer, all.byteOffset & ~3, ((all.byteOffset & 3) + end) >> 2)
    let wordEnd = 0
    for (let at = nextHigh(all, words, 0, end); at < end;) {
      if (at >= wordEnd) wordEnd = this.takeWord(all, at, end)
      const length = utf8Length(all, at, all.length)
      if (length === 0 && this.firstInvalid < 0) this.firstInvalid = this.before + at
      for (const stop = at + Math.max(1, length); at < stop; at++) this.bytes[all[at]]++
      if (all[at] < 0x80) at = nextHigh(all, words, at, end)
    }
  }

  /** Records the word around a byte beyond ASCII, and returns its end. */
  private takeWord(all: Uint8Array, at: number, end: number): number {
    let to = at + 1
    while (to < all.length && SEPARATES[all[to]] === 0) to++
    const rare = this.bytes[all[at]] < RARE || (to - at > 1 && this.bytes[all[at + 1]] < RARE)
    if (this.words.size >= WORDS && !rare) return Math.min(to, end)
    let from = at
    while (from > 0 && at - from < LONGEST_WORD / 2 && SEPARATES[all[from - 1]] === 0) from--
    if (this.lines.length < LINES / 2 || (this.bytes[all[at]] === 0 && this.lines.length < LINES))
      this.takeLine(all, at)
    const cut = Math.min(to, from + LONGEST_WORD)
    const word = separator(all[from - 1]) + latin(all, from, cut) + (cut === to ? separator(all[to]) : '')
    this.words.set(word, (this.words.get(word) ?? 0) + 1)
    return Math.min(to, end)
  }

  private takeLine(all: Uint8Array, at: number): void {
    let from = at
    let to = at
    while (from > 0 && at - from < LONGEST_LINE && all[from - 1] !== LF && all[from - 1] !== CR) from--
    while (from > 0 && from < at && all[from - 1] !== LF && all[from - 1] !== CR && SEPARATES[all[from - 1]] === 0)
      from++
    while (to < all.length && to - at < LONGEST_LINE && all[to] !== LF && all[to] !== CR) to++
    const line = all.slice(from, to)
    if (!this.lines.some((known) => latin(known, 0, known.length) === latin(line, 0, line.length)))
      this.lines.push(line)
  }
}

/** Everything that ends a value counts as the same: a delimiter, a quote, a line end, or the end of the text. */
function separator(byte: number | undefined): string {
  if (byte === undefined || byte < 0x20 || byte === 0x22 || byte === 0x2c || byte === 0x3b) return '\n'
  return String.fromCharCode(byte)
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

/** The next byte beyond ASCII; skips four bytes at a time. */
function nextHigh(bytes: Uint8Array, words: Int32Array, from: number, end: number): number {
  const shift = bytes.byteOffset & 3
  let at = from
  while (at < end) {
    if (bytes[at] > 0x7f) return at
    at++
    if (((shift + at) & 3) !== 0) continue
    let word = (shift + at) >> 2
    while (word < words.length && (words[word] & 0x80808080) === 0) word++
    at = (word << 2) - shift
  }
  return end
}
