import { describe, expect, test } from 'vitest'
import { applyEdits } from '../../../tables/edits.ts'
import type { Inspection } from '../../../tables/plan.ts'
import { column, inspection, table } from '../../../tables/testing.ts'
import {
  changeColumn,
  editsFrom,
  EMPTY_DRAFT,
  includeSheet,
  isLeftAside,
  planOf,
  publicationOf,
  readFile,
} from './draft.ts'
import { csvFound, draftOf, file, only, reading } from './testing.ts'
import { PLAIN_CSV } from '../../../tables/settings.ts'

describe('what is published:', () => {
  test.each<[string, File, Inspection, string]>([
    ['a CSV file', file('a.csv'), csvFound(), 'csv'],
    ['a Parquet file', file('a.parquet'), inspection(table([column('id')])), 'parquet'],
    [
      'a workbook of one sheet',
      file('a.xlsx'),
      {
        ...inspection(table([column('id')], { name: 'S' })),
        format: 'xlsx',
        settings: { kind: 'xlsx', headerRow: {} },
      },
      'xlsx',
    ],
  ])('%s is sent unchanged if nothing was edited', (_, source, found, format) => {
    expect(publicationOf(...only(draftOf(source, found)))).toEqual({ how: 'file', format })
  })

  test.each<[string, File, Inspection, string]>([
    ['gzip', file('a.csv.gz'), csvFound({ settings: { ...PLAIN_CSV, compression: 'gzip' } }), 'compressed'],
    ['UTF-16', file('a.csv'), csvFound({ settings: { ...PLAIN_CSV, encoding: 'utf-16le' } }), 'encoding'],
    ['Arrow', file('a.arrow'), csvFound({ format: 'arrow', settings: { kind: 'arrow', layout: 'file' } }), 'format'],
    [
      'an old workbook',
      file('a.xls'),
      csvFound({ format: 'xls', settings: { kind: 'xlsx', headerRow: {} } }),
      'format',
    ],
    [
      'rows that don’t fit',
      file('a.csv'),
      csvFound({ tables: [table([column('id')], { rejectedCount: 2 })] }),
      'rows-left-out',
    ],
    ['a file beyond 50 MB', file('a.csv', 52_428_801), csvFound(), 'size'],
  ])('%s is sent as Parquet', (_, source, found, because) => {
    expect(publicationOf(...only(draftOf(source, found)))).toEqual({ how: 'parquet', because })
  })

  test('a file of exactly 50 MB is sent unchanged', () => {
    expect(publicationOf(...only(draftOf(file('a.csv', 52_428_800), csvFound())))).toMatchObject({ how: 'file' })
  })

  test('with a changed column, Parquet is sent; after undoing it, the file itself', () => {
    const draft = draftOf(file('a.csv'), csvFound())
    const text = changeColumn(draft, only(draft)[1], 0, { type: 'VARCHAR' })
    expect(publicationOf(...only(text))).toEqual({ how: 'parquet', because: 'changed' })
    expect(publicationOf(...only(changeColumn(text, only(text)[1], 0, { type: 'BIGINT' })))).toMatchObject({
      how: 'file',
    })
  })

  test('null values are dropped once a proposal left out what needed them', () => {
    const draft = draftOf(file('a.csv'), csvFound())
    const edited = changeColumn(draft, only(draft)[1], 0, { format: { nullValues: [''] } })
    const applied = [{ count: 2, before: { request: {}, edits: [] } }]
    const again = readFile(
      { ...edited, files: edited.files.map((each) => ({ ...each, applied })) },
      'f',
      csvFound(),
      null,
    )
    expect(only(again)[0].edits).toEqual([])
  })
})

describe('sheets', () => {
  const sheets = (): Inspection => ({
    ...inspection(
      table([column('a')], { name: 'Q1' }),
      table([column('a')], { name: 'q1 ' }),
      table([column('a')], { name: 'Notes', hidden: true }),
    ),
    format: 'xlsx',
    settings: { kind: 'xlsx', headerRow: {} },
  })

  test('become tables with their own names, unless they’re hidden', () => {
    const draft = draftOf(file('report.xlsx'), sheets())
    expect(draft.tables.map(({ name }) => name)).toEqual(['Q1', 'q1_2'])
    expect(publicationOf(...only(draft))).toEqual({ how: 'parquet', because: 'several-tables' })
  })

  test('can be added and removed', () => {
    const draft = includeSheet(draftOf(file('report.xlsx'), sheets()), 'f', 2, true)
    expect(draft.tables.map(({ name }) => name)).toEqual(['Q1', 'q1_2', 'Notes'])
    expect(includeSheet(draft, 'f', 0, false).tables.map(({ name }) => name)).toEqual(['q1', 'Notes'])
  })

  test('are published one by one', () => {
    expect(planOf(applyEdits(sheets(), []), 1).tables.map(({ include }) => include)).toEqual([false, true, false])
  })
})

test('a text about the other files becomes a table only if the person takes it', () => {
  const found = csvFound({ tables: [table([column('Sales 2024')])] })
  const both = { ...EMPTY_DRAFT, files: [reading('f', file('sales.csv')), reading('g', file('README.txt'))] }
  const left = readFile(both, 'g', found, null)
  const readme = left.files[1]
  expect([left.tables, readme && isLeftAside(left, readme)]).toEqual([[], true])
  const taken = readFile(includeSheet(left, 'g', 0, true), 'g', found, null)
  expect([taken.tables.map(({ name }) => name), readme && isLeftAside(taken, readme)]).toEqual([['README'], false])
  // On another screen, the person chose it.
  expect(readFile(both, 'g', found, applyEdits(found, [])).tables).toHaveLength(1)
})

test('a plan that comes with a file is applied', () => {
  const found = csvFound()
  const plan = applyEdits(found, [
    {
      table: null,
      columns: [
        { source: 'zip', nth: 0, name: 'plz', include: true },
        { source: 'id', nth: 0, include: false },
      ],
    },
  ])
  expect(applyEdits(found, editsFrom(found, plan))).toEqual(plan)
  expect(editsFrom(found, applyEdits(found, []))).toEqual([])
})
