import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseType } from '../../../tables/types.ts'
import { batchOf, randomTable } from '../../testing/arbitrary.ts'
import { nativeRows } from '../../testing/oracle.ts'
import { Warehouse } from '../../testing/tables.ts'
import { makeCellValue } from './json-values.ts'

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await Warehouse.open()
}, 120_000)

const values = async (list: string): Promise<readonly unknown[]> => (await warehouse.run(`SELECT ${list}`)).rows[0]

describe('values', () => {
  it.each<[list: string, expected: unknown[]]>([
    ['1::TINYINT, 255::UTINYINT, -5::SMALLINT, 7::INTEGER, NULL', [1, 255, -5, 7, null]],
    [
      '9007199254740991, -9007199254740991, 9007199254740992, -9223372036854775808',
      [9007199254740991, -9007199254740991, '9007199254740992', '-9223372036854775808'],
    ],
    ['18446744073709551615::UBIGINT, 1::UBIGINT', ['18446744073709551615', 1]],
    [
      '1::HUGEINT, 170141183460469231731687303715884105727, -170141183460469231731687303715884105727, sum(1)',
      ['1', '170141183460469231731687303715884105727', '-170141183460469231731687303715884105727', '1'],
    ],
    ['340282366920938463463374607431768211455::UHUGEINT', ['340282366920938463463374607431768211455']],
    [
      '1.50::DECIMAL(4,2), -0.001::DECIMAL(18,3), 12345678901234567890.123456789::DECIMAL(38,9), 0::DECIMAL(5,0)',
      ['1.50', '-0.001', '12345678901234567890.123456789', '0'],
    ],
    [
      "0.1::FLOAT, 0.1::DOUBLE, 1e300, 'NaN'::DOUBLE, 'inf'::FLOAT, '-inf'::DOUBLE",
      [0.1, 0.1, 1e300, 'NaN', 'Infinity', '-Infinity'],
    ],
    ["true, false, 'a\"é𝒳', ''", [true, false, 'a"é𝒳', '']],
    [
      "DATE '2024-02-29', DATE '0001-01-01', 'infinity'::DATE, '-infinity'::DATE",
      ['2024-02-29', '0001-01-01', 'infinity', '-infinity'],
    ],
    [
      "TIMESTAMP '2024-01-02 03:04:05', TIMESTAMP '1969-12-31 23:59:59.999999', 'infinity'::TIMESTAMP",
      ['2024-01-02T03:04:05.000000', '1969-12-31T23:59:59.999999', 'infinity'],
    ],
    ["TIMESTAMPTZ '2024-01-02 03:04:05.6+02', '-infinity'::TIMESTAMPTZ", ['2024-01-02T01:04:05.600000Z', '-infinity']],
    [
      "TIMESTAMP_S '2024-01-02 03:04:05', TIMESTAMP_MS '2024-01-02 03:04:05.006', TIMESTAMP_NS '2024-01-02 03:04:05.000000007'",
      ['2024-01-02T03:04:05.000000', '2024-01-02T03:04:05.006000', '2024-01-02T03:04:05.000000007'],
    ],
    ["TIME '01:02:03', TIME '23:59:59.5', '24:00:00'::TIME", ['01:02:03.000000', '23:59:59.500000', '24:00:00.000000']],
    [
      "INTERVAL '1 year 2 months 3 days 04:05:06.7', '01:02:03+02'::TIMETZ",
      ['1 year 2 months 3 days 04:05:06.7', '01:02:03+02'],
    ],
    ["'\\x00\\xFFa'::BLOB, ''::BLOB", ['AP9h', '']],
    [
      "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID, 'b'::ENUM('a', 'b'), '0101'::BIT",
      ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'b', '0101'],
    ],
    [
      '[1, NULL, 3], []::INTEGER[], [[1.5], NULL]::DECIMAL(3,1)[][], [1, 2]::INTEGER[2]',
      [[1, null, 3], [], [['1.5'], null], [1, 2]],
    ],
    [
      "{a: 1::HUGEINT, \"b c\": [DATE '2024-01-01']}, {'__proto__': 1}, NULL::STRUCT(a INTEGER)",
      [{ a: '1', 'b c': ['2024-01-01'] }, JSON.parse('{"__proto__": 1}'), null],
    ],
    ["MAP {'k': 1::HUGEINT}, MAP {1: {x: 2}}, MAP {}", [[{ key: 'k', value: '1' }], [{ key: 1, value: { x: 2 } }], []]],
    [
      "row(1, 'a'), union_value(n := 1), [INTERVAL '1 day'], {t: '01:02:03+00'::TIMETZ, e: 'a'::ENUM('a')}",
      ['(1, a)', '1', ['1 day'], { t: '01:02:03+00', e: 'a' }],
    ],
  ])('%s', async (list, expected) => {
    expect(await values(list)).toEqual(expected)
  })

  it('are what native DuckDB makes of the same text', async () => {
    const types = ['BIGINT', 'HUGEINT', 'DECIMAL(18,3)', 'DOUBLE', 'DATE', 'TIME', 'TIMESTAMP', 'VARCHAR']
    const digits = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), digits, async (type, n) => {
        const source = /^(DATE|TIME)/.test(type)
          ? `make_timestamp(${n})::${type}`
          : `(${n} / 1000)::${type === 'BIGINT' || type === 'HUGEINT' ? 'DOUBLE::' : ''}${type}`
        const [ours] = await values(source)
        const [[text]] = await nativeRows(`SELECT (${source})::VARCHAR`)
        const expected =
          type === 'TIMESTAMP' ? padded(String(text).replace(' ', 'T')) : type === 'TIME' ? padded(String(text)) : text
        if (type === 'DOUBLE' || type === 'BIGINT') expect(Number(ours)).toBe(Number(text))
        else expect(ours).toBe(expected)
      }),
      { numRuns: 60 },
    )
  }, 120_000)

  it('are JSON, whatever is in the table', () => {
    fc.assert(
      fc.property(randomTable(), (table) => {
        const batch = batchOf(table)
        for (const [i, { type }] of table.columns.entries()) {
          const value = makeCellValue(type, batch.data.children[i])
          for (const [row, cell] of table.cells[i].entries()) {
            const found = value(row)
            const text = JSON.stringify(found)
            expect(JSON.stringify(JSON.parse(text)), JSON.stringify(type)).toBe(text)
            expect(found === null).toBe(cell === null)
          }
        }
      }),
    )
  })

  it('tells booleans of a slice', () => {
    const table = { columns: [{ name: 'a', type: parseType('BOOLEAN') }], cells: [['true', 'false', 'true', null]] }
    const sliced = batchOf(table).slice(1, 4)
    const value = makeCellValue(table.columns[0].type, sliced.data.children[0])
    expect([0, 1, 2].map((row) => value(row))).toEqual([false, true, null])
  })
})

const padded = (text: string): string => {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(6, '0')}`
}
