import { describe, expect, test } from 'vitest'
import { TARGET_FORMATS } from '../contract/formats.ts'
import { defaultOptions, type InspectedColumn, type InspectedTable, type Inspection } from './plan.ts'
import { planFrom } from './edits.ts'

const column = (index: number, more: Partial<InspectedColumn> = {}): InspectedColumn => ({
  index,
  source: `c${index}`,
  name: `c${index}`,
  type: 'INTEGER',
  reason: 'Whole numbers.',
  flags: [],
  nulls: 0,
  ...more,
})

const table = (name: string, more: Partial<InspectedTable> = {}): InspectedTable => ({
  name,
  columns: [column(0)],
  rows: 1,
  rejectedCount: 0,
  rejected: [],
  notes: [],
  ...more,
})

const inspection = (...tables: InspectedTable[]): Inspection => ({
  format: 'xlsx',
  settings: { kind: 'xlsx', headerRow: {} },
  tables,
  notes: [],
})

const chosen = (...tables: InspectedTable[]): (string | null)[] =>
  planFrom(inspection(...tables))
    .tables.filter(({ include }) => include)
    .map(({ name }) => name)

describe('the plan of an inspection', () => {
  test('has every column as found, with its format', () => {
    const format = { decimalMark: ',' } as const
    const columns = [column(0, { source: '', name: 'column_1' }), column(1, { type: 'DOUBLE', format })]
    const plan = planFrom(inspection(table('a', { columns })))
    expect(plan).toEqual({
      format: 'xlsx',
      settings: { kind: 'xlsx', headerRow: {} },
      tables: [
        {
          name: 'a',
          include: true,
          found: { rows: plan.tables[0]?.found?.rows, notes: [], columns },
          columns: [
            { index: 0, source: '', name: 'column_1', type: 'INTEGER', include: true },
            { index: 1, source: 'c1', name: 'c1', type: 'DOUBLE', include: true, format },
          ],
        },
      ],
    })
    expect(plan.tables[0]?.columns[0]).not.toHaveProperty('format')
  })

  test('has what was found: all rows, and the notes about file and table', () => {
    const [notes, own] = [[{ code: 'file', message: 'of the file' }], [{ code: 'table', message: 'of the table' }]]
    const found = { ...inspection(table('a', { rows: 5, rejectedCount: 2, notes: own })), notes }
    expect(planFrom(found).tables[0]?.found).toEqual({
      rows: 7,
      notes: [...notes, ...own],
      columns: found.tables[0]?.columns,
    })
  })

  test('excludes hidden tables, unless all are hidden', () => {
    expect(chosen(table('a'), table('b', { hidden: true }), table('c'))).toEqual(['a', 'c'])
    expect(chosen(table('a', { hidden: true }), table('b', { hidden: true }))).toEqual(['a', 'b'])
    expect(chosen(table('a', { columns: [] }), table('b', { hidden: true }))).toEqual(['b'])
  })

  test('excludes tables without columns', () => {
    expect(chosen(table('a', { columns: [] }), table('b'))).toEqual(['b'])
    expect(chosen(table('a', { columns: [] }))).toEqual([])
  })

  test('names every table, even excluded ones', () => {
    const plan = planFrom(inspection(table('a', { hidden: true }), table('b'), table('c', { columns: [] })))
    expect(plan.tables.map(({ name, include }) => [name, include])).toEqual([
      ['a', false],
      ['b', true],
      ['c', false],
    ])
  })

  test('is plain data', () => {
    const plan = planFrom(inspection(table('__proto__', { columns: [column(0, { name: '__proto__' })] })))
    expect(structuredClone(plan)).toEqual(plan)
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
  })
})

describe('default options', () => {
  test.each(TARGET_FORMATS.map(({ id }) => id))('of %s are complete and plain data', (format) => {
    const options = defaultOptions(format)
    expect(options.kind).toBe(format === 'tsv' ? 'csv' : format)
    expect(structuredClone(options)).toEqual(options)
  })

  test('write CSV by RFC 4180, and TSV with tabs', () => {
    expect(defaultOptions('csv')).toMatchObject({ delimiter: ',', quoteAll: false, bom: false, header: true })
    expect(defaultOptions('tsv')).toEqual({ ...defaultOptions('csv'), delimiter: '\t' })
    expect(defaultOptions('csv')).toMatchObject({ safeForSpreadsheets: false })
  })
})
