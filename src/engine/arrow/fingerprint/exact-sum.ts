/** Additions of words below 2^32 that a double takes without rounding, with room to spare. */
const MOST_PENDING = 1 << 19

/** Plain data. */
export interface ExactSumState {
  readonly total: bigint
  readonly infinities: number
}

/**
 * The exact sum of doubles, whatever their order: mantissas are added as integers, in a bin for each exponent, and
 * rounded once at the end.
 */
export class ExactSum {
  private readonly low = new Float64Array(2048)
  private readonly high = new Float64Array(2048)
  /** In units of 2^-1074. */
  private total = 0n
  private pending = 0
  private infinities = 0

  /** Adds doubles `start` to `end - 1`; `words` are the halves of them, low before high. Null bits leave values out. */
  add(words: Int32Array, count: number, bits: Uint8Array | null, offset: number): void {
    const { low, high } = this
    for (let i = 0; i < count; i++) {
      if (bits !== null && (bits[(offset + i) >> 3] & (1 << ((offset + i) & 7))) === 0) continue
      const upper = words[i * 2 + 1]
      const exponent = (upper >>> 20) & 0x7ff
      if (exponent === 0x7ff) {
        const nan = (upper & 0xfffff) !== 0 || words[i * 2] !== 0
        this.infinities += nan ? Number.NaN : upper < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
        continue
      }
      // Subnormal numbers have no implied bit and the exponent of the smallest normal ones.
      const implied = exponent === 0 ? 0 : 0x100000
      const mantissa = (upper & 0xfffff) | implied
      if (upper < 0) {
        low[exponent] -= words[i * 2] >>> 0
        high[exponent] -= mantissa
      } else {
        low[exponent] += words[i * 2] >>> 0
        high[exponent] += mantissa
      }
    }
    this.pending += count
    if (this.pending > MOST_PENDING) this.settle()
  }

  /** What was added so far, for another sum to take in. */
  get state(): ExactSumState {
    this.settle()
    return { total: this.total, infinities: this.infinities }
  }

  merge({ total, infinities }: ExactSumState): void {
    this.total += total
    this.infinities += infinities
  }

  private settle(): void {
    for (let exponent = 0; exponent < 0x7ff; exponent++) {
      if (this.low[exponent] === 0 && this.high[exponent] === 0) continue
      const mantissas = (BigInt(this.high[exponent]) << 32n) + BigInt(this.low[exponent])
      this.total += mantissas << BigInt(Math.max(exponent, 1) - 1)
    }
    this.low.fill(0)
    this.high.fill(0)
    this.pending = 0
  }

  /** The sum, rounded to the nearest double. */
  value(): number {
    if (this.infinities !== 0) return this.infinities
    this.settle()
    const negative = this.total < 0n
    const magnitude = negative ? -this.total : this.total
    // 64 bits are enough to round from, if the last of them says whether any beyond it were set.
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
