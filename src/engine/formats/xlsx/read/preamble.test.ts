import { describe, expect, test } from 'vitest'
import type { XlsxSettings } from '../../../../tables/settings.ts'
import { inspect, makeBook } from '../testing/read.ts'
import { sheetOf, type Cell } from '../testing/sheets.ts'

const NAMES = ['Item', 'Units', 'Price']
const ROWS = [
  ['Apple', 3, 1.5],
  ['Pear', 2, 2.5],
  ['Plum', 7, 4.25],
]

describe('a title and rows of keys above a sheet’s table', () => {
  test.each<[string, Cell[][]]>([
    ['after a blank row', [['Stock'], ['Account', 'DE02120300000000202051'], []]],
    ['directly above', [['Stock'], ['Account', 'DE02120300000000202051']]],
    [
      'of several kinds',
      [['Stock'], ['Customer', 'ACME'], ['Number', 4711], ['From', '2025-03-01'], ['By', 'Ann'], []],
    ],
    ['as wide as the table', [['From:', '2025-03-01', '2025-03-31'], []]],
  ])('%s', async (_, above) => {
    const file = makeBook({ sheets: [sheetOf([...above, NAMES, ...ROWS, ['Total', 12, 8.25]])] })
    const { tables, settings } = await inspect(file)
    expect(tables.map(({ name }) => name)).toEqual(['S1'])
    expect(tables[0].columns.map(({ name }) => name)).toEqual(NAMES)
    expect(tables[0].proposals?.map(({ label }) => label)).toEqual(['Apply: leave out the last row'])
    const skipped = (settings as XlsxSettings).skipLast
    const again = await inspect(file, { kind: 'xlsx', skipLast: { ...skipped, S1: 1 } })
    expect(again.tables[0].columns.map(({ type }) => type)).toEqual(['VARCHAR', 'INTEGER', 'DOUBLE'])
    expect(again.tables[0].rows).toBe(3)
  })

  test('of texts alone', async () => {
    const texts = ROWS.map((row) => row.map(String))
    const above = [['Stock'], ['Account', 'DE02120300000000202051'], [], NAMES]
    const { tables } = await inspect(makeBook({ sheets: [sheetOf([...above, ...texts])] }))
    expect(tables[0].columns.map(({ name }) => name)).toEqual(NAMES)
  })
})

describe('rows at a sheet’s end', () => {
  const footer = [['Total', 12, 8.25], ['By the office']]

  test.each<[string, Cell[][], number]>([
    ['of a sheet', [...ROWS, ...footer], 3],
    ['among and after rows of nulls', [ROWS[0], [null], ...ROWS.slice(1), [null], ...footer, [null], [null]], 5],
  ])('%s are left out by how many hold something, and the first of them is told', async (_, cells, rows) => {
    const file = makeBook({ sheets: [sheetOf([NAMES, ...cells])] })
    const { tables } = await inspect(file, { kind: 'xlsx', skipLast: { S1: 2 } })
    expect([tables[0].rows, tables[0].columns.map(({ type }) => type)]).toEqual([
      rows,
      ['VARCHAR', 'INTEGER', 'DOUBLE'],
    ])
    expect(tables[0].notes.map(({ message }) => message)).toContain('You left out the last 2 rows, from “Total” on.')
  })
})
