import { expect, test } from 'vitest'
import { expiryOf } from './expiry.ts'

const NOW = new Date(2026, 10, 21, 12).getTime()

test('presets count from now', () => {
  expect(expiryOf('30', '', NOW)?.getTime()).toBe(NOW + 30 * 86_400_000)
  expect(expiryOf('never', '', NOW)).toBeNull()
})

test('a day lasts until its end, in this machine’s time zone', () => {
  expect(expiryOf('date', '2026-11-21', NOW)).toEqual(new Date(2026, 10, 21, 23, 59, 59))
})

test.each(['', '2026-11-20', '2026-02-30', '2027-13-01', 'tomorrow'])('%s isn’t a day to end on', (day) => {
  expect(expiryOf('date', day, NOW)).toBeUndefined()
})
