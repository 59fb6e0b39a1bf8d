/*
 * Proleptic Gregorian calendar by arithmetic, after Howard Hinnant's "chrono-compatible low-level date algorithms"
 * (https://howardhinnant.github.io/date_algorithms.html). Doubles throughout, so that any int64 of seconds works.
 */

export const SECONDS_PER_DAY = 86_400

/** The day that means infinity, as in DuckDB; its negative means minus infinity. */
export const INFINITE_DAYS = 2_147_483_647

const MONTH_DAYS = new Uint8Array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
/** Days before the first day of each month, in a year of 365 days. */
const MONTH_STARTS = new Int32Array([0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334])

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Days from 1970-01-01 to 1 January of the years 0 to 9999, the usual ones. */
const YEAR_STARTS = new Int32Array(10_000)
for (let year = 0, days = -719_528; year < YEAR_STARTS.length; year++) {
  YEAR_STARTS[year] = days
  days += isLeap(year) ? 366 : 365
}
const DAYS_PER_CYCLE = 146_097

/** Days from 1970-01-01 to a valid date. Year 0 is 1 BC. */
export function daysFromCivil(year: number, month: number, day: number): number {
  // The calendar repeats every 400 years.
  const cycles = year >= 0 && year <= 9999 ? 0 : Math.floor(year / 400)
  const within = (year - cycles * 400) | 0
  const leapDay = month > 2 && isLeap(within) ? 1 : 0
  return cycles * DAYS_PER_CYCLE + YEAR_STARTS[within] + MONTH_STARTS[month] + leapDay + day - 1
}

/** Days in a month from 1 to 12; 0 for other numbers. */
export function daysInMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0
  return month === 2 && isLeap(year) ? 29 : MONTH_DAYS[month]
}

/** Year, month and day of a date. One object is reused to avoid allocations. */
export class Civil {
  year = 1970
  month = 1
  day = 1

  /** Sets the date `days` after 1970-01-01. */
  set(days: number): void {
    const z = days + 719_468
    const era = Math.floor(z / 146_097)
    const dayOfEra = z - era * 146_097
    const yearOfEra =
      ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0
    const dayOfYear = dayOfEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0))
    const shifted = ((5 * dayOfYear + 2) / 153) | 0
    this.day = dayOfYear - (((153 * shifted + 2) / 5) | 0) + 1
    this.month = shifted < 10 ? shifted + 3 : shifted - 9
    this.year = yearOfEra + era * 400 + (this.month <= 2 ? 1 : 0)
  }
}
