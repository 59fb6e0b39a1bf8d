import { expect, it } from 'vitest'
import { column, inspection, table } from '../../../tables/testing.ts'
import { planFrom } from '../../../tables/plan.ts'
import { createJob, settingsOf } from './job.ts'
import { divided, read } from './changes.ts'
import { columnsOfAll, problemsOf } from './splitting.ts'

const found = inspection(table([column('id', 'BIGINT'), column('region')], { rows: 5000 }))
const job = read(createJob('a', new File([], 'a.csv'), 1), { inspection: found, previews: [] })

it('columns that all files have can be split by', () => {
  const other = { plan: planFrom(inspection(table([column('region'), column('day')]))) }
  expect(columnsOfAll([job])).toEqual(['id', 'region'])
  expect(columnsOfAll([job, other])).toEqual(['region'])
})

it('what can’t be split is told before it’s converted', () => {
  expect(problemsOf(divided(job, { by: 'column', column: 'region' }))).toEqual([])
  expect(problemsOf(divided(job, { by: 'column', column: 'city' }))).toEqual([
    'The table has no column “city” to split by. Choose another, or don’t split it.',
  ])
  expect(problemsOf(divided(job, { by: 'rows', rows: 4 }))).toEqual([
    'The table would become 1,250 files: at most 1,000 can be made.',
  ])
})

it('is kept with the settings until it’s taken back', () => {
  const split = divided(job, { by: 'rows', rows: 100 })
  expect(settingsOf(split).split).toEqual({ by: 'rows', rows: 100 })
  expect(settingsOf(divided(split, null))).not.toHaveProperty('split')
})
