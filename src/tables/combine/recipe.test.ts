import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memberFor, type CombineRecipe } from '../recipes/combined.ts'
import type { Signature } from '../recipes/signature.ts'
import { inputOf as table } from '../testing.ts'
import {
  choicesBy,
  combinePlan,
  matchColumns,
  NO_CHOICES,
  resetChoices,
  withAccepted,
  type MatchChoices,
} from './match.ts'
import type { InputTable } from './plan.ts'
import { combineRecipeOf } from './combination.ts'
import type { InspectRequest } from '../inspect-request.ts'

const signatureOf = ({ columns }: InputTable): Signature => ({
  format: 'csv',
  tables: [{ name: null, sources: columns.map(({ source }) => source) }],
})

/** @param apart whether each file is read in its own way */
function recipeOf(inputs: readonly InputTable[], choices: MatchChoices, apart = false): CombineRecipe {
  const files = inputs.map((input, i) => {
    const request: InspectRequest = apart ? { settings: { kind: 'csv', skipLines: i } } : {}
    return { matches: [signatureOf(input)], request, edits: [], inputs: [i] }
  })
  return combineRecipeOf(matchColumns(inputs, choices), choices, files)
}

const choicesOf = (recipe: CombineRecipe): MatchChoices => {
  const { columns, members } = recipe
  return choicesBy({ name: 'months', columns, members: members.map(({ tables }) => tables), accepted: [] }, recipe)
}

/** A file as the recipe sees it. */
function seen(recipe: CombineRecipe, input: InputTable): InputTable {
  const match = memberFor(recipe, signatureOf(input))
  return match ? { ...input, member: match.member } : input
}

describe('a recipe of workbooks with a sheet for each month', () => {
  const book = (...sheets: readonly (readonly [name: string, ...sources: string[]])[]): Signature => ({
    format: 'xlsx',
    tables: sheets.map(([name, ...sources]) => ({ name, sources })),
  })
  const sheetOf = (name: string): InputTable => ({ ...table(`${name}.xlsx`, ['id', 'INTEGER'], 'Client'), table: name })
  const january = sheetOf('January 2026')
  const columns = ['id', 'Client'] as const
  const settings = { kind: 'xlsx', headerRow: { 'January 2026': 3 } } as const
  const matching = matchColumns([january, january], NO_CHOICES)
  const recipe = combineRecipeOf(matching, NO_CHOICES, [
    { matches: [book(['January 2026', ...columns])], request: { settings }, edits: [], inputs: [0, 1] },
  ])

  it('recognizes sheets of other months, and knows where their columns go', () => {
    const match = memberFor(recipe, book(['March 2026', ...columns]))
    expect(match).toMatchObject({ member: 0, missing: [], added: [], otherSheets: [] })
    expect(match?.sheets).toEqual(new Map([['January 2026', 'March 2026']]))
    const placed = { ...sheetOf('March 2026'), member: 0, knownAs: 'January 2026' }
    const next = matchColumns([placed, placed], choicesOf(recipe))
    expect(next.differences).toEqual([])
    expect(next.columns.map(({ name, cells }) => [name, cells.length])).toEqual([
      ['id', 2],
      ['Client', 2],
    ])
  })

  it('reports differences in their columns', () => {
    expect(memberFor(recipe, book(['May 2026', 'id', 'Client', 'note']))).toMatchObject({
      missing: [],
      added: ['note'],
    })
  })

  it('doesn’t choose between several sheets, and takes no other sheet', () => {
    const two = book(['April 2026', ...columns], ['May 2026', ...columns])
    expect(memberFor(recipe, two)).toBeNull()
    expect(memberFor(recipe, book(['Notes', ...columns]))).toBeNull()
  })
})

