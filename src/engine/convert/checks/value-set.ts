import { ByteWriter, formatBytes, grown } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'

/** Maximum bytes of all values together. */
const MOST_BYTES = 256 * 2 ** 20
/** Maximum number of values. */
const MOST_VALUES = 1 << 24

/** A set of distinct values, by their text. Exact; takes the values' bytes and 16 more for each. */
export class ValueSet {
  private readonly column: string
  private readonly most: number
  private readonly out = new ByteWriter()
  private readonly values = new ByteWriter(1 << 16)
  private count = 0
  /** Where each value ends, by its number. */
  private ends = new Uint32Array(1 << 10)
  /** Numbers of values, from 1, by their hashes. */
  private slots = new Uint32Array(1 << 11)

  /**
   * @param column name of the values' column
   * @param most maximum bytes
   */
  constructor(column: string, most = MOST_BYTES) {
    this.column = column
    this.most = most
  }

  /**
   * Adds the value that `write` writes.
   * @returns whether it's new
   * @throws {EngineError} `too-large`
   */
  add(write: (out: ByteWriter) => void): boolean {
    const { out } = this
    out.clear()
    write(out)
    const { bytes, length } = out
    const at = this.slotOf(bytes, length)
    if (this.slots[at] !== 0) return false
    this.keep(bytes, length)
    this.slots[at] = this.count
    if (this.count * 2 > this.slots.length) this.grow()
    return true
  }

  /** The slot of a value, or the free one for it. */
  private slotOf(bytes: Uint8Array, length: number): number {
    const mask = this.slots.length - 1
    let at = hash(bytes, 0, length) & mask
    for (; this.slots[at] !== 0; at = (at + 1) & mask) if (this.equals(this.slots[at], bytes, length)) break
    return at
  }

  private equals(number: number, bytes: Uint8Array, length: number): boolean {
    const start = this.startOf(number)
    if (this.ends[number - 1] - start !== length) return false
    const { values } = this
    for (let i = 0; i < length; i++) if (values.bytes[start + i] !== bytes[i]) return false
    return true
  }

  private startOf(number: number): number {
    return number === 1 ? 0 : this.ends[number - 2]
  }

  private keep(bytes: Uint8Array, length: number): void {
    if (this.values.length + length > this.most || this.count === MOST_VALUES) {
      throw new EngineError(
        'too-large',
        `“${this.column}” has too many different values to find duplicates among them: that works for at most ${formatBytes(this.most)} of them.`,
        { remedy: `Remove the check “no value twice” of “${this.column}”.` },
      )
    }
    this.values.append(bytes, 0, length)
    if (this.count === this.ends.length) this.ends = grown(this.ends, this.ends.length * 2)
    this.ends[this.count++] = this.values.length
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 2)
    const mask = this.slots.length - 1
    for (let number = 1; number <= this.count; number++) {
      let at = hash(this.values.bytes, this.startOf(number), this.ends[number - 1]) & mask
      while (this.slots[at] !== 0) at = (at + 1) & mask
      this.slots[at] = number
    }
  }
}

/** FNV-1a with mixed bits. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let h = 0x811c9dc5
  for (let i = start; i < end; i++) h = Math.imul(h ^ bytes[i], 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  return (h ^ (h >>> 13)) >>> 0
}
