import type { Data } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareFingerprints } from '../../tables/compare.ts'
import { batchOf, randomTable } from '../testing/arbitrary.ts'
import { fingerprintOf } from '../testing/fingerprint.ts'
import { fromBuffers, toBuffers } from './buffers.ts'
import { packBatch, unpackBatch } from './pack.ts'

/** The buffers of a column and its children, on which writers depend. */
function shape(data: Data): unknown {
  const { type, length, valueOffsets, children } = data
  return [type.typeId, length, valueOffsets !== undefined, children.map(shape)]
}

describe('a batch that crosses to another thread', () => {
  it('is the same batch there', () => {
    fc.assert(
      fc.property(randomTable(), (table) => {
        const batch = batchOf(table)
        const { buffers, transfer } = toBuffers(batch)
        const crossed = fromBuffers(structuredClone(buffers, { transfer }), table.columns)
        expect(crossed.data.children.map(shape)).toEqual(batch.data.children.map(shape))
        const [here, there] = [batch, crossed].map((side) => fingerprintOf(table.columns, side))
        expect(compareFingerprints(here, there)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('is the same batch after it was bytes', () => {
    fc.assert(
      fc.property(randomTable(), (table) => {
        const batch = batchOf(table)
        const back = unpackBatch(packBatch(batch).buffer, table.columns)
        expect(back.data.children.map(shape)).toEqual(batch.data.children.map(shape))
        const [here, there] = [batch, back].map((side) => fingerprintOf(table.columns, side))
        expect(compareFingerprints(here, there)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('leaves the original as it was', () => {
    const [table] = fc.sample(randomTable(), 1)
    const batch = batchOf(table)
    const { buffers, transfer } = toBuffers(batch)
    structuredClone(buffers, { transfer })
    expect(fingerprintOf(table.columns, batch).rows).toBe(batch.numRows)
  })
})
