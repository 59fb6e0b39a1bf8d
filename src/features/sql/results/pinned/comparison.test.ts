import { expect, test } from 'vitest'
import { columnWords, countWords, rowWords } from './comparison.ts'

test('row counts are compared with the pinned result’s', () => {
  expect(countWords(5, 5)).toBe('As many rows as pinned')
  expect(countWords(1205, 5)).toBe('1,200 rows more than pinned')
  expect(countWords(4, 5)).toBe('1 row fewer than pinned')
})

const columns = (...all: string[]) =>
  all.map((each) => {
    const [name = '', type = 'BIGINT'] = each.split(' ')
    return { name, type }
  })

test.each([
  [columns('a', 'b'), columns('b', 'a'), 'columns in another order'],
  [columns('a', 'b'), columns('a', 'c'), 'columns only here: b; columns only pinned: c'],
  [columns('a DATE'), columns('a'), 'other types: a (DATE here, BIGINT pinned)'],
  [columns('a', 'b', 'c', 'd', 'e', 'f', 'g'), columns('a'), 'columns only here: b, c, d, e and 2 more'],
])('how columns differ', (current, pinned, words) => expect(columnWords(current, pinned)).toBe(words))

test('differences between rows are described', () => {
  const same = { onlyInOne: [], onlyInOther: [], sameOrder: true }
  expect(rowWords(same, true)).toBe('The same rows')
  expect(rowWords({ ...same, sameOrder: false }, true)).toBe('The same rows in another order')
  expect(rowWords({ ...same, onlyInOther: [3] }, true)).toBe('1 row only pinned: marked')
  const both = { ...same, onlyInOne: [1, 2], onlyInOther: [3] }
  expect(rowWords(both, true)).toBe('2 rows only here, 1 row only pinned: marked')
  expect(rowWords(both, false)).toBe('2 rows only here, 1 row only pinned')
})
