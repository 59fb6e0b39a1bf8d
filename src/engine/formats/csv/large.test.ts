import { describe, expect, it } from 'vitest'
import { VARCHAR } from '../../../tables/types.ts'
import { csvReader } from './reader.ts'
import { QUIET } from '../../testing/quiet.ts'

describe('inspect', () => {
  it('reads a field of 100 MB', async () => {
    const big = new Uint8Array(100_000_000).fill(0x61)
    const file = new File(['a,b\n1,"', big, '"\n2,x\n'], 'big.csv')
    const inspection = await csvReader.inspect(file, {}, QUIET)
    expect(inspection.tables[0]).toMatchObject({ rows: 2, columns: [{ type: 'INTEGER' }, { type: 'VARCHAR' }] })
    let size = 0
    const columns = [{ index: 1, source: 'b', type: VARCHAR }]
    const request = { settings: inspection.settings, table: null, columns }
    for await (const { batch } of csvReader.read(file, request, QUIET)) size += batch.data.children[0].values.length
    expect(size).toBe(100_000_001)
  })
})
