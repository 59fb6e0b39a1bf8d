import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultOptions, type ImportPlan } from '../../tables/plan.ts'
import { scalar, VARCHAR, type ColumnType } from '../../tables/types.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { cellToString } from '../arrow/text.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { convert } from '../testing/run.ts'
import { recast } from './recast.ts'

const fixture = new URL('../fixtures/pairs/table.parquet', import.meta.url)
const file = new File([readFileSync(fixture)], 'table.parquet')

function as(types: Readonly<Record<string, string>>): (plan: ImportPlan) => ImportPlan {
  return (plan) => ({
    ...plan,
    tables: plan.tables.map((table) => ({
      ...table,
      columns: table.columns
        .filter(({ name }) => name in types)
        .map((column) => ({ ...column, type: types[column.name] })),
    })),
  })
}

async function rows(types: Readonly<Record<string, string>>): Promise<{ kept: unknown[]; rejected: unknown[] }> {
  const { result, files } = await convert(file, 'json', defaultOptions('json'), as(types))
  expect(result.outputs[0].receipts[0].verdict).toBe('match')
  const kept = JSON.parse(await files[0].text()) as Record<string, unknown>[]
  return {
    kept: kept.map((row) => Object.values(row)[0]),
    rejected: result.rejected.map(({ row, value, reason }) => [row, value, reason]),
  }
}

describe('columns of a Parquet file, wanted otherwise than it has them', () => {
  it('become text exactly', async () => {
    expect((await rows({ amount: 'VARCHAR' })).kept).toEqual(['12.50', '-0.01', '99999999.99', null, '0.00'])
    expect((await rows({ moment: 'VARCHAR' })).kept[0]).toBe('2024-02-29 23:59:59.123456')
  })

  it('come out of text strictly: what isn’t a value keeps its row out', async () => {
    const { kept, rejected } = await rows({ code: 'INTEGER' })
    expect(kept).toEqual([7, 1, 1, null])
    expect(rejected).toEqual([[4, '1e5', 'value']])
  })

  it('are cast only where the value survives', async () => {
    const { kept, rejected } = await rows({ amount: 'INTEGER' })
    expect(kept).toEqual([null, 0])
    expect(rejected).toEqual([
      [1, '12.50', 'value'],
      [2, '-0.01', 'value'],
      [3, '99999999.99', 'value'],
    ])
  })

  it('a moment is a date only at midnight', async () => {
    const { kept, rejected } = await rows({ moment: 'DATE' })
    expect(kept).toEqual(['1970-01-01', null])
    expect(rejected).toHaveLength(3)
  })

  it('a wider type takes all', async () => {
    const { kept, rejected } = await rows({ id: 'HUGEINT' })
    expect(rejected).toEqual([])
    expect(kept).toHaveLength(5)
  })
})

const INTEGER = scalar('INTEGER')

describe('rows of a batch that don’t fit', () => {
  /** Casts texts to another type; returns the row numbers of each part. */
  async function parts(texts: readonly string[], wanted: ColumnType) {
    const builder = makeColumnBuilder(VARCHAR)
    for (const text of texts) {
      const bytes = new TextEncoder().encode(text)
      builder.appendText(bytes, 0, bytes.length)
    }
    const batch = batchFromColumns([builder.finish()], texts.length)
    const column = { index: 0, source: 'a' }
    const all: { kept: (string | null)[]; rejected: number[]; characters: number }[] = []
    const read = Promise.resolve({ batch, rejected: [], bytes: 0 })
    const batches = (async function* () {
      yield await read
    })()
    for await (const part of recast(batches, [{ ...column, type: VARCHAR }], [{ ...column, type: wanted }])) {
      const [cells] = part.batch.data.children
      all.push({
        kept: Array.from({ length: part.batch.numRows }, (_, row) => cellToString(wanted, cells, row)),
        rejected: part.rejected.map(({ row }) => row),
        characters: part.rejected.reduce((sum, { raw, cells: own }) => sum + raw.length + (own?.[0]?.length ?? 0), 0),
      })
    }
    return all
  }

  it('come a thousand at a time, each among the rows that it was among', async () => {
    const texts = Array.from({ length: 6000 }, (_, i) => (i % 2 === 0 ? `x${i}` : String(i)))
    const found = await parts(texts, INTEGER)
    expect(found.map(({ rejected }) => rejected.length)).toEqual([1000, 1000, 1000, 0])
    expect(found.flatMap(({ kept }) => kept)).toEqual(texts.filter((_, i) => i % 2 === 1))
    expect(found.flatMap(({ rejected }) => rejected)).toEqual(Array.from({ length: 3000 }, (_, i) => 2 * i + 1))
    // Except for those after a part's last rejected row, the rows kept come before it.
    for (const { kept, rejected } of found.slice(0, 2)) expect(Number(kept.at(-1))).toBeLessThan(rejected.at(-1) ?? 0)
  })

  it('come with so much text as is held at once', async () => {
    const long = 'é'.repeat(900_000)
    const found = await parts([...Array.from({ length: 30 }, () => long), '1', `${long}${long}`], INTEGER)
    expect(found.length).toBeGreaterThan(2)
    expect(found.flatMap(({ rejected }) => rejected)).toEqual([...Array.from({ length: 30 }, (_, i) => i + 1), 32])
    expect(found.flatMap(({ kept }) => kept)).toEqual(['1'])
    for (const { characters } of found) expect(characters).toBeLessThan(19_000_000)
  })
})
