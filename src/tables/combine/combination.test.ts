import { describe, expect, it } from 'vitest'
import type { ImportPlan } from '../plan.ts'
import {
  commonName,
  createCombination,
  isConvertible,
  rejoined,
  settingsFor,
  withChoices,
  withoutGone,
  withoutPart,
  withSources,
  type PartSource,
} from './combination.ts'
import { planFrom } from '../edits.ts'

function planOf(...names: string[]): ImportPlan {
  const columns = names.map((name, index) => {
    return { index, source: name, name, type: 'VARCHAR', reason: '', flags: [], nulls: 0 }
  })
  const table = { name: null, columns, rows: 2, rejectedCount: 0, rejected: [], notes: [] }
  return planFrom({ format: 'parquet', settings: { kind: 'parquet' }, tables: [table], notes: [] })
}

const source = (id: string, plan: ImportPlan | null = planOf('x')): PartSource => ({
  id,
  file: new File([id], `${id}.csv`),
  plan,
})

const finder =
  (...sources: PartSource[]) =>
  (id: string): PartSource | undefined =>
    sources.find((each) => each.id === id)

describe('the name of a combined table', () => {
  it.each([
    [['orders-2024-01.csv', 'orders-2024-02.csv', 'orders-2024-11.csv'], 'orders-2024'],
    [['orders-2024-01.csv', 'orders-2024-02.csv'], 'orders-2024'],
    [['orders-2023-12.csv', 'orders-2024-01.csv'], 'orders'],
    [['sales_jan.csv', 'sales_feb.csv'], 'sales'],
    [['sales (1).csv', 'sales (2).csv'], 'sales'],
    [['a.csv', 'a.parquet'], 'a'],
    [['jan.csv', 'feb.csv'], 'combined'],
  ])('of %j is %s', (names, expected) => {
    expect(commonName(names)).toBe(expected)
  })
})

describe('a combination', () => {
  const [a, b] = [source('a'), source('b')]
  const begun = createCombination(settingsFor([a, b]))

  it('goes on without one of its tables', () => {
    const [may, june, readme] = [source('orders-05'), source('orders-06'), source('README', planOf('Read me'))]
    const find = finder(may, june, readme)
    const all = withSources(createCombination(settingsFor([may, readme, june])), find)
    const left = withSources(withoutPart(all, 1), find)
    expect(left.name).toBe('orders')
    expect(left.matched?.files.map(({ name }) => name)).toEqual(['orders-05.csv', 'orders-06.csv'])
    expect(left.matched?.matching.columns.map(({ name }) => name)).toEqual(['x'])
    expect(withoutPart({ ...all, name: 'mine' }, 1).name).toBe('mine')
  })

  it('waits until its files are read, and keeps its identity until one of them changes', () => {
    expect(withSources(begun, finder(a, source('b', null)))).toBe(begun)
    const ready = withSources(begun, finder(a, b))
    expect([isConvertible(begun), isConvertible(ready)]).toEqual([false, true])
    expect(withSources(ready, finder(a, b))).toBe(ready)
    const other = withSources(ready, finder(a, source('b', planOf('x', 'y'))))
    expect(other.matched?.matching.columns.map(({ name }) => name)).toEqual(['x', 'y'])
  })

  it('keeps choices when a file is read again', () => {
    const ready = withSources(begun, finder(a, source('b', planOf('y'))))
    const joined = withChoices(ready, { ...ready.choices, joined: [{ into: 'x', from: 'y' }] })
    const again = withSources(joined, finder(source('a', planOf('x', 'z')), source('b', planOf('y'))))
    expect(again.matched?.matching.columns.map(({ cells }) => cells.map((cell) => cell?.name))).toEqual([
      ['x', 'y'],
      ['z', undefined],
    ])
  })

  it('says which file is gone, and can continue without it', () => {
    const c = source('c')
    const ready = withSources(createCombination(settingsFor([a, b, c])), finder(a, b, c))
    const without = withSources(ready, finder(a, c))
    expect([without.gone, isConvertible(without)]).toEqual([['b.csv'], false])
    expect(withSources(without, finder(a, b, c)).gone).toEqual([])
    const left = withSources(withoutGone(without), finder(a, c))
    expect([left.parts.map(({ job }) => job), isConvertible(left)]).toEqual([['a', 'c'], true])
  })

  it('continues with the same files in another visit, found by name if they were added again', () => {
    const settings = settingsFor([a, b])
    const anew = { ...source('n'), file: new File(['b'], 'b.csv') }
    expect(rejoined(settings, [a, anew])?.parts.map(({ job }) => job)).toEqual(['a', 'n'])
    expect(rejoined(settings, [a])).toBeNull()
  })
})
