import { describe, expect, test } from 'vitest'
import type { CsvSettings, XlsxSettings } from './settings.ts'
import { rolesOf, rowActions, type SourceRows } from './source.ts'

const rowsOf = (...numbers: readonly number[]): SourceRows => ({
  rows: numbers.map((number) => ({ number, cells: [String(number)] })),
  hidden: 0,
  head: numbers.length,
})

const CSV: CsvSettings = {
  kind: 'csv',
  compression: null,
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  skipLines: 2,
  header: true,
  headerRows: 2,
  comment: null,
  nullStrings: [''],
  shortRows: 'reject',
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

const labelled = (settings: CsvSettings | XlsxSettings, rows: SourceRows, at: number) =>
  Object.fromEntries(rowActions(settings, 'A', rows, at).map(({ label, patch }) => [label, patch]))

describe('lines of a text', () => {
  const rows = rowsOf(1, 3, 4, 5, 6, 7, 8, 10)

  test('are what the settings make of them', () => {
    expect(rolesOf(CSV, null, rows.rows)).toEqual([
      'above',
      'header',
      'header',
      'data',
      'out',
      'data',
      'data',
      'behind',
    ])
  })

  test('can be said to be something else', () => {
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
    // With a header, what is between it and the first row is left out.
    expect(labelled(CSV, rows, 5)['First row']).toEqual({ leaveOut: [5, 6] })
    expect(labelled(CSV, rows, 4)).toMatchObject({ 'First row': { leaveOut: [5] }, 'Take in again': { leaveOut: [] } })
  })

  test('that aren’t there can’t be left out', () => {
    const some = { ...rows, hidden: 3, head: 4 }
    expect(Object.keys(labelled(CSV, some, 6))).toEqual(['Header row', 'Last row', 'Leave out'])
  })
})

describe('rows of a sheet', () => {
  const rows = rowsOf(1, 3, 4, 5, 6, 7, 8, 9, 11)

  test('are what the settings make of them', () => {
    expect(rolesOf(XLSX, 'A', rows.rows)).toEqual([
      'above',
      'above',
      'header',
      'header',
      'data',
      'out',
      'data',
      'out',
      'behind',
    ])
    expect(rolesOf({ kind: 'xlsx', headerRow: { A: null } }, 'A', rows.rows).every((role) => role === 'data')).toBe(
      true,
    )
  })

  test('can be said to be something else', () => {
    expect(labelled(XLSX, rows, 1)).toEqual({
      'Header row': { headerRow: { A: 3 }, headerRows: { A: 1 }, leaveOut: { A: [7] } },
      'First row': { headerRow: { A: null }, range: { A: 'B3:D9' }, leaveOut: { A: [7] } },
      'Last row': { range: { A: 'B3:D3' }, skipLast: { A: 0 } },
      'Leave out': { leaveOut: { A: [3, 7] } },
    })
    expect(labelled(XLSX, rows, 0)['Header row']).toMatchObject({ headerRow: { A: 1 }, range: { A: 'B1:D9' } })
    expect(labelled(XLSX, rows, 8)['Last row']).toEqual({ range: { A: 'B3:D11' }, skipLast: { A: 0 } })
    expect(labelled({ kind: 'xlsx', headerRow: { A: 1 } }, rows, 5)['Last row']).toEqual({
      range: { A: 'A1:7' },
      skipLast: { A: 0 },
    })
    expect(labelled(XLSX, rows, 6)['First row']).toEqual({ leaveOut: { A: [6, 7] } })
  })
})
