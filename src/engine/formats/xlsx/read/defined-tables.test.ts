import { describe, expect, it } from 'vitest'
import { bookParts, makeZip } from '../testing/read.ts'
import { type Cell, sheetOf, whole } from '../testing/sheets.ts'

/* Tables that are defined in Excel: xl/tables/table1.xml. */

interface Definition {
  readonly name: string
  readonly ref: string
  readonly more?: string
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook of one sheet on which tables are defined, as written by Excel. */
function bookWith(rows: readonly (readonly Cell[])[], tables: readonly Definition[]): File {
  const relations = tables.map(
    (_, i) => `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/table" Target="../tables/table${i + 1}.xml"/>`,
  )
  const parts = [
    ...bookParts({ sheets: [sheetOf(rows)], names: ['Report'] }),
    {
      name: 'xl/worksheets/_rels/sheet1.xml.rels',
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`,
    },
    ...tables.map(({ name, ref, more = 'totalsRowShown="0"' }, i) => ({
      name: `xl/tables/table${i + 1}.xml`,
      data: `<?xml version="1.0"?><table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="${i + 1}" name="${name}" displayName="${name}" ref="${ref}" ${more}><autoFilter ref="${ref}"/></table>`,
    })),
  ]
  return new File([makeZip(parts)], 'report.xlsx')
}

const SALES: Cell[][] = [
  ['Region', 'Units'],
  ['North', 3],
  ['South', 4],
  ['East', 5],
]

describe('one table', () => {
  it('is read to its last row, with its totals row left out and told', async () => {
    const file = bookWith(
      [['Sales of 2024'], [], ...SALES, ['Ergebnis', 12], [], ['Source: ERP']],
      [{ name: 'Sales', ref: 'A3:B7', more: 'totalsRowCount="1"' }],
    )
    const { tables, settings } = await whole(file)
    expect(tables).toMatchObject([{ name: 'Report', names: ['Region', 'Units'], types: ['VARCHAR', 'INTEGER'] }])
    expect(tables[0].rows).toEqual([
      ['North', '3'],
      ['South', '4'],
      ['East', '5'],
    ])
    expect(tables[0].notes).toEqual([
      'Excel defines A3:B7 as the table “Sales”. Its first row is the header. Its totals row is left out.',
      '2 rows outside of Excel’s table are left out: “Sales of 2024”.',
    ])
    expect(settings).toMatchObject({ headerRow: { Report: 3 }, range: { Report: 'A3:B7' }, skipLast: { Report: 1 } })
  })

  it('has a header though all of its cells are texts, or numbers', async () => {
    const years: Cell[][] = [
      [2023, 2024],
      [1, 2],
      [3, 4],
    ]
    const { tables } = await whole(bookWith(years, [{ name: 'Years', ref: 'A1:B3' }]))
    expect(tables[0]).toMatchObject({
      names: ['2023', '2024'],
      rows: [
        ['1', '2'],
        ['3', '4'],
      ],
    })
    const texts: Cell[][] = [
      ['Rose', 'Oak'],
      ['Tulip', 'Elm'],
    ]
    const found = await whole(bookWith(texts, [{ name: 'Plants', ref: 'A1:B2' }]))
    expect(found.tables[0]).toMatchObject({ names: ['Rose', 'Oak'], rows: [['Tulip', 'Elm']] })
  })

  it('has no header where Excel says so', async () => {
    const { tables } = await whole(
      bookWith(SALES, [{ name: 'Sales', ref: 'A1:B4', more: 'headerRowCount="0" totalsRowShown="0"' }]),
    )
    expect(tables[0].names).toEqual(['column_1', 'column_2'])
    expect(tables[0].rows).toHaveLength(4)
  })

  it('gives way to what the person sets', async () => {
    const file = bookWith([...SALES, ['Total', 12]], [{ name: 'Sales', ref: 'A1:B5', more: 'totalsRowCount="1"' }])
    const last = async (settings: Parameters<typeof whole>[1]) => (await whole(file, settings)).tables[0].rows.at(-1)
    expect(await last({})).toEqual(['East', '5'])
    expect(await last({ skipLast: { Report: 0 } })).toEqual(['Total', '12'])
    expect(await last({ skipLast: { Report: 2 } })).toEqual(['South', '4'])
    expect(await last({ range: { Report: 'A1:B3' } })).toEqual(['South', '4'])
    const { tables } = await whole(file, { headerRow: { Report: null } })
    expect(tables[0]).toMatchObject({ names: ['column_1', 'column_2'], rows: { length: 4 } })
  })

  it.each<[string, Cell[][]]>([
    ['rows go on below it', [...SALES, ['West', 6]]],
    ['a column stands beside it', SALES.map((row, i) => [...row, i === 0 ? 'Price' : i])],
    ['rows go on below a blank one', [...SALES, [], ['West', 6], ['Up', 7], ['Down', 8]]],
  ])('isn’t all that is read where %s', async (_, rows) => {
    const { tables } = await whole(bookWith(rows, [{ name: 'Sales', ref: 'A1:B4' }]))
    const plain = await whole(bookWith(rows, []))
    expect(tables).toEqual(plain.tables)
    expect(tables[0].rows.length * tables[0].names.length).toBeGreaterThan(6)
  })
})

describe('several tables', () => {
  const staff: Cell[][] = [
    ['Name', 'Town'],
    ['Ann', 'Bonn'],
    ['Bob', 'Ulm'],
  ]

  it('one below another, of texts alone, are read by their names', async () => {
    const rows = [...SALES, ['Total', 12], [], ['Our people'], ...staff]
    const { tables } = await whole(
      bookWith(rows, [
        { name: 'Table2', ref: 'A8:B10' },
        { name: 'Sales', ref: 'A1:B5', more: 'totalsRowCount="1"' },
      ]),
    )
    expect(tables.map(({ name, names, rows: { length } }) => [name, names, length])).toEqual([
      ['Sales', ['Region', 'Units'], 3],
      ['Our people', ['Name', 'Town'], 2],
    ])
  })

  it('side by side, directly, are told apart', async () => {
    const rows = SALES.map((row, i) => [...row, ...(staff[i] ?? [])])
    const { tables } = await whole(
      bookWith(rows, [
        { name: 'Sales', ref: 'A1:B4' },
        { name: 'Staff', ref: 'C1:D3' },
      ]),
    )
    expect(tables.map(({ name, rows: { length } }) => [name, length])).toEqual([
      ['Sales', 3],
      ['Staff', 2],
    ])
  })

  it('one that Excel doesn’t define is read beside one that it does', async () => {
    const prices: Cell[][] = [
      ['Good', 'Price', 'Since'],
      ['Bolt', 1.5, 2020],
      ['Nut', 2.5, 2021],
      ['Gear', 9, 2022],
    ]
    const { tables } = await whole(bookWith([...SALES, [], ['Prices'], ...prices], [{ name: 'Sales', ref: 'A1:B4' }]))
    expect(tables.map(({ name, names, rows: { length } }) => [name, names, length])).toEqual([
      ['Sales', ['Region', 'Units'], 3],
      ['Prices', ['Good', 'Price', 'Since'], 3],
    ])
  })
})

describe('a definition that is no use', () => {
  it.each([
    ['of no range', { name: 'Sales', ref: 'nowhere' }],
    ['of fewer rows than its header and totals', { name: 'Sales', ref: 'A1:B1', more: 'totalsRowCount="3"' }],
    ['that is no XML', { name: 'Sales"<', ref: 'A1:B4' }],
  ])('%s is left aside', async (_, definition) => {
    const { tables } = await whole(bookWith(SALES, [definition]))
    expect(tables).toEqual((await whole(bookWith(SALES, []))).tables)
  })
})
