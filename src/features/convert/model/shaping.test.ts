import { expect, it } from 'vitest'
import { column, inspection, table } from '../../../tables/testing.ts'
import { createJob, hasSettings, isUntouched, settingsOf } from './job.ts'
import { withSplit, withDraft, queued, read, withWriteSettings, withShape } from './changes.ts'
import { obstacleOf } from './service.ts'
import { firstStatement, shapableOf } from './shaping.ts'
import { columnsOfAll, problemsOf } from './splitting.ts'

const found = inspection(table([column('id', 'BIGINT'), column('region')], { rows: 5000 }))
const job = read(createJob('a', new File([], 'order 2024-01.csv'), 1), { inspection: found, previews: [] })
const shape = { sql: 'SELECT region AS place FROM orders', tables: [{ table: null, name: 'orders' }] }

it('names in a statement are quoted if necessary', () => {
  const { files, tables = [] } = shapableOf(job) ?? {}
  expect(files).toEqual([job.file])
  expect(tables).toEqual([{ table: null, name: 'order', file: 'order 2024-01.csv' }])
  expect(firstStatement(tables)).toBe('SELECT *\nFROM "order"')
  expect(shapableOf({ ...job, shape })?.tables).toEqual(shape.tables)
  expect(shapableOf({ ...job, plan: null })).toBeNull()
})

it('a statement is kept with the settings until it’s removed', () => {
  const own = withShape(job, shape)
  expect(settingsOf(own).shape).toEqual(shape)
  expect(isUntouched(own)).toBe(false)
  expect(withWriteSettings(job, settingsOf(own)).shape).toEqual(shape)
  expect(settingsOf(withWriteSettings(own, settingsOf(job)))).not.toHaveProperty('shape')
})

it('a statement’s columns are unknown before it has run, so files can’t be split by them', () => {
  const by = { by: 'column', column: 'place' } as const
  expect(problemsOf(withSplit(job, by))).toHaveLength(1)
  expect(problemsOf(withSplit(withShape(job, shape), by))).toEqual([])
})

it('a statement’s result is split by its columns', () => {
  expect(columnsOfAll([withShape(job, shape)])).toEqual([])
  expect(columnsOfAll([withShape(job, shape)], new Map([[shape, [{ name: 'place', type: 'VARCHAR' }]]]))).toEqual([
    'place',
  ])
})

it('a typed statement is applied when the person goes on', () => {
  const typed = withDraft(job, { sql: `${shape.sql} `, shape })
  expect(isUntouched(typed)).toBe(false)
  expect(settingsOf(typed)).not.toHaveProperty('shape')
  expect(queued(typed)).toMatchObject({ shape, stage: { kind: 'queued' } })
  expect(queued(typed)).not.toHaveProperty('draft')
  expect(queued(withDraft(job, { sql: '  ', shape: null }))).not.toHaveProperty('shape')
  expect(problemsOf(withSplit(typed, { by: 'column', column: 'place' }))).toEqual([])
})

it('applying the current settings changes nothing', () => {
  const settings = { ...settingsOf(job), target: 'json' } as const
  expect(hasSettings(job, settings)).toBe(false)
  expect(hasSettings(withWriteSettings(job, settings), settings)).toBe(true)
})

it('a statement can’t go through the service', () => {
  const facts = { state: 'ready', remote: true, offline: false, blockedUntil: null } as const
  const target = { ...job, target: 'parquet' as const }
  expect(obstacleOf(target, facts)).toBeNull()
  expect(obstacleOf(withShape(target, shape), facts)?.short).toBe('shaped with SQL')
})
