import { expect, test } from 'vitest'
import { joinWithCommas, splitAtCommas } from './text.ts'

test('a text is split at commas', () => {
  expect(splitAtCommas(' red,  light green ,, "blue, light", "say ""hi""" ,"",5" disk, "open')).toEqual([
    'red',
    'light green',
    'blue, light',
    'say "hi"',
    '',
    '5" disk',
    '"open',
  ])
  expect(splitAtCommas(' ')).toEqual([])
})

test('joined parts are split into the same parts', () => {
  const parts = ['red', 'Smith, J.', ' padded', 'at end ', '"quoted"', '5" disk', 'a"b', '', '-', ',']
  expect(splitAtCommas(joinWithCommas(parts))).toEqual(parts)
  expect(joinWithCommas(['red', 'blue'])).toBe('red, blue')
})
