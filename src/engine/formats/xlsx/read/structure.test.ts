import { describe, expect, test } from 'vitest'
import { inspect } from '../testing/read.ts'
import { xlsxReader } from '../reader.ts'
import { apply, book, type Cell, sheetOf, whole } from '../testing/sheets.ts'
import { QUIET } from '../../../testing/quiet.ts'

const QUARTERS = [
  ['Sales by region'],
  [],
  ['Region', 'Q1', null, 'Q2', null],
  [null, 'Units', 'Revenue', 'Units', 'Revenue'],
  ['North', 10, 99.5, 12, 120.25],
  ['South', 20, 199, 18, 180],
  ['East', 5, 49.75, 7, 70.5],
  ['Total', 35, 348.25, 37, 370.75],
]
/** Moves a range down two rows. */
const twoDown = (range: string): string => range.replaceAll(/\d+/g, (row) => String(Number(row) + 2))

const NAMES = ['Region', 'Q1 Units', 'Q1 Revenue', 'Q2 Units', 'Q2 Revenue']

describe('a header of several rows', () => {
  test.each([
    ['of merged cells', ['A1:E1', 'A3:A4', 'B3:C3', 'D3:E3']],
    ['of cells that aren’t merged', []],
  ])('%s', async (_, merges) => {
    const { tables, settings } = await whole(book(sheetOf(QUARTERS, merges)))
    expect(tables).toMatchObject([{ names: NAMES, types: ['VARCHAR', 'INTEGER', 'DOUBLE', 'INTEGER', 'DOUBLE'] }])
    expect(tables[0].notes).toContain('Rows 3 to 4 are the header: names are what they say together.')
    expect(tables[0].notes.filter((note) => note.includes('merged cells'))).toEqual([])
    expect(settings).toMatchObject({ headerRow: { S1: 3 }, headerRows: { S1: 2 } })
  })

  test('whose first row names but a few groups', async () => {
    const rows = [
      ['Report'],
      [null, null, null, 'Half year'],
      ['id', 'name', 'city', 'sum', 'mean'],
      [1, 'Ann', 'Rome', 10, 1.5],
      [2, 'Bob', 'Bonn', 20, 2.5],
    ]
    const found = await whole(book(sheetOf(rows, ['D2:E2', 'A1:E1'])))
    expect(found.tables[0].names).toEqual(['id', 'name', 'city', 'Half year sum', 'Half year mean'])
    expect(found.settings).toMatchObject({ headerRow: { S1: 2 }, headerRows: { S1: 2 } })
  })

  const games = [
    ['final', 'Lions', 'Rome', 'Bears', 'Oslo'],
    ['semi', 'Cats', 'Bonn', 'Dogs', 'Kiel'],
    ['quarter', 'Hens', 'Graz', 'Ants', 'Linz'],
  ]
  const gameNames = ['Game', 'Home Team', 'Home Town', 'Away Team', 'Away Town']
  test.each<[string, readonly (readonly Cell[])[], readonly string[]]>([
    [
      'merged',
      [
        ['Game', 'Home', null, 'Away'],
        [null, 'Team', 'Town', 'Team', 'Town'],
      ],
      ['A1:A2', 'B1:C1', 'D1:E1'],
    ],
    [
      'with gaps',
      [
        ['Game', 'Home', null, 'Away'],
        [null, 'Team', 'Town', 'Team', 'Town'],
      ],
      [],
    ],
    [
      'with a corner',
      [
        [null, 'Home', null, 'Away'],
        ['Game', 'Team', 'Town', 'Team', 'Town'],
      ],
      [],
    ],
    [
      'repeated',
      [
        ['Game', 'Home', 'Home', 'Away', 'Away'],
        [null, 'Team', 'Town', 'Team', 'Town'],
      ],
      [],
    ],
  ])('above texts alone, %s', async (_, header, merges) => {
    const { tables, settings } = await whole(book(sheetOf([...header, ...games], merges)))
    expect(tables).toMatchObject([{ names: gameNames, rows: games, proposals: [] }])
    expect(settings).toMatchObject({ headerRow: { S1: 1 }, headerRows: { S1: 2 } })
  })

  const staff = [
    ['Staff', null, null, 'Contact'],
    ['Name', null, 'Role', 'Office', null, 'Home'],
    ['First', 'Last', null, 'Phone', 'Room', 'City'],
    ['Ann', 'Lee', 'cook', 'x12', 'A1', 'Bonn'],
    ['Bob', 'Ray', 'clerk', 'x13', 'A2', 'Ulm'],
    ['Cid', 'Fox', 'boss', 'x14', 'B1', 'Jena'],
  ]
  test.each([
    ['merged', ['A1:C1', 'D1:F1', 'A2:B2', 'C2:C3', 'D2:E2']],
    ['with gaps', []],
  ])('of three rows above texts, %s', async (_, merges) => {
    const { tables, settings } = await whole(book(sheetOf([['Our people'], [], ...staff], merges.map(twoDown))))
    expect(tables[0].names).toEqual([
      'Staff Name First',
      'Staff Name Last',
      'Staff Role',
      'Contact Office Phone',
      'Contact Office Room',
      'Contact Home City',
    ])
    expect(tables[0].rows).toHaveLength(3)
    expect(settings).toMatchObject({ headerRow: { S1: 3 }, headerRows: { S1: 3 } })
  })

  test('whose third row names the columns that have no name above, as pandas writes several keys', async () => {
    const rows = [
      [null, null, 'Q1', null, 'Q2'],
      [null, null, 'Units', 'EUR', 'Units', 'EUR'],
      ['Region', 'Product'],
      ['North', 'Bolt', 1, 1.5, 5, 5.5],
      [null, 'Nut', 2, 2.5, 6, 6.5],
      ['South', 'Bolt', 3, 3.5, 7, 7.5],
    ]
    // The program's .ods files have merged cells that are too wide.
    for (const merges of [
      ['C1:D1', 'E1:F1', 'A4:A5'],
      ['C1:E1', 'E1:I1', 'A4:A7'],
    ]) {
      const { tables } = await whole(book(sheetOf(rows, merges)))
      expect(tables[0].names).toEqual(['Region', 'Product', 'Q1 Units', 'Q1 EUR', 'Q2 Units', 'Q2 EUR'])
      expect(tables[0].rows).toHaveLength(3)
    }
  })

  test('above texts alone is proposed where the cells may as well be the first row', async () => {
    const rows = [['Game', 'Home', null], ['draw', 'Alpha', 'Beta'], ...games.map((cells) => cells.slice(0, 3))]
    const file = book(sheetOf(rows, ['B1:C1']))
    const found = await whole(file)
    expect(found.tables[0].rows).toHaveLength(4)
    expect(found.tables[0].proposals).toMatchObject([{ code: 'header-rows', ambiguous: true }])
    expect(found.tables[0].proposals[0].message).toContain('“Game draw”, “Home Alpha”, “Home Beta”')
    const joined = await whole(file, apply(found.inspection, 'header-rows'))
    expect(joined.tables).toMatchObject([{ names: ['Game draw', 'Home Alpha', 'Home Beta'], proposals: [] }])
    expect(joined.tables[0].rows).toHaveLength(3)
    // Without the merged cell, a column has no name.
    expect((await whole(book(sheetOf(rows)))).tables[0].proposals).toEqual([])
  })

  test('is as the person says', async () => {
    const rows = [
      ['a', 'b'],
      ['x', 'y'],
      ['p', 'q'],
      ['r', 's'],
    ]
    const file = book(sheetOf(rows))
    const found = await whole(file, { headerRow: { S1: 1 }, headerRows: { S1: 2 } })
    expect(found.tables).toMatchObject([
      {
        names: ['a x', 'b y'],
        rows: [
          ['p', 'q'],
          ['r', 's'],
        ],
      },
    ])
  })

  test('units are part of the names, or left out', async () => {
    const rows = [
      ['Product', 'Weight', 'Price'],
      [null, 'kg', '€'],
      ['A', 1.5, 10],
      ['B', 2.5, 20],
      ['C', 3.5, 30],
    ]
    const file = book(sheetOf(rows))
    const found = await whole(file)
    expect(found.tables[0].names).toEqual(['Product', 'Weight kg', 'Price €'])
    const without = await whole(file, apply(found.inspection, 'units-row'))
    expect(without.tables).toMatchObject([{ names: ['Product', 'Weight', 'Price'] }])
    expect(without.tables[0].rows).toHaveLength(3)
    expect(without.tables[0].notes).toEqual(['You left out 1 row.'])
  })
})

