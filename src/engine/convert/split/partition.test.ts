import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartKey } from '../../../tables/reshape/split.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { cellToString } from '../../arrow/text.ts'
import { MemoryOutputs } from '../../storage/output.ts'
import { batchOf, randomTable, type RandomTable } from '../../testing/arbitrary.ts'
import { Partition, type PartRule } from './partition.ts'

const { signal } = new AbortController()

/** The table's rows as text, in batches of the given size. */
function rowsOf({ columns }: RandomTable, batch: ReturnType<typeof batchOf>): (string | null)[][] {
  return Array.from({ length: batch.numRows }, (_, row) =>
    columns.map(({ type }, i) => cellToString(type, batch.data.children[i], row)),
  )
}

function grouped<T>(rows: readonly T[], keyOf: (row: T, i: number) => PartKey): Map<PartKey, T[]> {
  const groups = new Map<PartKey, T[]>()
  for (const [i, row] of rows.entries()) groups.set(keyOf(row, i), [...(groups.get(keyOf(row, i)) ?? []), row])
  return groups
}

/** @param window maximum bytes in memory; more rows are spilled */
async function partsOf(table: RandomTable, rule: PartRule, size: number, window: number): Promise<unknown[]> {
  const storage = new MemoryOutputs()
  const partition = new Partition(rule, storage, 'job', signal, window)
  const batch = batchOf(table)
  await partition.begin({ name: 'table', columns: table.columns })
  for (let from = 0; from < batch.numRows; from += size) {
    const rows = Math.min(size, batch.numRows - from)
    await partition.write(
      batchFromColumns(
        batch.data.children.map((data) => data.slice(from, rows)),
        rows,
      ),
    )
  }
  await partition.finish()
  const parts: unknown[] = []
  for (const part of partition.parts) {
    const rows: unknown[] = []
    for await (const each of partition.read(part)) rows.push(...rowsOf(table, each))
    expect(rows.length).toBe(part.rows)
    parts.push([part.key, rows])
  }
  await partition.discard()
  expect(storage.files.size).toBe(0)
  return parts
}

describe('a table of any types, in batches of any size, set aside or not', () => {
  const any = fc.record({
    table: randomTable(),
    size: fc.integer({ min: 1, max: 9 }),
    window: fc.constantFrom(1, 400, 1e9),
    at: fc.nat(),
    rows: fc.integer({ min: 1, max: 7 }),
  })

  it('is given by the values of a column, each with its rows in order', async () => {
    await fc.assert(
      fc.asyncProperty(any, async ({ table, size, window, at }) => {
        const index = at % table.columns.length
        const expected = grouped(rowsOf(table, batchOf(table)), (row) => row[index])
        expect(await partsOf(table, { by: 'column', index }, size, window)).toEqual([...expected])
      }),
      { numRuns: 100 },
    )
  })

  it('is given by so many rows', async () => {
    await fc.assert(
      fc.asyncProperty(any, async ({ table, size, window, rows }) => {
        const expected = grouped(rowsOf(table, batchOf(table)), (_, i) => Math.floor(i / rows))
        expect(await partsOf(table, { by: 'rows', rows }, size, window)).toEqual([...expected])
      }),
      { numRuns: 100 },
    )
  })
})
