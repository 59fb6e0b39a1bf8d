/*
 * Proleptic Gregorian calendar by arithmetic, after Howard Hinnant's "chrono-compatible low-level date algorithms"
 * (https://howardhinnant.github.io/date_algorithms.html). Doubles throughout, so that any int64 of seconds works.
 */

export const SECONDS_PER_DAY = 86_400

/** Days from 1970-01-01 to a date that exists; year 0 is 1 BC. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1
  const dayOfEra = yearOfEra * 365 + (yearOfEra >> 2) - ((yearOfEra / 100) | 0) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

const MONTH_DAYS = new Uint8Array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])

/** Days in a month of 1 to 12; 0 for any other. */
export function daysInMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0
  if (month !== 2) return MONTH_DAYS[month]
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** A date taken apart; one object is reused, so that no value costs an allocation. */
export class Civil {
  year = 1970
  month = 1
  day = 1

  /** Sets the date that is `days` after 1970-01-01. */
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