describe('what the person’s own range leaves out is told', () => {
  const notesOf = async (rows: readonly (readonly Cell[])[], range: string): Promise<readonly string[]> =>
    (await whole(book(sheetOf(rows)), { range: { S1: range } })).tables[0].notes
  const rows = [
    ['a', 'b', 'c'],
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ]

  test.each([
    ['A1:C4', []],
    ['A:C', []],
    ['A1:C3', ['Your range leaves out 1 row below.']],
    ['A1:B2', ['Your range leaves out 2 rows below and cells beside it in 2 rows.']],
    ['B2:C3', ['Your range leaves out 1 row above, 1 row below and cells beside it in 2 rows.']],
  ])('%s', async (range, notes) => {
    expect(await notesOf(rows, range)).toEqual(notes)
  })

  test('but not the tables beside it', async () => {
    const found = await whole(book(sheetOf([...rows, [], [], ['x', 'y', 'z'], [1, 2, 3], [4, 5, 6]])))
    expect(found.tables.map(({ notes }) => notes)).toEqual([[], []])
    const name = found.tables[0].name ?? ''
    const cut = await whole(book(sheetOf([...rows, [], [], ['x', 'y', 'z'], [1, 2, 3], [4, 5, 6]])), {
      range: { [name]: 'A1:C3' },
    })
    expect(cut.tables.map(({ notes }) => notes)).toEqual([['Your range leaves out 1 row below.'], []])
  })
})

