import { daysFromCivil, SECONDS_PER_DAY } from '../../../arrow/calendar.ts'
import { TimeZone } from './zone.ts'

/** An offset as the engine reads and prints it: `+02`, `-03:30`, `+00:53:28`. Seconds. */
export function printOffset(offset: number): string {
  const size = Math.abs(offset)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  const count = parts[2] > 0 ? 3 : parts[1] > 0 ? 2 : 1
  const digits = parts.slice(0, count).map((part) => String(part).padStart(2, '0'))
  return `${offset < 0 ? '-' : '+'}${digits.join(':')}`
}

/** A time as the engine reads it, with a zone's name behind a blank. */
const NAMED =
  /^(\s*(\d{1,6})-(\d{1,2})-(\d{1,2})( \(BC\))?[ T]+(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?) ([A-Za-z][\w/+-]*)\s*$/

/** Whether a text is a time with a zone's name behind it: UTC is the one that the engine knows. */
export function namesZone(text: string): boolean {
  const name = NAMED.exec(text)?.[9]
  return name !== undefined && name.toUpperCase() !== 'UTC'
}

/**
 * A text that is a time with a zone's name, with the offset in its place; all others as they are.
 * @throws {Error} for a zone that there isn't
 */
export function withOffset(text: string): string {
  const match = NAMED.exec(text)
  if (!match || match[9].toUpperCase() === 'UTC') return text
  const [, time, year, month, day, bc, hour, minute, second, name] = match
  const days = daysFromCivil(bc === undefined ? Number(year) : 1 - Number(year), Number(month), Number(day))
  const local = days * SECONDS_PER_DAY + Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const zone = TimeZone.named(name)
  // A month or a day that doesn't exist is for the engine to refuse.
  return Number.isFinite(local) ? time + printOffset(zone.offsetOfLocal(local)) : time
}
