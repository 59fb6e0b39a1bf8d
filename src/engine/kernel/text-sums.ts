import { SLACK } from './assembly/layout.ts'
import { align, Kernel } from './kernel.ts'

/** Number and size of the texts that are passed to the kernel in one call. */
const MOST_TEXTS = 16_384
const MOST_BYTES = 256 * 1024
/** Longer texts have no checksum: they aren't copied into the kernel. Bytes. */
const LONGEST = 64 * 1024 * 1024
/** Below this size, a loop is faster than `set`. Bytes. */
const SHORT = 40
/** 32-bit words that describe a text. */
const ENTRY = 3

/**
 * Text checksums: for each column the sum of its values' hashes, modulo 2^64. The order of values doesn't matter.
 * Inspection and conversion each compute them, and must agree.
 */
export class TextSums {
  private readonly kernel = new Kernel()
  private readonly first = this.kernel.base >> 2
  private readonly after = this.first + MOST_TEXTS * ENTRY
  private readonly texts = align(this.after * 4)
  private readonly sums = align(this.texts + MOST_BYTES + SLACK)
  private width = 0
  private memory = this.kernel.bytes
  private words = this.kernel.words
  private isWhole = true
  /** Addresses of the next text, and of its description. */
  private text = this.texts
  private entry = this.first

  constructor() {
    this.widen(64)
  }

  /**
   * Adds the text `bytes[start, end)`.
   * @param kind a byte to hash before the text, so that equal texts of different kinds differ; -1 for none
   */
  addText(column: number, bytes: Uint8Array, start: number, end: number, kind = -1): void {
    if (column >= this.width) this.widen(column + 1)
    const size = end - start + (kind < 0 ? 0 : 1)
    if (this.text + size > this.texts + MOST_BYTES || this.entry >= this.after) this.sum()
    if (size > MOST_BYTES) {
      this.addLong(column, bytes.subarray(start, end), kind)
      return
    }
    const { memory, words } = this
    let at = this.text
    words[this.entry++] = column
    words[this.entry++] = at
    words[this.entry++] = size
    if (kind >= 0) memory[at++] = kind
    if (size < SHORT) for (let i = start; i < end; i++) memory[at++] = bytes[i]
    else memory.set(bytes.subarray(start, end), at)
    this.text += size
  }

  private addLong(column: number, text: Uint8Array, kind: number): void {
    if (text.length > LONGEST) this.isWhole = false
    if (!this.isWhole) return
    const { kernel, sums, width } = this
    const at = align(sums + width * 8)
    this.reserve(at + 1 + text.length + SLACK)
    const before = kind < 0 ? 0 : 1
    if (before > 0) this.memory[at] = kind
    this.memory.set(text, at + before)
    this.words.set([column, at, text.length + before], this.entry)
    kernel.exports.sumTexts(this.entry * 4, 1, sums)
  }

  private sum(): void {
    const { kernel, first, sums, texts, entry } = this
    kernel.exports.sumTexts(first * 4, (entry - first) / ENTRY, sums)
    this.text = texts
    this.entry = first
  }

  private widen(columns: number): void {
    const before = this.width
    this.width = Math.max(columns, before * 2)
    this.reserve(this.sums + this.width * 8 + SLACK)
    this.all.fill(0n, before)
  }

  private reserve(size: number): void {
    this.kernel.reserve(size)
    this.memory = this.kernel.bytes
    this.words = this.kernel.words
  }

  private get all(): BigUint64Array<ArrayBuffer> {
    return new BigUint64Array(this.memory.buffer, this.sums, this.width)
  }

  /** The columns' sums since the last call, 0 for columns without texts. Null if a text was too long to hash. */
  take(columns: readonly number[]): readonly bigint[] | null {
    this.sum()
    if (!this.isWhole) return null
    const { all, width } = this
    const taken = columns.map((column) => (column < width ? all[column] : 0n))
    all.fill(0n)
    return taken
  }
}