describe('a total in the last row', () => {
  const file = book(sheetOf(QUARTERS))

  test('is proposed to be left out, and its sheet says so then', async () => {
    const found = await whole(file)
    expect(found.tables[0].rows).toHaveLength(4)
    expect(found.tables[0].proposals).toMatchObject([
      { code: 'total-row', message: 'The last row, “Total”, looks like a total of 4 columns: the sums are right.' },
    ])
    const without = await whole(file, apply(found.inspection, 'total-row'))
    expect(without.tables[0].rows.map(([region]) => region)).toEqual(['North', 'South', 'East'])
    expect(without.tables[0].notes).toContain('You left out the last row: it was a total.')
    expect(without.tables[0].proposals).toEqual([])
  })

  test('with remarks right below goes with them', async () => {
    const found = await whole(book(sheetOf([...QUARTERS, ['Source: the office'], ['* provisional']])))
    expect(found.tables[0].rows).toHaveLength(6)
    expect(found.tables[0].notes).toContain(
      'The last row above the remarks looks like a total, and is read as a row: row 8, “Total”.',
    )
    const [proposal] = found.tables[0].proposals
    expect(proposal).toMatchObject({
      code: 'total-row',
      label: 'Apply: leave out the last 3 rows',
      message: 'The row “Total”, with 2 rows below it, looks like a total of 4 columns: the sums are right.',
    })
    expect(proposal).not.toHaveProperty('ambiguous')
    const without = await whole(
      book(sheetOf([...QUARTERS, ['Source: the office'], ['* provisional']])),
      apply(found.inspection, 'total-row'),
    )
    expect(without.tables[0].rows.map(([region]) => region)).toEqual(['North', 'South', 'East'])
    expect(without.tables[0].proposals).toEqual([])
  })

  test('of amounts that are texts is one, too', async () => {
    const rows = [
      ['Datum', 'Text', 'Betrag'],
      ['01.04.2025', 'Miete', '-1.250,00 €'],
      ['15.04.2025', 'Gehalt', '3.412,77 €'],
      ['30.04.2025', 'Strom', '-85,90 €'],
    ]
    const found = await whole(book(sheetOf([...rows, ['Summe', null, '2.076,87 €']])))
    const message = 'The last row, “Summe”, looks like a total of 1 column: the sums are right.'
    expect(found.tables[0].proposals).toMatchObject([{ code: 'total-row', message }])
    const other = await whole(book(sheetOf([...rows, ['Summe', null, '2.076,88 €']])))
    expect(other.tables[0].proposals).toMatchObject([{ code: 'total-row', ambiguous: true }])
  })

  test('with other sums is for the person to leave out', async () => {
    const found = await whole(book(sheetOf([...QUARTERS.slice(0, -1), ['Total', 1, 2, 3, 4]])))
    expect(found.tables[0].proposals).toMatchObject([{ code: 'total-row', ambiguous: true }])
    const without = await whole(file, apply(found.inspection, 'total-row'))
    expect(without.tables[0].rows).toHaveLength(3)
  })

  test.each([
    ['another sum', ['Total', 36, 348.75, 39, 371.75], 0],
    ['half of the sums', ['Summe', 35, 348.25, 39, 371.75], 1],
    ['a cent off', ['Gesamt', 35, 348.26, null, null], 1],
    ['another word', ['West', 35, 348.25, 37, 370.75], 0],
    ['in Chinese', ['合计', 35, 348.25, 37, 370.75], 1],
  ])('%s', async (_, last, proposals) => {
    const found = await whole(book(sheetOf([...QUARTERS.slice(0, -1), last])))
    expect(found.tables[0].proposals.filter(({ ambiguous }) => !ambiguous)).toHaveLength(proposals)
  })
})

