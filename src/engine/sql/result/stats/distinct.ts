const BITS = 13
const REGISTERS = 1 << BITS
/** Different values that are counted one by one. */
const COUNTED = 1_000_000
/** Places for them at first, and at most: twice as many and a power of two. */
const [FIRST_PLACES, MOST_PLACES] = [4096, 2 ** 21]

/** A set of numbers in one array; 0 stands for an empty place. */
class NumberSet {
  size = 0
  private places = new Float64Array(FIRST_PLACES)

  add(value: number): void {
    if (put(this.places, value === 0 ? -1 : value)) this.size++
    if (this.size * 2 <= this.places.length || this.places.length === MOST_PLACES) return
    const before = this.places
    this.places = new Float64Array(before.length * 2)
    for (const each of before) if (each !== 0) put(this.places, each)
  }
}

/** Puts a number in its place, or in the next free one; false when it's there. */
function put(places: Float64Array, value: number): boolean {
  const mask = places.length - 1
  let at = Math.imul(value ^ (value / 2_097_152), 0x9e3779b1) & mask
  for (; places[at] !== 0; at = (at + 1) & mask) if (places[at] === value) return false
  places[at] = value
  return true
}

/**
 * How many different values there are, by their hashes: exactly while they're few, then by HyperLogLog (Flajolet et
 * al., 2007) with an error of about 1.2 %.
 */
export class DistinctCounter {
  private readonly registers = new Uint8Array(REGISTERS)
  private few: NumberSet | null = new NumberSet()

  /**
   * @param high 32 bits of the value's hash
   * @param low 32 others
   */
  add(high: number, low: number): void {
    if (this.few) {
      this.few.add((high >>> 0) * 2_097_152 + (low >>> 11))
      if (this.few.size > COUNTED) this.few = null
    }
    const register = high >>> (32 - BITS)
    const rank = Math.clz32(low) + 1
    if (rank > this.registers[register]) this.registers[register] = rank
  }

  /** @param most values that were added: no more can be different */
  get(most: number): { count: number; exact: boolean } {
    if (this.few) return { count: this.few.size, exact: true }
    let sum = 0
    let empty = 0
    for (const rank of this.registers) {
      sum += 2 ** -rank
      if (rank === 0) empty++
    }
    const estimate = ((0.7213 / (1 + 1.079 / REGISTERS)) * REGISTERS * REGISTERS) / sum
    const small = estimate <= 2.5 * REGISTERS && empty > 0
    const count = Math.round(small ? REGISTERS * Math.log(REGISTERS / empty) : estimate)
    return { count: Math.min(most, count), exact: false }
  }
}

/** Spreads 32 bits over 32 bits (the last step of MurmurHash3). */
export function mix(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

/** Adds an integer that a double can't hold. */
export function addInteger(counter: DistinctCounter, value: bigint): void {
  const words = [0n, 32n, 64n, 96n].map((shift) => Number(BigInt.asIntN(32, value >> shift)))
  const low = words.reduce((hash, word) => mix(Math.imul(hash, 5) ^ word), 0x9e3779b9)
  counter.add(
    words.reduce((hash, word) => mix(Math.imul(hash, 7) + word), low),
    low,
  )
}

/** Adds a number; -0 is 0. */
export function addNumber(counter: DistinctCounter, value: number): void {
  double[0] = value + 0
  const a = mix(halves[0] ^ 0x9e3779b9)
  const b = mix(halves[1] + Math.imul(a, 5))
  counter.add(b, mix(a ^ Math.imul(b, 0x27d4eb2f)))
}
