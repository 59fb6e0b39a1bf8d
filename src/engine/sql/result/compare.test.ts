import fc from 'fast-check'
import { expect, it } from 'vitest'
import { resultOf } from '../../testing/results.ts'
import { compareRows } from './compare.ts'

const never = new AbortController().signal
const COLUMNS = [
  ['a', 'VARCHAR'],
  ['b', 'BIGINT'],
] as const
const of = (rows: readonly (readonly [string | null, string | null])[]) =>
  resultOf(COLUMNS, [rows.map(([a]) => a), rows.map(([, b]) => b)], () => 3)

it('finds rows that the other hasn’t, as often as they’re missing, wherever they stand', async () => {
  const one = of([
    ['x', '1'],
    ['x', '1'],
    [null, '2'],
    ['', '2'],
    ['x', '1'],
  ])
  const other = of([
    ['', '2'],
    ['x', '1'],
    ['null', '2'],
    ['x', '1'],
  ])
  expect(await compareRows(one, other, never)).toEqual({ onlyInOne: [2, 4], onlyInOther: [2], sameOrder: false })
})

it('of shuffled rows none is missing; what is added and left out is found', async () => {
  const row = fc.tuple(fc.option(fc.constantFrom('a', 'b', '', '","')), fc.option(fc.constantFrom('1', '2')))
  const shuffled = fc.array(row, { maxLength: 20 }).chain((rows) =>
    fc.tuple(
      fc.constant(rows),
      fc.shuffledSubarray(
        rows.map((_, i) => i),
        { minLength: rows.length },
      ),
    ),
  )
  await fc.assert(
    fc.asyncProperty(shuffled, fc.nat({ max: 3 }), async ([rows, order], added) => {
      const extra = Array.from({ length: added }, (_, i) => [`extra ${i}`, null] as const)
      const found = await compareRows(of([...rows, ...extra]), of(order.flatMap((i) => rows.slice(i, i + 1))), never)
      expect(found.onlyInOne).toEqual(extra.map((_, i) => rows.length + i))
      expect(found.onlyInOther).toEqual([])
      expect(found.sameOrder).toBe(
        added === 0 && order.every((at, i) => JSON.stringify(rows[at]) === JSON.stringify(rows[i])),
      )
    }),
  )
})

it('stops when it’s cancelled', async () => {
  const set = of([['x', '1']])
  await expect(compareRows(set, set, AbortSignal.abort(new DOMException('no', 'AbortError')))).rejects.toThrow('no')
})
