import { ByteWriter } from '../../../../lib/bytes.ts'

/** Longer texts are seldom repeated, and would take too much of the space. */
const MAX_LENGTH = 200
const MAX_ENTRIES = 1 << 16
const MAX_BYTES = 4 * 1024 * 1024
const SLOTS = MAX_ENTRIES * 2

/**
 * The workbook's shared strings: repeated texts are written as an index. Their number and size are limited, so that a
 * file of distinct texts needn't fit into memory: texts without room are written in their cells.
 */
export class SharedStrings {
  private readonly arena = new ByteWriter(64 * 1024)
  /** Where each text ends in the arena. */
  private readonly ends = new Uint32Array(MAX_ENTRIES + 1)
  private readonly hashes = new Int32Array(MAX_ENTRIES)
  /** Hash table with open addressing: index + 1, or 0. */
  private readonly slots = new Uint32Array(SLOTS)
  /** Number of distinct texts. */
  count = 0
  /** Number of cells that use them. */
  uses = 0

  /** Whether the last `find` added the text. */
  added = false

  /**
   * The text's index; a new text gets the next one.
   * @returns -1 if there's no room for it
   */
  find(bytes: Uint8Array, start: number, end: number): number {
    this.added = false
    if (end - start > MAX_LENGTH) return -1
    let hash = end - start
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
    hash ^= hash >>> 15
    let slot = hash & (SLOTS - 1)
    for (let index = this.slots[slot]; index !== 0; index = this.slots[slot]) {
      if (this.hashes[index - 1] === hash && this.equals(index - 1, bytes, start, end)) {
        this.uses++
        return index - 1
      }
      slot = (slot + 1) & (SLOTS - 1)
    }
    if (this.count === MAX_ENTRIES || this.arena.length > MAX_BYTES) return -1
    this.slots[slot] = this.count + 1
    this.hashes[this.count] = hash
    this.arena.append(bytes, start, end)
    this.ends[this.count + 1] = this.arena.length
    this.uses++
    this.added = true
    return this.count++
  }

  private equals(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.ends[index]
    if (this.ends[index + 1] - from !== end - start) return false
    const kept = this.arena.bytes
    for (let i = start, k = from; i < end; i++, k++) if (kept[k] !== bytes[i]) return false
    return true
  }

  /** Calls `use` with each text's bytes, in order. */
  forEach(use: (bytes: Uint8Array, start: number, end: number) => void): void {
    for (let i = 0; i < this.count; i++) use(this.arena.bytes, this.ends[i], this.ends[i + 1])
  }
}
