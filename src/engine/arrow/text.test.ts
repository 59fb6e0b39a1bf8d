import { DuckDBInstance } from '@duckdb/node-api'
import type { Data } from 'apache-arrow'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteWriter } from '../../lib/bytes.ts'
import { parseType } from '../../tables/types.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { parseDouble } from '../columns/builders/floats.ts'
import { cellToString, makeCellText } from './text.ts'
import { writeDouble, writeFloat } from './write/floats.ts'
import { isNull } from './scalars.ts'
import { makeCellJson } from './json.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function build(typeName: string, values: readonly (string | null)[]): Data {
  const builder = makeColumnBuilder(parseType(typeName))
  for (const value of values) {
    if (value === null) builder.appendNull()
    else {
      const bytes = encoder.encode(value)
      if (!builder.appendText(bytes, 0, bytes.length)) throw new Error(`“${value}” is not ${typeName}`)
    }
  }
  return builder.finish()
}

function texts(typeName: string, data: Data): (string | null)[] {
  return Array.from({ length: data.length }, (_, row) => cellToString(parseType(typeName), data, row))
}

function jsonOf(typeName: string, ...values: (string | null)[]): string[] {
  const data = build(typeName, values)
  const cell = makeCellJson(parseType(typeName), data)
  return values.map((_, row) => {
    const out = new ByteWriter(1)
    cell(out, row)
    return decoder.decode(out.view())
  })
}

const integer = (bits: bigint, signed: boolean): fc.Arbitrary<string> => {
  const [min, max] = signed ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n]
  // Numbers of all lengths, since most random ones would be long.
  const shift = fc.integer({ min: 0, max: Number(bits) })
  return fc.tuple(fc.bigInt({ min, max }), shift).map(([value, by]) => String(value / 2n ** BigInt(by)))
}

function point(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0')

const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const clock = (digits: number): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(86_399), fc.nat(10 ** digits - 1)).map(([seconds, fraction]) => {
    const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
      .map((n) => pad(n, 2))
      .join(':')
    return digits === 0 || fraction === 0 ? time : `${time}.${pad(fraction, digits).replace(/0+$/, '')}`
  })

