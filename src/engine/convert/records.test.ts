import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImportPlan, JsonOptions } from '../../tables/plan.ts'
import type { Unfolding } from '../../tables/settings.ts'
import { convert, inspect, shape, split } from '../testing/run.ts'
import { verifyAgain } from './verify-again.ts'
import { QUIET } from '../testing/quiet.ts'
import { planFrom } from '../../tables/edits.ts'

/* Rows made from lists' elements must become records with these lists again. */

const rows = (column: string): Unfolding => ({ column, as: 'rows' })
const keys = (column: string): Unfolding => ({ column, as: 'columns' })

const NESTED: JsonOptions = { kind: 'json', layout: 'lines', normalize: false, nested: true }

interface Again {
  readonly options?: Partial<JsonOptions>
  readonly change?: (plan: ImportPlan) => ImportPlan
}

async function again(text: string, unfold: readonly Unfolding[], { options = {}, change }: Again = {}) {
  const request = { settings: { kind: 'json', unfold } } as const
  const made = await convert(new File([text], 'a.json'), 'json', { ...NESTED, ...options }, change, request)
  const [receipt] = made.result.outputs[0].receipts
  expect(receipt.verdict, JSON.stringify(receipt.differences)).toBe('match')
  const of = (code: string): string[] => receipt.changes.flatMap((note) => (note.code === code ? [note.message] : []))
  return { text: await made.files[0].text(), receipt, of, result: made.result }
}

const ORDERS = `${[
  '{"id":1,"items":[{"sku":"a","n":2.50,"tags":["x","y"]},{"sku":"b","n":1,"tags":[]}],"z":1}',
  '{"id":1,"items":[],"z":1}',
  '{"id":1,"items":[{"sku":"a","n":2.50,"tags":["x","y"]}],"z":1}',
  '{"id":2,"items":null,"z":0}',
  '{"id":3,"z":0}',
  '{"id":4,"items":[null,{},{"tags":null}],"z":0}',
].join('\n')}\n`
const ITEMS = [rows('items'), keys('items'), rows('items.tags')]

describe('rows of lists’ elements, written as lists again', () => {
  test('are as they were, to the letter, and records that are equal stay apart', async () => {
    const { text, receipt, of } = await again(ORDERS, ITEMS)
    expect(text).toBe(ORDERS)
    expect(receipt.expected.rows).toBe(11)
    expect(of('lists-again')).toEqual([
      'Rows that were elements of lists are written as lists again: 11 rows as 6 objects.',
    ])
    expect(of('list-again')).toHaveLength(2)
    // Another file with the same rows, but one record split in two, is different.
    const check = (file: string) => verifyAgain(new File([file], 'b.json'), [receipt], QUIET)
    expect(await check(text)).toEqual([[]])
    const apart = text.replace('},{"sku":"b"', '}],"z":1}\n{"id":1,"items":[{"sku":"b"')
    expect((await check(apart))[0]?.map(({ column }) => column)).toContain('nesting')
    expect(of('rows-stay')).toEqual([])
  })

  test('are each there once, of lists beside one another and of lists of lists', async () => {
    const text = '{"a":[1,2],"b":[[3],[],[4,5]],"c":[{"d":[6,7]},{"d":[8]}]}\n{"a":[1,1],"b":[[1,1]],"c":[]}\n'
    const steps = [rows('a'), rows('c'), rows('b'), rows('b'), keys('c'), rows('c.d')]
    const made = await again(text, steps)
    expect(made.text).toBe(text)
    expect(made.receipt.expected.rows).toBe(2 * 3 * 4 + 4)
  })

  test('stand in an array, with values in standard form, where that’s wanted', async () => {
    const { text } = await again(ORDERS, ITEMS, { options: { layout: 'array', normalize: true } })
    const [first, second] = JSON.parse(text) as unknown[]
    expect(first).toEqual(JSON.parse(ORDERS.split('\n')[0]))
    expect(second).toEqual({ id: 1, items: [], z: 1 })
  })

  test('come one record after another over many batches, after many without any', async () => {
    const empty = Array.from({ length: 40_000 }, (_, i) => `{"id":${i},"l":[]}`)
    const full = Array.from({ length: 3_000 }, (_, i) => `{"id":${i},"l":[{"x":1},{"x":${i}},{"x":null}]}`)
    const text = `${[...empty, ...full].join('\n')}\n`
    expect((await again(text, [rows('l'), keys('l')])).text).toBe(text)
    const normal = await again(text, [rows('l'), keys('l')], { options: { normalize: true } })
    expect(normal.text).toBe(text)
  })
})

