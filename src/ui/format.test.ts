import { describe, expect, it } from 'vitest'
import { formatCount, formatDuration, formatElapsed, formatWhen, plural } from './format.ts'

describe('formatCount', () => {
  it('groups digits', () => {
    expect(formatCount(0)).toBe('0')
    expect(formatCount(1_234_567)).toBe('1,234,567')
  })
})

describe('plural', () => {
  it('agrees with the count', () => {
    expect(plural(1, 'row')).toBe('1 row')
    expect(plural(0, 'row')).toBe('0 rows')
    expect(plural(2, 'entry', 'entries')).toBe('2 entries')
  })
})

describe('formatDuration', () => {
  it.each([
    [0, 'under a second'],
    [499, 'under a second'],
    [42_000, '42 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [7_200_000, '2 h'],
  ])('%d ms is %s', (milliseconds, words) => expect(formatDuration(milliseconds)).toBe(words))
})

describe('formatElapsed', () => {
  it.each([
    [0.4, '0 ms'],
    [320, '320 ms'],
    [1400, '1.4 s'],
    [12_000, '12 s'],
  ])('%d ms is %s', (milliseconds, words) => expect(formatElapsed(milliseconds)).toBe(words))
})

describe('formatWhen', () => {
  const now = new Date(2024, 2, 15, 12, 0).getTime()
  it.each([
    [now - 20_000, 'just now'],
    [now - 12 * 60_000, '12 min ago'],
    [new Date(2024, 2, 15, 9, 5).getTime(), 'today, 09:05'],
    [new Date(2024, 2, 14, 14, 2).getTime(), 'yesterday, 14:02'],
    [new Date(2024, 2, 3, 9, 15).getTime(), '3 Mar, 09:15'],
  ])('%d', (time, words) => expect(formatWhen(time, now)).toBe(words))
})
