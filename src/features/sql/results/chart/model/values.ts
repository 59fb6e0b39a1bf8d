/* Exact texts as the doubles that a drawing needs. The texts themselves stay what is shown. */

/** The nearest double; null for what is no finite number. */
export function toNumber(text: string): number | null {
  if (text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

const MOMENT =
  /^(-?\d{1,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?( \(BC\))?$/
/** What a JavaScript `Date` reaches, in milliseconds on either side of 1970. */
const FARTHEST = 8.64e15

/** Milliseconds since 1970 in UTC, rounded down; null for what isn't finite or is beyond what can be drawn. */
export function toTime(text: string): number | null {
  const match = MOMENT.exec(text)
  if (!match) return null
  const [, year = '', month, day, hour = 0, minute = 0, second = 0, fraction = '', sign, hours = 0, minutes = 0, bc] =
    match
  const date = new Date(0)
  date.setUTCFullYear(bc ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  const time = date.getTime() - (sign === '-' ? -offset : offset)
  return Math.abs(time) <= FARTHEST ? time : null
}
