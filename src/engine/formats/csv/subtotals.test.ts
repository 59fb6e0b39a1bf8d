import { describe, expect, it } from 'vitest'
import type { ReadSettings } from '../../../tables/settings.ts'
import { inspect } from '../../testing/run.ts'
import { apply, book, sheetOf, whole } from '../xlsx/testing/sheets.ts'

/* Rows within a table that are sums of those above, in CSV and in workbooks. */

const csv = async (lines: readonly string[], settings: object = {}) => {
  const file = new File([`${lines.join('\n')}\n`], 'a.csv')
  const { inspection, previews } = await inspect(file, { settings: { kind: 'csv', ...settings } })
  const [{ proposals = [], notes }] = inspection.tables
  return {
    proposals,
    rows: previews[0].rows,
    columns: inspection.tables[0].columns,
    notes: [...inspection.notes, ...notes],
  }
}

const codes = (proposals: readonly { readonly code: string }[]): string[] => proposals.map(({ code }) => code)

/** As written by Excel's Subtotal. */
const REGIONS = [
  'Region,Product,Units,Revenue',
  'North,Bolt,10,100.50',
  'North,Nut,20,50.25',
  'North Total,,30,150.75',
  'South,Bolt,5,49.00',
  'South,Nut,7,20.00',
  'South,Gear,1,3.00',
  'South Total,,13,72.00',
  'Grand Total,,43,222.75',
]

/** As written by YouTube; AWS calls it “Service total”. */
const TOP = [
  'Content,Published,Views,Hours,Rate',
  'Total,,6042,180.25,5.1',
  'a,2023-03-04,3021,90.5,4.9',
  'b,2023-04-14,2001,60.25,5.2',
  'c,2023-12-01,1020,29.5,5.6',
]

describe('a row marked with stars', () => {
  const lines = [';Konto;Betrag', '*;400;1.00', ';400;2.50', ';410;1.25', '*;;4.75', '**;;5.75']

  it('is a total, as in SAP’s lists, if it has the sum of at least two rows; else stars say nothing', async () => {
    const { proposals, notes } = await csv(lines)
    expect(proposals).toMatchObject([{ message: '1 row has the sums of rows above: “*” in line 5.' }])
    expect(notes.map(({ code }) => code)).not.toContain('wrong-subtotals')
  })
})

describe('a total at the top', () => {
  it.each(['Total', 'Service total'])('called “%s” is proposed to be left out', async (label) => {
    const lines = TOP.map((line) => line.replace('Total', label))
    const { proposals, notes } = await csv(lines)
    expect(notes).toEqual([])
    expect(proposals).toMatchObject([
      {
        label: 'Apply: leave out the total at the top',
        message: `1 row has the sums of other rows: “${label}” in line 2.`,
      },
    ])
    const [{ change }] = proposals
    const after = await csv(lines, change.kind === 'reading' ? change.settings : {})
    expect([after.rows.length, after.proposals]).toEqual([3, []])
  })

  it('is proposed with the one at the end, and in workbooks', async () => {
    const { proposals } = await csv([...TOP, 'Total,,6042,180.25,5.1'])
    expect(proposals).toMatchObject([{ label: 'Apply: leave out 2 subtotals' }])
    const sheet = sheetOf(TOP.map((line) => line.split(',').map((cell) => (Number(cell) ? Number(cell) : cell))))
    const file = book(sheet)
    expect((await whole(file)).tables[0]?.proposals).toMatchObject([{ label: 'Apply: leave out the total at the top' }])
  })

  it('stays where it isn’t the sum, or only one row is below', async () => {
    const { proposals, notes } = await csv(TOP.with(2, 'a,2023-03-04,3022,91.5,4.9'))
    expect([proposals, codes(notes)]).toEqual([[], ['wrong-subtotals']])
    expect((await csv(TOP.slice(0, 2).concat('a,2023-03-04,6042,180.25,5.1'))).proposals).toEqual([])
  })
})

