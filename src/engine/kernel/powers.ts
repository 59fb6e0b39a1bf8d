/** The smallest power of ten in the table: ten times less, times any 64-bit integer, rounds to zero. */
const SMALLEST = -342

/** The largest power of ten in the table: what the smallest double has to be multiplied by to get its digits. */
const LARGEST = 324

/** From here on up to -1 the powers are rounded up, so that a product that's exact can be told from one that isn't. */
const FIRST_ROUNDED_UP = -27

const BITS = 128n

/** The top 128 bits of an integer, the rest cut off, or the integer shifted up to 128 bits. */
function normalise(value: bigint): bigint {
  const surplus = BigInt(value.toString(2).length) - BITS
  return surplus < 0n ? value << -surplus : value >> surplus
}

/**
 * The powers of ten that `assembly/doubles.ts` needs, as significands of 128 bits of which the topmost is set. Each has
 * 16 bytes: the low and then the high 64 bits, both little-endian. The first is that of 10^-342, the last that of
 * 10^324; so the significand of 10^e is at `(e + 342) * 16`. They're cut off, but for 10^-27 to 10^-1, which are
 * rounded up; from 10^0 to 10^55 they're exact. That's what Eisel-Lemire needs (https://arxiv.org/abs/2101.11408 and
 * the script `table_generation.py` of https://github.com/fastfloat/fast_float). For Schubfach, which needs all of them
 * rounded up, one is added to those cut off: none ends in 64 ones, so that this never carries into the high half.
 */
export function powersOfTen(): Uint8Array<ArrayBuffer> {
  const table = new DataView(new ArrayBuffer((LARGEST - SMALLEST + 1) * 16))
  // A power of five has the same significand as that of ten.
  let power = 1n
  for (let exponent = 0; exponent <= Math.max(-SMALLEST, LARGEST); exponent++) {
    if (exponent <= LARGEST) store(table, exponent, normalise(power))
    if (exponent > 0 && -exponent >= SMALLEST) store(table, -exponent, inverse(power, -exponent))
    power *= 5n
  }
  return new Uint8Array(table.buffer)
}

/** The significand of 1 / `power`; no power of five but the first divides a power of two, so it's never exact. */
function inverse(power: bigint, exponent: number): bigint {
  const bits = BigInt(power.toString(2).length)
  const cutOff = (1n << (bits + BITS - 1n)) / power
  return exponent >= FIRST_ROUNDED_UP ? cutOff + 1n : cutOff
}

function store(table: DataView, exponent: number, significand: bigint): void {
  const at = (exponent - SMALLEST) * 16
  table.setBigUint64(at, BigInt.asUintN(64, significand), true)
  table.setBigUint64(at + 8, significand >> 64n, true)
}
