import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createResultSet } from '../open.ts'
import { resultOf } from '../../../testing/results.ts'
import { columnStats } from './column-stats.ts'
import { addNumber, DistinctCounter } from './distinct.ts'

afterEach(() => vi.restoreAllMocks())

const signal = new AbortController().signal
const stats = (type: string, cells: readonly (string | null)[]) =>
  columnStats(resultOf([['x', type]], [cells]), 0, signal)

describe('statistics of a column', () => {
  it('of integers, as counted one by one', async () => {
    const values = fc.array(fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom('BIGINT', 'HUGEINT', 'DECIMAL(38,0)'), async (cells, type) => {
        const some = cells.filter((cell) => cell !== null)
        const sorted = some.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        const found = await stats(
          type,
          cells.map((cell) => (cell === null ? null : String(cell))),
        )
        expect(found).toMatchObject({
          rows: cells.length,
          nulls: cells.length - some.length,
          min: sorted.length > 0 ? String(sorted[0]) : null,
          max: sorted.length > 0 ? String(sorted.at(-1)) : null,
          top: null,
        })
        expect((found.histogram ?? []).reduce((sum, bin) => sum + bin, 0)).toBe(some.length)
      }),
    )
  })

  it('of doubles: NaN and infinities are no part of mean and histogram', async () => {
    const found = await stats('DOUBLE', ['1', '2', 'NaN', 'Infinity', null, '3'])
    expect(found).toMatchObject({ nulls: 1, mean: 2, min: '1.0', max: 'Infinity' })
    expect(found.distinct).toEqual({ count: 5, exact: true })
    expect(found.histogram?.[0]).toBe(1)
    expect(found.histogram?.[19]).toBe(1)
  })

  it('of the whole range of doubles', async () => {
    const found = await stats('DOUBLE', ['-1.7976931348623157e308', '0', '1.7976931348623157e308'])
    expect(found.histogram?.reduce((sum, bin) => sum + bin, 0)).toBe(3)
    expect(found.histogram?.[10]).toBe(1)
  })

  it('of small negative decimals', async () => {
    const found = await stats('DECIMAL(10,2)', ['-0.01', '-0.03', '0.02'])
    expect(found).toMatchObject({ min: '-0.03', max: '0.02' })
    expect(found.mean).toBeCloseTo(-0.02 / 3, 12)
  })

  it('of dates, text and booleans', async () => {
    expect(await stats('DATE', ['2024-03-01', '2023-01-31', null])).toMatchObject({
      min: '2023-01-31',
      max: '2024-03-01',
      mean: null,
    })
    expect(await stats('VARCHAR', ['b', 'a', null, 'b', ''])).toMatchObject({
      nulls: 1,
      histogram: null,
      distinct: { count: 3, exact: true },
      top: { exact: true, values: [{ text: 'b', count: 2 }, { count: 1 }, { count: 1 }] },
    })
    expect((await stats('BOOLEAN', ['true', 'false', 'true'])).top?.values).toEqual([
      { text: 'true', count: 2 },
      { text: 'false', count: 1 },
    ])
    expect(await stats('INTEGER[]', ['[1]', null])).toMatchObject({ nulls: 1, distinct: null, top: null })
  })

  it.each<[string, (i: number) => string]>([
    ['INTEGER', (i) => String(i * 3)],
    ['BIGINT', (i) => String(2n ** 60n + BigInt(i))],
    ['HUGEINT', (i) => String(-(10n ** 37n) - BigInt(i))],
    ['DECIMAL(38,10)', (i) => `12345678901.${String(i).padStart(10, '0')}`],
    ['DOUBLE', (i) => `${i}e300`],
    ['TIMESTAMP', (i) => `294246-01-10 04:00:54.${String(i).padStart(6, '0')}`],
    ['VARCHAR', (i) => `value ${i}`],
  ])('counts different values one by one: %s', async (type, value) => {
    const found = await stats(
      type,
      Array.from({ length: 80_000 }, (_, i) => value(i % 40_000)),
    )
    expect(found.distinct).toEqual({ count: 40_000, exact: true })
  })

  it('tells the least and the greatest decimal apart to the last digit', async () => {
    const ends = ['1.0000000000000000002', '1.0000000000000000001', '1.0000000000000000003']
    expect(await stats('DECIMAL(38,19)', ends)).toMatchObject({ min: ends[1], max: ends[2] })
  })

  it('counts a million different values exactly, and more within 5 %', () => {
    const counter = new DistinctCounter()
    for (let round = 0; round < 2; round++) for (let i = 0; i < 1_000_000; i++) addNumber(counter, i / 7)
    expect(counter.get(2_000_000)).toEqual({ count: 1_000_000, exact: true })
    for (let i = 1_000_000; i < 1_300_000; i++) addNumber(counter, i / 7)
    const { count, exact } = counter.get(2_300_000)
    expect(exact).toBe(false)
    expect(Math.abs(count / 1_300_000 - 1)).toBeLessThan(0.05)
  })

  it('pauses often, and stops when it’s cancelled', async () => {
    // Each look at the clock finds a second gone, so it pauses at each however fast the machine is.
    let seconds = 0
    vi.spyOn(performance, 'now').mockImplementation(() => 1000 * ++seconds)
    const rows = 300_000
    const { set, add, end } = createResultSet([{ name: 'x', type: 'DOUBLE' }])
    const values = Float64Array.from({ length: rows }, (_, i) => Math.sin(i))
    add({
      rows,
      columns: [{ length: rows, offset: 0, nullCount: 0, nulls: undefined, offsets: undefined, values, children: [] }],
    })
    end('complete')
    const stop = new AbortController()
    const looking = columnStats(set, 0, stop.signal)
    setImmediate(() => stop.abort())
    await expect(looking).rejects.toThrow('abort')
  })
})