describe('subtotals of a CSV file', () => {
  it('aren’t what row after row says', async () => {
    const { notes } = await csv([
      'Country,Indicator,1960,1961',
      'Aruba,"Population, total",54922,',
      'Kosovo,"Population, total",,947000',
      'Zambia,"Population, total",3119430,3219451',
    ])
    expect(notes).toEqual([])
  })

  it('are proposed to be left out, with the total of all', async () => {
    const { proposals, rows } = await csv(REGIONS)
    expect(rows).toHaveLength(8)
    expect(proposals).toMatchObject([
      {
        code: 'subtotal-rows',
        count: 3,
        label: 'Apply: leave out 3 subtotals',
        message:
          '3 rows have the sums of rows above: “North Total” in line 4, “South Total” in line 8, “Grand Total” in line 9.',
      },
    ])
    expect(proposals[0]).not.toHaveProperty('ambiguous')
    const [{ change }] = proposals
    const after = await csv(REGIONS, change.kind === 'reading' ? change.settings : {})
    expect(after.rows.map(([region, product]) => `${region} ${product}`)).toEqual([
      'North Bolt',
      'North Nut',
      'South Bolt',
      'South Nut',
      'South Gear',
    ])
    expect(codes(after.proposals)).toEqual([])
    expect(after.notes).toContainEqual(expect.objectContaining({ code: 'rows-left-out', count: 3 }))
  })

  it('with decimal commas, in another column, and in groups within groups', async () => {
    const { proposals } = await csv([
      'Land;Ort;Betrag',
      'DE;Bonn;1.000,50',
      'DE;Ulm;2.000,00',
      'DE;Zwischensumme;3.000,50',
      'AT;Wien;10,00',
      'AT;Graz;5,25',
      'AT;Zwischensumme;15,25',
      ';Summe Europa;3.015,75',
      'JP;Kobe;1,00',
      'JP;Zwischensumme;1,00',
      ';Gesamtsumme;3.016,75',
    ])
    expect(proposals).toMatchObject([{ code: 'subtotal-rows', count: 5 }])
  })

  it('whose sums aren’t right stay', async () => {
    const wrong = REGIONS.map((line) => line.replace('13,72.00', '14,73.00'))
    const { proposals, notes } = await csv(wrong)
    expect(proposals[0]).toMatchObject({
      code: 'subtotal-rows',
      count: 1,
      message: '1 row has the sums of rows above: “North Total” in line 4.',
    })
    // The last row isn't the sum of all others once one of these is kept.
    expect(proposals[1]).toMatchObject({ code: 'total-row', ambiguous: true })
    expect(notes.filter(({ code }) => code === 'wrong-subtotals')).toEqual([
      {
        code: 'wrong-subtotals',
        message:
          '1 row calls itself a total, but doesn’t have the sums of the rows above, and is read as a row: “South Total” in line 8.',
        count: 1,
      },
    ])
  })

  it('are told where none of them is right', async () => {
    const { proposals, notes, rows } = await csv(
      REGIONS.slice(0, 8).map((line) => line.replace(/Total,,(\d+),/, 'Total,,9$1,9')),
    )
    expect([codes(proposals), rows.length]).toEqual([[], 7])
    expect(notes.filter(({ code }) => code === 'wrong-subtotals').map(({ message }) => message)).toEqual([
      '2 rows call themselves totals, but don’t have the sums of the rows above, and are read as rows: “North Total” in line 4, “South Total” in line 8.',
    ])
  })

  it('are no more than a name', async () => {
    const lines = ['Brand,Litres,Price', 'Total,40,60', 'Shell,50,80', 'Total,30,45', 'Esso,20,31', 'Jet,25,33']
    const { proposals, notes } = await csv(lines)
    expect([codes(proposals), codes(notes)]).toEqual([[], []])
  })

  it('a total at the end alone is told as ever', async () => {
    const lines = ['Name,Amount', 'a,1', 'b,2', 'c,3', 'Total,6']
    expect(codes((await csv(lines)).proposals)).toEqual(['total-row'])
  })

  it('are found far down, by their blank cells', async () => {
    const many = Array.from({ length: 500 }, (_, i) => `North,Bolt ${i},${i}`)
    const { proposals } = await csv(['Region,Product,Units', ...many, `North Total,,${(499 * 500) / 2}`, 'South,Nut,4'])
    expect(proposals).toMatchObject([{ code: 'subtotal-rows', count: 1 }])
  })
})

/** The next month: subtotals are in other rows, and data is where they were. */
const NEXT = [
  'Region,Product,Units,Revenue',
  'North,Bolt,1,2.50',
  'North,Nut,2,3.25',
  'North,Gear,3,4.00',
  'North Total,,6,9.75',
  'South,Bolt,5,49.00',
  'South Total,,5,49.00',
  'West,Bolt,9,90.00',
  'Grand Total,,20,148.75',
]

