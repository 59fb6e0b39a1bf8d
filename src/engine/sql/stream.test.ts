import { describe, expect, it } from 'vitest'
import { batchOf } from '../testing/arbitrary.ts'
import { BatchCoalescer } from './stream.ts'

describe('BatchCoalescer', () => {
  it('gives the first batch at once, and then few', () => {
    const batch = batchOf({
      columns: [{ name: 'a', type: { kind: 'scalar', name: 'INTEGER' } }],
      cells: [Array.from({ length: 2048 }, (_, i) => String(i))],
    })
    const coalescer = new BatchCoalescer()
    const sizes = Array.from({ length: 40 }, () => coalescer.add(batch)).flatMap((sent) => sent?.message.rows ?? [])
    const rest = coalescer.flush()?.message.rows ?? 0
    expect(sizes[0]).toBe(2048)
    expect(sizes.reduce((sum, size) => sum + size, rest)).toBe(40 * 2048)
    expect(coalescer.flush()).toBeNull()
  })
})
