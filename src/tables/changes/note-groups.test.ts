import { expect, it } from 'vitest'
import { aboutValues, columnNames, groupNotes } from './note-groups.ts'

const message = 'Lists and structs are written as JSON text.'

it('equal notes are shown once with all their columns', () => {
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

it('a message that names its column doesn’t get the name again', () => {
  const [group] = groupNotes([{ code: 'time-in-utc', column: 't', message: '“t” holds times of day in UTC.' }])
  expect(group?.columns).toEqual([])
})

it('six columns are named and the others counted', () => {
  const columns = Array.from('abcdefgh')
  expect(columnNames(columns)).toBe('a, b, c, d, e, f and 2 more')
  expect(columnNames(columns.slice(0, 7))).toBe('a, b, c, d, e, f, g')
  expect(columnNames(['__proto__'])).toBe('__proto__')
})

it('values are counted over all columns of a note, with one example', () => {
  const dates = { code: 'rewritten', message: 'Dates are written as YYYY-MM-DD.' }
  const groups = groupNotes([
    { ...dates, column: 'from', count: 1200, example: { from: '31/12/2023', to: '2023-12-31' } },
    { ...dates, column: 'to', count: 4, example: { from: '01/12/2023', to: '2023-12-01' } },
    { code: 'blank', message: '3 blank lines are not read.', count: 3 },
    { code: 'hidden', message: 'One sheet is hidden.', count: 1 },
    { code: 'formulas', message: 'An apostrophe is before it.', column: 'a', count: 2 },
    { code: 'trimmed', message: 'Blanks are gone.', column: 'a', count: 1, example: { from: ' x', to: 'x' } },
  ])
  expect(groups.map(aboutValues)).toEqual([
    '1,204 values, such as 31/12/2023 → 2023-12-31',
    '',
    '',
    '2 values',
    '1 value: “ x” → x',
  ])
})
