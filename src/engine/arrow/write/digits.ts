import type { ByteWriter } from '../../../lib/bytes.ts'

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e
const TWO_32 = 4_294_967_296

/** Writes `value`, 0 to 2^53, with at least `width` digits. */
export function writeUint(out: ByteWriter, value: number, width = 1): void {
  if (value >= 1e9) {
    const head = Math.floor(value / 1e9)
    writeUint(out, head, width - 9)
    writeUint(out, value - head * 1e9, 9)
    return
  }
  let digits = 1
  for (let rest = value; rest >= 10; rest = (rest / 10) | 0) digits++
  if (digits < width) digits = width
  out.reserve(digits)
  const { bytes } = out
  let rest = value | 0
  for (let at = out.length + digits - 1; at >= out.length; at--) {
    const next = (rest / 10) | 0
    bytes[at] = ZERO + rest - next * 10
    rest = next
  }
  out.length += digits
}

/** Writes an integer of at most 2^53 either side of zero. */
export function writeInt(out: ByteWriter, value: number): void {
  if (value < 0) {
    out.byte(MINUS)
    writeUint(out, -value)
  } else {
    writeUint(out, value)
  }
}

/** Writes an unsigned 64-bit integer of two unsigned words. */
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

/** Writes a signed 64-bit integer of two words. */
export function writeInt64(out: ByteWriter, low: number, high: number): void {
  if (high >= 0) {
    writeUint64(out, low >>> 0, high)
    return
  }
  out.byte(MINUS)
  const negated = -low >>> 0
  writeUint64(out, negated, (negated === 0 ? -high : ~high) >>> 0)
}

const limbs = new Uint32Array(4)
/** Decimal digits of the number in `limbs`, most significant group of nine last. */
const groups = new Uint32Array(5)

/**
 * Writes a 128-bit decimal, little-endian two's complement at `words[at..at+3]`, with exactly `scale` digits behind
 * the point.
 */
export function writeDecimal(out: ByteWriter, words: Uint32Array | Int32Array, at: number, scale: number): void {
  const negative = (words[at + 3] | 0) < 0
  if (negative) out.byte(MINUS)
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
  while (limbs[0] !== 0 || limbs[1] !== 0 || limbs[2] !== 0 || limbs[3] !== 0) groups[count++] = divideByBillion()
  writeUint(out, groups[count - 1], scale + 1 - (count - 1) * 9)
  for (let i = count - 2; i >= 0; i--) writeUint(out, groups[i], 9)
  if (scale > 0) insertPoint(out, start, scale)
}

/** Writes `value / 10^scale`, the value being an integer of at most 2^53. */
function writeScaled(out: ByteWriter, value: number, scale: number): void {
  const start = out.length
  writeUint(out, value, scale + 1)
  if (scale > 0) insertPoint(out, start, scale)
}

/** Puts a point before the last `scale` bytes of a number that begins at `start` and has more digits than that. */
function insertPoint(out: ByteWriter, start: number, scale: number): void {
  out.reserve(1)
  const at = Math.max(start, out.length - scale)
  out.bytes.copyWithin(at + 1, at, out.length)
  out.bytes[at] = POINT
  out.length++
}

/** Divides `limbs` by 10^9 in place and returns the remainder. */
function divideByBillion(): number {
  let remainder = 0
  for (let i = 3; i >= 0; i--) {
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
