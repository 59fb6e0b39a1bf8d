import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combinePlan, matchColumns, matchProblems, NO_CHOICES, type MatchChoices, type Matching } from './match.ts'
import { strangersIn } from './propose.ts'
import { inputOf as table } from '../testing.ts'

const choices = (some: Partial<MatchChoices>): MatchChoices => ({ ...NO_CHOICES, ...some })

/** Each column of the result with the names that the files have for it. */
const shown = ({ columns }: Matching): (string | null)[][] =>
  columns.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.name ?? null)])

describe('columns', () => {
  it('match by name, then without case, blanks and punctuation; the most frequent spelling is kept', () => {
    const inputs = [table('a', 'Order-ID', 'sum'), table('b', 'order_id', 'Sum'), table('c', 'sum', 'order_id')]
    expect(shown(matchColumns(inputs, NO_CHOICES))).toEqual([
      ['order_id', 'Order-ID', 'order_id', 'order_id'],
      ['sum', 'sum', 'Sum', 'sum'],
    ])
  })

  it('of one file never match each other', () => {
    const inputs = [table('a', 'a b', 'ab'), table('b', 'a_b')]
    expect(shown(matchColumns(inputs, NO_CHOICES))).toEqual([
      ['a b', 'a b', 'a_b'],
      ['ab', 'ab', null],
    ])
  })

  it('are proposed by similarity and position, and joined if the person agrees', () => {
    const inputs = [
      table('jan', 'id', 'Customer', 'total'),
      table('feb', 'id', 'Customer', 'total'),
      table('mar', 'id', 'Customer Name', 'total'),
      table('apr', 'id', 'Client', 'total'),
    ]
    const matching = matchColumns(inputs, NO_CHOICES)
    expect(matching.proposals).toEqual([
      {
        into: 'Customer',
        from: 'Customer Name',
        reason: 'their names are alike, they stand between the same columns, and no file has both.',
      },
      { into: 'Customer', from: 'Client', reason: 'they stand between the same columns, and no file has both.' },
    ])
    const joined = matchColumns(inputs, choices({ joined: matching.proposals }))
    expect(shown(joined)).toEqual([
      ['id', 'id', 'id', 'id', 'id'],
      ['Customer', 'Customer', 'Customer', 'Customer Name', 'Client'],
      ['total', 'total', 'total', 'total', 'total'],
    ])
    expect(joined.proposals).toEqual([])
  })

  it('may be shared by all files but one, which is found', () => {
    const strange = (...inputs: Parameters<typeof matchColumns>[0][number][]): number[] =>
      strangersIn(matchColumns(inputs, NO_CHOICES).columns, inputs)
    const [jan, feb, readme] = [table('jan', 'id', 'sum'), table('feb', 'ID', 'total'), table('readme', 'Sales 2025')]
    expect(strange(readme, jan, feb)).toEqual([0])
    expect(strange(jan, feb)).toEqual([])
    expect(strange(jan, readme)).toEqual([])
  })

  it('aren’t proposed if their types have nothing in common', () => {
    const inputs = [table('a', 'id', ['day', 'DATE'], 'x'), table('b', 'id', ['day no', 'BIGINT'], 'x')]
    expect(matchColumns(inputs, NO_CHOICES).proposals).toEqual([])
  })

  it('can be chosen cell by cell, and a replaced one stays as a column of its own', () => {
    const inputs = [table('a', 'x', 'y'), table('b', 'x', 'y')]
    const cells = [{ input: 'b', key: 'x', name: 'y' }]
    expect(shown(matchColumns(inputs, choices({ cells })))).toEqual([
      ['x', 'x', 'y'],
      ['y', 'y', null],
      ['x_1', null, 'x'],
    ])
  })

  it('without values take the type of the others', () => {
    const empty = table('a', 'n')
    const inputs = [
      { ...empty, columns: empty.columns.map((column) => ({ ...column, empty: true })) },
      table('b', ['n', 'DATE']),
    ]
    expect(matchColumns(inputs, NO_CHOICES).columns[0]?.type).toBe('DATE')
  })

  it('that are excluded are reported, and a file without any is refused', () => {
    const inputs = [table('a', 'x'), table('b', 'y')]
    const some = choices({ leftOut: ['y'] })
    const matching = matchColumns(inputs, some)
    expect(combinePlan(matching, some)).toEqual({
      columns: [{ name: 'x', type: 'VARCHAR', cells: [0, null] }],
      leftOut: ['y'],
      fileColumn: 'file',
      rowColumn: null,
    })
    expect(matchProblems(matching)).toEqual(['All columns of “b” are left out. Include one, or take the file out.'])
  })

  it('are each in one place, whatever is chosen', () => {
    const name = fc.constantFrom('a', 'A', 'a_', 'b', 'B ', 'c', 'cust', 'customer')
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 5 })
    const cell = fc.record({ input: fc.constantFrom('0', '1', '2'), key: name, name: fc.option(name) })
    const join = fc.record({ into: name, from: name })
    fc.assert(
      fc.property(
        fc.tuple(names, names, names),
        fc.array(cell, { maxLength: 4 }),
        fc.array(join, { maxLength: 3 }),
        (tables, cells, joined) => {
          const inputs = tables.map((columns, i) => table(`${i}`, ...columns))
          const { columns } = matchColumns(inputs, choices({ cells, joined }))
          for (const [i, input] of inputs.entries()) {
            const placed = columns.flatMap((column) => column.cells[i]?.name ?? [])
            expect(placed.toSorted()).toEqual(input.columns.map((column) => column.name).toSorted())
          }
          expect(new Set(columns.map((column) => column.name)).size).toBe(columns.length)
          expect(new Set(columns.map((column) => column.key)).size).toBe(columns.length)
        },
      ),
    )
  })
})
