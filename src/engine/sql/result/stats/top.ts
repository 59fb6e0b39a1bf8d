import { DistinctCounter, mix } from './distinct.ts'

/** Different values whose frequencies are counted. */
const KEPT = 4096

interface Kept {
  count: number
  readonly batch: number
  readonly row: number
}

/** The most frequent values by their bytes: of all, or of the first few thousand different ones. */
export class TopCounter {
  readonly distinct = new DistinctCounter()
  private readonly kept = new Map<number, Kept>()
  private full = false

  add(bytes: Uint8Array, start: number, end: number, batch: number, row: number): void {
    let a = 0x811c9dc5
    let b = 0x9747b28c ^ (end - start)
    for (let i = start; i < end; i++) {
      a = Math.imul(a ^ bytes[i], 0x01000193)
      b = Math.imul(b + bytes[i], 0x5bd1e995) ^ (b >>> 15)
    }
    this.count(mix(a), mix(b ^ a), batch, row)
  }

  /** A value by its hash, and a place where it stands. */
  count(high: number, low: number, batch: number, row: number): void {
    this.distinct.add(high, low)
    const key = (high >>> 0) * 2_097_152 + (low >>> 11)
    const known = this.kept.get(key)
    if (known) known.count++
    else if (this.kept.size < KEPT) this.kept.set(key, { count: 1, batch, row })
    else this.full = true
  }

  top(count: number): { values: readonly Kept[]; exact: boolean } {
    const values = [...this.kept.values()].sort((a, b) => b.count - a.count).slice(0, count)
    return { values, exact: !this.full }
  }
}
