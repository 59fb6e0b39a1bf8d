import { describe, expect, it } from 'vitest'
import { shapeMessage, shapeProblem, shapeTables } from './shape.ts'

describe('a table’s name in a statement', () => {
  it('is the file’s name without what changes every month', () => {
    const names = (name: string): string[] => shapeTables([], { name, tables: [null] }).map((table) => table.name)
    expect(names('orders.csv')).toEqual(['orders'])
    expect(names('orders-2024-01.csv')).toEqual(['orders'])
    expect(names('Sales 2024 (2).csv.gz')).toEqual(['Sales'])
    expect(names('report_v2.csv')).toEqual(['report_v2'])
    expect(names('2024-01.csv')).toEqual(['t_2024_01'])
    expect(shapeTables([], { name: 'all', combined: true, tables: [null] })).toEqual([{ table: null, name: 'all' }])
  })

  it('is the sheet’s name if a file has several, and unique', () => {
    expect(shapeTables([], { name: 'year.xlsx', tables: ['Q 1', 'q_1', 'Total'] })).toEqual([
      { table: 'Q 1', name: 'Q_1', file: 'year.xlsx' },
      { table: 'q_1', name: 'q_1_2', file: 'year.xlsx' },
      { table: 'Total', name: 'Total', file: 'year.xlsx' },
    ])
  })

  it('stays the same, whatever the next file’s name', () => {
    const known = [{ table: null, name: 'sales', file: 'january.csv' }]
    expect(shapeTables(known, { name: 'february.csv', tables: [null] })).toEqual(known)
    const sheet = [{ table: 'Jan', name: 'month', file: 'a.xlsx' }]
    expect(shapeTables(sheet, { name: 'b.xlsx', tables: ['Feb'] })).toEqual([{ ...sheet[0], table: 'Feb' }])
    expect(shapeTables(sheet, { name: 'b.xlsx', tables: ['Jan', 'month'] })).toEqual([
      sheet[0],
      { table: 'month', name: 'month_2', file: 'b.xlsx' },
    ])
  })
})

describe('a text as the statement', () => {
  it.each([
    'SELECT 1',
    'from orders',
    '-- why\nWITH x AS (SELECT 1) FROM x;',
    '(SELECT 1) UNION ALL (SELECT 2)',
    "SELECT ';' /* ; */ ;",
    'PIVOT orders ON region USING sum(amount)',
    'SUMMARIZE orders',
  ])('may be %s', (sql) => {
    expect(shapeProblem(sql)).toBeNull()
  })

  it.each([
    ['', 'Write a statement.'],
    ['  ; -- nothing', 'Write a statement.'],
    ['SELECT 1; SELECT 2', 'There can be only one statement.'],
    ['delete from orders', 'A statement that begins with delete gives no rows to write'],
    ['COPY orders TO x', 'A statement that begins with COPY gives no rows to write'],
    ['EXPLAIN SELECT 1', 'A statement that begins with EXPLAIN gives no rows to write'],
  ])('can’t be %s', (sql, problem) => {
    expect(shapeProblem(sql)).toContain(problem)
  })
})

it('the engine’s messages are adapted to a card', () => {
  expect(shapeMessage('No file /a b.csv is here: drop it on this screen.')).toBe(
    'The statement can’t read the file /a b.csv, only tables.',
  )
  expect(shapeMessage('There is no table x.')).toBe('There is no table x.')
})
