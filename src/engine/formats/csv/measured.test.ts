import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { pollutions } from './testing/pollutions.ts'
import { cellsRight, load, pollockScore } from './testing/score.ts'
import { COLUMNS, makeTable, writeTable, type Style } from './testing/sources.ts'
import { webFiles } from './testing/web.ts'

/* A subset of what `npm run reading` measures. */

it('reads files of the web’s kinds with nothing set by hand', async () => {
  let right = 0
  let count = 0
  for (const { name, text, rows, header } of webFiles()) {
    const found = await load(text)
    expect(found.rows.length, name).toBeGreaterThan(found.header ? 1 : 0)
    if (found.header === header) right += cellsRight(rows, found.rows)
    count++
  }
  expect(count).toBe(100)
  expect(right / count).toBeGreaterThanOrEqual(0.98)
})

it('reads damaged files with nothing set by hand', async () => {
  const table = makeTable(['date', 'sorted_name', 'city', 'quoted_remark', 'amount', 'link'], 83, 11)
  const scores: number[] = []
  let nth = 0
  for (const { name, text, rows } of pollutions(table, {})) {
    // Skip most of those that damage only one row or cell.
    if (/separator|quote more|row with/.test(name) && nth++ % 29 > 0) continue
    const found = await load(text)
    scores.push(pollockScore(rows, found.rows))
  }
  expect(scores.length).toBeGreaterThan(70)
  expect(scores.reduce((a, b) => a + b, 0) / scores.length).toBeGreaterThan(9.6)
})

it('reads back a table in whatever dialect it was written', async () => {
  const style: fc.Arbitrary<Style> = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', ', ', '||', '::', '^', '~', ' ; '),
    quote: fc.constantFrom('"', "'"),
    quoteAll: fc.boolean(),
    escape: fc.constantFrom('double', 'backslash'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  })
  const kinds = fc.subarray(Object.keys(COLUMNS), { minLength: 3, maxLength: 8 })
  const tables = fc.tuple(kinds, fc.integer({ min: 8, max: 60 }), fc.nat(1000), style)
  const property = fc.asyncProperty(tables, async ([names, rows, seed, how]) => {
    // Without the id, no row of texts could be recognized as the header.
    const table = makeTable(['id', ...names.filter((name) => name !== 'id')], rows, seed)
    // A single apostrophe can't be recognized as a quote.
    const quoteAll = how.quoteAll || how.quote === "'"
    expect((await load(writeTable(table, { ...how, quoteAll }))).rows).toEqual(table)
  })
  // Detection is by likelihood and may fail for one table in thousands, so the seed is fixed.
  await fc.assert(property, { numRuns: 150, seed: 12 })
}, 120_000)
