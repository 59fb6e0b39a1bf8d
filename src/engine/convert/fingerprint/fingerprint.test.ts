import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Table, tableFromIPC, tableToIPC, type RecordBatch } from 'apache-arrow'
import { compareFingerprints } from '../../../tables/compare.ts'
import type { TableFingerprint } from '../../../tables/receipt.ts'
import { parseType } from '../../../tables/types.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { Fingerprinter } from './fingerprint.ts'
import { plainNumber } from './exact-sum.ts'
import { normalizeBatch } from '../../arrow/normalize.ts'
import { batchFromColumns } from '../../arrow/batch.ts'

const encoder = new TextEncoder()
type Row = readonly (string | null)[]

function batchOf(types: readonly string[], rows: readonly Row[]): RecordBatch {
  const columns = types.map((name, i) => {
    const builder = makeColumnBuilder(parseType(name))
    for (const row of rows) {
      const cell = row[i]
      if (cell === null) builder.appendNull()
      else {
        const bytes = encoder.encode(cell)
        if (!builder.appendText(bytes, 0, bytes.length)) throw new Error(`${cell} is not ${name}`)
      }
    }
    return builder.finish()
  })
  return batchFromColumns(columns, rows.length)
}

function fingerprint(types: readonly string[], batches: readonly (readonly Row[])[]): TableFingerprint {
  const printer = new Fingerprinter(types.map((name, i) => ({ name: `column ${i}`, type: parseType(name) })))
  for (const rows of batches) printer.add(batchOf(types, rows))
  return printer.finish()
}

const one = (type: string, ...values: (string | null)[]) =>
  fingerprint([type], [values.map((value) => [value])]).columns[0]

describe('extremes and sums', () => {
  const cases: [string, (string | null)[], string | null, string | null, string | null][] = [
    ['TINYINT', ['-128', '127', null], '-128', '127', '-1'],
    ['UINTEGER', ['4294967295', '4294967295'], '4294967295', '4294967295', '8589934590'],
    [
      'BIGINT',
      ['-9223372036854775808', '9223372036854775807', '-1', '4294967296'],
      '-9223372036854775808',
      '9223372036854775807',
      '4294967294',
    ],
    [
      'UBIGINT',
      ['18446744073709551615', '1', '9223372036854775808'],
      '1',
      '18446744073709551615',
      '27670116110564327424',
    ],
    [
      'HUGEINT',
      ['-99999999999999999999999999999999999999', '5', null],
      '-99999999999999999999999999999999999999',
      '5',
      '-99999999999999999999999999999999999994',
    ],
    ['DECIMAL(10,2)', ['-0.01', '1.5', '-12345678.90'], '-12345678.90', '1.50', '-12345677.41'],
    [
      'DECIMAL(38,0)',
      ['18446744073709551616', '-18446744073709551616'],
      '-18446744073709551616',
      '18446744073709551616',
      '0',
    ],
    ['DOUBLE', ['1e16', '1', '-1e16', '0.1'], '-10000000000000000.0', '10000000000000000.0', '1.1'],
    ['DOUBLE', ['0', '-0'], '-0.0', '0.0', '0'],
    ['DOUBLE', ['NaN', '1', '-Infinity'], '-Infinity', 'NaN', 'NaN'],
    ['DOUBLE', ['NaN', 'NaN'], 'NaN', 'NaN', 'NaN'],
    ['DOUBLE', ['1e308', '1e308', '-1e308'], '-1e+308', '1e+308', plainNumber(1e308)],
    ['DOUBLE', ['5e-324', '5e-324'], '5e-324', '5e-324', plainNumber(1e-323)],
    ['DOUBLE', ['Infinity', '1'], '1.0', 'Infinity', 'Infinity'],
    ['FLOAT', ['0.5', '0.25'], '0.25', '0.5', '0.75'],
    ['BOOLEAN', ['true', 'false', null], 'false', 'true', null],
    ['DATE', ['2024-01-02', '1969-12-31'], '1969-12-31', '2024-01-02', null],
    ['TIMESTAMP', ['9999-12-31 00:00:00', '0001-01-01 00:00:00'], '0001-01-01 00:00:00', '9999-12-31 00:00:00', null],
    [
      'TIMESTAMP WITH TIME ZONE',
      ['2024-01-02 00:00:00+01:00'],
      '2024-01-01 23:00:00+00',
      '2024-01-01 23:00:00+00',
      null,
    ],
    ['TIME', ['23:59:59.5', '00:00'], '00:00:00', '23:59:59.5', null],
    ['VARCHAR', ['b', 'aa', 'a', '', 'é'], '', 'é', null],
    ['VARCHAR', ['\u{ffff}', '\u{10000}'], '\u{ffff}', '\u{10000}', null],
    ['VARCHAR', ['x'.repeat(300)], 'x'.repeat(200), 'x'.repeat(200), null],
    ['BLOB', ['AA==', '/w=='], 'AA==', '/w==', null],
    ['INTEGER', [null, null], null, null, null],
    ['INTEGER', [], null, null, null],
  ]
  for (const [type, values, min, max, sum] of cases) {
    it(`${type} of ${values.join(' ').slice(0, 60)}`, () =>
      expect(one(type, ...values)).toMatchObject({ min, max, sum }))
  }

  it('prints numbers plainly', () => {
    expect(plainNumber(1e21)).toBe('1000000000000000000000')
    expect(plainNumber(-1.5e-9)).toBe('-0.0000000015')
    expect(plainNumber(1.25)).toBe('1.25')
  })
})

