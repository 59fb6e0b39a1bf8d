import {
  PATTERN_DAY,
  PATTERN_END,
  PATTERN_HOUR,
  PATTERN_LITERAL,
  PATTERN_MINUTE,
  PATTERN_MONTH,
  PATTERN_SECOND,
  PATTERN_SHORT_YEAR,
  PATTERN_YEAR,
} from './layout'
import { civilDays } from './values'

/* Parses dates and times by a pattern: steps of four bytes, as in `layout.ts`. */

let days: i32 = 0
let micros: i64 = 0

/** Days since 1970-01-01 of the last parsed date. */
export function patternDays(): i32 {
  return days
}

/** Microseconds since midnight of the last parsed time of day. */
export function patternMicros(): i64 {
  return micros
}

/** Parses a text by a pattern; false if JavaScript must parse it. */
export function readPattern(pattern: usize, from: usize, end: usize): bool {
  let year: u32 = 1970
  let month: u32 = 1
  let day: u32 = 1
  let hour: u32 = 0
  let minute: u32 = 0
  let second: u32 = 0
  let fraction: u32 = 0
  let at = from
  for (let step = pattern; ; step += 4) {
    const part = i32(load<u8>(step))
    if (part === PATTERN_END) break
    if (part === PATTERN_LITERAL) {
      if (at >= end || load<u8>(at) !== load<u8>(step, 1)) return false
      at++
      continue
    }
    const begin = at
    const most = min(end, at + usize(load<u8>(step, 2)))
    let value: u32 = 0
    for (; at < most; at++) {
      const digit = u32(load<u8>(at)) - 0x30
      if (digit > 9) break
      value = value * 10 + digit
    }
    if (at - begin < usize(load<u8>(step, 1))) return false
    switch (part) {
      case PATTERN_YEAR:
        year = value
        break
      case PATTERN_SHORT_YEAR:
        year = value < 69 ? 2000 + value : 1900 + value
        break
      case PATTERN_MONTH:
        month = value
        break
      case PATTERN_DAY:
        day = value
        break
      case PATTERN_HOUR:
        hour = value
        break
      case PATTERN_MINUTE:
        minute = value
        break
      case PATTERN_SECOND:
        second = value
        break
      default:
        if (at - begin > 6) return false
        fraction = value
        for (let digits = at - begin; digits < 6; digits++) fraction *= 10
    }
  }
  if (at !== end || hour > 23 || minute > 59 || second > 59) return false
  days = civilDays(year, month, day)
  micros = i64(hour * 3600 + minute * 60 + second) * 1000000 + fraction
  return days !== i32.MIN_VALUE
}
