/*
 * Excel's dates are days since 1899-12-31. They include a 29 February 1900 that didn't exist (serial 60), so real dates
 * from 1 March 1900 on are one too high.
 */

export const MICROS_PER_DAY = 86_400_000_000
/** 9999-12-31 and 1900-01-01, in days since 1970-01-01. */
const LAST_DAY = 2_932_896
const FIRST_DAY = -25_567
/** 1900-03-01. */
const FIRST_TRUE_DAY = -25_508

/**
 * The serial number of a day in the 1900 date system.
 * @param day days since 1970-01-01
 * @returns null for days that Excel has no number for: before 1900-01-01 or after 9999-12-31
 */
export function daySerial(day: number): number | null {
  if (day >= FIRST_TRUE_DAY) return day <= LAST_DAY ? day + 25_569 : null
  return day >= FIRST_DAY ? day + 25_568 : null
}

/**
 * A time of day as 13 digits of a fraction of a day: more than a double can hold, and enough to recover the microsecond
 * (1.16e-11 days). Rounded up, since LibreOffice truncates to the second: 00:00:07 would become 00:00:06.
 * @param micros 0 to 86,399,999,999
 * @returns the fraction's first five and last eight digits
 */
export function dayFraction(micros: number, into: [high: number, low: number]): void {
  // Each product is below 2^53.
  let rest = micros * 1e5
  let high = Math.floor(rest / MICROS_PER_DAY)
  rest = (rest - high * MICROS_PER_DAY) * 1e5
  const middle = Math.floor(rest / MICROS_PER_DAY)
  rest = (rest - middle * MICROS_PER_DAY) * 1e3
  let low = middle * 1e3 + Math.ceil(rest / MICROS_PER_DAY)
  if (low === 1e8) {
    low = 0
    high++
  }
  into[0] = high
  into[1] = low
}

/** A number of days with 13 decimal places, which are exact to the microsecond. */
export function serialOf(micros: number): string {
  const size = Math.abs(micros)
  const days = Math.floor(size / MICROS_PER_DAY)
  const fraction: [number, number] = [0, 0]
  dayFraction(size - days * MICROS_PER_DAY, fraction)
  const digits = `${String(fraction[0]).padStart(5, '0')}${String(fraction[1]).padStart(8, '0')}`
  return `${micros < 0 ? '-' : ''}${days}.${digits}`
}

/** Units of a stored timestamp per day, split so that products with 32-bit words are exact. */
export interface DayUnits {
  readonly perDay: number
  /** `perDay` divided by 2^32. */
  readonly high: number
  readonly low: number
  /** Microseconds in one unit. */
  readonly micros: number
}

function dayUnits(perDay: number): DayUnits {
  return { perDay, high: Math.floor(perDay / 2 ** 32), low: perDay % 2 ** 32, micros: MICROS_PER_DAY / perDay }
}

export const SECONDS: DayUnits = dayUnits(86_400)
export const MILLISECONDS: DayUnits = dayUnits(86_400_000)
export const MICROSECONDS: DayUnits = dayUnits(MICROS_PER_DAY)

/**
 * Splits a 64-bit count of units since 1970 into days and the rest of the day, without BigInt.
 * @param words the value's little-endian low and high words
 * @returns false, without changing `into`, if the value is far outside Excel's range of years
 */
export function splitDays(low: number, high: number, units: DayUnits, into: [day: number, rest: number]): boolean {
  const approximate = high * 2 ** 32 + low
  let day = Math.floor(approximate / units.perDay)
  if (day > 3_000_000 || day < -800_000) return false
  // Subtract day * perDay word by word, because `approximate` has lost its last bits beyond 2^53.
  let rest = (high - day * units.high) * 2 ** 32 + (low - day * units.low)
  if (rest < 0) {
    rest += units.perDay
    day--
  } else if (rest >= units.perDay) {
    rest -= units.perDay
    day++
  }
  into[0] = day
  into[1] = rest
  return true
}