describe('rows of lists’ elements stay rows, and the receipt says why', () => {
  const SMALL = '{"id":1,"l":[{"x":"1"},{"x":"b"}],"t":[1]}\n{"id":2,"l":[{"x":"3"}],"t":[]}\n'
  const steps = [rows('l'), keys('l'), rows('t')]
  const columns =
    (edit: (column: ImportPlan['tables'][number]['columns'][number]) => object) =>
    (plan: ImportPlan): ImportPlan => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => ({ ...column, ...edit(column) })),
      })),
    })

  test('where rows don’t fit, as is found on the way', async () => {
    const change = columns(({ source }) => (source === 'l.x' ? { type: 'INTEGER' } : {}))
    const { text, of, result } = await again(SMALL, steps, { change })
    expect(text).toBe('{"id":1,"l":{"x":1},"t":1}\n{"id":2,"l":{"x":3}}\n')
    expect(of('rows-stay')).toEqual([
      'The elements of “l” stay rows: some rows don’t fit, and are left out.',
      'The elements of “t” stay rows: some rows don’t fit, and are left out.',
    ])
    expect(of('lists-again')).toEqual([])
    expect(result.rejectedCount).toBe(1)
  })

  test.each([
    ['you left “t” out', ({ source }: { source: string }) => (source === 't' ? { include: false } : {})],
    ['you named “t” “u”', ({ source }: { source: string }) => (source === 't' ? { name: 'u' } : {})],
    ['you named “l.x” “x”', ({ source }: { source: string }) => (source === 'l.x' ? { name: 'x' } : {})],
  ])('where %s', async (why, edit) => {
    const { of, text } = await again(SMALL, steps, { change: columns(edit) })
    expect(of('rows-stay')[0]).toBe(`The elements of “l” stay rows: ${why}.`)
    expect(text.trim().split('\n')).toHaveLength(3)
  })

  test('but not where a key of the elements is left out, or another column is', async () => {
    const text = '{"id":1,"y":0,"l":[{"x":1,"w":2},{"x":3}]}\n{"id":2,"y":0,"l":[{"w":4}]}\n'
    const change = columns(({ source }) => ({ include: !['l.w', 'y'].includes(source) }))
    const made = await again(text, [rows('l'), keys('l')], { change })
    expect(made.text).toBe('{"id":1,"l":[{"x":1},{"x":3}]}\n{"id":2,"l":[{}]}\n')
  })

  test('where two columns had the same name', async () => {
    const text = '{"l":[{"x":1},{"x":2}],"l.x":3}\n'
    const { of, text: made } = await again(text, [rows('l'), keys('l')])
    expect(of('rows-stay')).toEqual(['The elements of “l” stay rows: two columns had the same name.'])
    expect(made.trim().split('\n')).toHaveLength(2)
  })

  test('where a statement shapes them', async () => {
    const { inspection } = await inspect(new File([SMALL], 'a.json'), { settings: { kind: 'json', unfold: steps } })
    const { result } = await shape(new File([SMALL], 'a.json'), 'json', 'SELECT id, "l.x" FROM a', {
      options: NESTED,
      change: () => planFrom(inspection),
    })
    const told = result.outputs[0].receipts[0].changes.filter(({ code }) => code === 'rows-stay')
    expect(told[0].message).toBe('The elements of “l” stay rows: a statement shapes them.')
  })

  test('where the table is split', async () => {
    const reading = { settings: { kind: 'json', unfold: steps } } as const
    const made = await split(new File([SMALL], 'a.json'), 'json', { by: 'rows', rows: 2 }, NESTED, { reading })
    const [receipt] = made.result.outputs[0].receipts
    expect([receipt.verdict, made.files.length]).toEqual(['match', 2])
    const told = receipt.changes.filter(({ code }) => code === 'rows-stay').map(({ message }) => message)
    expect(told[0]).toBe('The elements of “l” stay rows: the table is split into files.')
    expect(await made.files[1].text()).toBe('{"id":2,"l":{"x":"3"}}\n')
  })
})

test('whatever the records, the lists in them and what is taken apart, they are the same again', async () => {
  const leaf = fc.oneof(fc.integer(), fc.string({ maxLength: 3 }), fc.constant(null))
  const list = <T>(item: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.array(item, { maxLength: 3 }) }, leaf)
  const object = fc.record({ n: leaf, l: list(leaf) }, { requiredKeys: [] })
  const element = fc.oneof(
    { weight: 4, arbitrary: fc.record({ x: leaf, c: list(leaf), by: object }, { requiredKeys: [] }) },
    leaf,
  )
  const record = fc.record(
    {
      id: fc.constantFrom(1, 2),
      a: list(element),
      b: list(list(leaf)),
      by: fc.oneof({ weight: 4, arbitrary: object }, leaf),
      z: leaf,
    },
    { requiredKeys: ['id'] },
  )
  const possible = [
    [rows('a'), keys('a'), rows('a.c'), keys('a.by'), rows('a.by.l')],
    [rows('b'), rows('b')],
    [keys('by'), rows('by.l')],
  ]
  // Some steps of each list in their order, in any order between lists.
  const chosen = fc
    .tuple(
      ...possible.map((each) => fc.nat({ max: each.length })),
      fc.array(fc.nat({ max: 2 }), { minLength: 12, maxLength: 30 }),
    )
    .map(([a, b, by, order]) => {
      const left = [a, b, by].map((count, i) => possible[i].slice(0, count as number))
      const steps = (order as number[]).flatMap((which) => left[which].splice(0, 1))
      return [...steps, ...left.flat()]
    })
  const data = fc.array(record, { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(data, chosen, fc.constantFrom('array', 'lines'), async (records, steps, layout) => {
      if (!steps.some(({ as }) => as === 'rows')) return
      const { text, of } = await again(JSON.stringify(records), steps, { options: { layout } })
      expect(of('rows-stay')).toEqual([])
      const lines = text.trimEnd().split('\n')
      const made: unknown = layout === 'array' ? JSON.parse(text) : lines.map((line): unknown => JSON.parse(line))
      expect(made).toEqual(records)
    }),
    { numRuns: 60 },
  )
})
