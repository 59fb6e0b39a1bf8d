import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultOptions, type ImportPlan } from '../../tables/plan.ts'
import { convert } from '../testing/run.ts'

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
