import { describe, expect, test } from 'vitest'
import { column, table } from '../../../tables/testing.ts'
import { ontoOf, ontoProblem, otherTypes, repeatOf } from './adding.ts'
import { changeColumn, type Draft, readFile, removeFile, withFile, withTable } from './draft.ts'
import { draftProblem, nameProblems } from './problems.ts'
import { csvFound, draftOf, file, only, reading } from './testing.ts'

/** With another number of rows than the table. */
const monthFound = () => csvFound({ tables: [table([column('id', 'BIGINT'), column('zip')], { rows: 7 })] })

const columns = (...all: string[]) =>
  all.map((each) => {
    const [name = '', type = 'VARCHAR'] = each.split(/ (?=[A-Z])/)
    return { name, type }
  })

describe('adding to a dataset', () => {
  const into = {
    id: 'd',
    name: 'Shop',
    tables: [
      { name: 'orders', rowCount: 10, schema: columns('ID BIGINT', 'Zip') },
      { name: 'other', rowCount: 3, schema: columns('id BIGINT') },
    ],
    added: [],
  }
  const draft = draftOf(file('orders.csv'), monthFound(), { into, name: '' })
  const chosen = (onto: string | null): Draft => withTable(draft, 'f/0', (old) => ({ ...old, onto }))

  test('a file with the columns of one table adds rows to it, unless the person chooses otherwise', () => {
    const [, first] = only(draft)
    expect(ontoOf(draft, first)).toBe('orders')
    expect(ontoOf(chosen(null), only(chosen(null))[1])).toBeNull()
    expect(ontoOf(chosen('other'), only(chosen('other'))[1])).toBe('other')
    const twice = { ...into, tables: [...into.tables, { name: 'archive', rowCount: 0, schema: columns('zip', 'i d') }] }
    expect(ontoOf({ ...draft, into: twice }, first)).toBeNull()
    expect(ontoOf({ ...draft, into: null }, first)).toBeNull()
  })

  test('a new table has a name that is free in the dataset, and the dataset needs no name', () => {
    expect(only(draft)[1].name).toBe('orders_2')
    expect(draftProblem(draft)).toBeNull()
    const taken = withTable(chosen(null), 'f/0', (old) => ({ ...old, name: 'Orders', named: true }))
    expect([...nameProblems(taken).values()]).toEqual(['The dataset has a table of this name.'])
  })

  test('two files can’t be added to one table at once', () => {
    const both = readFile({ ...draft, files: [...draft.files, reading('g', file('b.csv'))] }, 'g', monthFound(), null)
    expect([...nameProblems(both)]).toEqual([['g/0', expect.stringContaining('Another file adds rows to “orders”')]])
    expect(draftProblem(both)).toBe('Two files add rows to one table: leave one out, or add it later.')
  })

  test('missing or additional columns are reported before anything is sent', () => {
    const renamed = draftOf(
      file('march.csv'),
      csvFound({ tables: [table([column('id', 'BIGINT'), column('city')])] }),
      {
        into,
      },
    )
    expect(ontoOf(renamed, only(renamed)[1])).toBeNull()
    const onto = withTable(renamed, 'f/0', (old) => ({ ...old, onto: 'orders' }))
    expect(ontoProblem(onto, only(onto)[1])).toBe(
      'The table has columns that aren’t in the file: “Zip”. The file has columns that aren’t in the table: “city”. ' +
        'Rename or leave out columns under “Columns”, or choose “A new table”.',
    )
    expect(draftProblem(onto)).toBe('Review “orders” first.')
    const mended = changeColumn(onto, only(onto)[1], 1, { name: 'z.i.p' })
    expect([ontoProblem(mended, only(mended)[1]), draftProblem(mended)]).toEqual([null, null])
  })

  test('a column with another type than the table’s is reported, until it’s read with that type', () => {
    const found = csvFound({ tables: [table([column('id'), column('zip')], { rows: 7 })] })
    const draftOfText = draftOf(file('march.csv'), found, { into })
    expect(otherTypes(draftOfText, only(draftOfText)[1])).toEqual([{ name: 'ID', index: 0, type: 'BIGINT' }])
    const read = changeColumn(draftOfText, only(draftOfText)[1], 0, { type: 'BIGINT' })
    expect(otherTypes(read, only(read)[1])).toEqual([])
  })
})

describe('a repeated file is detected', () => {
  const known = (draft: Draft, id: string, hash: string): Draft => withFile(draft, id, (old) => ({ ...old, hash }))
  const repeats = (draft: Draft) => draft.files.map((each) => repeatOf(draft, each))
  const added = { table: 'orders', hash: 'a', index: 0, at: 5 }
  const into = {
    id: 'd',
    name: 'Shop',
    tables: [{ name: 'Orders', rowCount: 10, schema: columns('id BIGINT', 'zip') }],
    added: [added],
  }

  test('in the draft, whatever its name', () => {
    const one = known(draftOf(file('a.csv'), csvFound()), 'f', 'a')
    const both = readFile({ ...one, files: [...one.files, reading('g', file('b.csv'))] }, 'g', csvFound(), null)
    expect(repeats(known(both, 'g', 'b'))).toEqual([null, null])
    const twice = known(both, 'g', 'a')
    expect(repeats(twice)).toEqual([null, { kind: 'twice', name: 'a.csv' }])
    expect(draftProblem(twice)).toBe('Choose whether to add “b.csv” again.')
    expect(draftProblem(withFile(twice, 'g', (old) => ({ ...old, again: true })))).toBeNull()
    expect(draftProblem(removeFile(twice, 'g'))).toBeNull()
  })

  test('by an earlier addition of the same sheet to a table that still exists', () => {
    const draft = known(draftOf(file('march.csv'), csvFound(), { into }), 'f', 'a')
    expect(repeats(draft)).toEqual([{ kind: 'added', table: 'orders', at: 5 }])
    expect(repeats(known(draft, 'f', 'b'))).toEqual([null])
    expect(repeats({ ...draft, into: { ...into, added: [{ ...added, index: 1 }] } })).toEqual([null])
    expect(repeats({ ...draft, into: { ...into, tables: [] } })).toEqual([null])
  })

  test('by a table with its name, columns and number of rows, unless it becomes a new table', () => {
    const draft = draftOf(file('orders.csv'), csvFound(), { into })
    expect(repeats(draft)).toEqual([{ kind: 'alike', table: 'Orders', rows: 10 }])
    expect(repeats(withTable(draft, 'f/0', (old) => ({ ...old, onto: null })))).toEqual([null])
    expect(repeats(draftOf(file('march.csv'), csvFound(), { into }))).toEqual([null])
    expect(repeats(draftOf(file('orders.csv'), monthFound(), { into }))).toEqual([null])
  })
})
