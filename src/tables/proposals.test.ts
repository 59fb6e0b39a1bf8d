import { describe, expect, it } from 'vitest'
import { applyEdits, editColumn, type Edits, NO_EDITS } from './edits.ts'
import type { ColumnPatch, Proposal, ReadSettings } from './plan.ts'
import { applyProposals, compatible, grouped, neededEdits, openProposals, undoProposals } from './proposals.ts'
import { column, inspection, table } from './testing.ts'
import { PLAIN_CSV } from './settings.ts'

const ofColumn = (label: string, patch: ColumnPatch, more: Partial<Proposal> = {}): Proposal => ({
  code: 'test',
  label,
  message: 'Something would change.',
  change: { kind: 'column', patch },
  ...more,
})
const ofReading = (label: string, settings: Partial<ReadSettings>): Proposal => ({
  code: 'test',
  label,
  message: 'Something would change.',
  change: { kind: 'reading', settings },
})

const dayFirst = ofColumn('Apply: 3 April', { type: 'DATE', format: { dateFormat: '%d/%m/%Y' } })
const monthFirst = ofColumn('Apply: March 4', { type: 'DATE', format: { dateFormat: '%m/%d/%Y' } })
const named = ofColumn('Apply: the name “amount”', { name: 'amount' })
const skip = ofReading('Apply: skip 2 lines', { kind: 'csv', skipLines: 2 })
const found = {
  ...inspection(
    table([column('id', 'BIGINT'), column('day', 'VARCHAR', { proposals: [dayFirst, monthFirst, named] })]),
  ),
  settings: PLAIN_CSV,
  proposals: [skip],
}
const plan = applyEdits(found, NO_EDITS)
const labels = (placed: readonly { readonly proposal: Proposal }[]) => placed.map(({ proposal }) => proposal.label)

const UNSET = { request: {}, edits: NO_EDITS, applied: [] }

describe('openProposals', () => {
  it('includes those of the file, its tables and their columns', () => {
    expect(openProposals(found, plan).map(({ table: at, column: of, proposal }) => [at, of, proposal.label])).toEqual([
      [null, null, 'Apply: skip 2 lines'],
      [0, 1, 'Apply: 3 April'],
      [0, 1, 'Apply: March 4'],
      [0, 1, 'Apply: the name “amount”'],
    ])
  })

  it('excludes those that were applied before the file has been read again', () => {
    const { request } = applyProposals(found, UNSET, openProposals(found, plan).slice(0, 1))
    expect(labels(openProposals(found, plan, request))).not.toContain('Apply: skip 2 lines')
    const other = { settings: { kind: 'csv', skipLines: 1 } } as const
    expect(labels(openProposals(found, plan, other))).toContain('Apply: skip 2 lines')
  })

  it('excludes those for what the person changed or excluded', () => {
    const of = (patch: ColumnPatch) =>
      labels(openProposals(found, applyEdits(found, editColumn(NO_EDITS, found.tables[0]!, 1, patch)))).slice(1)
    expect(of({ type: 'DATE', format: { dateFormat: '%d.%m.%Y' } })).toEqual(['Apply: the name “amount”'])
    expect(of({ type: 'BIGINT' })).toEqual(['Apply: the name “amount”'])
    expect(of({ name: 'x' })).toEqual(['Apply: 3 April', 'Apply: March 4'])
    expect(of({ include: false })).toEqual([])
  })
})

describe('compatible', () => {
  it('has the likelier of two that exclude each other', () => {
    expect(labels(compatible(openProposals(found, plan)))).toEqual([
      'Apply: skip 2 lines',
      'Apply: 3 April',
      'Apply: the name “amount”',
    ])
  })

  it('excludes ambiguous ones', () => {
    const unsure = [dayFirst, monthFirst].map((proposal) => ({
      table: 0,
      column: 1,
      proposal: { ...proposal, ambiguous: true },
    }))
    expect(compatible(unsure)).toEqual([])
  })

  it('compares settings by sheet sheet by sheet', () => {
    const at = (row: Record<string, number>) => ({
      table: null,
      column: null,
      proposal: ofReading(JSON.stringify(row), { kind: 'xlsx', headerRow: row }),
    })
    expect(compatible([at({ A: 2 }), at({ B: 3 }), at({ A: 4 })])).toEqual([at({ A: 2 }), at({ B: 3 })])
  })
})