describe('a recipe of a combination', () => {
  const january = table('jan', ['id', 'INTEGER'], 'Customer', ['amount', 'DECIMAL(12,2)'])
  const february = table('feb', ['Order ID', 'INTEGER'], 'Client', ['amount', 'DECIMAL(10,2)'], 'note')
  const chosen: MatchChoices = {
    ...NO_CHOICES,
    joined: [
      { into: 'Customer', from: 'Client' },
      { into: 'id', from: 'Order ID' },
    ],
    leftOut: ['note'],
    rowColumn: true,
  }
  const recipe = recipeOf([january, february], chosen)

  it('knows the columns of its files by their own names', () => {
    expect(recipe).toEqual({
      members: [
        {
          matches: [signatureOf(january)],
          request: {},
          edits: [],
          tables: [
            {
              table: null,
              columns: [
                { source: 'id', nth: 0, into: 'id' },
                { source: 'Customer', nth: 0, into: 'Customer' },
                { source: 'amount', nth: 0, into: 'amount' },
              ],
            },
          ],
        },
        {
          matches: [signatureOf(february)],
          request: {},
          edits: [],
          tables: [
            {
              table: null,
              columns: [
                { source: 'Order ID', nth: 0, into: 'id' },
                { source: 'Client', nth: 0, into: 'Customer' },
                { source: 'amount', nth: 0, into: 'amount' },
                { source: 'note', nth: 0, into: 'note' },
              ],
            },
          ],
        },
      ],
      columns: [
        { name: 'id', type: 'INTEGER', include: true, inAll: true },
        { name: 'Customer', type: 'VARCHAR', include: true, inAll: true },
        { name: 'amount', type: 'DECIMAL(12,2)', include: true, inAll: true },
        { name: 'note', type: 'VARCHAR', include: false, inAll: false },
      ],
      fileColumn: true,
      rowColumn: true,
    })
  })

  it('gives the same columns for more files, with narrower types, or with columns in another order', () => {
    const april = table('apr', 'Customer', ['Order ID', 'INTEGER'], ['amount', 'INTEGER'])
    const next = [
      table('mar', ['Order ID', 'SMALLINT'], 'Client', ['amount', 'DECIMAL(8,1)'], 'note'),
      april,
      table('may', ['id', 'INTEGER'], 'Customer', ['amount', 'DECIMAL(12,2)']),
    ].map((input) => seen(recipe, input))
    const choices = choicesOf(recipe)
    const matching = matchColumns(next, choices)
    expect(matching.differences).toEqual([])
    expect(combinePlan(matching, choices)).toEqual({
      columns: [
        { name: 'id', type: 'INTEGER', cells: [0, 1, 0] },
        { name: 'Customer', type: 'VARCHAR', cells: [1, 0, 1] },
        { name: 'amount', type: 'DECIMAL(12,2)', cells: [2, 2, 2] },
      ],
      leftOut: ['note'],
      fileColumn: 'file',
      rowColumn: 'row',
    })
    expect(memberFor(recipe, signatureOf(april))).toMatchObject({ missing: [], added: [] })
  })

  it('recognizes files whose columns differ only in case', () => {
    const march = table('mar', ['ORDER ID', 'INTEGER'], 'client', ['Amount', 'DECIMAL(10,2)'], 'NOTE')
    const april = table('apr', ['ID', 'INTEGER'], 'CLIENT', ['AMOUNT', 'DECIMAL(10,2)'])
    expect(memberFor(recipe, signatureOf(march))).toMatchObject({ member: 1, missing: [], added: [] })
    expect(memberFor(recipe, signatureOf(april))).toMatchObject({ missing: [], added: [] })
    const { columns, differences } = matchColumns(
      [march, april].map((input) => seen(recipe, input)),
      choicesOf(recipe),
    )
    expect(differences).toEqual([])
    expect(columns.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.name ?? null)])).toEqual([
      ['id', 'ORDER ID', 'ID'],
      ['Customer', 'client', 'CLIENT'],
      ['amount', 'Amount', 'AMOUNT'],
      ['note', 'NOTE', null],
    ])
  })

  it('widens types for longer numbers, and says which type the recipe has', () => {
    const longer = seen(recipe, table('mar', ['id', 'BIGINT'], 'Customer', ['amount', 'DECIMAL(20,2)']))
    const matching = matchColumns([longer, longer], choicesOf(recipe))
    expect(matching.differences).toEqual([])
    expect(combinePlan(matching, choicesOf(recipe)).columns.map(({ type, was }) => [type, was])).toEqual([
      ['BIGINT', 'INTEGER'],
      ['VARCHAR', undefined],
      ['DECIMAL(20,2)', 'DECIMAL(12,2)'],
    ])
    const finer = seen(recipe, table('apr', ['id', 'INTEGER'], 'Customer', ['amount', 'DECIMAL(12,4)']))
    expect(matchColumns([longer, finer], choicesOf(recipe)).differences.map(({ kind }) => kind)).toEqual(['type'])
  })

  it('stops at unknown columns until they’re accepted, matched or excluded', () => {
    const march = seen(recipe, table('mar', ['id', 'INTEGER'], 'Customer', ['amount', 'VARCHAR']))
    const april = seen(recipe, table('apr', ['id', 'INTEGER'], 'Customer', 'region'))
    expect(memberFor(recipe, signatureOf(april))).toMatchObject({ missing: ['amount'], added: ['region'] })
    const choices = choicesOf(recipe)
    const { differences } = matchColumns([march, april], choices)
    expect(differences.map(({ message }) => message)).toEqual([
      '“amount” isn’t in “apr”. All files of the recipe had it.',
      '“amount” would be “Text” with these files. In the recipe it’s “Number with 2 decimals”.',
      '“region” of “apr” isn’t in the recipe “months”.',
    ])
    const keys = differences.map(({ key }) => key)
    const accepted = withAccepted(choices, keys)
    expect(matchColumns([march, april], accepted).differences).toEqual([])
    expect(resetChoices(accepted)).toEqual(choices)
    const leftOut = { ...choices, leftOut: ['region', 'note'] }
    expect(matchColumns([march, april], leftOut).differences).toHaveLength(2)
    const joined = { ...choices, joined: [{ into: 'amount', from: 'region' }] }
    expect(matchColumns([march, april], joined).differences.map(({ kind }) => kind)).toEqual(['type'])
  })

  it('doesn’t decide where its files disagree, or where two columns would become one', () => {
    const apart = recipeOf([table('a', 'x', 'y'), table('b', 'x', 'z')], {
      ...NO_CHOICES,
      cells: [{ input: 'b', key: 'y', name: 'x' }],
    })
    const choices = choicesOf(apart)
    const unsure = matchColumns(
      [table('c', 'z', 'y', 'x'), table('d', 'x', 'y')].map((input) => seen(apart, input)),
      choices,
    )
    expect(unsure.columns.map(({ name, cells }) => [name, cells[1]?.name ?? null])).toContainEqual(['x', 'x'])
    const both = seen(recipe, table('both', ['id', 'INTEGER'], 'Customer', 'Client', ['amount', 'INTEGER']))
    const twice = matchColumns([both, both], choicesOf(recipe))
    expect(twice.differences.map(({ message }) => message)).toEqual([
      '“Client” of “both” and “both” isn’t in the recipe “months”.',
    ])
  })

  it('gives the same plan for the same files, and puts every column of others in one place', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'A', 'a_', 'b', 'B ', 'c', 'cust'), {
      minLength: 1,
      maxLength: 5,
    })
    const type = fc.constantFrom('INTEGER', 'BIGINT', 'DECIMAL(8,2)', 'DATE', 'VARCHAR', 'DOUBLE')
    const some = fc.array(fc.tuple(names, type), { minLength: 2, maxLength: 4 })
    const cell = fc.record({
      input: fc.constantFrom('0', '1'),
      key: fc.constantFrom('a', 'b', 'c'),
      name: fc.constantFrom('a', 'b', null),
    })
    const tables = (given: readonly (readonly [string[], string])[]): InputTable[] =>
      given.map(([columns, of], i) => table(`${i}`, ...columns.map((name): [string, string] => [name, of])))
    fc.assert(
      fc.property(
        some,
        some,
        fc.array(cell, { maxLength: 3 }),
        fc.array(fc.constantFrom('a', 'b'), { maxLength: 1 }),
        (before, after, cells, leftOut) => {
          const inputs = tables(before)
          const choices = { ...NO_CHOICES, cells, leftOut }
          const made = recipeOf(inputs, choices, true)
          const applied = choicesOf(made)
          const again = matchColumns(
            inputs.map((input, member) => ({ ...input, member })),
            applied,
          )
          expect(again.differences).toEqual([])
          expect(combinePlan(again, applied)).toEqual(combinePlan(matchColumns(inputs, choices), choices))
          const others = tables(after).map((input) => seen(made, input))
          const { columns } = matchColumns(others, applied)
          for (const [i, input] of others.entries()) {
            const placed = columns.flatMap((column) => column.cells[i]?.name ?? [])
            expect(placed.toSorted()).toEqual(input.columns.map(({ name }) => name).toSorted())
          }
          expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
          expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length)
        },
      ),
    )
  })
})
