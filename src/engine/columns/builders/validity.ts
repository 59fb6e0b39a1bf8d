/** Validity bits of a column being built. Costs nothing until the first null. */
export class Validity {
  /** Null while every value is valid. A bit is 1 where there's a value, as Arrow has it. */
  private bits: Uint8Array | null = null
  nulls = 0

  get byteLength(): number {
    return this.bits === null ? 0 : this.bits.length
  }

  setValid(row: number): void {
    if (this.bits !== null) this.mark(row)
  }

  private mark(row: number): void {
    const at = row >> 3
    let bits = this.bits
    if (bits === null) return
    if (at >= bits.length) bits = this.grow(bits, at)
    bits[at] |= 1 << (row & 7)
  }

  setNull(row: number): void {
    const at = row >> 3
    if (this.bits === null) {
      this.bits = new Uint8Array(Math.max(1024, at * 2))
      this.bits.fill(255, 0, at)
      this.bits[at] = (1 << (row & 7)) - 1
    } else if (at >= this.bits.length) {
      this.grow(this.bits, at)
    }
    this.nulls++
  }

  private grow(bits: Uint8Array, at: number): Uint8Array {
    const grown = new Uint8Array(Math.max(at + 1, bits.length * 2))
    grown.set(bits)
    this.bits = grown
    return grown
  }

  /** Forgets rows `length` to `from - 1`. */
  truncate(from: number, length: number): void {
    if (this.bits === null) return
    for (let row = length; row < from; row++) {
      const at = row >> 3
      const bit = 1 << (row & 7)
      if ((this.bits[at] & bit) === 0) this.nulls--
      else this.bits[at] &= ~bit
    }
  }

  /** The bitmap of `length` rows, undefined when none is null; begins anew. */
  take(length: number): Uint8Array | undefined {
    const bits = this.nulls > 0 ? this.bits : null
    this.bits = null
    this.nulls = 0
    return bits === null ? undefined : bits.subarray(0, (length + 7) >> 3)
  }
}
