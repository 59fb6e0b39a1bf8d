import { expect, it } from 'vitest'
import { resultOf } from '../../testing/results.ts'
import { columnValues } from './column-values.ts'

const never = new AbortController().signal
const of = (cells: readonly (string | null)[]) => resultOf([['a', 'VARCHAR']], [cells])

it('counts different values, the most frequent first, then by their texts', async () => {
  const set = of(['b', 'a10', 'a9', null, 'b', '', 'a9', 'b'])
  expect(await columnValues(set, 0, never)).toEqual({
    values: [
      { text: 'b', count: 3 },
      { text: 'a9', count: 2 },
      { text: '', count: 1 },
      { text: 'a10', count: 1 },
    ],
    exact: true,
  })
})

it('says that there are more than are counted, and that long ones aren’t', async () => {
  const many = await columnValues(of(Array.from({ length: 5003 }, (_, i) => `v${i % 5001}`)), 0, never)
  expect(many).toMatchObject({ exact: false, values: { length: 5000 } })
  expect(many.values[0]).toEqual({ text: 'v0', count: 2 })
  expect(await columnValues(of(['x'.repeat(201), 'y']), 0, never)).toEqual({
    values: [{ text: 'y', count: 1 }],
    exact: false,
  })
})
