import Ajv from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { defaultOptions } from '../plan.ts'
import { schemaPath } from './json-file.ts'
import { fromRecipeFile, recipeSchema, toRecipeFile } from './recipe-file.ts'
import type { CombinedRecipe, FileRecipe, Recipe } from '../recipes/recipe.ts'

const recipe: FileRecipe = {
  version: 1,
  id: 'a',
  name: 'Umsätze',
  createdAt: 1_700_000_000_000,
  matches: [{ format: 'csv', tables: [{ name: null, sources: ['Betrag', 'Datum'] }] }],
  request: {
    settings: { kind: 'csv', skipLines: 2, delimiter: ';', encoding: 'windows-1252', nullStrings: ['', '-'] },
  },
  edits: [
    {
      table: null,
      columns: [
        { source: 'Betrag', nth: 0, type: 'DECIMAL(18,2)', format: { decimalMark: ',', grouping: '.' } },
        { source: 'Datum', nth: 0, name: 'day', include: true, checks: { required: true, minimum: '2024-01-01' } },
      ],
      mends: {
        rows: [],
        replacements: [{ source: null, find: 'k.A.', replace: '', whole: true }],
        putBack: true,
        atEnd: true,
      },
    },
  ],
  target: 'xlsx',
  options: { xlsx: defaultOptions('xlsx'), csv: defaultOptions('csv') },
  split: { by: 'column', column: 'Kunde' },
  rowCount: { least: 50, most: 200, last: [{ table: null, rows: 1000 }] },
  shape: {
    sql: 'SELECT Kunde, sum(Betrag) FROM umsätze GROUP BY Kunde',
    tables: [{ table: null, name: 'umsätze', file: 'umsätze-2024-01.csv' }],
  },
}

const { request, edits, matches, ...ofAny } = recipe
const combined: CombinedRecipe = {
  ...ofAny,
  combine: {
    name: 'Jahr',
    members: [
      { request, edits, matches, tables: [{ table: null, columns: [{ source: 'Betrag', nth: 0, into: 'amount' }] }] },
    ],
    columns: [{ name: 'amount', type: 'DECIMAL(18,2)', include: true, inAll: true }],
    fileColumn: true,
    rowColumn: false,
  },
}

describe('a recipe as a file', () => {
  it.each([['a file', recipe] as const, ['a combination', combined] as const])(
    'of %s comes back as it was, whoever reads it, and is valid by the published schema',
    (_, made) => {
      const file = toRecipeFile(made, 'https://rowhouse.example')
      expect(file).not.toHaveProperty('id')
      expect(fromRecipeFile(JSON.stringify(file), 'b')).toEqual({ ...made, id: 'b' })
      const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(recipeSchema() as object)
      expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
      expect(validate({ ...(file as object), target: 'docx' })).toBe(false)
    },
  )

  it('of a combination is refused with the position of the error', () => {
    const wrong = {
      ...combined,
      combine: { ...combined.combine, members: [{ ...combined.combine.members[0], tables: 5 }] },
    }
    const { id: _, ...file } = wrong
    expect(() => fromRecipeFile(JSON.stringify(file), 'b')).toThrow('combine.members[0].tables')
    expect(() => fromRecipeFile(JSON.stringify({ ...(toRecipeFile(combined, '') as object), matches }), 'b')).toThrow(
      'matches',
    )
  })

  it('is refused with the position of the error', () => {
    const read = (change: object): Recipe =>
      fromRecipeFile(JSON.stringify({ ...(toRecipeFile(recipe, '') as object), ...change }), 'b')
    expect(() => fromRecipeFile('{', 'b')).toThrow('It isn’t JSON, or it’s cut short.')
    expect(() => read({ version: 2 })).toThrow('version')
    expect(() => read({ edits: [{ table: null, columns: [{ source: 'a', nth: 0, type: 5 }] }] })).toThrow(
      'edits[0].columns[0].type',
    )
    expect(() => read({ shape: { sql: '', tables: [] } })).toThrow('shape.sql')
    expect(() => read({ request: { settings: { kind: 'csv', skipLine: 1 } } })).toThrow('skipLine')
  })

  it('has the published schema', async () => {
    await expect(`${JSON.stringify(recipeSchema(), null, 2)}\n`).toMatchFileSnapshot(
      `../../../public${schemaPath('recipe')}`,
    )
  })
})