const VALUES: Record<string, fc.Arbitrary<string>> = {
  BOOLEAN: fc.boolean().map(String),
  SMALLINT: fc.integer({ min: -32768, max: 32767 }).map(String),
  BIGINT: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  'DECIMAL(38,0)': fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }).map(String),
  DOUBLE: fc.double().map((value) => (Object.is(value, -0) ? '-0.0' : String(value))),
  FLOAT: fc.float().map((value) => (Object.is(value, -0) ? '-0.0' : String(value))),
  VARCHAR: fc.string({ unit: 'binary', maxLength: 12 }),
  DATE: fc
    .date({ min: new Date(0), noInvalidDate: true, max: new Date(1e13) })
    .map((date) => date.toISOString().slice(0, 10)),
}
const TYPES = Object.keys(VALUES)
const rowsArbitrary = fc.array(fc.tuple(...TYPES.map((type) => fc.option(VALUES[type], { freq: 4 }))), {
  maxLength: 40,
})

describe('checksums', () => {
  it("don't depend on the order of rows or on the batches", () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.infiniteStream(fc.nat()), fc.nat(), (rows, randoms, cut) => {
        const shuffled = rows.map((row) => ({ row, key: randoms.next().value as number })).sort((a, b) => a.key - b.key)
        const other = shuffled.map(({ row }) => row)
        const at = rows.length === 0 ? 0 : cut % rows.length
        const split = fingerprint(TYPES, [other.slice(0, at), [], other.slice(at)])
        expect(split).toEqual(fingerprint(TYPES, [rows]))
      }),
    )
  })

  it('change with any value', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.nat(), fc.nat(), (rows, rowSeed, columnSeed) => {
        fc.pre(rows.length > 0)
        const [row, column] = [rowSeed % rows.length, columnSeed % TYPES.length]
        const other = rows.map((cells, i) =>
          i === row ? cells.map((cell, j) => (j === column ? changed(cell, j) : cell)) : cells,
        )
        const differences = compareFingerprints(fingerprint(TYPES, [rows]), fingerprint(TYPES, [other]))
        expect(differences.map(({ what }) => what)).toContain('row checksum')
        expect(differences.some((difference) => difference.column === `column ${column}`)).toBe(true)
        expect(differences.filter(({ column: at }) => at !== null && at !== `column ${column}`)).toEqual([])
      }),
    )
  })

  function changed(cell: string | null, column: number): string | null {
    if (cell !== null) return null
    return TYPES[column] === 'BOOLEAN' ? 'false' : TYPES[column] === 'DATE' ? '1970-01-01' : '0'
  }

  it('tell swapped values of two rows by the row checksum alone', () => {
    const types = ['INTEGER', 'VARCHAR']
    const a = fingerprint(types, [
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ])
    const b = fingerprint(types, [
      [
        ['1', 'b'],
        ['2', 'a'],
      ],
    ])
    expect(compareFingerprints(a, b).map(({ what }) => what)).toEqual(['row checksum'])
  })

  it('tell swapped columns, nulls that moved, and text that moved between cells', () => {
    const types = ['VARCHAR', 'VARCHAR']
    const rows: Row[][] = [
      [['a', 'b']],
      [['b', 'a']],
      [[null, 'ab']],
      [['ab', null]],
      [['', 'ab']],
      [['ab', '']],
      [['a\0', 'b']],
    ]
    const sums = rows.map((batch) => fingerprint(types, [batch]).rowChecksum)
    expect(new Set(sums).size).toBe(rows.length)
  })

  it('has no collisions in twenty thousand near values, nor in either half of the hash beyond chance', () => {
    const seen = new Set<string>()
    const low = new Set<string>()
    const count = 20_000
    for (const type of ['INTEGER', 'VARCHAR']) {
      for (let i = 0; i < count / 2; i++) {
        const { checksum } = one(type, String(i))
        seen.add(checksum)
        low.add(checksum.slice(8))
      }
    }
    expect(seen.size).toBe(count)
    expect(low.size).toBeGreaterThan(count - 5)
  })

  it('holds -0 apart from 0 and all NaN for one', () => {
    expect(one('DOUBLE', '0').checksum).not.toBe(one('DOUBLE', '-0').checksum)
    const [nan] = batchOf(['DOUBLE'], [['NaN'], ['NaN']]).data.children
    const bits = new BigUint64Array(nan.values.buffer, nan.values.byteOffset, 2)
    bits[1] = 0xfff0000000000001n
    const printer = new Fingerprinter([{ name: 'x', type: parseType('DOUBLE') }])
    printer.add(batchFromColumns([nan], 2))
    expect(printer.finish().columns[0].checksum).toBe(one('DOUBLE', 'NaN', 'NaN').checksum)
  })

  it('is the same for slices of a batch', () => {
    const rows = Array.from({ length: 20_000 }, (_, i): Row => [
      i % 3 === 0 ? null : String(i),
      i % 5 === 0 ? null : `text ${i}`,
      i % 2 ? 'true' : null,
    ])
    const types = ['INTEGER', 'VARCHAR', 'BOOLEAN']
    const batch = batchOf(types, rows)
    const printer = new Fingerprinter(types.map((name, i) => ({ name: `column ${i}`, type: parseType(name) })))
    for (const [start, end] of [
      [0, 13],
      [13, 9000],
      [9000, 20_000],
    ] as const)
      printer.add(batch.slice(start, end))
    expect(printer.finish()).toEqual(fingerprint(types, [rows]))
  })
})

