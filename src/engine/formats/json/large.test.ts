import { describe, expect, it } from 'vitest'
import { load, typesOf } from './testing.ts'

describe('size', () => {
  it('reads a value of 100 MB', async () => {
    const file = new File(['[{"a":1,"b":"', 'x'.repeat(100_000_000), '\\n"},{"a":2}]'], 'big.json')
    const { inspection, rows } = await load(file)
    expect(typesOf(inspection)).toEqual(['a INTEGER', 'b VARCHAR'])
    expect(rows.map((row) => row[1]?.length)).toEqual([100_000_001, undefined])
  })
})
