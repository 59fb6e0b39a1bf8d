import { describe, expect, test } from 'vitest'
import { applyEdits } from '../../../tables/edits.ts'
import type { Inspection } from '../../../tables/plan.ts'
import { column, inspection, table } from '../../../tables/testing.ts'
import { PLAIN_CSV } from '../../../tables/settings.ts'
import {
  changeColumn,
  draftProblem,
  EMPTY_DRAFT,
  editsFrom,
  includeSheet,
  nameProblems,
  ontoOf,
  planOf,
  publicationOf,
  readFile,
  removeFile,
  tableProblems,
  withTable,
  type Draft,
  type DraftFile,
  type DraftTable,
} from './draft.ts'

const csvFound = (more: Partial<Inspection> = {}): Inspection => ({
  ...inspection(table([column('id', 'BIGINT'), column('zip')])),
  format: 'csv',
  settings: PLAIN_CSV,
  ...more,
})

function reading(id: string, file: File): DraftFile {
  return { id, file, state: { kind: 'reading', progress: null }, edits: [], applied: [], request: {}, found: null }
}

function draftOf(file: File, found: Inspection, more: Partial<Draft> = {}): Draft {
  const draft = { ...EMPTY_DRAFT, name: 'Shop', files: [reading('f', file)], ...more }
  return readFile(draft, 'f', found, null)
}

function only(draft: Draft): [DraftFile, DraftTable] {
  const [file] = draft.files
  const [first] = draft.tables
  if (!file || !first) throw new Error('nothing there')
  return [file, first]
}

const file = (name: string, size = 10): File => {
  const made = new File(['x'], name)
  Object.defineProperty(made, 'size', { value: size })
  return made
}

describe('what is published', () => {
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
  ])('%s that nothing was changed of goes as it is', (_, source, found, format) => {
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
  ])('%s goes as Parquet', (_, source, found, because) => {
    expect(publicationOf(...only(draftOf(source, found)))).toEqual({ how: 'parquet', because })
  })

  test('a file of exactly 50 MB goes as it is', () => {
    expect(publicationOf(...only(draftOf(file('a.csv', 52_428_800), csvFound())))).toMatchObject({ how: 'file' })
  })

  test('a changed column goes as Parquet, and changed back as it is', () => {
    const draft = draftOf(file('a.csv'), csvFound())
    const text = changeColumn(draft, only(draft)[1], 0, { type: 'VARCHAR' })
    expect(publicationOf(...only(text))).toEqual({ how: 'parquet', because: 'changed' })
    expect(publicationOf(...only(changeColumn(text, only(text)[1], 0, { type: 'BIGINT' })))).toMatchObject({
      how: 'file',
    })
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

  test('become tables of their own names, hidden ones don’t', () => {
    const draft = draftOf(file('report.xlsx'), sheets())
    expect(draft.tables.map(({ name }) => name)).toEqual(['Q1', 'q1_2'])
    expect(publicationOf(...only(draft))).toEqual({ how: 'parquet', because: 'several-tables' })
  })

  test('can join and be left out', () => {
    const draft = includeSheet(draftOf(file('report.xlsx'), sheets()), 'f', 2, true)
    expect(draft.tables.map(({ name }) => name)).toEqual(['Q1', 'q1_2', 'Notes'])
    expect(includeSheet(draft, 'f', 0, false).tables.map(({ name }) => name)).toEqual(['q1', 'Notes'])
  })

  test('are made one by one', () => {
    expect(planOf(applyEdits(sheets(), []), 1).tables.map(({ include }) => include)).toEqual([false, true, false])
  })
})

describe('what has to be seen to', () => {
  test('nothing, when all is well', () => expect(draftProblem(draftOf(file('a.csv'), csvFound()))).toBeNull())

  test('rows that don’t fit', () => {
    const found = csvFound({ tables: [table([column('id')], { rejectedCount: 2 })] })
    const draft = draftOf(file('a.csv'), found)
    expect(draftProblem(draft)).toMatch(/^Review “a” first/)
    expect(draftProblem(withTable(draft, 'f/0', (old) => ({ ...old, agreed: true })))).toBeNull()
  })

  test('a file beyond the limit, until it’s small enough as Parquet', () => {
    const draft = draftOf(file('a.csv', 60_000_000), csvFound())
    const measured = (bytes: number): Draft =>
      withTable(draft, 'f/0', (old) => ({ ...old, measure: { kind: 'measured', bytes } }))
    const problems = (of: Draft): string[] => tableProblems(of, only(of)[1])
    expect(problems(draft)).toHaveLength(1)
    expect(problems(measured(52_428_800))).toEqual([])
    expect(problems(measured(52_428_801))).toHaveLength(1)
  })

  test('names that are the same to the service', () => {
    const draft = {
      ...draftOf(file('a.csv'), csvFound()),
      files: [reading('f', file('a.csv')), reading('g', file('A.csv'))],
    }
    const both = readFile(draft, 'g', csvFound(), null)
    expect(both.tables.map(({ name }) => name)).toEqual(['a', 'A_2'])
    const same = withTable(both, 'g/0', (old) => ({ ...old, name: ' A ', named: true }))
    expect([...nameProblems(same).keys()]).toEqual(['g/0'])
    expect(removeFile(same, 'f').tables).toHaveLength(1)
  })

  test('numbers names in the order of the files, whichever is read first', () => {
    const draft = { ...EMPTY_DRAFT, files: [reading('f', file('a.csv')), reading('g', file('a.json'))] }
    const both = readFile(readFile(draft, 'g', csvFound(), null), 'f', csvFound(), null)
    expect(both.tables.map(({ fileId, name }) => [fileId, name])).toEqual([
      ['f', 'a'],
      ['g', 'a_2'],
    ])
  })
})

describe('adding to a dataset', () => {
  const into = {
    id: 'd',
    name: 'Shop',
    tables: [
      { name: 'orders', columns: ['ID', 'Zip'] },
      { name: 'other', columns: ['id'] },
    ],
  }
  const draft = draftOf(file('orders.csv'), csvFound(), { into, name: '' })
  const chosen = (onto: string | null): Draft => withTable(draft, 'f/0', (old) => ({ ...old, onto }))

  test('a file of the columns of one table is more rows of it, unless the person says otherwise', () => {
    const [, first] = only(draft)
    expect(ontoOf(draft, first)).toBe('orders')
    expect(ontoOf(chosen(null), only(chosen(null))[1])).toBeNull()
    expect(ontoOf(chosen('other'), only(chosen('other'))[1])).toBe('other')
    const twice = { ...into, tables: [...into.tables, { name: 'archive', columns: ['zip', 'id'] }] }
    expect(ontoOf({ ...draft, into: twice }, first)).toBeNull()
    expect(ontoOf({ ...draft, into: null }, first)).toBeNull()
  })

  test('a new table has a name that the dataset has free, and the dataset needs none', () => {
    expect(only(draft)[1].name).toBe('orders_2')
    expect(draftProblem(draft)).toBeNull()
    const taken = withTable(chosen(null), 'f/0', (old) => ({ ...old, name: 'Orders', named: true }))
    expect([...nameProblems(taken).values()]).toEqual(['The dataset has a table of this name.'])
  })

  test('two files aren’t added to one table at once', () => {
    const both = readFile({ ...draft, files: [...draft.files, reading('g', file('b.csv'))] }, 'g', csvFound(), null)
    expect([...nameProblems(both)]).toEqual([['g/0', expect.stringContaining('Another file adds rows to “orders”')]])
    expect(draftProblem(both)).not.toBeNull()
  })
})

test('a plan that comes with a file is taken over', () => {
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