describe('against bigints', () => {
  const mixed = (bits: bigint, signed: boolean): fc.Arbitrary<bigint> =>
    fc
      .tuple(
        fc.bigInt({ min: signed ? -(2n ** bits) : 0n, max: 2n ** bits - 1n }),
        fc.integer({ min: 0, max: Number(bits) }),
      )
      .map(([value, shift]) => value / 2n ** BigInt(shift))
  const cases: [string, fc.Arbitrary<bigint>][] = [
    ['INTEGER', mixed(31n, true)],
    ['UINTEGER', mixed(32n, false)],
    ['BIGINT', mixed(63n, true)],
    ['UBIGINT', mixed(64n, false)],
    ['HUGEINT', mixed(126n, true)],
    ['DECIMAL(38,0)', mixed(126n, true)],
  ]
  for (const [type, arbitrary] of cases) {
    it(`${type}: least, greatest, sum`, () => {
      fc.assert(
        fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 60 }), fc.nat(60), (values, cut) => {
          const rows = values.map((value): Row => [String(value)])
          const found = fingerprint([type], [rows.slice(0, cut), rows.slice(cut)]).columns[0]
          const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
          const sum = values.reduce((a, b) => a + b, 0n)
          expect([found.min, found.max, found.sum]).toEqual([String(sorted[0]), String(sorted.at(-1)), String(sum)])
        }),
        { numRuns: 200 },
      )
    })
  }

  it('sums doubles exactly, whatever their order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), { minLength: 1 }),
        (values) => {
          const forward = fingerprint(['DOUBLE'], [values.map((value): Row => [String(value)])]).columns[0].sum
          const other = fingerprint(
            ['DOUBLE'],
            values.toReversed().map((value): Row[] => [[String(value)]]),
          ).columns[0].sum
          expect(forward).toBe(other)
          // Every double is a whole number of 2^-1074.
          const exact = values.reduce((sum, value) => sum + unitsOf(value), 0n)
          expect(unitsOf(Number(forward))).toSatisfy((units: bigint) => nearest(exact, units))
        },
      ),
    )
  })

  function unitsOf(value: number): bigint {
    const bits = new BigUint64Array(new Float64Array([value]).buffer)[0]
    const exponent = (bits >> 52n) & 0x7ffn
    const mantissa = (bits & 0xfffffffffffffn) | (exponent > 0n ? 1n << 52n : 0n)
    const magnitude = mantissa << (exponent > 0n ? exponent - 1n : 0n)
    return bits >> 63n ? -magnitude : magnitude
  }

  /** Within half a unit in the last place. */
  function nearest(exact: bigint, rounded: bigint): boolean {
    const off = exact > rounded ? exact - rounded : rounded - exact
    const magnitude = rounded < 0n ? -rounded : rounded
    return off * 2n ** 53n <= magnitude || magnitude < 2n ** 53n
  }
})

