import { expect, it } from 'vitest'
import { column, inspection, table } from '../../../tables/testing.ts'
import { createJob, divided, isUntouched, read, rewritten, settingsOf, shaped } from './job.ts'
import { obstacleOf } from './service.ts'
import { firstStatement, shapableOf } from './shaping.ts'
import { problemsOf } from './splitting.ts'

const found = inspection(table([column('id', 'BIGINT'), column('region')], { rows: 5000 }))
const job = read(createJob('a', new File([], 'order 2024-01.csv'), 1), { inspection: found, previews: [] })
const shape = { sql: 'SELECT region AS place FROM orders', tables: [{ table: null, name: 'orders' }] }

it('what a statement reads has names that are written with quotes where they must be', () => {
  const { files, tables = [] } = shapableOf(job) ?? {}
  expect(files).toEqual([job.file])
  expect(tables).toEqual([{ table: null, name: 'order', file: 'order 2024-01.csv' }])
  expect(firstStatement(tables)).toBe('SELECT *\nFROM "order"')
  expect(shapableOf({ ...job, shape })?.tables).toEqual(shape.tables)
  expect(shapableOf({ ...job, plan: null })).toBeNull()
})

it('is kept with the settings until it’s taken back', () => {
  const own = shaped(job, shape)
  expect(settingsOf(own).shape).toEqual(shape)
  expect(isUntouched(own)).toBe(false)
  expect(rewritten(job, settingsOf(own)).shape).toEqual(shape)
  expect(settingsOf(rewritten(own, settingsOf(job)))).not.toHaveProperty('shape')
})

it('gives columns to split by that nobody knows before', () => {
  const by = { by: 'column', column: 'place' } as const
  expect(problemsOf(divided(job, by))).toHaveLength(1)
  expect(problemsOf(divided(shaped(job, shape), by))).toEqual([])
})

it('can’t go through the service', () => {
  const facts = { state: 'ready', remote: true, offline: false, blockedUntil: null } as const
  const target = { ...job, target: 'parquet' as const }
  expect(obstacleOf(target, facts)).toBeNull()
  expect(obstacleOf(shaped(target, shape), facts)?.short).toBe('shaped with SQL')
})
