import { writeUnsigned } from './doubles'

const SECONDS_PER_DAY: i64 = 86400
const DAYS_PER_ERA: i64 = 146097

const UNITS = memory.data<i64>([1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000])

function floorDivide(value: i64, by: i64): i64 {
  const quotient = value / by
  return value - quotient * by < 0 ? quotient - 1 : quotient
}

function pair(out: usize, value: u32): usize {
  const tens = value / 10
  store<u16>(out, (0x30 + tens) | ((0x30 + value - tens * 10) << 8))
  return out + 2
}

/** “infi” and “nity”. */
const INFI: u32 = 0x69666e69
const NITY: u32 = 0x7974696e

function writeInfinity(out: usize, negative: bool): usize {
  let at = out
  if (negative) store<u8>(at++, 0x2d)
  store<u32>(at, INFI)
  store<u32>(at, NITY, 4)
  return at + 8
}

/**
 * Writes days since 1970-01-01 as `YYYY-MM-DD` or `infinity`. Years after 9999 have more digits, years before 0 a
 * minus.
 */
export function writeDate(out: usize, days: i32): usize {
  if (days === i32.MAX_VALUE || days === -i32.MAX_VALUE) return writeInfinity(out, days < 0)
  return writeDay(out, days)
}

/** From Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
function writeDay(out: usize, days: i64): usize {
  const z = days + 719468
  const era = floorDivide(z, DAYS_PER_ERA)
  const dayOfEra = u32(z - era * DAYS_PER_ERA)
  const yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
  const dayOfYear = dayOfEra - (365 * yearOfEra + (yearOfEra >> 2) - yearOfEra / 100)
  const shifted = (5 * dayOfYear + 2) / 153
  const day = dayOfYear - (153 * shifted + 2) / 5 + 1
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  const year = i64(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0)
  let at = out
  if (year >= 0 && year <= 9999) {
    const century = u32(year) / 100
    at = pair(at, century)
    at = pair(at, u32(year) - century * 100)
  } else {
    if (year < 0) store<u8>(at++, 0x2d)
    at = writeUnsigned(at, u64(abs<i64>(year)), 4)
  }
  store<u8>(at, 0x2d)
  at = pair(at + 1, month)
  store<u8>(at, 0x2d)
  return pair(at + 1, day)
}

/** Writes `HH:MM:SS[.fraction]`, with the fraction in units of 10^-digits seconds. */
function writeClock(out: usize, seconds: i64, fraction: i64, digits: i32): usize {
  const hours = seconds / 3600
  const rest = u32(seconds - hours * 3600)
  const minutes = rest / 60
  let at = hours > 99 ? writeUnsigned(out, u64(hours), 1) : pair(out, u32(hours))
  store<u8>(at, 0x3a)
  at = pair(at + 1, minutes)
  store<u8>(at, 0x3a)
  at = pair(at + 1, rest - minutes * 60)
  if (fraction === 0) return at
  store<u8>(at++, 0x2e)
  let left = digits
  let kept = fraction
  while (kept % 10 === 0) {
    kept /= 10
    left--
  }
  return writeUnsigned(at, u64(kept), left)
}

/** Writes a time of day, in units of 10^-digits seconds since midnight. */
export function writeTime(out: usize, value: i64, digits: i32): usize {
  let at = out
  if (value < 0) store<u8>(at++, 0x2d)
  const magnitude = u64(abs<i64>(value))
  const unit = u64(load<i64>(UNITS + (usize(digits) << 3)))
  const seconds = magnitude / unit
  return writeClock(at, i64(seconds), i64(magnitude - seconds * unit), digits)
}

/**
 * Writes a timestamp, in units of 10^-digits seconds since 1970-01-01, as `YYYY-MM-DD HH:MM:SS[.fraction]` or
 * `infinity`.
 */
export function writeTimestamp(out: usize, value: i64, digits: i32): usize {
  if (isInfinite(value)) return writeInfinity(out, value < 0)
  const unit = load<i64>(UNITS + (usize(digits) << 3))
  const seconds = floorDivide(value, unit)
  const days = floorDivide(seconds, SECONDS_PER_DAY)
  const at = writeDay(out, days)
  store<u8>(at, 0x20)
  return writeClock(at + 1, seconds - days * SECONDS_PER_DAY, value - seconds * unit, digits)
}

/** Whether a timestamp is DuckDB's `infinity` or `-infinity`. */
export function isInfinite(value: i64): bool {
  return value === i64.MAX_VALUE || value === -i64.MAX_VALUE
}