describe('the rule that is set where the proposal is applied', () => {
  const csvOf = (lines: readonly string[]) => new File([`${lines.join('\n')}\n`], 'a.csv')
  const products = async (file: File, settings: object): Promise<(string | null)[]> => {
    const { previews } = await inspect(file, { settings: settings as Partial<ReadSettings> })
    return previews[0].rows.map(([region, product]) => `${region} ${product}`)
  }

  it('finds the rows of each file again', async () => {
    const { inspection } = await inspect(csvOf(REGIONS))
    const settings = apply(inspection, 'subtotal-rows')
    expect(settings).toEqual({ kind: 'csv', leaveOutSubtotals: true })
    expect(await products(csvOf(NEXT), settings)).toEqual([
      'North Bolt',
      'North Nut',
      'North Gear',
      'South Bolt',
      'West Bolt',
    ])
    expect(await products(csvOf(['Region,Product', 'North,Bolt', 'North,Nut']), settings)).toHaveLength(2)
  })

  it('leaves out what the person left out as well', async () => {
    const settings = { kind: 'csv', leaveOut: [3], leaveOutSubtotals: true }
    // Without the second row, the north's sum is wrong.
    expect(await products(csvOf(REGIONS), settings)).not.toContain('North Nut')
    expect(await products(csvOf(REGIONS), settings)).not.toContain('South Total ')
  })
})

describe('subtotals of a workbook', () => {
  const cells = REGIONS.map((line, i) =>
    line.split(',').map((cell, column) => (cell === '' ? null : i > 0 && column > 1 ? Number(cell) : cell)),
  )

  it('are proposed to be left out, with the total of all', async () => {
    const file = book(sheetOf([['Sales'], [], ...cells, [], ['Source: ERP']]))
    const { tables, inspection } = await whole(file)
    expect(tables[0].rows).toHaveLength(8)
    expect(tables[0].proposals).toMatchObject([
      {
        code: 'subtotal-rows',
        count: 3,
        message:
          '3 rows have the sums of rows above: “North Total” in row 6, “South Total” in row 10, “Grand Total” in row 11.',
      },
    ])
    const after = await whole(file, apply(inspection, 'subtotal-rows'))
    expect(after.tables[0].rows.map(([, product]) => product)).toEqual(['Bolt', 'Nut', 'Bolt', 'Nut', 'Gear'])
    expect(after.tables[0].proposals).toEqual([])
    expect(after.tables[0].notes).toContain('You left out 3 rows.')
  })

  it('whose sums aren’t right stay', async () => {
    const wrong = cells.map((row) => row.map((cell) => (cell === 30 || cell === 150.75 ? 31 : cell)))
    const { tables } = await whole(book(sheetOf(wrong)))
    expect(tables[0].proposals).toMatchObject([
      { code: 'subtotal-rows', message: '1 row has the sums of rows above: “South Total” in row 8.' },
      { code: 'total-row', ambiguous: true },
    ])
    expect(tables[0].notes).toContain(
      '1 row calls itself a total, but doesn’t have the sums of the rows above, and is read as a row: “North Total” in row 4.',
    )
  })

  it('are left out of the table that the rule was chosen for, and of no other', async () => {
    const file = book(sheetOf(cells), sheetOf(cells))
    const settings = apply((await whole(file)).inspection, 'subtotal-rows')
    expect(settings).toEqual({ kind: 'xlsx', leaveOutSubtotals: { S1: true } })
    const after = await whole(file, settings)
    expect(after.tables.map(({ rows }) => rows.length)).toEqual([5, 8])
    expect(after.tables.map(({ proposals }) => codes(proposals))).toEqual([[], ['subtotal-rows']])
    expect(after.settings.leaveOut).toEqual({ S1: [4, 8, 9] })
  })
})

it('Of several tables in a CSV file, subtotals are left out of the one that the rule was chosen for', async () => {
  const file = new File([[...REGIONS, '', 'Second', ...NEXT].join('\n')], 'a.csv')
  const { inspection } = await inspect(file, { settings: { kind: 'csv', blocks: true } })
  const [, { name, proposals = [] }] = inspection.tables
  const change = proposals.find(({ code }) => code === 'subtotal-rows')?.change
  expect(change).toEqual({
    kind: 'reading',
    settings: { kind: 'csv', tables: { [String(name)]: { leaveOutSubtotals: true } } },
  })
  const settings = { blocks: true, ...(change?.kind === 'reading' ? change.settings : {}) } as Partial<ReadSettings>
  const { previews } = await inspect(file, { settings })
  expect(previews.map(({ rows }) => rows.length)).toEqual([8, 5])
})
