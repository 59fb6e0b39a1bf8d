/* When a key expires. */

export const EXPIRIES = ['30', '90', '365', 'date', 'never'] as const
export type ExpiryChoice = (typeof EXPIRIES)[number]

export const EXPIRY_LABELS: Readonly<Record<ExpiryChoice, string>> = {
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In a year',
  date: 'At the end of a day…',
  never: 'Never',
}

const DAY_MS = 86_400_000

/**
 * The time that a choice means; null for never, undefined for an invalid or past day.
 * @param day from `<input type="date">`: `2026-12-31`, in this machine's time zone
 */
export function expiryOf(choice: ExpiryChoice, day: string, now: number): Date | null | undefined {
  if (choice === 'never') return null
  if (choice !== 'date') return new Date(now + Number(choice) * DAY_MS)
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (!year || !month || !date) return undefined
  const end = new Date(Number(year), Number(month) - 1, Number(date), 23, 59, 59)
  if (end.getMonth() !== Number(month) - 1 || end.getDate() !== Number(date) || end.getTime() <= now) return undefined
  return end
}

/** `3 Mar 2027, 14:00`. */
export function formatDay(time: number): string {
  return new Date(time).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
}

export const GRACES = ['0', '3600', '86400', '604800'] as const
export type Grace = (typeof GRACES)[number]

/** By seconds. */
export const GRACE_LABELS: Readonly<Record<Grace, string>> = {
  '0': 'Not at all: it stops at once',
  '3600': 'One hour',
  '86400': 'One day',
  '604800': 'One week',
}
