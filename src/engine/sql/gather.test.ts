import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellToString } from '../arrow/text.ts'
import { columnFromBuffers } from '../arrow/buffers.ts'
import { batchOf, randomTable } from '../testing/arbitrary.ts'
import { concatenate, Gatherer } from './gather.ts'

describe('concatenate', () => {
  it('holds the same cells, whatever the parts are slices of', () => {
    fc.assert(
      fc.property(randomTable(), fc.array(fc.nat({ max: 20 }), { maxLength: 5 }), (table, cuts) => {
        const batch = batchOf(table)
        const rows = batch.numRows
        const ends = [...new Set([0, ...cuts.filter((cut) => cut < rows), rows])].sort((a, b) => a - b)
        const parts = ends.slice(1).map((end, i) => batch.slice(ends[i], end))
        if (parts.length === 0) return
        for (const [i, { type }] of table.columns.entries()) {
          const transfer: ArrayBuffer[] = []
          const buffers = concatenate(
            parts.map(({ data }) => data.children[i]),
            transfer,
          )
          const column = columnFromBuffers(structuredClone(buffers, { transfer }), type)
          const [cells, own] = [column, batch.data.children[i]].map((data) =>
            Array.from({ length: rows }, (_, row) => cellToString(type, data, row)),
          )
          expect(cells).toEqual(own)
        }
      }),
    )
  })
})

describe('Gatherer', () => {
  it('gives the first batch at once, and then few', () => {
    const batch = batchOf({
      columns: [{ name: 'a', type: { kind: 'scalar', name: 'INTEGER' } }],
      cells: [Array.from({ length: 2048 }, (_, i) => String(i))],
    })
    const gatherer = new Gatherer()
    const sizes = Array.from({ length: 40 }, () => gatherer.add(batch)).flatMap(
      (gathered) => gathered?.message.rows ?? [],
    )
    const rest = gatherer.flush()?.message.rows ?? 0
    expect(sizes[0]).toBe(2048)
    expect(sizes.reduce((sum, size) => sum + size, rest)).toBe(40 * 2048)
    expect(gatherer.flush()).toBeNull()
  })
})
