import { expect, test } from 'vitest'
import { listOf } from './text.ts'

test('a list of names ends with “and”, and long lists count the rest', () => {
  expect(listOf([])).toBe('')
  expect(listOf(['a'])).toBe('a')
  expect(listOf(['a', 'b'])).toBe('a and b')
  expect(listOf(['a', 'b', 'c'], 2)).toBe('a, b and c')
  expect(listOf(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more')
  expect(
    listOf(
      Array.from({ length: 1234 }, () => 'a'),
      1,
    ),
  ).toBe('a and 1,233 more')
})
