import { BufferType, Data, Utf8 } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellToString } from './text.ts'
import { columnFromBuffers } from './buffers.ts'
import { batchOf, randomTable } from '../testing/arbitrary.ts'
import { concatenate } from './concatenate.ts'

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

  it('refuses more text than the offsets of one column can tell', () => {
    const offsets = Int32Array.of(0, 2 ** 30 + 1)
    const part = new Data(new Utf8(), 0, 1, 0, { [BufferType.OFFSET]: offsets, [BufferType.DATA]: new Uint8Array(0) })
    expect(() => concatenate([part, part], [])).toThrow(expect.objectContaining({ code: 'too-large' }))
  })
})
