import { expect, it } from 'vitest'
import { column, inspection, table } from '../../../tables/testing.ts'
import { createJob, type Draft, mistakesOf, settingsOf } from './job.ts'
import { withSplit, withMistyped, read } from './changes.ts'
import { columnsOfAll, datesOfAll, problemsOf, splitProblemOf, usualSplit, valuesAhead } from './splitting.ts'
import { planFrom } from '../../../tables/edits.ts'

const found = inspection(table([column('id', 'BIGINT'), column('region')], { rows: 5000 }))
const job = read(createJob('a', new File([], 'a.csv'), 1), { inspection: found, previews: [] })

it('files can be split by the columns that all of them have', () => {
  const other = { plan: planFrom(inspection(table([column('region'), column('day')]))) }
  expect(columnsOfAll([job])).toEqual(['id', 'region'])
  expect(columnsOfAll([job, other])).toEqual(['region'])
})

it('files can be split by month or year if the column has dates in all of them', () => {
  const dated = { plan: planFrom(inspection(table([column('day', 'DATE'), column('at', 'TIMESTAMP'), column('id')]))) }
  const other = { plan: planFrom(inspection(table([column('at', 'DATE'), column('day')]))) }
  expect(datesOfAll([dated])).toEqual(['day', 'at'])
  expect(datesOfAll([dated, other])).toEqual(['at'])
  expect(problemsOf(withSplit({ ...job, ...dated }, { by: 'column', column: 'at', period: 'month' }))).toEqual([])
  expect(problemsOf(withSplit(job, { by: 'column', column: 'region', period: 'month' }))).toEqual([
    'The table: “region” isn’t a column of dates, so it has no months to split by. Make it one under Columns, choose another, or split by each value.',
  ])
})

it('a problem with splitting is reported before converting', () => {
  expect(problemsOf(withSplit(job, { by: 'column', column: 'region' }))).toEqual([])
  expect(problemsOf(withSplit(job, { by: 'column', column: 'city' }))).toEqual([
    'The table has no column “city” to split by. Choose another, or don’t split it.',
  ])
  expect(problemsOf(withSplit(job, { by: 'rows', rows: 4 }))).toEqual([
    'The table would become 1,250 files: at most 1,000 can be made.',
  ])
})

it('a split is kept with the settings until it’s removed', () => {
  const split = withSplit(job, { by: 'rows', rows: 100 })
  expect(settingsOf(split).split).toEqual({ by: 'rows', rows: 100 })
  expect(settingsOf(withSplit(split, null))).not.toHaveProperty('split')
})

it('a column with few values is proposed, text first, with the number of values in the first rows', () => {
  const columns = ['id', 'rate', 'region', 'name']
  const shown = (rows: readonly (readonly (string | null)[])[], draft?: Draft, inAll = 1000) => {
    const types = ['BIGINT', 'DOUBLE', 'VARCHAR', 'VARCHAR']
    const preview = { columns: columns.map((name, i) => ({ name, type: types[i]! })), rows, rejected: [] }
    const file = inspection(
      table(
        columns.map((name, i) => column(name, types[i])),
        { rows: inAll },
      ),
    )
    const looked = { ...read(job, { inspection: file, previews: [preview] }), ...(draft ? { draft } : {}) }
    const ahead = valuesAhead([looked], columns)
    return { ahead, usual: usualSplit(columns, ahead) }
  }
  const { ahead, usual } = shown(
    Array.from({ length: 10 }, (_, i) => [`${i}`, `${i % 2}.5`, i % 3 === 2 ? null : `r${i % 3}`, `n${i}`]),
  )
  expect(usual).toEqual({ by: 'column', column: 'region' })
  expect(ahead).toEqual([
    { column: 'region', values: 3, rows: 10, areAll: false },
    { column: 'rate', values: 2, rows: 10, areAll: false },
    { column: 'name', values: 10, rows: 10, areAll: false },
    { column: 'id', values: 10, rows: 10, areAll: false },
  ])
  expect(shown([['1', '0.5', 'a', 'b']], undefined, 1).ahead?.every(({ areAll }) => areAll)).toBe(true)
  // If no column repeats values, each would make as many files as rows.
  expect(shown([['1', '0.5', 'a', 'b']]).usual).toEqual({ by: 'rows', rows: 100_000 })
  expect(usualSplit(columns, null)).toEqual({ by: 'column', column: 'id' })
  // The file's previewed rows aren't those of its statement, even if that isn't applied yet.
  const sql = 'SELECT region FROM a'
  expect(shown([['1', '0.5', 'a', 'b']], { sql, shape: { sql, tables: [] } }).ahead).toBeNull()
})

it('a split into files of 0 rows is an error, and isn’t replaced by another number', () => {
  expect(splitProblemOf([job], { by: 'rows', rows: 0 })).toBe('How many rows per file? Enter a number from 1.')
  expect(splitProblemOf([job], { by: 'rows', rows: 5000 })).toBeUndefined()
  const shaped = { ...job, shape: { sql: 'FROM a', tables: [] } }
  expect(splitProblemOf([shaped], { by: 'rows', rows: 0 })).toBe('How many rows per file? Enter a number from 1.')
})

it('another split discards invalid input for the old one', () => {
  const wrong = { 'Rows in a file': { text: 'x', error: 'How many rows per file? Enter a number from 1.' } }
  const typed = withMistyped(job, 'split', () => wrong)
  expect(mistakesOf(typed)).toHaveLength(1)
  expect(mistakesOf(withSplit(typed, null))).toEqual([])
  const other = withMistyped(job, 'reading', () => wrong)
  expect(mistakesOf(withSplit(other, null))).toHaveLength(1)
})
