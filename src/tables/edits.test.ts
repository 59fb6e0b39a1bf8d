import { describe, expect, it } from 'vitest'
import { applyEdits, editAllColumns, editColumn, editTable, NO_EDITS, planProblems, type Edits } from './edits.ts'
import { column, inspection, table } from './testing.ts'

const found = inspection(
  table([
    column('id', 'BIGINT'),
    column('day', 'DATE', { format: { dateFormat: '%d.%m.%Y' } }),
    column('x'),
    column('x'),
  ]),
)
const [first] = found.tables

const edit = (edits: Edits, index: number, patch: Parameters<typeof editColumn>[3]): Edits =>
  editColumn(edits, first!, index, patch)

describe('applyEdits', () => {
  it('plans everything as found if nothing was changed', () => {
    const plan = applyEdits(found, NO_EDITS)
    expect(plan.tables[0]?.columns.map(({ name, type, include }) => [name, type, include])).toEqual([
      ['id', 'BIGINT', true],
      ['day', 'DATE', true],
      ['x', 'VARCHAR', true],
      ['x', 'VARCHAR', true],
    ])
    expect(plan.tables[0]?.columns[1]?.format).toEqual({ dateFormat: '%d.%m.%Y' })
  })

  it('distinguishes columns with the same name', () => {
    const plan = applyEdits(found, edit(NO_EDITS, 3, { name: 'second x' }))
    expect(plan.tables[0]?.columns.map(({ name }) => name)).toEqual(['id', 'day', 'x', 'second x'])
  })

  it('finds a column whose name differs in case, if it’s unambiguous', () => {
    const edits: Edits = [
      { table: null, columns: [{ source: 'ID', nth: 0, type: 'VARCHAR', checks: { required: true } }] },
    ]
    const [planned] = applyEdits(found, edits).tables
    expect(planned?.columns[0]).toMatchObject({ source: 'id', name: 'id', type: 'VARCHAR' })
    expect(planned).not.toHaveProperty('missing')
    const named = edit(edits, 0, { name: 'number' })
    expect(named[0]?.columns).toEqual([
      { source: 'id', nth: 0, name: 'number', type: 'VARCHAR', checks: { required: true } },
    ])
    const typeOf = (change: Edits, ...names: string[]) =>
      applyEdits(inspection(table(names.map((name) => column(name, 'BIGINT')))), change).tables[0]?.columns.map(
        ({ type }) => type,
      )
    expect(typeOf(edits, 'id', 'Id')).toEqual(['BIGINT', 'BIGINT'])
    expect(typeOf(edits, 'id', 'ID')).toEqual(['BIGINT', 'VARCHAR'])
  })

  it('drops a format found for another type', () => {
    const asText = applyEdits(found, edit(NO_EDITS, 1, { type: 'VARCHAR' })).tables[0]?.columns[1]
    expect(asText).toEqual({ index: 1, source: 'day', name: 'day', type: 'VARCHAR', include: true })
  })

  it('uses the number format found in the text', () => {
    const likely = { decimalMark: ',', grouping: '.', dateFormat: '%d.%m.%Y' } as const
    const text = inspection(table([column('x', 'VARCHAR', { likely })]))
    const as = (type: string) =>
      applyEdits(text, editColumn(NO_EDITS, text.tables[0]!, 0, { type })).tables[0]?.columns[0]?.format
    expect(as('DECIMAL(18,2)')).toEqual({ decimalMark: ',', grouping: '.' })
    expect(as('DATE')).toEqual({ dateFormat: '%d.%m.%Y' })
    expect(as('BOOLEAN')).toBeUndefined()
  })

  it('also applies to a file with another order of columns, and ignores missing columns', () => {
    const edits = edit(edit(NO_EDITS, 0, { type: 'VARCHAR' }), 2, { include: false })
    const next = inspection(table([column('new'), column('id', 'BIGINT')]))
    expect(applyEdits(next, edits).tables[0]?.columns.map(({ type }) => type)).toEqual(['VARCHAR', 'VARCHAR'])
  })

  it('works with names such as “__proto__”', () => {
    const odd = inspection(table([column('__proto__'), column('constructor')]))
    const plan = applyEdits(odd, editColumn(NO_EDITS, odd.tables[0]!, 0, { name: 'hasOwnProperty' }))
    expect(plan.tables[0]?.columns.map(({ name }) => name)).toEqual(['hasOwnProperty', 'constructor'])
  })
})

describe('editColumn', () => {
  it('drops a change that is undone', () => {
    const changed = edit(NO_EDITS, 0, { type: 'VARCHAR' })
    expect(edit(changed, 0, { type: 'BIGINT' })).toEqual([])
  })

  it('keeps the other changes of the column', () => {
    const both = edit(edit(NO_EDITS, 0, { type: 'VARCHAR' }), 0, { name: 'code' })
    expect(both[0]?.columns).toEqual([{ source: 'id', nth: 0, type: 'VARCHAR', name: 'code' }])
  })
})

describe('editAllColumns, editTable', () => {
  it('exclude all columns, and include them again', () => {
    const none = editAllColumns(NO_EDITS, first!, { include: false })
    expect(applyEdits(found, none).tables[0]?.columns.some(({ include }) => include)).toBe(false)
    expect(editAllColumns(none, first!, { include: true })).toEqual([])
  })

  it('select sheets', () => {
    const book = inspection(table([column('a')], { name: 'One' }), table([column('b')], { name: 'Two' }))
    const plan = applyEdits(book, editTable(NO_EDITS, 'Two', false))
    expect(plan.tables.map(({ include }) => include)).toEqual([true, false])
  })
})

describe('planProblems', () => {
  it('lists what would stop the conversion', () => {
    expect(planProblems(applyEdits(found, edit(NO_EDITS, 3, { name: 'y' })))).toEqual([])
    expect(planProblems(applyEdits(found, NO_EDITS))).toEqual(['Two columns are named “x”.'])
    expect(planProblems(applyEdits(found, edit(edit(NO_EDITS, 3, { include: false }), 0, { name: '' })))).toEqual([
      'A column has no name.',
    ])
    expect(planProblems(applyEdits(found, editAllColumns(NO_EDITS, first!, { include: false })))).toHaveLength(1)
    expect(planProblems(applyEdits(found, editTable(NO_EDITS, null, false)))).toEqual([
      'No sheet is chosen. Choose at least one.',
    ])
  })
})

describe('checks', () => {
  it('are edits, but not if they have no effect', () => {
    if (!first) throw new Error('there is one')
    const edits = editColumn(NO_EDITS, first, 0, { checks: { required: true, enum: [] } })
    expect(applyEdits(found, edits).tables[0]?.columns[0]?.checks).toEqual({ required: true })
    expect(editColumn(edits, first, 0, { checks: { required: false } })).toEqual(NO_EDITS)
  })

  it('of a missing column are reported', () => {
    const edits = [
      {
        table: null,
        columns: [
          { source: 'city', nth: 0, checks: { required: true } },
          { source: 'note', nth: 0, name: 'remark' },
          { source: 'left', nth: 0, include: false, checks: { unique: true } },
        ],
      },
    ]
    expect(applyEdits(found, edits).tables[0]?.missing).toEqual(['city'])
    expect(applyEdits(found, NO_EDITS).tables[0]).not.toHaveProperty('missing')
  })
})
