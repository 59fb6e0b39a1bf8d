import { describe, expect, test } from 'vitest'
import { type FileRecipe, recipeFinder } from './recipe.ts'
import { chosenSheets, forSheets, sureSheets } from './sheets.ts'
import type { Signature } from './signature.ts'

const COLUMNS = ['code', 'amount']

const book = (sheets: Readonly<Record<string, readonly string[]>>): Signature => ({
  format: 'xlsx',
  tables: Object.entries(sheets).map(([name, sources]) => ({ name, sources })),
})
const alike = (...names: string[]): Signature => book(Object.fromEntries(names.map((name) => [name, COLUMNS])))
const csv = (...sources: string[]): Signature => ({ format: 'csv', tables: [{ name: null, sources }] })

const recipeFor = (signature: Signature): FileRecipe => ({
  version: 1,
  id: 'a',
  name: 'sales',
  createdAt: 0,
  matches: [signature],
  request: {},
  edits: [],
  target: 'csv',
  options: {},
})
const find = (known: Signature, found: Signature) => recipeFinder([recipeFor(known)])(found)

describe('a sheet named after another month', () => {
  test.each([
    ['March 2026', 'April 2026'],
    ['Umsatz März 26', 'Umsatz Mai 2026'],
    ['2026-03', '2026-04'],
    ['Q1 2026', 'Q2 2026'],
    ['KW 12', 'KW 13'],
    ['Mar', 'Sept.'],
    ['Sheet1', 'Sheet2'],
    ['31.03.2026 final', '30.04.2026 final'],
    ['март 2026', 'апрель 2026'],
  ])('%s is %s', (known, found) => {
    const match = find(alike(known), alike(found))
    expect(match?.sheets).toEqual([{ known, choices: [found] }])
    expect(sureSheets(match?.sheets ?? [])).toEqual(new Map([[known, found]]))
  })

  test.each([
    ['March 2026', 'Costs'],
    ['Sales March', 'Costs March'],
    ['North', 'South'],
    ['March 2026', 'April'.concat(' costs 2026')],
  ])('%s isn’t %s', (known, found) => expect(find(alike(known), alike(found))).toBeNull())

  test('is matched apart from sheets with the same name, and differing columns are reported', () => {
    const known = book({ Notes: ['text'], 'March 2026': [...COLUMNS, 'day'] })
    const match = find(known, book({ Notes: ['text'], 'April 2026': [...COLUMNS, 'region'] }))
    expect(match).toMatchObject({
      missing: ['day'],
      added: ['region'],
      sheets: [{ known: 'March 2026', choices: ['April 2026'] }],
    })
  })

  test('is chosen by the person if there are several, including the old one', () => {
    const match = find(alike('March 2026'), alike('March 2026', 'April 2026'))
    const sheets = match?.sheets ?? []
    expect(sheets).toEqual([{ known: 'March 2026', choices: ['March 2026', 'April 2026'] }])
    expect(sureSheets(sheets)).toBeNull()
    expect(chosenSheets(sheets, new Map([['March 2026', 'April 2026']]))?.get('March 2026')).toBe('April 2026')
    const two = find(alike('Jan', 'Feb'), alike('Mar', 'Apr'))?.sheets ?? []
    expect(
      chosenSheets(
        two,
        new Map([
          ['Jan', 'Mar'],
          ['Feb', 'Mar'],
        ]),
      ),
    ).toBeNull()
  })

  test('isn’t matched without its columns', () => {
    const found = book({ 'April 2026': COLUMNS, 'May 2026': [] })
    expect(find(alike('March 2026'), found)).toMatchObject({
      sheets: [{ known: 'March 2026', choices: ['April 2026'] }],
      otherSheets: ['May 2026'],
    })
    expect(find(alike('March 2026'), book({ 'April 2026': ['x', 'y'] }))).toBeNull()
  })

  test('is less likely than a recipe for exactly these sheets', () => {
    const [march, april] = [recipeFor(alike('March')), { ...recipeFor(alike('April')), id: 'b', createdAt: -1 }]
    expect(recipeFinder([march, april])(alike('April'))).toMatchObject({ recipe: { id: 'b' }, sheets: [] })
  })
})

test('settings for a sheet apply to the sheet with the new name', () => {
  const recipe: FileRecipe = {
    ...recipeFor(alike('March', 'Notes')),
    request: {
      settings: {
        kind: 'xlsx',
        headerRow: { March: 3, Notes: 1 },
        range: { 'March 2': 'A1:B2' },
        sheet: { 'March 2': 'March' },
      },
    },
    edits: [{ table: 'March', columns: [{ source: 'amount', nth: 0, name: 'total' }] }],
    rowCount: { least: 50, most: 200, last: [{ table: 'March', rows: 4 }] },
    shape: { sql: 'FROM march', tables: [{ table: 'March', name: 'march' }] },
  }
  const now = forSheets(
    recipe,
    new Map([
      ['March', 'April'],
      ['March 2', 'April 2'],
    ]),
  )
  expect(now).toMatchObject({
    request: {
      settings: {
        headerRow: { April: 3, Notes: 1 },
        range: { 'April 2': 'A1:B2' },
        sheet: { 'April 2': 'April' },
      },
    },
    edits: [{ table: 'April' }],
    rowCount: { last: [{ table: 'April', rows: 4 }] },
    shape: { tables: [{ table: 'April', name: 'march' }] },
  })
  expect(JSON.stringify({ ...now, matches: [] })).not.toContain('March')
})

test('a name that occurs twice counts as an additional column', () => {
  expect(find(csv('id', 'qty'), csv('id', 'qty', 'qty'))).toMatchObject({ missing: [], added: ['qty_1'] })
  expect(find(csv('id', 'qty', 'qty'), csv('qty', 'id'))).toMatchObject({ missing: ['qty_1'], added: [] })
})

test('a name that differs from another only in case is named as it stands in the file', () => {
  const both = csv('id', 'total', 'Total')
  expect(find(both, csv('id', 'total'))).toMatchObject({ missing: ['Total'], added: [] })
  expect(find(both, csv('id', 'Total'))).toMatchObject({ missing: ['total'], added: [] })
  expect(find(csv('ID', 'TOTAL'), both)).toMatchObject({ missing: [], added: ['Total'] })
  expect(find(csv('id', 'Total'), both)).toMatchObject({ missing: [], added: ['total'] })
  expect(find(both, csv('ID', 'TOTAL', 'TOTAL'))).toMatchObject({ missing: [], added: [] })
})
