import { expect, test } from 'vitest'
import { joinWithCommas, splitAtCommas } from './text.ts'

test('parts are what stands between commas', () => {
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

test('parts that are joined are taken apart again', () => {
  const parts = ['red', 'Smith, J.', ' padded', 'at end ', '"quoted"', '5" disk', 'a"b', '', '-', ',']
  expect(splitAtCommas(joinWithCommas(parts))).toEqual(parts)
  expect(joinWithCommas(['red', 'blue'])).toBe('red, blue')
})
