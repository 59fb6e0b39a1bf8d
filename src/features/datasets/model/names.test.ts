import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldName, freeName, leftoverOf, nameProblem, proposeName, retryName } from './names.ts'

test('whatever a file’s name, the service accepts the proposed name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string({ unit: 'binary' })), (file, sheet) => {
      expect(nameProblem(proposeName(file, sheet))).toBeNull()
    }),
  )
  // A name that is cut within a character would end with half of it, which isn’t text in SQL.
  const long = `${'x'.repeat(111)}😀${'x'.repeat(6)}😀.csv`
  expect(proposeName(long)).toBe(`${'x'.repeat(111)}😀${'x'.repeat(6)}`)
  expect(retryName(long, 'a1b2c3')).toBe(`${'x'.repeat(111)} (retry a1b2c3)`)
  const taken = `${'x'.repeat(121)}😀`
  expect(freeName(taken, new Set([taken]))).toBe(`${'x'.repeat(121)}_2`)
  expect(proposeName('orders 2024.csv.gz')).toBe('orders 2024')
  expect(proposeName('report.xlsx', 'Q1')).toBe('Q1')
})

test.each([
  ['', /Give it a name/],
  ['   ', /Give it a name/],
  ['a'.repeat(129), /128/],
  ['a\nb', /line breaks/],
])('%j isn’t a name', (name, message) => expect(nameProblem(name)).toMatch(message))

test('a taken name gets a number, ignoring case', () => {
  expect(freeName('Sales', new Set(['sales', 'sales_2']))).toBe('Sales_3')
  // A name that must be quoted anyway looks better with a space.
  expect(freeName('Sales EU', new Set(['sales eu']))).toBe('Sales EU 2')
  expect(foldName('  ÄB ')).toBe('äb')
  // Only the lower-case letter exists as one character with both accents.
  expect(freeName('\u03ab\u0300', new Set([foldName('\u1fe2')]))).toBe('\u03ab\u0300_2')
})

test('the leftover of a retry has its intended name in its own', () => {
  expect(leftoverOf(retryName('Sales (EU)', 'a1b2c3'))).toBe('Sales (EU)')
  expect(nameProblem(retryName('x'.repeat(128), 'a1b2c3'))).toBeNull()
  expect(leftoverOf('Sales (retry)')).toBeNull()
})
