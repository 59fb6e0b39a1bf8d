import { describe, expect, test } from 'vitest'
import { type CsvSettings, type XlsxSettings, PLAIN_CSV } from './settings.ts'
import { rolesOf, rowActions } from './source.ts'
import type { SourceRows } from './plan.ts'

const rowsOf = (...numbers: readonly number[]): SourceRows => ({
  rows: numbers.map((number) => ({ number, cells: [String(number), 'x'] })),
  hidden: 0,
  head: numbers.length,
})

const CSV: CsvSettings = {
  ...PLAIN_CSV,
  skipLines: 2,
  headerRows: 2,
  lastLine: 8,
  leaveOut: [6],
}
const XLSX: XlsxSettings = {
  kind: 'xlsx',
  headerRow: { A: 4 },
  headerRows: { A: 2 },
  range: { A: 'B3:D9' },
  skipLast: { A: 1 },
  leaveOut: { A: [7] },
}

const labelled = (
  settings: CsvSettings | XlsxSettings,
  rows: SourceRows,
  at: number,
  own: Partial<CsvSettings | XlsxSettings> = settings,
) => Object.fromEntries(rowActions(settings, own, 'A', rows, at).map(({ label, patch }) => [label, patch]))

describe('lines of a text', () => {
  const rows = rowsOf(1, 3, 4, 5, 6, 7, 8, 10)

  test('have the roles that the settings give them', () => {
    expect(rolesOf(CSV, null, rows.rows)).toEqual(['above', 'header', 'header', 'data', 'out', 'data', 'data', 'after'])
  })

  test('can be given another role', () => {
    expect(labelled(CSV, rows, 0)).toEqual({
      'Header row': { skipLines: 0, header: true, headerRows: 1, leaveOut: [6] },
      'First row': { skipLines: 0, header: false, leaveOut: [6] },
      'Last row': { skipLast: 0, lastLine: 1 },
      'Leave out': { leaveOut: [1, 6] },
    })
    expect(labelled(CSV, rows, 3)['Part of the header']).toEqual({
      skipLines: 2,
      header: true,
      headerRows: 3,
      leaveOut: [6],
    })
    // With a header, the rows between it and the first row are left out.
    expect(labelled(CSV, rows, 5)['First row']).toEqual({ leaveOut: [5, 6] })
    expect(labelled(CSV, rows, 4)).toMatchObject({ 'First row': { leaveOut: [5] }, 'Include again': { leaveOut: [] } })
  })

  test('can be left out by hand instead of by a rule', () => {
    const byRule = labelled({ ...CSV, leaveOutSubtotals: true }, rows, 4)
    expect(byRule['Include again']).toEqual({ leaveOut: [], leaveOutSubtotals: false })
  })

  test('outside the table can’t be left out', () => {
    const some = { ...rows, hidden: 3, head: 4 }
    expect(Object.keys(labelled(CSV, some, 6))).toEqual([
      'Header row',
      'Last row: leave out the last row',
      'Last row: row 8 in every file',
      'Leave out',
    ])
  })
})

