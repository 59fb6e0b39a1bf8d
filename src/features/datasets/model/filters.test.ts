import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ALL,
  applyFilter,
  countTags,
  readFilter,
  SORTS,
  toEntry,
  writeFilter,
  type Entry,
  type Filter,
} from './filters.ts'

function entry(name: string, more: Partial<Entry> = {}): Entry {
  const words = [name, ...(more.tags ?? [])].join('\n').toLowerCase()
  return { id: name, name, visibility: 'private', tags: [], createdAt: 0, tables: 1, rows: 0, bytes: 0, words, ...more }
}

const names = (entries: readonly Entry[]): string[] => entries.map(({ name }) => name)

describe('the filter in the address', () => {
  const tag = fc.string({ minLength: 1 })
  const anyFilter: fc.Arbitrary<Filter> = fc.record({
    search: fc.string(),
    tags: fc.uniqueArray(tag, { maxLength: 4 }),
    visibility: fc.constantFrom('all' as const, 'private' as const, 'public' as const),
    sort: fc.constantFrom(...SORTS),
    descending: fc.boolean(),
  })

  test('is read as it was written', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const written = writeFilter(filter, new URLSearchParams()).toString()
        expect(readFilter(new URLSearchParams(written))).toEqual(filter)
      }),
    )
  })

  test('is empty if nothing is filtered, and keeps other parameters', () => {
    expect(writeFilter(ALL, new URLSearchParams('new=1&q=old')).toString()).toBe('new=1')
  })

  test('is replaced by the default if it’s invalid', () => {
    expect(readFilter(new URLSearchParams('sort=color&order=up&visibility=secret'))).toEqual(ALL)
  })
})

describe('the filtered list', () => {
  const entries = [
    entry('Sales 10', { tags: ['money', 'eu'], rows: 5, createdAt: 1 }),
    entry('sales 2', { tags: ['money'], rows: 50, createdAt: 3, visibility: 'public' }),
    entry('Weather', { tags: ['eu'], rows: 7, createdAt: 2 }),
  ]

  test('starts with the newest', () =>
    expect(names(applyFilter(entries, ALL))).toEqual(['sales 2', 'Weather', 'Sales 10']))

  test('sorts names naturally', () => {
    expect(names(applyFilter(entries, { ...ALL, sort: 'name', descending: false }))).toEqual([
      'sales 2',
      'Sales 10',
      'Weather',
    ])
  })

  test('must match every word and every tag', () => {
    expect(names(applyFilter(entries, { ...ALL, search: 'MONEY sal' }))).toEqual(['sales 2', 'Sales 10'])
    expect(names(applyFilter(entries, { ...ALL, tags: ['money', 'eu'] }))).toEqual(['Sales 10'])
    expect(names(applyFilter(entries, { ...ALL, visibility: 'public' }))).toEqual(['sales 2'])
  })

  test('counts tags, the most frequent first', () => {
    expect(countTags([...entries, entry('x', { tags: ['money'] })])).toEqual([
      { tag: 'money', count: 3 },
      { tag: 'eu', count: 2 },
    ])
  })
})

test('an entry sums up its tables, and is found by their names', () => {
  const table = { name: 'Orders', description: '', rowCount: 10, byteSize: 100, schema: [] }
  const found = toEntry({
    id: 'd1',
    name: 'Shop',
    workspaceId: 'w',
    visibility: 'private',
    createdAt: new Date(5),
    tags: ['A'],
    tables: [table, { ...table, name: 'Items', rowCount: 5 }],
  })
  expect(found).toMatchObject({ tables: 2, rows: 15, bytes: 200, createdAt: 5 })
  expect(names(applyFilter([found], { ...ALL, search: 'items' }))).toEqual(['Shop'])
})
