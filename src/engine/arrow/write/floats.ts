import { DASH, DOT, ZERO } from '../../../lib/ascii.ts'
import type { ByteWriter } from '../../../lib/bytes.ts'
import { writeUint } from './digits.ts'

const SMALLEST_NORMAL = 2 ** -126

/**
 * Writes the shortest text that reads back as the same double, as JavaScript prints it, with `.0` after an integer
 * that has no exponent.
 */
export function writeDouble(out: ByteWriter, value: number): void {
  const magnitude = Math.abs(value)
  if (magnitude < 1e15 && magnitude >= 1e-6) {
    // Doubles distinguish all decimals of up to 15 digits, so one that gives the same value is the shortest.
    const scaled = magnitude < 1e9 ? Math.round(magnitude * 1e6) : magnitude
    if (magnitude >= 1e9 ? Number.isInteger(magnitude) : scaled / 1e6 === magnitude) {
      writeFixed(out, value < 0, magnitude, scaled)
      return
    }
  }
  writeSlow(out, value, String(value))
}

/** Writes a multiple of a millionth if it's below 10^9, or else an integer. */
function writeFixed(out: ByteWriter, negative: boolean, magnitude: number, scaled: number): void {
  if (negative) out.byte(DASH)
  const whole = magnitude < 1e9 ? Math.floor(scaled / 1e6) : magnitude
  writeUint(out, whole)
  out.byte(DOT)
  let fraction = magnitude < 1e9 ? (scaled - whole * 1e6) | 0 : 0
  if (fraction === 0) {
    out.byte(ZERO)
    return
  }
  let digits = 6
  while (fraction % 10 === 0) {
    fraction = (fraction / 10) | 0
    digits--
  }
  writeUint(out, fraction, digits)
}

/** Like `writeDouble`, for a 32-bit float: the shortest text that reads back as the same float. */
export function writeFloat(out: ByteWriter, value: number): void {
  if (!Number.isFinite(value) || value === 0 || (Number.isInteger(value) && Math.abs(value) < 1e15)) {
    writeDouble(out, value)
    return
  }
  writeSlow(out, value, shortestFloat(value))
}

/** Normal floats distinguish all decimals of six digits, and nine digits distinguish all floats. */
function shortestFloat(value: number): string {
  for (let digits = Math.abs(value) < SMALLEST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(Number(value.toPrecision(9)))
}

function writeSlow(out: ByteWriter, value: number, text: string): void {
  out.reserve(text.length + 3)
  if (Object.is(value, -0)) out.byte(DASH)
  for (let i = 0; i < text.length; i++) out.bytes[out.length++] = text.charCodeAt(i)
  if (Number.isInteger(value) && !text.includes('e')) {
    out.byte(DOT)
    out.byte(ZERO)
  }
}
