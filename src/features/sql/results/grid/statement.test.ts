// oxlint-disable-next-line no-restricted-imports -- native DuckDB is the judge of what is written
import { DuckDBInstance } from '@duckdb/node-api'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cannotWrap,
  condition,
  conditionOfCell,
  filtered,
  isAbout,
  nextSort,
  operatorsOf,
  OPERATORS,
  sorted,
  takeApart,
  textLiteral,
  unfiltered,
} from './statement.ts'

async function openEngine(): Promise<{ run: (sql: string) => Promise<unknown[][]> }> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  return { run: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS() }
}

const QUERY = 'FROM t -- all of it'
const a = { name: 'a', type: 'INTEGER' }

describe('sorting and filtering', () => {
  test('wrap a statement once', () => {
    const first = sorted(QUERY, { column: 'Total "net"', direction: 'ascending' })
    expect(first).toBe('SELECT * FROM (\nFROM t -- all of it\n) AS result\nORDER BY "Total ""net""" ASC NULLS LAST')
    const second = filtered(sorted(first, { column: 'a', direction: 'descending' }), condition(a, 'at-least', '5'))
    expect(second).toBe('SELECT * FROM (\nFROM t -- all of it\n) AS result\nWHERE a >= 5\nORDER BY a DESC NULLS LAST')
    expect(unfiltered(sorted(second, null))).toBe(QUERY)
  })

  test('never treat a person’s statement as ours', () => {
    for (const tail of [
      '\nWHERE a = 1 OR b = 2',
      '\nWHERE a = 1\n  AND b',
      ' \nWHERE a = 1',
      '\nORDER BY a',
      '\nLIMIT 3',
    ]) {
      const statement = `SELECT * FROM (\nFROM t\n) AS result${tail}`
      const { inner, where } = takeApart(statement)
      if (tail.includes('AND b')) expect(where).toEqual(['a = 1', 'b'])
      else expect(inner).toBe(statement)
    }
  })

  test('keep any names and values, and the engine reads the same', async () => {
    const engine = await openEngine()
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !text.includes('\0'))
    const text = fc.oneof(
      fc.constantFrom("it's", '\n) AS result', '--', '/*', '\r\n', '"', '\\', '$a'),
      fc.string({ unit: 'grapheme' }),
    )
    await fc.assert(
      fc.asyncProperty(
        name,
        text.filter((value) => !value.includes('\0')),
        async (column, value) => {
          const own = { name: column, type: 'VARCHAR' }
          const quoted = `"${column.replaceAll('"', '""')}"`
          const inner = `SELECT unnest([${textLiteral(value)}, 'another', NULL]) AS ${quoted}`
          const statement = sorted(filtered(inner, condition(own, 'equals', value)), {
            column,
            direction: 'descending',
          })
          if (!/\n/.test(column)) expect(takeApart(statement).inner).toBe(inner)
          const rows = await engine.run(statement)
          expect(rows[0]).toEqual([value])
        },
      ),
      { numRuns: 40 },
    )
  })

  test('use operators that the engine accepts for each type, and recognize them', async () => {
    const engine = await openEngine()
    const values: Readonly<Record<string, string>> = {
      INTEGER: '5',
      'DECIMAL(18,2)': '-1.50',
      DOUBLE: 'Infinity',
      VARCHAR: 'x',
      BLOB: 'AP8=',
      UUID: '123e4567-e89b-12d3-a456-426614174000',
      DATE: '2024-02-29',
      TIMESTAMP: '2024-02-29 01:02:03',
      'TIMESTAMP WITH TIME ZONE': '2024-02-29 01:02:03+00',
      INTERVAL: '1 day',
      BOOLEAN: '',
      'INTEGER[]': '1',
      "ENUM('a', 'b')": 'a',
    }
    for (const [type, value] of Object.entries(values)) {
      for (const operator of operatorsOf(type)) {
        const statement = filtered(`SELECT NULL::${type} AS x`, condition({ name: 'x', type }, operator, value))
        expect(takeApart(statement).inner).toBe(`SELECT NULL::${type} AS x`)
        const rows = await engine.run(statement)
        expect([type, operator, rows.length]).toEqual([type, operator, operator === 'null' ? 1 : 0])
        expect(OPERATORS[operator].label).not.toBe('')
      }
    }
  })

  test('keep or exclude a cell’s value of any type, and never exclude nulls', async () => {
    const engine = await openEngine()
    // A cell's text in a result, and another value.
    const values: Readonly<Record<string, readonly [string, string]>> = {
      INTEGER: ['-5', '5'],
      HUGEINT: ['170141183460469231731687303715884105727', '1'],
      'DECIMAL(38,10)': ['1234567890123456789012345678.1234567891', '0'],
      FLOAT: ['0.1', '0.2'],
      DOUBLE: ['1e300', 'nan'],
      VARCHAR: ["it's\n“x” -- \u0001", ''],
      BLOB: ['AP8=', ''],
      UUID: ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174001'],
      DATE: ['2024-02-29', 'infinity'],
      TIME: ['01:02:03.5', '01:02:03'],
      'TIMESTAMP WITH TIME ZONE': ['2024-02-29 01:02:03+00', '2024-02-29 01:02:04+00'],
      INTERVAL: ['1 day', '1 month'],
      BOOLEAN: ['true', 'false'],
      "ENUM('a', 'b')": ['a', 'b'],
    }
    for (const [type, [value, other]] of Object.entries(values)) {
      const read = (text: string): string =>
        type === 'BLOB' ? `from_base64('${text}')` : `${textLiteral(text)}::${type}`
      const inner = `SELECT unnest([${read(value)}, ${read(other)}, NULL::${type}]) AS x, unnest([0, 1, 2]) AS i`
      const rowsWith = async (text: string | null, keep: boolean): Promise<unknown> => {
        const own = conditionOfCell({ name: 'x', type }, text, keep) ?? ''
        const statement = filtered(inner, own)
        expect(takeApart(statement).where, `${type} ${own}`).toEqual([own])
        return (await engine.run(`SELECT i FROM (${statement})`)).flat()
      }
      expect([type, await rowsWith(value, true), await rowsWith(value, false)]).toEqual([type, [0], [1, 2]])
      expect([type, await rowsWith(null, true), await rowsWith(null, false)]).toEqual([type, [2], [0, 1]])
    }
    const json = `SELECT unnest(['"x"', '1', NULL]::JSON[]) AS x`
    const about = condition({ name: 'x', type: 'JSON' }, 'equals', 'no JSON')
    expect(await engine.run(filtered(json, about))).toEqual([])
    expect([about, isAbout(about, 'x')]).toEqual([`(x::VARCHAR) = 'no JSON'`, true])
    expect(conditionOfCell({ name: 'x', type: 'INTEGER[]' }, '[1]', true)).toBeNull()
    expect(conditionOfCell({ name: 'x', type: 'VARCHAR' }, 'x'.repeat(1001), true)).toBeNull()
  })

  test('accept one of several values', async () => {
    const engine = await openEngine()
    const own = condition({ name: 'x', type: 'VARCHAR' }, 'one-of', "it's\n\na, b)\r\nc")
    const statement = filtered("SELECT unnest(['it''s', 'a, b)', 'c', 'd', '', NULL]) AS x", own)
    expect(takeApart(statement).where).toEqual([own])
    expect((await engine.run(statement)).flat()).toEqual(["it's", 'a, b)', 'c'])
    expect(condition(a, 'one-of', '1\n-2')).toBe('a IN (1, -2)')
    expect(() => condition(a, 'one-of', '1\nx')).toThrow('“x” isn’t a number.')
    expect(() => condition(a, 'one-of', '\n')).toThrow('Write a value.')
  })

  test('refuse a value of another type with a message', () => {
    expect(() => condition(a, 'equals', 'five')).toThrow('“five” isn’t a number.')
    expect(() => condition({ name: 'd', type: 'DATE' }, 'less', ' ')).toThrow('Write a value.')
  })

  test('say why they’re impossible', () => {
    expect(cannotWrap(QUERY, [a, { name: 'A', type: 'DATE' }])).toMatch('Two columns are named “A”')
    expect(cannotWrap('-- why\n explain FROM t', [a])).toMatch('EXPLAIN')
    expect(cannotWrap('/* x */ WITH q AS (FROM t) FROM q', [a])).toBeNull()
  })

  test('cycle through three states when a header is clicked', () => {
    const first = nextSort(null, 'a')
    const second = nextSort(first, 'a')
    expect([first?.direction, second?.direction, nextSort(second, 'a')]).toEqual(['ascending', 'descending', null])
    expect(nextSort(second, 'b')).toEqual({ column: 'b', direction: 'ascending' })
  })
})
