import { describe, expect, test } from 'vitest'
import { defaultOptions } from '../../../../tables/plan.ts'
import type { XlsxSettings } from '../../../../tables/settings.ts'
import { convert } from '../../../testing/run.ts'
import { apply, book, sheetOf, whole } from '../testing/sheets.ts'

/* Cells merged over several rows, as often used for groups of rows. */

const REGIONS = [
  ['Sales'],
  ['Region', 'City', 'Budget'],
  ['North', 'Kiel', 100],
  [null, 'Bremen'],
  [null, 'Hamburg', 50],
  ['South', 'Ulm', 70],
  [null, 'Passau', 30],
  ['Total', null, 250],
]
const MERGES = ['A1:C1', 'A3:A5', 'A6:A7', 'C3:C4']
const file = (): File => book(sheetOf(REGIONS, MERGES))

describe('cells merged over several rows', () => {
  test('are null below their first row, and a proposal repeats their value; numbers only where the person says so', async () => {
    const { tables } = await whole(file())
    expect(tables[0].rows.map(([region]) => region)).toEqual(['North', null, null, 'South', null, 'Total'])
    const proposals = tables[0].proposals.filter(({ code }) => code === 'repeat-merged')
    expect(proposals.map(({ label, message, ambiguous = false }) => ({ label, message, ambiguous }))).toEqual([
      {
        label: 'Apply: repeat merged values in each row',
        message:
          '“Region” has 2 cells that are merged over several rows: the value is in the first row, the others are null.',
        ambiguous: false,
      },
      {
        label: 'Apply: repeat merged numbers in each row',
        message:
          '“Budget” has a cell that is merged over several rows: the value is in the first row, the others are null.',
        ambiguous: true,
      },
    ])
    expect(proposals[1].change).toMatchObject({ settings: { repeatMerged: { S1: ['A', 'C'] } } })
  })

  test('have their value in each row once the proposal is applied, which is told', async () => {
    const first = await whole(file())
    const { tables, settings } = await whole(file(), apply(first.inspection, 'repeat-merged'))
    expect(settings.repeatMerged).toEqual({ S1: ['A'] })
    expect(tables[0].rows.map(([region, city]) => [region, city])).toEqual([
      ['North', 'Kiel'],
      ['North', 'Bremen'],
      ['North', 'Hamburg'],
      ['South', 'Ulm'],
      ['South', 'Passau'],
      ['Total', null],
    ])
    expect(tables[0].notes).toContain('3 cells are merged with one above: its value is repeated.')
    expect(tables[0].proposals.map(({ label }) => label)).toContain('Apply: repeat merged numbers in each row')
  })

  test('are converted so, with a receipt that says it', async () => {
    const request = { settings: { kind: 'xlsx', repeatMerged: { S1: ['A', 'C'] } } } as const
    const { result, files } = await convert(file(), 'csv', defaultOptions('csv'), (plan) => plan, request)
    expect(await files[0].text()).toBe(
      'Region,City,Budget\nNorth,Kiel,100\nNorth,Bremen,100\nNorth,Hamburg,50\nSouth,Ulm,70\nSouth,Passau,30\nTotal,,250\n',
    )
    const [receipt] = result.outputs[0].receipts
    expect(receipt.verdict).toBe('match')
    expect(JSON.stringify(receipt)).toContain('4 cells are merged with one above')
  })

  test.each<[string, Partial<XlsxSettings>, readonly (string | null)[]]>([
    ['in a range', { range: { S1: 'A2:C5' } }, ['North', 'North', 'North']],
    ['whose first row is left out', { leaveOut: { S1: [3] } }, ['North', 'North', 'South', 'South', 'Total']],
    ['without the last row', { skipLast: { S1: 1 } }, ['North', 'North', 'North', 'South', 'South']],
    [
      'without a header',
      { headerRow: { S1: null } },
      ['Sales', 'Region', 'North', 'North', 'North', 'South', 'South', 'Total'],
    ],
  ])('%s', async (_, settings, regions) => {
    const { tables } = await whole(file(), { ...settings, repeatMerged: { S1: ['A'] } })
    expect(tables[0].rows.map(([region]) => region)).toEqual(regions)
  })

  test('keep what stands below in the same column, and of two that overlap the last one counts', async () => {
    const rows = [
      ['k', 'n'],
      ['a', 1],
      ['own', 2],
      [null, 3],
      ['b', 4],
      [null, 5],
      [null, 6],
    ]
    const { tables } = await whole(book(sheetOf(rows, ['A2:A7', 'A5:A6'])), { repeatMerged: { S1: ['A'] } })
    expect(tables[0].rows.map(([key]) => key)).toEqual(['a', 'own', 'a', 'b', 'b', 'a'])
  })

  test('too many to be known are refused, not repeated in part', async () => {
    const merges = Array.from({ length: 10_001 }, (_, i) => `F${i + 1}:G${i + 1}`)
    const sheet = book(sheetOf(REGIONS, [...MERGES, ...merges]))
    await expect(whole(sheet, { repeatMerged: { S1: ['A'] } })).rejects.toMatchObject({ code: 'too-large' })
    const { tables } = await whole(sheet)
    expect(tables[0].proposals.filter(({ code }) => code === 'repeat-merged')).toEqual([])
  })
})
