import { expect, test } from 'vitest'
import { apply, book, type Cell, sheetOf, whole } from '../testing/sheets.ts'

const ROWS: readonly (readonly Cell[])[] = [
  ['Page', 'Views', 'Clicks', 'Rate', 'Revenue'],
  ['/home', 120, 14, 0.117, '1.204,50 €'],
  ['/shop', 80, 31, 0.388, '310,00 €'],
  ['/cart', 44, 9, 0.205, '99,25 €'],
  ['/blog', 210, 2, 0.01, '0,00 €'],
  ['/help', 17, 1, 0.059, '12,00 €'],
]
const TOTAL: readonly Cell[] = [null, 471, 57, 0.121, '1.625,75 €']

test('a last row without a name that has the sums of several columns is proposed to be left out', async () => {
  const file = book(sheetOf([...ROWS, TOTAL]))
  const found = await whole(file)
  expect(found.tables[0].rows).toHaveLength(6)
  expect(found.tables[0].proposals).toMatchObject([
    {
      code: 'total-row',
      message: 'The last row has no name, but looks like a total of 3 columns: the sums are right.',
      count: 1,
    },
  ])
  const without = await whole(file, apply(found.inspection, 'total-row'))
  expect([without.tables[0].rows.length, without.tables[0].proposals]).toEqual([5, []])
})

test.each<[string, readonly (readonly Cell[])[]]>([
  ['only one column adds up', [...ROWS, [null, 471, 58, 0.121, '1.625,76 €']]],
  ['a word is in it', [...ROWS, [null, 471, 57, 'high', '1.625,75 €']]],
  ['it has a name', [...ROWS, ['/news', ...TOTAL.slice(1)]]],
  ['another name is missing', [...ROWS.with(2, [null, 80, 31, 0.388, '310,00 €']), TOTAL]],
])('it stays where %s', async (_, rows) => {
  const { tables } = await whole(book(sheetOf(rows)))
  expect(tables[0].proposals).toEqual([])
})
