import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filesMentioned, pathsMeant } from './paths.ts'

const PATHS = ['orders.csv', 'sales/2024.csv', 'sales/2025.csv', 'sales/old/2023.csv', 'a [1].csv', 'é.csv']

describe('pathsMeant', () => {
  it.each<[string, string[]]>([
    ['orders.csv', ['orders.csv']],
    ['./orders.csv', ['orders.csv']],
    ['/home/ann/data/orders.csv', ['orders.csv']],
    [String.raw`C:\data\orders.csv`, ['orders.csv']],
    ['file:///data/orders.csv', ['orders.csv']],
    ['data/../orders.csv', ['orders.csv']],
    ['Orders.csv', []],
    ['2024.csv', ['sales/2024.csv']],
    ['/x/sales/2024.csv', ['sales/2024.csv']],
    ['other/2024.csv', []],
    ['sales/*.csv', ['sales/2024.csv', 'sales/2025.csv']],
    ['sales/202[0-4].csv', ['sales/2024.csv']],
    ['sales/202[!4].csv', ['sales/2025.csv']],
    ['sales/????.csv', ['sales/2024.csv', 'sales/2025.csv']],
    ['sales/**/*.csv', ['sales/2024.csv', 'sales/2025.csv', 'sales/old/2023.csv']],
    ['data/**/2023.csv', ['sales/old/2023.csv']],
    ['**/old/*.csv', ['sales/old/2023.csv']],
    ['o*.csv', ['orders.csv']],
    ['data/o*.csv', ['orders.csv']],
    ['a [1].csv', ['a [1].csv']],
    ['e\u0301.csv', ['é.csv']],
    ['', []],
    ['*.parquet', []],
  ])('%s', (written, meant) => {
    expect(pathsMeant(written, PATHS)).toEqual(meant)
  })

  it('finds every file by its own path, whatever signs are in it', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => !/[/\\]|^\.*$|^~$|^[a-z]:$/i.test(text) && text !== 'file:')
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (segments) => {
        const path = segments.join('/')
        expect(pathsMeant(path, [path])).toEqual([path])
      }),
    )
  })

  it('takes no longer for many stars than for one', () => {
    expect(pathsMeant(`${'*a'.repeat(40)}b`, ['a'.repeat(200)])).toEqual([])
  })
})

describe('filesMentioned', () => {
  it.each<[string, string[], string[]]>([
    ["FROM 'orders.csv'", [], ['orders.csv']],
    ['FROM "orders.csv"', [], ['orders.csv']],
    ['FROM orders.csv o', [], ['orders.csv']],
    ["SELECT 'it''s', * FROM read_csv(['sales/*.csv'])", [], ['sales/2024.csv', 'sales/2025.csv']],
    ['FROM read_csv($file)', ['orders.csv'], ['orders.csv']],
    ["SELECT regexp_matches(x, '^a$')", [], []],
  ])('%s', (sql, values, files) => {
    expect([...filesMentioned(sql, values, PATHS)].sort()).toEqual(files)
  })
})