describe('nested values', () => {
  const cases: [string, string[]][] = [
    ['INTEGER[]', ['[]', '[null]', '[0]', '[0,0]', '[1,2]', '[2,1]', '[1,2,null]']],
    ['INTEGER[][]', ['[[1,2],[3]]', '[[1],[2,3]]', '[[1,2,3]]', '[[],[1,2,3]]', '[[1,2,3],[]]', '[null,[1,2,3]]']],
    [
      'STRUCT(a INTEGER, b INTEGER)',
      ['{"a":1,"b":2}', '{"a":2,"b":1}', '{"a":1,"b":null}', '{"a":null,"b":1}', '{"a":null,"b":null}'],
    ],
    ['MAP(VARCHAR, INTEGER)', ['{}', '{"a":1}', '{"a":null}', '{"a":1,"b":2}', '{"a":2,"b":1}']],
    [
      'STRUCT(a VARCHAR[], b MAP(INTEGER, DOUBLE))[]',
      ['[{"a":["x"],"b":[]}]', '[{"a":[],"b":[{"key":1,"value":0.5}]}]', '[{"a":["x"],"b":null}]', '[null]'],
    ],
  ]
  for (const [type, values] of cases) {
    it(`${type}: each value has its own hash, in any batch`, () => {
      const sums = [null, ...values].map((value) => fingerprint([type], [[[value]]]).rowChecksum)
      expect(new Set(sums).size).toBe(sums.length)
      const rows = [null, ...values, null].map((value): Row => [value])
      const whole = fingerprint([type], [rows])
      expect(whole.columns[0]).toMatchObject({ nulls: 2, min: null, max: null, sum: null })
      expect(
        fingerprint(
          [type],
          rows.toReversed().map((row) => [row]),
        ),
      ).toEqual(whole)
      const sliced = new Fingerprinter([{ name: 'column 0', type: parseType(type) }])
      const batch = batchOf([type], rows)
      sliced.add(batch.slice(0, 2))
      sliced.add(batch.slice(2))
      expect(sliced.finish()).toEqual(whole)
    })
  }
})

describe('through Arrow IPC', () => {
  it('is the same', async () => {
    const types = [...TYPES, 'INTEGER[]', 'STRUCT(a INTEGER, b VARCHAR[])', 'MAP(VARCHAR, BIGINT)']
    const nested = [
      ['[1,null]', null, '[]'],
      [null, '{"a":null,"b":["x"]}', null],
      [null, '{"k":1}', '{}'],
    ]
    await fc.assert(
      fc.asyncProperty(rowsArbitrary, async (rows) => {
        const wide = rows.map((row, i) => [...row, ...nested.map((values) => values[i % 3])])
        const batch = batchOf(types, wide)
        const read = tableFromIPC(tableToIPC(new Table(batch), 'stream')).batches
        const printer = new Fingerprinter(types.map((name, i) => ({ name: `column ${i}`, type: parseType(name) })))
        for (const part of read) printer.add(await normalizeBatch(part, types.map(parseType)))
        expect(printer.finish()).toEqual(fingerprint(types, [wide]))
      }),
      { numRuns: 40 },
    )
  })
})

describe('comparing', () => {
  const base = fingerprint(['DOUBLE', 'INTEGER'], [[['1.5', '2']]])
  it('finds nothing between equals', () => expect(compareFingerprints(base, base)).toEqual([]))
  it('tells of sums, those of doubles to their last bit', () => {
    const withSums = (sum: string) => ({ ...base, columns: base.columns.map((column) => ({ ...column, sum })) })
    const differences = (sum: string) =>
      compareFingerprints(base, withSums(sum)).map(({ column, what, expected, found }) => [
        column,
        what,
        expected,
        found,
      ])
    expect(differences('1.5000000000000002')[0]).toEqual(['column 0', 'sum', '1.5', '1.5000000000000002'])
    expect(differences('1.51')).toEqual([
      ['column 0', 'sum', '1.5', '1.51'],
      ['column 1', 'sum', '2', '1.51'],
    ])
  })
  it('says what differs', () => {
    const other = fingerprint(['DOUBLE'], [[['1.5'], [null]]])
    expect(compareFingerprints(base, other).map(({ what }) => what)).toEqual([
      'rows',
      'columns',
      'nulls',
      'row checksum',
    ])
  })
})
