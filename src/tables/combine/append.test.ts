import { expect, test } from 'vitest'
import { column, inputOf, inspection, table } from '../testing.ts'
import { appendedColumns, asStored, columnsApart } from './append.ts'
import type { CombineInput } from './plan.ts'
import { planFrom } from '../edits.ts'

const fileOf = (...columns: readonly (readonly [name: string, type: string])[]): CombineInput => {
  const found = inspection(table(columns.map(([name, type]) => column(name, type))))
  return asStored({ file: 'march.csv', plan: planFrom(found), table: 0 })
}

test('columns match regardless of case, blanks and punctuation, with types that hold both columns’ values', () => {
  const columns = appendedColumns(
    inputOf('orders', ['Order ID', 'INTEGER'], ['paid', 'DATE'], 'note'),
    fileOf(['note', 'BIGINT'], ['order_id', 'BIGINT'], ['PAID', 'VARCHAR']),
  )
  expect(columns.map(({ name, type, keepsType, added }) => [name, type, keepsType, added?.index])).toEqual([
    ['Order ID', 'BIGINT', false, 1],
    ['paid', 'DATE', true, 2],
    ['note', 'VARCHAR', true, 0],
  ])
  expect(columnsApart(columns)).toBeNull()
})

test('names that a table can’t have twice become what they would be in a table of its own', () => {
  const columns = appendedColumns(inputOf('orders', 'A', 'a_1'), fileOf(['A', 'VARCHAR'], ['a', 'VARCHAR']))
  expect(columnsApart(columns)).toBeNull()
})

test('columns that only one of the two has are named', () => {
  expect(columnsApart(appendedColumns(inputOf('orders', 'a', 'b'), fileOf(['a', 'VARCHAR'], ['c', 'VARCHAR'])))).toBe(
    'The table has columns that aren’t in the file: “b”. The file has columns that aren’t in the table: “c”.',
  )
})
