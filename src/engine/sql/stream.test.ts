import { describe, expect, it } from 'vitest'
import { batchOf } from '../testing/arbitrary.ts'
import { Session } from '../testing/session.ts'
import { BatchCoalescer, streamStatement } from './stream.ts'

describe('a statement', () => {
  it('tells which share of it is done, where rows of a table are worked off', async () => {
    const session = await Session.open()
    await session.change('CREATE TABLE t AS SELECT hash(range) AS h FROM range(300_000)')
    const told = async (sql: string): Promise<number[]> => {
      const shares: number[] = []
      const output = {
        columns: () => undefined,
        rows: () => undefined,
        flush: () => Promise.resolve(),
        progress: (share: number | null) => void (share === null ? undefined : shares.push(share)),
      }
      await streamStatement(session.engine, session.call(sql), new AbortController().signal, output)
      return shares
    }
    for (const sql of ['SELECT max(md5(h::VARCHAR)) FROM t', 'CREATE TABLE u AS SELECT md5(h::VARCHAR) AS m FROM t']) {
      const shares = await told(sql)
      expect(shares.length).toBeGreaterThan(0)
      expect(shares).toEqual([...new Set(shares)].toSorted((a, b) => a - b))
      expect(shares.at(-1)).toBeLessThanOrEqual(1)
    }
    expect(await told('SELECT max(md5(range::VARCHAR)) FROM range(100_000)')).toEqual([])
  })
})

describe('BatchCoalescer', () => {
  it('has the first batch due at once, and then gives few', () => {
    const batch = batchOf({
      columns: [{ name: 'a', type: { kind: 'scalar', name: 'INTEGER' } }],
      cells: [Array.from({ length: 2048 }, (_, i) => String(i))],
    })
    const coalescer = new BatchCoalescer()
    const sizes = Array.from({ length: 40 }, () => coalescer.add(batch) ?? coalescer.overdue()).flatMap(
      (due) => due?.message.rows ?? [],
    )
    const rest = coalescer.flush()?.message.rows ?? 0
    expect(sizes[0]).toBe(2048)
    expect(sizes.length).toBeLessThan(10)
    expect(sizes.reduce((sum, size) => sum + size, rest)).toBe(40 * 2048)
    expect(coalescer.flush()).toBeNull()
  })
})
