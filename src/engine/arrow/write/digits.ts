import { DASH, DOT, ZERO } from '../../../lib/ascii.ts'
import type { ByteWriter } from '../../../lib/bytes.ts'

const TWO_32 = 4_294_967_296

/** The two digits of 0 to 99. */
const TENS = Uint8Array.from({ length: 100 }, (_, value) => ZERO + Math.floor(value / 10))
const ONES = Uint8Array.from({ length: 100 }, (_, value) => ZERO + (value % 10))

function countDigits(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4
  if (value < 1_000_000) return value < 100_000 ? 5 : 6
  return value < 100_000_000 ? (value < 10_000_000 ? 7 : 8) : 9
}

/** Writes `value`, 0 to 2^53, with at least `width` digits. */
export function writeUint(out: ByteWriter, value: number, width = 1): void {
  if (value < 1e9) {
    writeSmall(out, value | 0, width)
    return
  }
  const head = Math.floor(value / 1e9)
  writeSmall(out, head | 0, width - 9)
  writeSmall(out, (value - head * 1e9) | 0, 9)
}

/** Writes an integer below 10^9, with at least `width` digits. */
function writeSmall(out: ByteWriter, value: number, width: number): void {
  let digits = countDigits(value)
  if (digits < width) digits = width
  const start = out.length
  let at = start + digits
  if (at > out.bytes.length) out.reserve(digits)
  const { bytes } = out
  out.length = at
  let rest = value
  while (rest >= 100) {
    const next = (rest / 100) | 0
    const pair = rest - next * 100
    bytes[--at] = ONES[pair]
    bytes[--at] = TENS[pair]
    rest = next
  }
  bytes[--at] = ONES[rest]
  if (rest >= 10) bytes[--at] = TENS[rest]
  while (at > start) bytes[--at] = ZERO
}

/** Writes an integer of at most 2^53 either side of zero. */
export function writeInt(out: ByteWriter, value: number): void {
  if (value < 0) {
    out.byte(DASH)
    writeUint(out, -value)
  } else {
    writeUint(out, value)
  }
}

/** Writes an unsigned 64-bit integer from two unsigned words. */
export function writeUint64(out: ByteWriter, low: number, high: number): void {
  if (high < 2_097_152) {
    writeUint(out, high * TWO_32 + low)
    return
  }
  // Long division by 10^9 in steps below 2^53.
  const first = Math.floor(high / 1e9)
  const second = (high - first * 1e9) * 65_536 + (low >>> 16)
  const secondQuotient = Math.floor(second / 1e9)
  const third = (second - secondQuotient * 1e9) * 65_536 + (low & 0xffff)
  const thirdQuotient = Math.floor(third / 1e9)
  writeUint(out, first * TWO_32 + secondQuotient * 65_536 + thirdQuotient)
  writeUint(out, third - thirdQuotient * 1e9, 9)
}

/** Writes a signed 64-bit integer from two words. */
export function writeInt64(out: ByteWriter, low: number, high: number): void {
  if (high >= 0) {
    writeUint64(out, low >>> 0, high)
    return
  }
  out.byte(DASH)
  const negated = -low >>> 0
  writeUint64(out, negated, (negated === 0 ? -high : ~high) >>> 0)
}

const limbs = new Uint32Array(4)
/** Decimal digits of the number in `limbs`, most significant group of nine last. */
const groups = new Uint32Array(5)

/**
 * Writes a 128-bit decimal, little-endian two's complement at `words[at..at+3]`, with exactly `scale` digits after
 * the point.
 */
export function writeDecimal(out: ByteWriter, words: Uint32Array | Int32Array, at: number, scale: number): void {
  const negative = (words[at + 3] | 0) < 0
  if (negative) out.byte(DASH)
  let carry = 1
  for (let i = 0; i < 4; i++) {
    if (negative) {
      const sum = (~words[at + i] >>> 0) + carry
      limbs[i] = sum
      carry = sum >= TWO_32 ? 1 : 0
    } else {
      limbs[i] = words[at + i]
    }
  }
  if (limbs[3] === 0 && limbs[2] === 0 && limbs[1] < 2_097_152) {
    writeScaled(out, limbs[1] * TWO_32 + limbs[0], scale)
    return
  }
  const start = out.length
  let count = 0
  let top = 3
  while (top >= 0) {
    if (limbs[top] === 0) top--
    else groups[count++] = divideByBillion(top)
  }
  writeUint(out, groups[count - 1], scale + 1 - (count - 1) * 9)
  for (let i = count - 2; i >= 0; i--) writeUint(out, groups[i], 9)
  if (scale > 0) insertPoint(out, start, scale)
}

const POWERS = Float64Array.from({ length: 16 }, (_, power) => 10 ** power)

/** Writes `value / 10^scale`, where `value` is an integer of at most 2^53. */
function writeScaled(out: ByteWriter, value: number, scale: number): void {
  if (scale === 0) {
    writeUint(out, value)
    return
  }
  if (scale > 15) {
    const start = out.length
    writeUint(out, value, scale + 1)
    insertPoint(out, start, scale)
    return
  }
  const power = POWERS[scale]
  let whole = Math.floor(value / power)
  let fraction = value - whole * power
  // The quotient may have been rounded up to the next integer.
  if (fraction < 0) {
    whole--
    fraction += power
  }
  writeUint(out, whole)
  out.byte(DOT)
  writeUint(out, fraction, scale)
}

/** Inserts a decimal point before the last `scale` bytes of a number that begins at `start` and has more digits. */
function insertPoint(out: ByteWriter, start: number, scale: number): void {
  out.reserve(1)
  const { bytes } = out
  const point = Math.max(start, out.length - scale)
  for (let at = out.length; at > point; at--) bytes[at] = bytes[at - 1]
  bytes[point] = DOT
  out.length++
}

/** Divides `limbs`, which are zero above `top`, by 10^9 in place, and returns the remainder. */
function divideByBillion(top: number): number {
  let remainder = 0
  for (let i = top; i >= 0; i--) {
    const limb = limbs[i]
    const upper = remainder * 65_536 + (limb >>> 16)
    const upperQuotient = Math.floor(upper / 1e9)
    const lower = (upper - upperQuotient * 1e9) * 65_536 + (limb & 0xffff)
    const lowerQuotient = Math.floor(lower / 1e9)
    limbs[i] = upperQuotient * 65_536 + lowerQuotient
    remainder = lower - lowerQuotient * 1e9
  }
  return remainder
}

/** `value / 10^scale` in plain notation, with exactly `scale` digits after the point. */
export function printDecimal(value: bigint, scale: number): string {
  const negative = value < 0n
  const digits = String(negative ? -value : value).padStart(scale + 1, '0')
  const at = digits.length - scale
  return (negative ? '-' : '') + digits.slice(0, at) + (scale > 0 ? `.${digits.slice(at)}` : '')
}
