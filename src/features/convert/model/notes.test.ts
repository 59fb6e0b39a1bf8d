import { expect, it } from 'vitest'
import { columnNames, groupNotes } from './notes.ts'

const message = 'Lists and structs are written as JSON text.'

it('notes that say the same are told once, with all their columns', () => {
  const groups = groupNotes([
    { code: 'nested-as-text', message, column: 'l' },
    { code: 'rounded', message: 'Rounded.', column: 'x' },
    { code: 'nested-as-text', message, column: 's' },
    { code: 'nested-as-text', message, column: 's' },
    { code: 'bom', message: 'The file begins with a byte order mark.' },
  ])
  expect(groups.map((group) => [group.columns, group.message])).toEqual([
    [['l', 's'], message],
    [['x'], 'Rounded.'],
    [[], 'The file begins with a byte order mark.'],
  ])
})

it('a message that names its column isn’t given the name again', () => {
  const [group] = groupNotes([{ code: 'time-in-utc', column: 't', message: '“t” holds times of day in UTC.' }])
  expect(group?.columns).toEqual([])
})

it('of many columns, six are named and the others counted', () => {
  const columns = Array.from('abcdefgh')
  expect(columnNames(columns)).toBe('a, b, c, d, e, f and 2 more')
  expect(columnNames(columns.slice(0, 7))).toBe('a, b, c, d, e, f, g')
  expect(columnNames(['__proto__'])).toBe('__proto__')
})
