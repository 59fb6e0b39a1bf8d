import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRange } from './download.ts'

const bytes = (size: number): number[] => Array.from({ length: size }, (_, i) => i % 251)

test('a range has the same bytes as a slice', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.option(fc.nat(60)), fc.option(fc.nat(60)), (size, first, last) => {
      fc.pre(first !== null || last !== null)
      fc.pre(first === null || last === null || first <= last)
      const all = bytes(size)
      const expected =
        first === null
          ? last === 0
            ? []
            : all.slice(-(last ?? 0))
          : all.slice(first, last === null ? undefined : last + 1)
      const range = parseRange(`bytes=${first ?? ''}-${last ?? ''}`, size)
      if (expected.length === 0) expect(range).toBe('unsatisfiable')
      else if (range === null || range === 'unsatisfiable') expect.fail(`${range} of ${size}`)
      else expect(all.slice(range.start, range.end)).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  null,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=5-2',
  'bytes=a-b',
  'bytes=0-1,3-4',
  'rows=0-1',
  'bytes=-1-2',
  'bytes=1.5-2',
])('%j means the whole file', (header) => expect(parseRange(header, 10)).toBeNull())

test('huge numbers are handled', () => {
  expect(parseRange('bytes=0-99999999999999999999', 10)).toEqual({ start: 0, end: 10 })
  expect(parseRange('bytes=99999999999999999999-', 10)).toBe('unsatisfiable')
  expect(parseRange('bytes=-99999999999999999999', 10)).toEqual({ start: 0, end: 10 })
})
