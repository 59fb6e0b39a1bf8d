import { describe, expect, test } from 'vitest'
import { apply, book, type Cell, sheetOf, whole } from '../testing/sheets.ts'

/* Tables of texts below others: only their header distinguishes them from rows of the table above. */

const ORDERS: readonly (readonly Cell[])[] = [
  ['id', 'amount', 'note'],
  [1, 9.5, 'a'],
  [2, 19, 'b'],
  [3, 28.5, 'c'],
]
const CONTACTS: readonly (readonly Cell[])[] = [
  ['name', 'city'],
  ['Ann', 'Bonn'],
  ['Bob', 'Ulm'],
  ['Cid', 'Jena'],
]

describe('a table of texts below another', () => {
  test.each<[string, readonly (readonly Cell[])[], readonly string[]]>([
    ['with a title', [...ORDERS, [], ['Contacts'], ...CONTACTS], ['S1', 'Contacts']],
    ['with a title apart from it', [...ORDERS, [], ['Contacts'], [], ...CONTACTS], ['S1', 'Contacts']],
    ['without a title, of other columns and kinds of values', [...ORDERS, [], ...CONTACTS], ['S1', 'S1 (2)']],
    [
      'of texts, too, both with titles',
      [['Codes'], ['code', 'sign'], ['EUR', '€'], ['GBP', '£'], ['JPY', '¥'], [], ['Contacts'], ...CONTACTS],
      ['Codes', 'Contacts'],
    ],
  ])('%s is proposed, and read as one of its own at a click', async (_, rows, names) => {
    const first = await whole(book(sheetOf(rows)))
    expect(first.tables).toHaveLength(1)
    const [proposal] = first.tables[0].proposals.filter(({ code }) => code === 'several-tables')
    expect(proposal).toMatchObject({ label: 'Apply: read as 2 tables', ambiguous: true })
    const { tables, settings } = await whole(book(sheetOf(rows)), apply(first.inspection, 'several-tables'))
    expect(settings.blocks).toBe(true)
    expect(tables.map(({ name }) => name)).toEqual(names)
    for (const name of names.slice(0, 2)) expect(proposal.message).toContain(`“${name}”`)
    expect(tables[1].names).toEqual(['name', 'city'])
    expect(tables[1].rows).toEqual(CONTACTS.slice(1))
    expect(tables.flatMap(({ proposals }) => proposals).map(({ code }) => code)).not.toContain('several-tables')
  })

  test.each<[string, readonly (readonly Cell[])[]]>([
    ['rows that go on below a blank one', [...ORDERS, [], [4, 1, 'd'], [5, 2, 'e'], [6, 3, 'f']]],
    [
      'keys with their values',
      [...ORDERS, [], ['Author:', 'Ann'], ['Checked:', 'Bob'], ['Place:', 'Bonn'], ['Unit:', 'kg']],
    ],
    ['remarks', [...ORDERS, [], ['Source: ERP'], ['Prices without tax'], ['Draft']]],
    ['texts below texts without titles', [...CONTACTS, [], ['Dee', 'Kiel'], ['Eve', 'Köln'], ['Fay', 'Hof']]],
  ])('isn’t proposed of %s', async (_, rows) => {
    const { tables } = await whole(book(sheetOf(rows)))
    expect(tables).toHaveLength(1)
    expect(tables[0].proposals.map(({ code }) => code)).not.toContain('several-tables')
  })

  test('isn’t proposed where the person said where the table is', async () => {
    const file = book(sheetOf([...ORDERS, [], ['Contacts'], ...CONTACTS]))
    const { tables } = await whole(file, { range: { S1: 'A1:C10' } })
    expect(tables[0].proposals.map(({ code }) => code)).not.toContain('several-tables')
  })
})