const moment = (digits: number): fc.Arbitrary<string> => fc.tuple(day, clock(digits)).map((parts) => parts.join(' '))
const nanoDay = fc
  .date({ min: new Date('1678-01-01'), max: new Date('2262-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

/** Canonical texts of each type. */
const CANONICAL: Record<string, fc.Arbitrary<string>> = {
  BOOLEAN: fc.boolean().map(String),
  TINYINT: integer(8n, true),
  SMALLINT: integer(16n, true),
  INTEGER: integer(32n, true),
  BIGINT: integer(64n, true),
  HUGEINT: integer(126n, true),
  UTINYINT: integer(8n, false),
  USMALLINT: integer(16n, false),
  UINTEGER: integer(32n, false),
  UBIGINT: integer(64n, false),
  'DECIMAL(9,2)': integer(30n, true).map((value) => point(BigInt(value), 2)),
  'DECIMAL(18,6)': integer(60n, true).map((value) => point(BigInt(value), 6)),
  'DECIMAL(38,19)': integer(127n, true).map((value) => point(BigInt(value), 19)),
  'DECIMAL(38,38)': integer(126n, true).map((value) => point(BigInt(value), 38)),
  VARCHAR: fc.string({ unit: 'binary' }),
  UUID: fc.uuid(),
  BLOB: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
  DATE: day,
  TIME: clock(6),
  TIMESTAMP: moment(6),
  TIMESTAMP_S: moment(0),
  TIMESTAMP_MS: moment(3),
  TIMESTAMP_NS: fc.tuple(nanoDay, clock(9)).map((parts) => parts.join(' ')),
  'TIMESTAMP WITH TIME ZONE': moment(6).map((text) => `${text}+00`),
}

describe('cellToString', () => {
  it('gives texts of any length and script as they are', () => {
    const around = fc.string({ minLength: 28, maxLength: 36 })
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      around,
      around.map((start) => `${start}é`),
    )
    fc.assert(
      fc.property(fc.array(text), (all) => {
        expect(texts('VARCHAR', build('VARCHAR', all))).toEqual(all)
      }),
    )
    expect(texts('VARCHAR', build('VARCHAR', ['\ufeffa', '\0']))).toEqual(['\ufeffa', '\0'])
  })
})

describe('canonical text', () => {
  for (const [type, arbitrary] of Object.entries(CANONICAL)) {
    it(`${type} comes back as it was`, () => {
      fc.assert(
        fc.property(fc.array(fc.option(arbitrary, { freq: 5 }), { maxLength: 20 }), fc.nat(), (values, cut) => {
          const data = build(type, values)
          expect(texts(type, data)).toEqual(values)
          const start = cut % (values.length + 1)
          const slice = data.slice(start, values.length - start)
          expect(texts(type, slice)).toEqual(values.slice(start))
        }),
        { numRuns: 60 },
      )
    })
  }

  it('gives back every double and every float', () => {
    const out = new ByteWriter()
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ noNaN: true }),
          fc.float({ noNaN: true }),
          fc.integer(),
          fc.integer().map((n) => n / 1000),
        ),
        (value) => {
          out.clear()
          writeDouble(out, value)
          const text = decoder.decode(out.view())
          if (Number.isFinite(value)) expect(parseDouble(out.bytes, 0, out.length)).toBe(value)
          const shown = Object.is(value, -0) ? '-0' : String(value)
          expect(text).toBe(Number.isInteger(value) && !shown.includes('e') ? `${shown}.0` : shown)
          out.clear()
          writeFloat(out, Math.fround(value))
          expect(Math.fround(Number(decoder.decode(out.view())))).toBe(Math.fround(value))
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('rounds decimal numbers of any length as JavaScript does', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength: 32 })
    fc.assert(
      fc.property(
        fc.constantFrom('', '-', '+'),
        digits,
        fc.option(digits),
        fc.option(fc.integer({ min: -40, max: 40 })),
        (sign, whole, fraction, power) => {
          const text = `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${power === null ? '' : `e${power}`}`
          const bytes = encoder.encode(text)
          expect(parseDouble(bytes, 0, bytes.length)).toBe(Number(text))
        },
      ),
      { numRuns: 5000 },
    )
  })

  it('rounds the middle between two doubles to the even one', () => {
    for (const text of [
      '9007199254740993',
      '9007199254740993.0000000000001',
      '9007199254740992.9999999999999',
      '0.500000000000000055511151231257827',
      '1.00000000000000011102230246251565404',
    ]) {
      const bytes = encoder.encode(text)
      expect(parseDouble(bytes, 0, bytes.length), text).toBe(Number(text))
    }
  })
})

describe('JSON', () => {
  it('writes numbers as they are, and what JSON has no number for as text', () => {
    expect(jsonOf('DOUBLE', '1', '-0', '1e21', 'NaN', '-Infinity', '0.1', null)).toEqual([
      '1.0',
      '-0.0',
      '1e+21',
      '"NaN"',
      '"-Infinity"',
      '0.1',
      'null',
    ])
    expect(jsonOf('UBIGINT', '18446744073709551615')).toEqual(['18446744073709551615'])
    expect(jsonOf('DECIMAL(38,2)', '123456789012345678901234567890.10')).toEqual(['123456789012345678901234567890.10'])
    expect(jsonOf('BOOLEAN', 'true', null, 'false')).toEqual(['true', 'null', 'false'])
  })

  it('writes dates and times as ISO 8601', () => {
    expect(jsonOf('DATE', '2024-01-02')).toEqual(['"2024-01-02"'])
    expect(jsonOf('TIME', '01:02:03.5')).toEqual(['"01:02:03.5"'])
    for (const type of ['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS']) {
      expect(jsonOf(type, '2024-01-02 03:04:05')).toEqual(['"2024-01-02T03:04:05"'])
    }
    expect(jsonOf('TIMESTAMPTZ', '2024-01-02 03:04:05.25+01:00')).toEqual(['"2024-01-02T02:04:05.25Z"'])
    expect(jsonOf('BLOB', '+/8=')).toEqual(['"+/8="'])
  })

  it('escapes what must be, and every control character', () => {
    expect(jsonOf('VARCHAR', '"\\/\b\f\n\r\t\0\u001f\u007f\u2028é😀')).toEqual([
      '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\\u007f\u2028é😀"',
    ])
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(jsonOf('VARCHAR', text)[0])).toBe(text)
      }),
    )
  })

  it('reads nested values back', () => {
    const cases: [string, string[]][] = [
      ['INTEGER[]', ['[]', '[1,null,-3]']],
      ['VARCHAR[][]', ['[["a","\\""],null,[]]']],
      [
        'STRUCT(a INTEGER, "b c" VARCHAR, __proto__ DOUBLE[])',
        ['{"a":1,"b c":"x","__proto__":[1.5,null]}', '{"a":null,"b c":null,"__proto__":null}'],
      ],
      ['MAP(VARCHAR, BIGINT)', ['{"k":9007199254740993,"__proto__":null}', '{}']],
      ['MAP(INTEGER, DATE)', ['[{"key":1,"value":"2024-01-02"},{"key":2,"value":null}]', '[]']],
      [
        'STRUCT(a STRUCT(b DECIMAL(38,2)[]), t TIMESTAMPTZ)[]',
        ['[{"a":{"b":[0.10]},"t":"2024-01-02T03:04:05Z"},null]'],
      ],
    ]
    for (const [type, values] of cases) {
      const padded = [null, ...values, null]
      const data = build(type, padded)
      expect(texts(type, data), type).toEqual(padded)
      expect(texts(type, data.slice(1, values.length)), type).toEqual(values)
      expect(jsonOf(type, ...padded), type).toEqual(padded.map((value) => value ?? 'null'))
    }
  })
})

