import { describe, expect, it } from 'vitest'
import type { RowCountCheck } from '../../../tables/checks.ts'
import type { FileRecipe, Recipe } from '../../../tables/recipes/recipe.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import { receipt } from '../../../tables/testing.ts'
import type { JobResult } from '../model/job.ts'
import { keepRowCounts } from './row-counts.ts'

const check: RowCountCheck = { least: 50, most: 200, last: [{ table: null, rows: 10 }] }
const recipe: FileRecipe = {
  version: 1,
  id: 'months',
  name: 'months',
  createdAt: 0,
  matches: [],
  request: {},
  edits: [],
  target: 'csv',
  options: {},
  rowCount: check,
}

async function keptBy(agreed: boolean, rejectedCount: number, more: Partial<Receipt> = {}): Promise<readonly Recipe[]> {
  const kept: Recipe[] = []
  const database = {
    changeRecipe: (id: string, change: (old: Recipe) => Recipe) =>
      Promise.resolve(void (id === recipe.id && kept.push(change(recipe)))),
  }
  const outputs = [
    { id: 'o', name: 'o', mimeType: '', size: 1, receipts: [receipt({ rejectedRows: rejectedCount, ...more })] },
  ]
  const result: JobResult = {
    target: 'csv',
    outputs,
    rejectedCount,
    rejected: [],
    rejectedFile: null,
    agreed,
    finishedAt: 0,
  }
  await keepRowCounts({ result, rowCount: { ...check, recipe: 'months' } }, database, () => undefined)
  return kept
}

describe('a recipe’s number of rows', () => {
  it('is that of the last file, once its result is accepted', async () => {
    const { found } = receipt()
    expect(await keptBy(false, 0)).toEqual([
      { ...recipe, rowCount: { ...check, last: [{ table: null, rows: found.rows }] } },
    ])
    expect(await keptBy(false, 2)).toEqual([])
    expect(await keptBy(true, 2)).toEqual([
      { ...recipe, rowCount: { ...check, last: [{ table: null, rows: found.rows + 2 }] } },
    ])
  })

  const read = (name: string, rows: number) => ({ name, read: { ...receipt().found, rows } })
  const part = (table: string, rows: number, rejectedRows: number) => {
    return { ...receipt().source, table, rows, rejectedRows, rowChecksum: '' }
  }

  it.each<[string, Partial<Receipt>, RowCountCheck['last']]>([
    ['a table', { rejectedRows: 3, shape: { sql: 'FROM a', tables: [read('a', 40)] } }, [{ table: null, rows: 43 }]],
    [
      'each of several tables',
      {
        shape: { sql: 'FROM a, b', tables: [read('a', 40), read('b', 7)] },
        sources: [part('A', 40, 1), part('B', 7, 2)],
        rejectedRows: 3,
      },
      [
        { table: null, rows: 10 },
        { table: 'A', rows: 41 },
        { table: 'B', rows: 9 },
      ],
    ],
  ])('is that of what was read from %s, not of a statement’s result', async (_, more, last) => {
    expect(await keptBy(true, 3, more)).toEqual([{ ...recipe, rowCount: { ...check, last } }])
  })
})
