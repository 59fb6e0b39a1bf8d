import type { RunMemory } from './run-memory.ts'

/** For each exponent of finite doubles, a sum of the lower 32 bits of mantissas, and one of the upper bits. */
const BINS_BYTES = 2047 * 16

/** Plain data. */
export interface ExactSumState {
  readonly total: bigint
  readonly infinities: number
}

/**
 * The exact sum of doubles in any order: mantissas are added as integers, in a bin for each exponent, and the total is
 * rounded once.
 */
export class ExactSum {
  /** In units of 2^-1074. */
  private total = 0n
  private infinities = 0

  /** Adds the kernel's sums of a run: `sums` returns the results of `findDoubles`. */
  add(memory: RunMemory, bins: number, sums: (index: number) => bigint): void {
    const [low, high] = [Number(sums(0)), Number(sums(1))]
    const values = new BigInt64Array(memory.kernel.bytes.buffer, bins, BINS_BYTES / 8)
    for (let exponent = low; exponent <= high; exponent++) {
      const mantissas = (values[exponent * 2 + 1] << 32n) + values[exponent * 2]
      // Subnormal numbers have the exponent of the smallest normal ones.
      if (mantissas !== 0n) this.total += mantissas << BigInt(Math.max(exponent, 1) - 1)
    }
    if (sums(2) > 0n) this.infinities += Number.POSITIVE_INFINITY
    if (sums(3) > 0n) this.infinities += Number.NEGATIVE_INFINITY
    if (sums(4) > 0n) this.infinities = Number.NaN
  }

  /** The sum so far, for merging. */
  get state(): ExactSumState {
    return { total: this.total, infinities: this.infinities }
  }

  merge({ total, infinities }: ExactSumState): void {
    this.total += total
    this.infinities += infinities
  }

  /** The sum, rounded to the nearest double. */
  value(): number {
    if (this.infinities !== 0) return this.infinities
    const negative = this.total < 0n
    const magnitude = negative ? -this.total : this.total
    // 64 bits are enough for rounding, if the last one says whether any bit beyond was set.
    const excess = Math.max(0, magnitude.toString(2).length - 64)
    const top = magnitude >> BigInt(excess)
    const exact = top << BigInt(excess) === magnitude
    const rounded = Number(exact ? top : top | 1n)
    // Two factors, since 2^-1074 times a power of two is not always a double by itself.
    const value = excess >= 1074 ? rounded * 2 ** (excess - 1074) : scaleDown(rounded, 1074 - excess)
    return negative ? -value : value
  }
}

function scaleDown(value: number, power: number): number {
  const first = Math.min(power, 1000)
  return value / 2 ** first / 2 ** (power - first)
}

/** A finite double in plain notation, without an exponent. */
export function plainNumber(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign, first, rest = '', exponent] = match
  const power = Number(exponent)
  const digits = first + rest
  return power < 0 ? `${sign}0.${'0'.repeat(-power - 1)}${digits}` : sign + digits.padEnd(power + 1, '0')
}

/** Allocates empty bins. */
export function placeBins(memory: RunMemory): number {
  const at = memory.place(BINS_BYTES)
  memory.kernel.bytes.fill(0, at, at + BINS_BYTES)
  return at
}