describe('the last row', () => {
  const day = (number: number): SourceRows['rows'][number] => ({ number, cells: [String(number), 'x'] })
  const file = (size: number): SourceRows['rows'] => Array.from({ length: size }, (_, i) => day(i + 1))
  const lasts = (
    settings: CsvSettings | XlsxSettings,
    { number, ...rows }: SourceRows & { number: number },
    own: Partial<CsvSettings | XlsxSettings> = {},
  ) => {
    const at = rows.rows.findIndex((row) => row.number === number)
    return rowActions(settings, own, 'A', rows, at).flatMap(({ key, patch }) => (key.startsWith('last') ? [patch] : []))
  }
  const { lastLine: _, leaveOut: _2, ...csv } = { ...CSV, headerRows: 1, skipLines: 0 }
  const all = (size: number, number: number) => ({ rows: file(size), hidden: 0, head: size, number })

  test('is counted from the end if a footer follows, and otherwise set by its number', () => {
    const byEnd = { skipLast: 2, lastLine: undefined }
    expect(lasts(csv, all(10, 8))).toEqual([byEnd, { skipLast: 0, lastLine: 8 }])
    expect(lasts(csv, all(10, 10))).toEqual([{ skipLast: 0, lastLine: undefined }])
    expect(lasts(csv, all(10, 4))).toEqual([{ skipLast: 0, lastLine: 4 }])
    expect(lasts(csv, all(60, 35))).toEqual([{ skipLast: 0, lastLine: 35 }])
    // The rows in the middle are missing.
    const long = { rows: [...file(6), ...[91, 92, 93].map(day)], hidden: 84, head: 6 }
    expect(lasts(csv, { ...long, number: 91 })[0]).toEqual(byEnd)
    expect(lasts(csv, { ...long, number: 5 })).toEqual([{ skipLast: 0, lastLine: 5 }])
  })

  test('isn’t affected by rows outside the table', () => {
    const rows = [...file(8), { number: 9, cells: ['# remark'] }, ...[10, 11].map(day)]
    const found = { rows, hidden: 0, head: 11, number: 8 }
    expect(lasts({ ...csv, comment: '#', leaveOut: [11] }, found)[0]).toEqual({ skipLast: 1, lastLine: undefined })
  })

  test('of one of several tables is counted from that table’s end', () => {
    const settings: CsvSettings = { ...csv, tables: { A: { lastLine: 8, skipLast: 2 }, B: { skipLines: 12 } } }
    const patch = (of: Partial<CsvSettings>) => ({ tables: { A: of } })
    // Two rows after line 8 were already left out.
    expect(lasts(settings, all(20, 7))[0]).toEqual(patch({ skipLast: 3, lastLine: undefined }))
    expect(lasts(settings, all(20, 9))[0]).toEqual(patch({ skipLast: 1, lastLine: undefined }))
    expect(lasts(settings, all(20, 10))).toEqual([patch({ skipLast: 0, lastLine: undefined })])
    expect(lasts(settings, all(20, 11))).toEqual([patch({ skipLast: 0, lastLine: 11 })])
    const own = { kind: 'csv', tables: { A: { lastLine: 8 } } } as const
    expect(lasts(settings, all(20, 7), own)).toEqual([patch({ skipLast: 0, lastLine: 7 })])
  })

  test('of a sheet’s table depends on rows with values in its columns', () => {
    const beside = { number: 9, cells: [null, null, 'remark'] }
    const rows = { rows: [...file(8), beside, day(10)], hidden: 0, head: 10 }
    const settings: XlsxSettings = { kind: 'xlsx', headerRow: { A: 1 }, range: { A: 'A1:B10' } }
    expect(lasts(settings, { ...rows, number: 8 })[0]).toEqual({ skipLast: { A: 1 } })
    // Removes the last row that the person set.
    const own = { kind: 'xlsx', range: { A: 'A1:B8' } } as const
    const set = { ...settings, ...own }
    expect(lasts(set, { ...rows, number: 8 }, own)[0]).toEqual({ range: { A: 'A1:B' }, skipLast: { A: 1 } })
    const several = { ...set, headerRow: { A: 1, B: 1 }, sheet: { B: 'A' } }
    expect(lasts(several, { ...rows, number: 7 }, own)).toEqual([{ range: { A: 'A1:B7' }, skipLast: { A: 0 } }])
  })
})

describe('rows of a sheet', () => {
  const rows = rowsOf(1, 3, 4, 5, 6, 7, 8, 9, 11)

  test('have the roles that the settings give them', () => {
    expect(rolesOf(XLSX, 'A', rows.rows)).toEqual([
      'above',
      'above',
      'header',
      'header',
      'data',
      'out',
      'data',
      'out',
      'after',
    ])
    expect(rolesOf({ kind: 'xlsx', headerRow: { A: null } }, 'A', rows.rows).every((role) => role === 'data')).toBe(
      true,
    )
  })

  test('can be given another role', () => {
    expect(labelled(XLSX, rows, 1)).toEqual({
      'Header row': { headerRow: { A: 3 }, headerRows: { A: 1 }, leaveOut: { A: [7] } },
      'First row': { headerRow: { A: null }, range: { A: 'B3:D9' }, leaveOut: { A: [7] } },
      'Last row': { range: { A: 'B3:D3' }, skipLast: { A: 0 } },
      'Leave out': { leaveOut: { A: [3, 7] } },
    })
    expect(labelled(XLSX, rows, 0)['Header row']).toMatchObject({ headerRow: { A: 1 }, range: { A: 'B1:D9' } })
    expect(labelled(XLSX, rows, 8)['Last row']).toEqual({ range: { A: 'B3:D' }, skipLast: { A: 0 } })
    expect(labelled({ kind: 'xlsx', headerRow: { A: 1 } }, rows, 3)['Last row']).toEqual({
      range: { A: 'A1:5' },
      skipLast: { A: 0 },
    })
    expect(labelled(XLSX, rows, 6)['First row']).toEqual({ leaveOut: { A: [6, 7] } })
  })
})
