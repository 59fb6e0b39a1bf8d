import { nearestDouble } from './doubles'

/*
 * Parses values in the notation that JSON and delimited text share. A parser returns the value's end, without checking
 * what follows it, or 0 for a text that JavaScript must parse.
 */

const SECONDS_PER_DAY: i64 = 86400
const MICROS: i64 = 1000000

let whole: i64 = 0

/** Result of the last `readInteger`, `readDate`, `readTime` or `readTimestamp`. */
export function wholeValue(): i64 {
  return whole
}

let real: f64 = 0

/** Result of the last `readDouble`. */
export function realValue(): f64 {
  return real
}

let decimalMark: u8 = 0x2e

/** Sets the decimal mark for all further numbers. */
export function setDecimalMark(mark: u8): void {
  decimalMark = mark
}

/** A digit's value; above 9 if it isn't a digit. */
export function digit(at: usize): u32 {
  return u32(load<u8>(at)) - 0x30
}

/** Parses an integer of up to 64 bits. */
export function readInteger(from: usize): usize {
  let at = from
  const negative = load<u8>(at) === 0x2d
  if (negative) at++
  const first = at
  let value: u64 = 0
  for (let next = digit(at); next < 10; next = digit(++at)) value = value * 10 + next
  const count = at - first
  if (count === 0 || count > 19 || (count > 1 && load<u8>(first) === 0x30)) return 0
  const after = load<u8>(at)
  if (after === 0x2e || (after | 0x20) === 0x65) return 0
  if (value > u64(i64.MAX_VALUE) + (negative ? 1 : 0)) return 0
  whole = negative ? -i64(value) : i64(value)
  return at
}

/** Parses a number of up to 19 digits as the nearest double. */
export function readDouble(from: usize): usize {
  let at = from
  const negative = load<u8>(at) === 0x2d
  if (negative) at++
  const first = at
  let mantissa: u64 = 0
  for (let next = digit(at); next < 10; next = digit(++at)) mantissa = mantissa * 10 + next
  let count = at - first
  if (count === 0 || (count > 1 && load<u8>(first) === 0x30)) return 0
  let exponent: i32 = 0
  if (load<u8>(at) === decimalMark) {
    const point = ++at
    for (let next = digit(at); next < 10; next = digit(++at)) mantissa = mantissa * 10 + next
    exponent = i32(point) - i32(at)
    if (exponent === 0) return 0
    count += at - point
  }
  if (count > 19 && count - leadingZeros(first) > 19) return 0
  if ((load<u8>(at) | 0x20) === 0x65) {
    at++
    const sign = load<u8>(at)
    if (sign === 0x2b || sign === 0x2d) at++
    const power = at
    let value: i32 = 0
    for (let next = digit(at); next < 10; next = digit(++at)) value = value * 10 + next
    if (at === power || at - power > 4) return 0
    exponent += sign === 0x2d ? -value : value
  }
  const value = mantissa === 0 ? 0 : nearestDouble(mantissa, exponent)
  // Overflow and underflow are JavaScript's to report.
  if (mantissa !== 0 && (value === 0 || value === Infinity)) return 0
  real = negative ? -value : value
  return at
}

/** Number of leading zeros. */
function leadingZeros(from: usize): usize {
  let count: usize = 0
  let at = from
  for (let byte = load<u8>(at); byte === 0x30 || byte === decimalMark; byte = load<u8>(++at)) if (byte === 0x30) count++
  return count
}

/** Two digits as a number; above 99 if they aren't digits. */
export function twoDigits(at: usize): u32 {
  const tens = digit(at)
  const ones = digit(at + 1)
  return tens > 9 || ones > 9 ? 100 : tens * 10 + ones
}

const MONTH_STARTS = memory.data<i32>([0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365])

/** Days since 1970-01-01 of `YYYY-MM-DD`; i32.MIN_VALUE if it isn't a date. */
function days(at: usize): i32 {
  const century = twoDigits(at)
  const rest = twoDigits(at + 2)
  if (century > 99 || rest > 99 || load<u8>(at, 4) !== 0x2d || load<u8>(at, 7) !== 0x2d) return i32.MIN_VALUE
  return civilDays(century * 100 + rest, twoDigits(at + 5), twoDigits(at + 8))
}

