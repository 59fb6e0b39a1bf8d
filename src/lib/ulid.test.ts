import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ulid } from './ulid.ts'

const instant = fc.nat(2 ** 48 - 1)

test('is 26 characters of base32, and unique', () => {
  const made = Array.from({ length: 1000 }, () => ulid(1_700_000_000_000))
  for (const id of made) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  expect(new Set(made).size).toBe(1000)
})

test('sorts by time', () => {
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      fc.pre(a !== b)
      expect(ulid(a) < ulid(b)).toBe(a < b)
    }),
  )
})

test('the time is encoded as in the specification’s example', () =>
  expect(ulid(1_469_918_176_385)).toMatch(/^01ARYZ6S41/))
