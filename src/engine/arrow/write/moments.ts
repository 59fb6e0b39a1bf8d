import { COLON, DASH, SPACE, ZERO } from '../../../lib/ascii.ts'
import type { ByteWriter } from '../../../lib/bytes.ts'
import { Civil, INFINITE_DAYS, SECONDS_PER_DAY } from '../calendar.ts'
import { writeUint } from './digits.ts'

const TWO_32 = 4_294_967_296

const civil = new Civil()
const INFINITY = new TextEncoder().encode('infinity')
const NO_ZONE = new Uint8Array(0)

function pair(bytes: Uint8Array, at: number, value: number): void {
  const tens = (value / 10) | 0
  bytes[at] = ZERO + tens
  bytes[at + 1] = ZERO + value - tens * 10
}

function writeInfinity(out: ByteWriter, negative: boolean): void {
  if (negative) out.byte(DASH)
  out.append(INFINITY)
}

/**
 * Writes days since 1970-01-01 as `YYYY-MM-DD` or `infinity`. Years beyond 9999 have more digits, and those before 0 a
 * minus.
 */
export function writeDate(out: ByteWriter, days: number): void {
  if (days === INFINITE_DAYS || days === -INFINITE_DAYS) writeInfinity(out, days < 0)
  else writeDay(out, days)
}

function writeDay(out: ByteWriter, days: number): void {
  civil.set(days)
  const { year } = civil
  out.reserve(32)
  if (year >= 0 && year <= 9999) {
    const century = (year / 100) | 0
    pair(out.bytes, out.length, century)
    pair(out.bytes, out.length + 2, year - century * 100)
    out.length += 4
  } else {
    if (year < 0) out.byte(DASH)
    writeUint(out, Math.abs(year), 4)
    out.reserve(6)
  }
  const { bytes, length } = out
  bytes[length] = DASH
  pair(bytes, length + 1, civil.month)
  bytes[length + 3] = DASH
  pair(bytes, length + 4, civil.day)
  out.length = length + 6
}

/** Writes `HH:MM:SS[.fraction]`, where the fraction has `digits` decimal places. */
function writeClock(out: ByteWriter, seconds: number, fraction: number, digits: number): void {
  out.reserve(20)
  const hours = (seconds / 3600) | 0
  const minutes = ((seconds - hours * 3600) / 60) | 0
  if (hours > 99) writeUint(out, hours)
  else {
    pair(out.bytes, out.length, hours)
    out.length += 2
  }
  const { bytes, length } = out
  bytes[length] = COLON
  pair(bytes, length + 1, minutes)
  bytes[length + 3] = COLON
  pair(bytes, length + 4, seconds - hours * 3600 - minutes * 60)
  out.length = length + 6
  if (fraction === 0) return
  out.byte(0x2e)
  let rest = fraction | 0
  let left = digits
  while (rest % 10 === 0) {
    rest = (rest / 10) | 0
    left--
  }
  writeUint(out, rest, left)
}

/** Writes a time since midnight, given as two words of a count with `10^digits` units per second. */
export function writeTime(out: ByteWriter, low: number, high: number, digits = 6): void {
  const count = high * TWO_32 + (low >>> 0)
  if (count < 0) out.byte(DASH)
  const magnitude = Math.abs(count)
  const seconds = Math.floor(magnitude / UNITS[digits])
  writeClock(out, seconds, magnitude - seconds * UNITS[digits], digits)
}

/**
 * Writes a timestamp, given as two words of a count since 1970-01-01 with `10^digits` units per second. The greatest
 * count is `infinity`, and its negative is minus infinity.
 * @param form the separator between date and time, a space or `T`, and the suffix
 */
export function writeTimestamp(
  out: ByteWriter,
  low: number,
  high: number,
  digits: number,
  { separator = SPACE, zone = NO_ZONE }: { readonly separator?: number; readonly zone?: Uint8Array } = {},
): void {
  const unit = UNITS[digits]
  let seconds: number
  let fraction: number
  if (high < 2_097_152 && high >= -2_097_152) {
    const value = high * TWO_32 + (low >>> 0)
    seconds = Math.floor(value / unit)
    fraction = value - seconds * unit
    // The quotient may have been rounded up to the next second.
    if (fraction < 0) {
      seconds--
      fraction += unit
    }
  } else if (isInfinite(low, high)) {
    writeInfinity(out, high < 0)
    return
  } else {
    // Long division in steps below 2^53; the highest step takes the sign.
    const first = Math.floor(high / unit)
    const second = (high - first * unit) * 65_536 + (low >>> 16)
    const secondQuotient = Math.floor(second / unit)
    const third = (second - secondQuotient * unit) * 65_536 + (low & 0xffff)
    const thirdQuotient = Math.floor(third / unit)
    seconds = first * TWO_32 + secondQuotient * 65_536 + thirdQuotient
    fraction = third - thirdQuotient * unit
  }
  const days = Math.floor(seconds / SECONDS_PER_DAY)
  writeDay(out, days)
  out.byte(separator)
  writeClock(out, seconds - days * SECONDS_PER_DAY, fraction, digits)
  out.append(zone)
}

/** Whether the words are the greatest 64-bit integer, which means infinity, or its negative. */
export function isInfinite(low: number, high: number): boolean {
  return (high === 0x7fffffff && low >>> 0 === 0xffffffff) || (high === -0x80000000 && low === 1)
}

const UNITS = new Float64Array([1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9])
