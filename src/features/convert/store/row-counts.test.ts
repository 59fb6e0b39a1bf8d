import { describe, expect, it } from 'vitest'
import type { RowCountCheck } from '../../../tables/checks.ts'
import type { FileRecipe, Recipe } from '../../../tables/recipes/recipe.ts'
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

async function keptBy(agreed: boolean, rejectedCount: number): Promise<readonly Recipe[]> {
  const kept: Recipe[] = []
  const database = {
    recipes: () => Promise.resolve([recipe]),
    putRecipe: (made: Recipe) => Promise.resolve(void kept.push(made)),
  }
  const outputs = [{ id: 'o', name: 'o', mimeType: '', size: 1, receipts: [receipt({ rejectedRows: rejectedCount })] }]
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

describe('the number of rows of a recipe', () => {
  it('is that of the file that it was last applied to, once what was made of it is taken', async () => {
    const { found } = receipt()
    expect(await keptBy(false, 0)).toEqual([
      { ...recipe, rowCount: { ...check, last: [{ table: null, rows: found.rows }] } },
    ])
    expect(await keptBy(false, 2)).toEqual([])
    expect(await keptBy(true, 2)).toEqual([
      { ...recipe, rowCount: { ...check, last: [{ table: null, rows: found.rows + 2 }] } },
    ])
  })
})