describe('neededEdits', () => {
  const nulls = (type: string, ...nullValues: string[]) =>
    ofColumn('Apply: they are null', { type, format: { nullValues } })
  const trim = ofColumn('Apply: trim spaces', { format: { trim: true } })
  const withTotal = inspection(
    table([
      column('quantity', 'VARCHAR', { proposals: [nulls('INTEGER', '')] }),
      column('price', 'VARCHAR', { proposals: [nulls('DOUBLE', '', 'N/A')] }),
      column('item', 'VARCHAR', { proposals: [trim] }),
    ]),
  )
  const without = inspection(
    table([
      column('quantity', 'INTEGER'),
      column('price', 'VARCHAR', { proposals: [nulls('DOUBLE', 'N/A')] }),
      column('item', 'VARCHAR'),
    ]),
  )
  const price = { source: 'price', nth: 0, type: 'DOUBLE' }

  it('drops null values and trimming that only a row left out needed', () => {
    const step = applyProposals(withTotal, UNSET, openProposals(withTotal, applyEdits(withTotal, NO_EDITS)))
    expect(neededEdits(withTotal, step)).toEqual(step.edits)
    const edits = neededEdits(without, step)
    expect(edits).toEqual([{ table: null, columns: [{ ...price, format: { nullValues: ['N/A'] } }] }])
    expect(openProposals(without, applyEdits(without, edits))).toEqual([])
    expect(undoProposals(step)?.edits).toEqual(NO_EDITS)
  })

  it('keeps what was set before the step, or without one', () => {
    const edits = editColumn(NO_EDITS, without.tables[0]!, 0, { format: { nullValues: ['none'] } })
    expect(neededEdits(without, { edits, applied: [] })).toBe(edits)
    const step = applyProposals(without, { ...UNSET, edits }, [])
    expect(neededEdits(without, step)).toEqual(edits)
  })
})

describe('applyProposals', () => {
  it('edits a column, and changes the request', () => {
    const { edits, request } = applyProposals(found, UNSET, compatible(openProposals(found, plan)))
    expect(edits).toEqual([
      {
        table: null,
        columns: [{ source: 'day', nth: 0, name: 'amount', type: 'DATE', format: { dateFormat: '%d/%m/%Y' } }],
      },
    ])
    expect(request).toEqual({ settings: { kind: 'csv', skipLines: 2 } })
    expect(openProposals(found, applyEdits(found, edits)).filter(({ column: of }) => of !== null)).toEqual([])
  })

  it('combines what two of them set for a column', () => {
    const place = { table: 0, column: 1 }
    const nulls = ofColumn('Apply: “N/A” is null', { format: { nullValues: ['N/A'] } })
    const trim = ofColumn('Apply: trim spaces', { format: { trim: true } })
    const both = compatible([nulls, trim].map((proposal) => ({ ...place, proposal })))
    const { edits } = applyProposals(found, UNSET, both)
    expect(edits[0]?.columns).toEqual([{ source: 'day', nth: 0, format: { nullValues: ['N/A'], trim: true } }])
  })

  it('still offers the rest for a column, merges it with earlier ones, and undoes each', () => {
    const place = { table: 0, column: 0 }
    const nulls = ofColumn('Apply: “N/A” is null', { format: { nullValues: ['N/A'] } })
    const trim = ofColumn('Apply: trim spaces', { format: { trim: true } })
    const city = inspection(table([column('city', 'VARCHAR', { proposals: [nulls, trim] })]))
    const open = (edits: Edits) => labels(openProposals(city, applyEdits(city, edits)))
    for (const [first, second] of [
      [nulls, trim],
      [trim, nulls],
    ] as const) {
      const one = applyProposals(city, UNSET, [{ ...place, proposal: first }])
      expect(open(one.edits)).toEqual([second.label])
      const two = applyProposals(city, one, [{ ...place, proposal: second }])
      expect(open(two.edits)).toEqual([])
      expect(two.edits[0]?.columns[0]?.format).toEqual({ nullValues: ['N/A'], trim: true })
      expect(undoProposals(two)).toEqual(one)
    }
  })

  it('no longer offers what conflicts with the person’s or another proposal’s changes', () => {
    const place = { table: 0, column: 0 }
    const [first, second, trim] = [
      dayFirst,
      monthFirst,
      ofColumn('Apply: trim spaces, text', { type: 'VARCHAR', format: { trim: true } }),
    ]
    const day = inspection(table([column('day', 'INTEGER', { proposals: [first, second, trim] })]))
    const one = applyProposals(day, UNSET, [{ ...place, proposal: second }])
    expect(openProposals(day, applyEdits(day, one.edits))).toEqual([])
    const edits = editColumn(NO_EDITS, day.tables[0]!, 0, { format: { trim: false } })
    expect(labels(openProposals(day, applyEdits(day, edits)))).toEqual([first.label, second.label])
  })

  it('can be undone step by step, and keeps the request if only columns change', () => {
    const place = { table: 0, column: 1 }
    const one = applyProposals(found, UNSET, [{ ...place, proposal: dayFirst }])
    expect(one.request).toBe(UNSET.request)
    const two = applyProposals(found, one, [{ table: null, column: null, proposal: skip }])
    expect(two.applied.map(({ count }) => count)).toEqual([1, 1])
    expect(undoProposals(two)).toEqual(one)
    expect(undoProposals(one)).toEqual(UNSET)
    expect(undoProposals(UNSET)).toBeNull()
  })
})

