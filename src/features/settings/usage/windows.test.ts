import { expect, test } from 'vitest'
import { groupWindows, viewWindow } from './windows.ts'

const NOW = Date.UTC(2026, 10, 21, 12)

test('what is left, and when it’s full again', () => {
  const view = viewWindow({ limit: 10_000, remaining: 9_990, reset: NOW + 42_000 }, NOW)
  expect(view).toMatchObject({ remaining: 9_990, text: '9,990 of 10,000 left', tone: 'normal' })
  expect(view.note).toMatch(/^Full again in 42 s, at \d\d:\d\d:\d\d$/)
})

test('a window that turned is full, whatever was last heard', () => {
  expect(viewWindow({ limit: 10, remaining: 0, reset: NOW }, NOW)).toMatchObject({ remaining: 10, note: 'Full' })
})

test('little left, nothing left', () => {
  const of = (remaining: number) => viewWindow({ limit: 10, remaining, reset: NOW + 1000 }, NOW).tone
  expect([of(2), of(1), of(0)]).toEqual(['normal', 'warn', 'bad'])
})

test('windows by endpoint, the plan first, short before long', () => {
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