describe('what stands apart', () => {
  const table = [
    ['id', 'name', 'n'],
    [1, 'Ann', 3],
    [2, 'Bob', 4],
  ]

  test('remarks after the table are left out, and told', async () => {
    const { tables, settings } = await whole(
      book(sheetOf([['Title'], [], ...table, [], ['Source: the office'], ['As of May']])),
    )
    expect(tables).toMatchObject([{ names: ['id', 'name', 'n'], types: ['INTEGER', 'VARCHAR', 'INTEGER'] }])
    expect(tables[0].rows).toHaveLength(2)
    expect(tables[0].notes).toEqual([
      '1 row above the header is left out.',
      '2 rows after the table are left out: “Source: the office”.',
    ])
    expect(settings.range).toEqual({ S1: 'A1:C5' })
  })

  test('tables one below the other are tables, by their titles', async () => {
    const other = [
      ['key', 'value'],
      ['x', 1.5],
      ['y', 2.5],
      ['z', 3.5],
    ]
    const { tables, settings } = await whole(
      book(sheetOf([['People'], ...table, [], ['Numbers'], [], ...other, [], ...table])),
    )
    expect(tables).toMatchObject([
      {
        name: 'People',
        names: ['id', 'name', 'n'],
        rows: [
          ['1', 'Ann', '3'],
          ['2', 'Bob', '4'],
        ],
      },
      {
        name: 'Numbers',
        names: ['key', 'value'],
        rows: [
          ['x', '1.5'],
          ['y', '2.5'],
          ['z', '3.5'],
        ],
      },
      {
        name: 'S1 (2)',
        names: ['id', 'name', 'n'],
        rows: [
          ['1', 'Ann', '3'],
          ['2', 'Bob', '4'],
        ],
      },
    ])
    expect(settings).toMatchObject({ range: { Numbers: 'A6:B11' }, sheet: { People: 'S1', Numbers: 'S1' } })
  })

  test('tables side by side are tables, with a blank column between', async () => {
    const rows = [
      ['id', 'name', 'n', null, 'key', 'value'],
      [1, 'Ann', 3, null, 'x', 1.5],
      [2, 'Bob', 4, null, 'y', 2.5],
      [3, 'Cid', 5, null, 'z', 3.5],
      [4, 'Dee', 6],
    ]
    const { tables, settings } = await whole(book(sheetOf(rows)))
    expect(tables).toMatchObject([
      { name: 'S1', names: ['id', 'name', 'n'], types: ['INTEGER', 'VARCHAR', 'INTEGER'] },
      { name: 'S1 (2)', names: ['key', 'value'], types: ['VARCHAR', 'DOUBLE'] },
    ])
    expect(tables.map((each) => each.rows.length)).toEqual([4, 3])
    expect(settings.range).toEqual({ S1: 'A1:C5', 'S1 (2)': 'E1:F5' })
    // Values beside a table, without a header, are columns without names.
    const notes = rows.map((cells, i) => [...cells.slice(0, 3), null, i === 2 ? 'see below' : null])
    expect((await whole(book(sheetOf(notes)))).tables).toHaveLength(1)
    // It's unknown to which table the rows below belong.
    expect((await whole(book(sheetOf([...rows, [], [5, 'Eve', 7]])))).tables).toHaveLength(1)
  })

  test('blank rows and groups within a table are its own', async () => {
    const rows = [...table, [], ['Group B'], [], [3, 'Cid', 5], [4, 'Dee', null], [], [5, 'Eve', 6]]
    const { tables } = await whole(book(sheetOf(rows)))
    expect(tables).toHaveLength(1)
    expect(tables[0].rows).toHaveLength(6)
  })

  test('a table is where the person says', async () => {
    const file = book(sheetOf([...table, [3, 'Cid', 5, null, 'x', 1]]))
    const found = await whole(file, { range: { S1: 'B1:C3' } })
    expect(found.tables).toMatchObject([
      {
        names: ['name', 'n'],
        rows: [
          ['Ann', '3'],
          ['Bob', '4'],
        ],
      },
    ])
    await expect(whole(file, { range: { S1: 'nonsense' } })).rejects.toMatchObject({
      code: 'invalid-plan',
      message: '“nonsense” isn’t a range of cells.',
    })
  })
})

test('a sheet’s rows are shown as they stand there: the first and the last ones', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => (i === 1 ? [] : [`row ${i + 1}`, null, i]))
  const file = book(sheetOf(rows))
  const { settings } = await inspect(file)
  const source = await xlsxReader.source?.(file, { settings, table: 'S1' }, QUIET)
  expect(source).toMatchObject({ hidden: 199 - 80, head: 60 })
  expect(source?.rows[1]).toEqual({ number: 3, cells: ['row 3', null, '2'] })
  expect(source?.rows.at(-1)?.number).toBe(200)
})