/** Days since 1970-01-01, for years 0 to 9999; i32.MIN_VALUE if there is no such date. */
export function civilDays(year: u32, month: u32, day: u32): i32 {
  if (month < 1 || month > 12 || day < 1 || day > 31) return i32.MIN_VALUE
  const leap: u32 = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0
  const starts = MONTH_STARTS + (usize(month) << 2)
  const start = load<i32>(starts)
  if (day > u32(load<i32>(starts, 4) - start) + (month === 2 ? leap : 0)) return i32.MIN_VALUE
  // Leap days before the year; year 0 is a leap year.
  const leaps = year === 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
  return i32(year * 365 + leaps) - 719528 + start + (month > 2 ? i32(leap) : 0) + i32(day) - 1
}

export function readDate(from: usize): usize {
  const value = days(from)
  whole = value
  return value === i32.MIN_VALUE ? 0 : from + 10
}

let micros: i64 = 0

/** Parses `HH:MM[:SS[.fraction]]`, with up to six digits of fraction. */
function clock(from: usize): usize {
  const hour = twoDigits(from)
  const minute = twoDigits(from + 3)
  if (hour > 23 || minute > 59 || load<u8>(from, 2) !== 0x3a) return 0
  let at = from + 5
  let second: u32 = 0
  let fraction: u32 = 0
  if (load<u8>(at) === 0x3a) {
    second = twoDigits(at + 1)
    if (second > 59) return 0
    at += 3
    if (load<u8>(at) === 0x2e) {
      const point = ++at
      for (let next = digit(at); next < 10 && at - point < 6; next = digit(++at)) fraction = fraction * 10 + next
      if (at === point || digit(at) < 10) return 0
      for (let left = at - point; left < 6; left++) fraction *= 10
    }
  }
  micros = i64(hour * 3600 + minute * 60 + second) * MICROS + fraction
  return at
}

/** Parses a time of day, in microseconds. */
export function readTime(from: usize): usize {
  const at = clock(from)
  whole = micros
  return at
}

/**
 * Parses a timestamp, in microseconds, or a date as midnight.
 * @param zoned whether a UTC offset may follow
 */
export function readTimestamp(from: usize, zoned: bool): usize {
  const date = days(from)
  if (date === i32.MIN_VALUE) return 0
  let at = from + 10
  let offset: i64 = 0
  micros = 0
  const separator = load<u8>(at)
  if (separator === 0x20 || separator === 0x54) {
    at = clock(at + 1)
    if (at === 0) return 0
    if (zoned) {
      const sign = load<u8>(at)
      if (sign === 0x5a) {
        at++
      } else if (sign === 0x2b || sign === 0x2d) {
        const hours = twoDigits(at + 1)
        const minutes = load<u8>(at, 3) === 0x3a ? twoDigits(at + 4) : 0
        if (hours > 23 || minutes > 59) return 0
        at += load<u8>(at, 3) === 0x3a ? 6 : 3
        offset = i64(hours * 3600 + minutes * 60) * (sign === 0x2b ? 1 : -1)
      }
    }
  }
  whole = (i64(date) * SECONDS_PER_DAY - offset) * MICROS + micros
  return at
}

/** Parses a decimal of up to 18 digits as an integer of 10^-scale units. */
export function readDecimal(from: usize, width: i32, scale: i32): usize {
  let at = from
  const negative = load<u8>(at) === 0x2d
  if (negative) at++
  const first = at
  let value: i64 = 0
  for (let next = digit(at); next < 10; next = digit(++at)) value = value * 10 + next
  let count = i32(at - first)
  if (count === 0 || (count > 1 && load<u8>(first) === 0x30)) return 0
  if (value === 0 && count === 1) count = 0
  let missing = scale
  if (load<u8>(at) === decimalMark) {
    const point = ++at
    for (let next = digit(at); next < 10; next = digit(++at)) value = value * 10 + next
    const fraction = i32(at - point)
    count += fraction
    missing -= fraction
    if (fraction === 0 || missing < 0) return 0
  }
  if (count + missing > 18 || count + missing > width) return 0
  for (; missing > 0; missing--) value *= 10
  whole = negative ? -value : value
  return at
}
