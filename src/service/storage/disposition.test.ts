import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { attachment } from './download.ts'

test('a plain name is written once', () => {
  expect(attachment('sales 2026-11.csv')).toBe('attachment; filename="sales 2026-11.csv"')
})

test('any other name is written as plain ASCII and encoded', () => {
  expect(attachment('Umsätze „neu“.csv')).toBe(
    `attachment; filename="Ums_tze _neu_.csv"; filename*=UTF-8''Ums%C3%A4tze%20%E2%80%9Eneu%E2%80%9C.csv`,
  )
  expect(attachment(`it's (1)*.csv`)).toBe(`attachment; filename="it's (1)*.csv"`)
  expect(attachment(`é'(1)*.csv`)).toBe(`attachment; filename="_'(1)*.csv"; filename*=UTF-8''%C3%A9%27%281%29%2A.csv`)
  expect(attachment('100%.csv')).toBe(`attachment; filename="100_.csv"; filename*=UTF-8''100%25.csv`)
})

test('no name can inject headers', () => {
  const nasty = fc.constantFrom('"', '\\', '\r\n', '\n', ';', '%', "'", '\u0000', '\ud800', '\u2028', '../', 'X: y')
  const name = fc.array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 3 }))).map((parts) => parts.join(''))
  fc.assert(
    fc.property(name, (filename) => {
      const value = attachment(filename)
      expect(value).toMatch(
        /^attachment; filename="[^"\\%]*"(?:; filename\*=UTF-8''(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})*)?$/,
      )
      // `Headers` refuses invalid values.
      expect(new Headers({ 'Content-Disposition': value }).get('Content-Disposition')).toBe(value)
      const encoded = /filename\*=UTF-8''(.*)$/.exec(value)?.[1]
      const plain = /filename="([^"]*)"/.exec(value)?.[1]
      expect(encoded === undefined ? plain : decodeURIComponent(encoded)).toBe(filename.toWellFormed())
    }),
    { numRuns: 1000 },
  )
})
