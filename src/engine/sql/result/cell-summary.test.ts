import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resultOf } from '../../testing/results.ts'
import { summarizeCells } from './cell-summary.ts'

const never = new AbortController().signal
const all = (rows: number, ...columns: number[]) => ({ rows: { from: 0, to: rows }, columns })

describe('what cells add up to', () => {
  it('integers and decimals have all their digits', async () => {
    const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cents, fc.option(cents)), { minLength: 1, maxLength: 40 }), async (rows) => {
        const text = (own: bigint): string => {
          const digits = String(own < 0n ? -own : own).padStart(3, '0')
          return `${own < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
        }
        const set = resultOf(
          [
            ['a', 'HUGEINT'],
            ['b', 'DECIMAL(38,2)'],
          ],
          [rows.map(([a]) => String(a)), rows.map(([, b]) => (b === null ? null : text(b)))],
        )
        const total = rows.reduce((sum, [a, b]) => sum + a * 100n + (b ?? 0n), 0n)
        const nulls = rows.filter(([, b]) => b === null).length
        const found = await summarizeCells(set, all(rows.length, 0, 1), never)
        expect(found).toMatchObject({ values: rows.length * 2 - nulls, nulls, numbers: rows.length * 2 - nulls })
        expect(found.sum).toBe(nulls === rows.length ? String(total / 100n) : text(total))
        expect(found.mean).toBeCloseTo(Number(total) / 100 / found.numbers, -15)
      }),
    )
  })

  it('doubles add up to a double; texts and dates are counted alone', async () => {
    const set = resultOf(
      [
        ['a', 'DOUBLE'],
        ['b', 'VARCHAR'],
        ['c', 'DATE'],
      ],
      [
        ['0.5', '1e3', null],
        ['7', '8', '9'],
        ['2024-01-01', null, null],
      ],
    )
    expect(await summarizeCells(set, all(3, 0, 1, 2), never)).toEqual({
      values: 6,
      nulls: 3,
      numbers: 2,
      sum: '1000.5',
      mean: 500.25,
    })
    expect(await summarizeCells(set, all(3, 1), never)).toMatchObject({ numbers: 0, sum: null, mean: null })
    expect(await summarizeCells(set, { rows: { from: 1, to: 2 }, columns: [0] }, never)).toMatchObject({ sum: '1000' })
    const tenths = resultOf([['a', 'DOUBLE']], [['0.1', '0.2', '0.1']])
    expect(await summarizeCells(tenths, all(3, 0), never)).toMatchObject({ sum: '0.4' })
  })

  it('stops when it’s told to', async () => {
    const set = resultOf([['a', 'INTEGER']], [Array.from({ length: 10_000 }, (_, i) => String(i))])
    const abort = new AbortController()
    const working = summarizeCells(set, all(10_000, 0), abort.signal)
    abort.abort()
    await expect(working).rejects.toThrow('aborted')
  })
})