describe('grouped', () => {
  it('joins equal ones for four or more columns of a table', () => {
    const trim = ofColumn('Apply: trim spaces', { format: { trim: true } })
    const placed = (of: number, ...columns: number[]) =>
      columns.map((at) => ({ table: of, column: at, proposal: trim }))
    const file = { table: null, column: null, proposal: skip }
    const day = { table: 0, column: 3, proposal: dayFirst }
    const [many, few] = [placed(0, 1, 2, 3, 4), placed(1, 1, 2, 3)]
    expect(grouped([file, ...many.slice(0, 3), day, ...many.slice(3), ...few])).toEqual([
      [file],
      many,
      [day],
      ...few.map((each) => [each]),
    ])
  })

  it('asks once what alike values are, whatever the first value of each column is', () => {
    const ask = (at: number) =>
      [
        ofColumn(`Apply: 0${at}:06:00 (time of day)`, { type: 'TIME' }, { ambiguous: true }),
        ofColumn(`Apply: 0${at}:06:00 (hours and minutes)`, { type: 'INTERVAL' }, { ambiguous: true }),
      ].map((proposal) => ({ table: 0, column: at, proposal }))
    const groups = grouped([1, 2, 3, 4, 5].flatMap(ask))
    expect(groups.map((group) => [group.length, group[0].proposal.label])).toEqual([
      [5, 'Apply: 01:06:00 (time of day)'],
      [5, 'Apply: 01:06:00 (hours and minutes)'],
    ])
  })
})

describe('a table whose first column isn’t the file’s first, as a sheet that begins at B', () => {
  const columns = [column('id', 'BIGINT'), column('day', 'VARCHAR', { proposals: [dayFirst] })]
  const sheet = { ...table([]), columns: columns.map((each, i) => ({ ...each, index: i + 1 })) }
  const ofSheet = inspection(sheet)
  const types = (edits: Edits) => applyEdits(ofSheet, edits).tables[0]?.columns.map(({ type }) => type)

  it('a proposal changes the column that it’s for', () => {
    const open = openProposals(ofSheet, applyEdits(ofSheet, NO_EDITS))
    expect(open.map(({ column: index, proposal }) => [index, proposal.label])).toEqual([[2, 'Apply: 3 April']])
    const { edits } = applyProposals(ofSheet, { request: {}, edits: NO_EDITS, applied: [] }, open)
    expect(types(edits)).toEqual(['BIGINT', 'DATE'])
  })

  it('so does a change by hand', () => {
    expect(types(editColumn(NO_EDITS, sheet, 1, { type: 'VARCHAR' }))).toEqual(['VARCHAR', 'VARCHAR'])
  })
})
