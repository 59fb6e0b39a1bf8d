/* Numbers about data, for people. The data's own values are never formatted. */

export { allRows, formatCount, plural } from '../lib/counts.ts'
export { listOf, quotedList } from '../lib/text.ts'

/** Groups digits, but keeps all of them: `1,234.50`. */
export function formatExact(number: string): string {
  return number.replace(/^-?[0-9]+(?=\.|$)/, (whole) => BigInt(whole).toLocaleString('en'))
}

/** `under a second`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 1) return 'under a second'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A measured duration: `320 ms`, `1.4 s`, `3 min 20 s`. */
export function formatElapsed(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return formatDuration(milliseconds)
}

/** When something happened, in words if it's recent: `just now`, `12 min ago`, `yesterday, 14:02`, `3 Mar, 09:15`. */
export function formatWhen(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const date = new Date(time)
  const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const days = Math.round((startOfDay(now) - startOfDay(time)) / 86_400_000)
  if (days === 0) return `today, ${clock}`
  if (days === 1) return `yesterday, ${clock}`
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${clock}`
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}