describe('against DuckDB', () => {
  it('reads and prints as DuckDB does', async () => {
    const connection = await (await DuckDBInstance.create()).connect()
    await connection.run("SET TimeZone = 'UTC'")
    const types = Object.keys(CANONICAL).filter(
      (type) => !['VARCHAR', 'BLOB', 'TIMESTAMP_S', 'DECIMAL(38,38)'].includes(type),
    )
    for (const type of types) {
      const samples = fc.sample(CANONICAL[type], 50)
      const list = samples.map((text) => `'${text}'`).join(', ')
      const reader = await connection.runAndReadAll(
        `SELECT CAST(CAST(v AS ${type}) AS VARCHAR) FROM (SELECT unnest([${list}]) AS v)`,
      )
      expect(texts(type, build(type, samples)), type).toEqual(reader.getRows().map(([text]) => text))
    }
  })

  it('refuses and takes dates as DuckDB does', async () => {
    const connection = await (await DuckDBInstance.create()).connect()
    const arbitrary = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(13), fc.nat(32))
    const samples = fc.sample(arbitrary, 500).map(([y, m, d]) => `${pad(y, 4)}-${pad(m, 2)}-${pad(d, 2)}`)
    const list = samples.map((text) => `'${text}'`).join(', ')
    const reader = await connection.runAndReadAll(
      `SELECT datediff('day', DATE '1970-01-01', TRY_CAST(v AS DATE)) FROM (SELECT unnest([${list}]) AS v)`,
    )
    const expected = reader.getRows().map(([days]) => (days === null ? null : Number(days)))
    const found = samples.map((text) => {
      const builder = makeColumnBuilder(parseType('DATE'))
      const bytes = encoder.encode(text)
      return builder.appendText(bytes, 0, bytes.length) ? (builder.finish().values[0] as number) : null
    })
    expect(found).toEqual(expected)
  })
})

describe('cells', () => {
  it('tells nulls, in slices too', () => {
    const data = build(
      'INTEGER',
      Array.from({ length: 30 }, (_, i) => (i % 4 === 0 ? null : String(i))),
    )
    const slice = data.slice(5, 20)
    expect(Array.from({ length: 20 }, (_, row) => isNull(slice, row))).toEqual(
      Array.from({ length: 20 }, (_, row) => (row + 5) % 4 === 0),
    )
  })

  it('cuts long text for people', () => {
    const data = build('VARCHAR', ['é'.repeat(5000)])
    expect(cellToString(parseType('VARCHAR'), data, 0, 10)).toBe('é'.repeat(10))
  })

  it('writes into what is already there', () => {
    const out = new ByteWriter(2)
    out.text('x=')
    const data = build('DECIMAL(20,2)', ['-12345678901234567.89'])
    makeCellText(parseType('DECIMAL(20,2)'), data)(out, 0)
    expect(decoder.decode(out.view())).toBe('x=-12345678901234567.89')
  })
})
