import { describe, expect, it } from 'vitest'
import { applyEdits, editColumn, type Edits, NO_EDITS } from './edits.ts'
import type { ColumnPatch, Proposal, ReadSettings } from './plan.ts'
import { applyProposals, compatible, grouped, openProposals, undoProposals } from './proposals.ts'
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

describe('openProposals', () => {
  it('is of the file, of its tables and of their columns', () => {
    expect(openProposals(found, plan).map(({ table: at, column: of, proposal }) => [at, of, proposal.label])).toEqual([
      [null, null, 'Apply: skip 2 lines'],
      [0, 1, 'Apply: 3 April'],
      [0, 1, 'Apply: March 4'],
      [0, 1, 'Apply: the name “amount”'],
    ])
  })

  it('leaves out what the person changed, and what is left out', () => {
    const of = (patch: ColumnPatch) =>
      labels(openProposals(found, applyEdits(found, editColumn(NO_EDITS, found.tables[0]!, 1, patch)))).slice(1)
    expect(of({ type: 'DATE', format: { dateFormat: '%d.%m.%Y' } })).toEqual(['Apply: the name “amount”'])
    expect(of({ type: 'BIGINT' })).toEqual(['Apply: the name “amount”'])
    expect(of({ name: 'x' })).toEqual(['Apply: 3 April', 'Apply: March 4'])
    expect(of({ include: false })).toEqual([])
  })
})

describe('compatible', () => {
  it('takes the likelier of two that exclude each other', () => {
    expect(labels(compatible(openProposals(found, plan)))).toEqual([
      'Apply: skip 2 lines',
      'Apply: 3 April',
      'Apply: the name “amount”',
    ])
  })

  it('takes none that is ambiguous', () => {
    const unsure = [dayFirst, monthFirst].map((proposal) => ({
      table: 0,
      column: 1,
      proposal: { ...proposal, ambiguous: true },
    }))
    expect(compatible(unsure)).toEqual([])
  })

  it('compares sheet by sheet what is set for sheets', () => {
    const at = (row: Record<string, number>) => ({
      table: null,
      column: null,
      proposal: ofReading(JSON.stringify(row), { kind: 'xlsx', headerRow: row }),
    })
    expect(compatible([at({ A: 2 }), at({ B: 3 }), at({ A: 4 })])).toEqual([at({ A: 2 }), at({ B: 3 })])
  })
})

const UNSET = { request: {}, edits: NO_EDITS, applied: [] }

describe('applyProposals', () => {
  it('makes an edit of a column, and a change of the request', () => {
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

  it('keeps what each of two says of how a column is read', () => {
    const place = { table: 0, column: 1 }
    const nulls = ofColumn('Apply: “N/A” is null', { format: { nullValues: ['N/A'] } })
    const trim = ofColumn('Apply: trim spaces', { format: { trim: true } })
    const both = compatible([nulls, trim].map((proposal) => ({ ...place, proposal })))
    const { edits } = applyProposals(found, UNSET, both)
    expect(edits[0]?.columns).toEqual([{ source: 'day', nth: 0, format: { nullValues: ['N/A'], trim: true } }])
  })

  it('still offers what is left of a column, merges it into what is set, and undoes each', () => {
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

  it('offers no more what the person or another proposal has said otherwise', () => {
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

  it('is undone step by step, and leaves the request as it is where only columns change', () => {
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
  it('is the same of four columns and more of a table', () => {
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
})
