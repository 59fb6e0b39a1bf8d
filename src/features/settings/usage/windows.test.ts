import { expect, test } from 'vitest'
import { groupWindows, isUsed, viewWindow } from './windows.ts'

const NOW = Date.UTC(2026, 10, 21, 12)

test('a window says what is used, and when it starts over', () => {
  const view = viewWindow({ limit: 10_000, remaining: 9_990, reset: NOW + 42_000 }, NOW)
  expect(view).toMatchObject({ used: 10, text: '10 of 10,000 used', tone: 'normal' })
  expect(view.note).toMatch(/^Starts over in 42 s, at \d\d:\d\d:\d\d$/)
})

test('nothing is used of a window whose time is over, whatever was last received', () => {
  expect(viewWindow({ limit: 10, remaining: 0, reset: NOW }, NOW)).toMatchObject({ used: 0, note: null })
})

test('unused windows are distinguished', () => {
  const of = (remaining: number, reset: number) =>
    isUsed({ endpoint: 'POST /convert', windows: [{ endpoint: null, window: 'day', limit: 9, remaining, reset }] }, NOW)
  expect([of(9, NOW / 1000 + 1), of(8, NOW / 1000 + 1), of(8, NOW / 1000)]).toEqual([false, true, false])
})

test('the tone depends on how much is left', () => {
  const of = (remaining: number) => viewWindow({ limit: 10, remaining, reset: NOW + 1000 }, NOW).tone
  expect([of(2), of(1), of(0)]).toEqual(['normal', 'warn', 'bad'])
})

test('windows are grouped by endpoint, the plan first, short before long', () => {
  const window = (endpoint: string | null, name: 'minute' | 'hour' | 'day') => ({
    endpoint,
    window: name,
    limit: 1,
    remaining: 1,
    reset: 1,
  })
  const groups = groupWindows([window('POST /convert', 'day'), window('POST /convert', 'minute'), window(null, 'hour')])
  expect(groups.map(({ endpoint, windows }) => [endpoint, windows.map((one) => one.window)])).toEqual([
    [null, ['hour']],
    ['POST /convert', ['minute', 'day']],
  ])
})
