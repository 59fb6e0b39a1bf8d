import type { ByteWriter } from '../../../../../lib/bytes.ts'
import { Civil } from '../../../../arrow/calendar.ts'

const DAY_MICROS = 86_400_000_000
/** Day 0 of each date system, in days from 1970-01-01. */
const EPOCH_1900 = -25_569
const EPOCH_1904 = -24_107
/** 0001-01-01 and 9999-12-31: no spreadsheet shows dates beyond these. */
const FIRST_DAY = -719_162
const LAST_DAY = 2_932_896

/*
 * How close to a whole millisecond a time must be to be rounded to it, in 1e-5 microseconds. Programs write serial
 * numbers as doubles, which are exact to milliseconds at best: with 15 digits (LibreOffice: 10 decimal places, off by
 * up to 4.3 µs), 17 digits (Excel, openpyxl: 11 or 12 decimal places, off by up to 0.4 µs, or more if computed), or 15
 * digits converted with more digits than a double has (Gnumeric: 16). With 13 decimal places, as in our writer's
 * numbers, or for a time without a date, they are exact to the microsecond.
 */
const NEAR_DOUBLE = 522_000
const NEAR_EXACT = 90_000

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/**
 * Splits a serial number into days and microseconds by its decimal digits, without time zones or rounding of doubles.
 * One object is reused for all cells.
 */
export class Serial {
  negative = false
  /** Whole days, absolute. */
  days = 0
  /** Microseconds of the day, 0 to 86,399,999,999, absolute. */
  micros = 0

  /** Parses a cell's number. Returns false if it isn't a number, or too large for any date. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start
    this.negative = bytes[at] === 45
    if (this.negative) at++
    let days = 0
    const digitsFrom = at
    for (; at < end; at++) {
      const digit = bytes[at] - 48
      if (digit < 0 || digit > 9) break
      days = days * 10 + digit
    }
    if (days > 1e9) return false
    let digits = at - digitsFrom
    let fraction = 0
    let places = 0
    if (at < end && bytes[at] === 46) {
      for (at++; at < end; at++, places++) {
        const digit = bytes[at] - 48
        if (digit < 0 || digit > 9) break
        if (places < 13) fraction = fraction * 10 + digit
        else if (places === 13 && digit >= 5) fraction++
      }
      digits += places
    }
    if (digits === 0) return false
    if (at < end) return (bytes[at] | 32) === 101 && this.parseExponent(bytes, start, end)
    this.days = days
    this.setFraction(fraction, places)
    return true
  }

  private setFraction(fraction: number, places: number): void {
    if (fraction === 0) {
      this.micros = 0
      return
    }
    // With 13 digits, the unit is 0.00864 µs. Both products are below 2^53 and so exact.
    const units = fraction * 10 ** Math.max(0, 13 - places) * 864
    const exact = places === 13 || (places > 13 && this.days === 0)
    const near = exact ? NEAR_EXACT : NEAR_DOUBLE
    const millis = Math.round(units / 1e8)
    const micros = Math.abs(units - millis * 1e8) <= near ? millis * 1000 : Math.round(units / 1e5)
    if (micros === DAY_MICROS) this.days++
    this.micros = micros === DAY_MICROS ? 0 : micros
  }

  private parseExponent(bytes: Uint8Array, start: number, end: number): boolean {
    const plain = plainNumber(decoder.decode(bytes.subarray(start, end)))
    if (plain === null) return false
    const expanded = encoder.encode(plain)
    return this.parse(expanded, 0, expanded.length)
  }

  get isWhole(): boolean {
    return this.micros === 0
  }

  /** Whether it's a time of day without a date: at least 0 and below 1. */
  get isTime(): boolean {
    return this.days === 0 && (!this.negative || this.micros === 0)
  }

  /**
   * Days from 1970-01-01; NaN outside the years 1 to 9999. Day 60 of the 1900 system is 1900-02-29, a date that doesn't
   * exist: it gives `NO_SUCH_DAY`.
   */
  epochDays(date1904: boolean): number {
    const day = this.negative ? -this.days - (this.micros > 0 ? 1 : 0) : this.days
    // Excel treats 1900 as a leap year, so up to day 59 its count is one ahead. Only LibreOffice writes days before 0.
    const days = date1904 ? EPOCH_1904 + day : day >= 0 && day < 60 ? EPOCH_1900 + 1 + day : EPOCH_1900 + day
    if (!date1904 && day === 60) return NO_SUCH_DAY
    return days < FIRST_DAY || days > LAST_DAY ? Number.NaN : days
  }

  /** Microseconds since midnight of `epochDays`. */
  get timeOfDay(): number {
    return this.negative && this.micros > 0 ? DAY_MICROS - this.micros : this.micros
  }
}

const NO_SUCH_DAY = Number.NEGATIVE_INFINITY

/** Converts `1.5E-4` to `0.00015`; null if it isn't a number. */
export function plainNumber(text: string): string | null {
  const match = /^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,4}))?$/.exec(text)
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole + fraction === '') return null
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  const left = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  const right = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits
  const trimmed = right.replace(/0+$/, '')
  return `${sign === '-' ? '-' : ''}${left.replace(/^0+(?=[0-9])/, '')}${trimmed === '' ? '' : `.${trimmed}`}`
}

const civil = new Civil()

/** `YYYY-MM-DD` */
export function appendDate(out: ByteWriter, epochDays: number): void {
  if (epochDays === NO_SUCH_DAY) {
    out.text('1900-02-29')
    return
  }
  civil.set(epochDays)
  out.reserve(10)
  appendDigits(out, civil.year, 4)
  out.byte(45)
  appendDigits(out, civil.month, 2)
  out.byte(45)
  appendDigits(out, civil.day, 2)
}

/** `HH:MM:SS[.ffffff]`, with any number of hours. */
export function appendTime(out: ByteWriter, micros: number): void {
  const seconds = Math.floor(micros / 1_000_000)
  const fraction = micros - seconds * 1_000_000
  const hours = Math.floor(seconds / 3600)
  if (hours < 100) appendDigits(out, hours, 2)
  else out.text(String(hours))
  out.byte(58)
  appendDigits(out, Math.floor(seconds / 60) % 60, 2)
  out.byte(58)
  appendDigits(out, seconds % 60, 2)
  if (fraction === 0) return
  out.byte(46)
  appendDigits(out, fraction, 6)
  while (out.bytes[out.length - 1] === 48) out.length--
}

/** `[-]HH:MM:SS[.ffffff]`, as an interval. */
export function appendDuration(out: ByteWriter, serial: Serial): void {
  if (serial.negative && (serial.days > 0 || serial.micros > 0)) out.byte(45)
  appendTime(out, serial.days * DAY_MICROS + serial.micros)
}

function appendDigits(out: ByteWriter, value: number, width: number): void {
  out.reserve(width)
  const { bytes } = out
  let rest = value
  for (let at = out.length + width - 1; at >= out.length; at--) {
    const next = Math.floor(rest / 10)
    bytes[at] = 48 + rest - next * 10
    rest = next
  }
  out.length += width
}
