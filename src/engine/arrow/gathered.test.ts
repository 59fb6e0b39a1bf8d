import type { RecordBatch } from 'apache-arrow'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNested } from '../../tables/types.ts'
import { batchOf, randomTable } from '../testing/arbitrary.ts'
import { gathered } from './gathered.ts'
import { cellToString } from './text.ts'

it('makes one batch of small ones with the same cells, unless their columns are nested', () => {
  fc.assert(
    fc.property(randomTable(), fc.integer({ min: 1, max: 4 }), ({ columns, cells }, step) => {
      const whole = batchOf({ columns, cells })
      const parts = cells[0].flatMap((_, row) => (row % step === 0 ? [whole.slice(row, row + step)] : []))
      const batches = gathered(parts)
      if (columns.some(({ type }) => isNested(type))) expect(batches).toBe(parts)
      else expect(batches).toHaveLength(Math.min(1, parts.length))
      const texts = (of: readonly RecordBatch[]): (string | null)[][] =>
        columns.map(({ type }, i) =>
          of.flatMap(({ data, numRows }) =>
            Array.from({ length: numRows }, (_, row) => cellToString(type, data.children[i], row)),
          ),
        )
      expect(texts(batches)).toEqual(texts([whole]))
    }),
  )
})

it('leaves batches of many rows as they are, which would be copied for nothing', () => {
  const batch = batchOf({
    columns: [{ name: 'a', type: { kind: 'scalar', name: 'INTEGER' } }],
    cells: [Array.from({ length: 2048 }, (_, i) => String(i))],
  })
  const batches = [batch, batch.slice(0, 1)]
  expect(gathered(batches)).toBe(batches)
})
