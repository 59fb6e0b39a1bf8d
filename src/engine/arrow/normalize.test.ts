import {
  Bool,
  Data,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationMillisecond,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  Interval,
  IntervalUnit,
  List,
  makeData,
  Map_,
  Null,
  RecordBatch,
  Schema,
  Struct,
  TimeMillisecond,
  TimeNanosecond,
  TimeSecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint64,
  Utf8,
  Vector,
  vectorFromArray,
  DataType,
} from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { parseType, printType } from '../../tables/types.ts'
import { fingerprintOf } from '../testing/fingerprint.ts'
import { normalizeBatch } from './normalize.ts'
import { cellToString } from './text.ts'
import { columnTypeOf, toArrowType } from './types.ts'

function batchOf(data: Data): RecordBatch {
  const field = new Field('any name', data.type, true)
  const struct = makeData({ type: new Struct([field]), length: data.length, nullCount: 0, children: [data] })
  return new RecordBatch(new Schema([field]), struct)
}

/** The column type chosen for a column, and its values as text. */
async function carried(data: Data, as?: string): Promise<{ type: string; values: (string | null)[] }> {
  const batch = batchOf(data)
  const own = DataType.isDictionary(data.type) ? data.type.dictionary : data.type
  const type = as === undefined ? columnTypeOf(own as DataType) : parseType(as)
  const normal = await normalizeBatch(batch, [type])
  expect(normal.schema.fields.map(({ name }) => name)).toEqual(['c0'])
  expect(normal.schema.fields[0].type).toEqual(toArrowType(type))
  const [column] = normal.data.children
  // The result must be valid input for the next stage.
  fingerprintOf([{ name: 'x', type }], normal)
  return {
    type: printType(type),
    values: Array.from({ length: column.length }, (_, row) => cellToString(type, column, row)),
  }
}

const bits = (...valid: number[]): Uint8Array => Uint8Array.of(valid.reduce((all, bit, i) => all | (bit << i), 0))
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const data = (type: DataType, values: ArrayBufferView, length: number, valid?: Uint8Array, offsets?: unknown): Data =>
  new Data(type, 0, length, valid ? -1 : 0, {
    1: values,
    ...(valid ? { 2: valid } : {}),
    ...(offsets ? { 0: offsets } : {}),
  })

describe('types', () => {
  const cases: [DataType, string][] = [
    [new Int8(), 'TINYINT'],
    [new Uint64(), 'UBIGINT'],
    [new Float16(), 'FLOAT'],
    [new Float64(), 'DOUBLE'],
    [new Decimal(3, 18), 'DECIMAL(18,3)'],
    [new Decimal(3, 40, 256), 'VARCHAR'],
    [new Decimal(-2, 5), 'VARCHAR'],
    [new Null(), 'VARCHAR'],
    [new FixedSizeBinary(16), 'BLOB'],
    [new TimestampSecond(), 'TIMESTAMP_S'],
    [new TimestampNanosecond(), 'TIMESTAMP_NS'],
    [new TimestampNanosecond('Europe/Berlin'), 'TIMESTAMP WITH TIME ZONE'],
    [new FixedSizeList(2, new Field('x', new Int32())), 'INTEGER[]'],
    [
      new Struct([new Field('a b', new Bool()), new Field('__proto__', new Utf8())]),
      'STRUCT("a b" BOOLEAN, __proto__ VARCHAR)',
    ],
  ]
  for (const [i, [type, name]] of cases.entries()) {
    it(`type ${i} is ${name}`, () => expect(printType(columnTypeOf(type))).toBe(name))
  }
})

describe('layouts', () => {
  it('leaves what fits as it is', async () => {
    const values = new Int32Array([1, 2, 3])
    const batch = batchOf(makeData({ type: new Int32(), data: values }))
    expect((await normalizeBatch(batch, [parseType('INTEGER')])).data.children[0].values).toBe(values)
    const text = makeData({ type: new Utf8(), data: bytes('ab'), valueOffsets: new Int32Array([0, 1, 2]) })
    expect((await normalizeBatch(batchOf(text), [parseType('VARCHAR')])).data.children[0].values).toBe(text.values)
  })

  it('looks dictionaries up, nulls in keys and in values, keys of any width, several parts', async () => {
    const words = (...list: string[]): Data => vectorFromArray(list, new Utf8()).data[0]
    const type = new Dictionary(new Utf8(), new Int8())
    const make = (...parts: Data[]): Data =>
      makeData({
        type,
        data: Int8Array.of(2, 0, 0, 1),
        nullBitmap: bits(1, 1, 0, 1),
        dictionary: new Vector(parts) as never,
      })
    expect(await carried(make(words('a', 'b', 'c')))).toEqual({ type: 'VARCHAR', values: ['c', 'a', null, 'b'] })
    expect((await carried(make(words('a', 'b'), words('c')))).values).toEqual(['c', 'a', null, 'b'])
    const numbers = new Vector([data(new Int32(), Int32Array.of(7, 8), 2, bits(1, 0))])
    // Other programs write keys of 64 bits, which Arrow's TypeScript types omit.
    const wide = new Dictionary(new Int32(), new Int64() as never)
    expect(
      (await carried(makeData({ type: wide, data: BigInt64Array.of(1n, 0n) as never, dictionary: numbers as never })))
        .values,
    ).toEqual([null, '7'])
    const lists = vectorFromArray([[1, 2], null, []], new List(new Field('item', new Int32(), true)))
    const listed = new Dictionary(lists.type, new Int32())
    expect(
      (await carried(makeData({ type: listed, data: Int32Array.of(0, 1, 2, 0), dictionary: lists }))).values,
    ).toEqual(['[1,2]', null, '[]', '[1,2]'])
    const structs = vectorFromArray([{ a: true }, { a: null }], new Struct([new Field('a', new Bool(), true)]))
    const struct = new Dictionary(structs.type, new Int32())
    expect((await carried(makeData({ type: struct, data: Int32Array.of(1, 0), dictionary: structs }))).values).toEqual([
      '{"a":null}',
      '{"a":true}',
    ])
  })

  it('takes fixed-size binaries as blobs or UUIDs', async () => {
    const raw = Uint8Array.from({ length: 32 }, (_, i) => i)
    const fixed = data(new FixedSizeBinary(16), raw, 2, bits(1, 0))
    expect((await carried(fixed, 'UUID')).values).toEqual(['00010203-0405-0607-0809-0a0b0c0d0e0f', null])
    expect((await carried(fixed)).values).toEqual(['AAECAwQFBgcICQoLDA0ODw==', null])
    await expect(carried(data(new FixedSizeBinary(8), raw, 1), 'UUID')).rejects.toThrow(/can't be carried as UUID/)
  })

  it('makes lists of fixed-size lists, sliced ones too', async () => {
    const type = new FixedSizeList(2, new Field('item', new Int16(), true))
    const list = makeData({
      type,
      length: 3,
      nullBitmap: bits(1, 0, 1),
      child: makeData({ type: new Int16(), data: Int16Array.of(1, 2, 3, 4, 5, 6) }),
    })
    expect(await carried(list)).toEqual({ type: 'SMALLINT[]', values: ['[1,2]', null, '[5,6]'] })
    expect((await carried(list.slice(1, 2))).values).toEqual([null, '[5,6]'])
  })

  it('converts times', async () => {
    const day = 86_400_000n
    expect((await carried(data(new DateMillisecond(), BigInt64Array.of(0n, -day, 19_723n * day), 3))).values).toEqual([
      '1970-01-01',
      '1969-12-31',
      '2024-01-01',
    ])
    expect((await carried(data(new TimeSecond(), Int32Array.of(86_399), 1))).values).toEqual(['23:59:59'])
    expect((await carried(data(new TimeMillisecond(), Int32Array.of(1, 0), 2, bits(1, 0)))).values).toEqual([
      '00:00:00.001',
      null,
    ])
    expect((await carried(data(new TimeNanosecond(), BigInt64Array.of(86_399_999_999_000n), 1))).values).toEqual([
      '23:59:59.999999',
    ])
    expect(
      (await carried(data(new TimestampSecond('UTC'), BigInt64Array.of(-1n, 253_402_300_799n), 2))).values,
    ).toEqual(['1969-12-31 23:59:59+00', '9999-12-31 23:59:59+00'])
    expect((await carried(data(new TimestampMillisecond('Asia/Tokyo'), BigInt64Array.of(1500n), 1))).values).toEqual([
      '1970-01-01 00:00:01.5+00',
    ])
    expect((await carried(data(new TimestampNanosecond(), BigInt64Array.of(-1n, 2n ** 63n - 2n), 2))).values).toEqual([
      '1969-12-31 23:59:59.999999999',
      '2262-04-11 23:47:16.854775806',
    ])
    expect(
      (await carried(data(new TimestampNanosecond('UTC'), BigInt64Array.of(9_223_372_036_854_775_000n, -1000n), 2)))
        .values,
    ).toEqual(['2262-04-11 23:47:16.854775+00', '1969-12-31 23:59:59.999999+00'])
    await expect(carried(data(new TimestampSecond('UTC'), BigInt64Array.of(2n ** 62n), 1))).rejects.toThrow(
      /further from 1970/,
    )
  })

  it('never cuts digits unsaid', async () => {
    const fine = data(
      new TimestampNanosecond('UTC'),
      BigInt64Array.of(1001n, -1n, 1000n, 9_223_372_036_854_775_807n),
      4,
    )
    await expect(carried(fine)).rejects.toThrow(
      expect.objectContaining({
        message: '3 values are finer than TIMESTAMP WITH TIME ZONE holds.',
        place: 'column “any name”',
      }) as Error,
    )
    expect((await carried(fine, 'TIMESTAMP_NS')).values[1]).toBe('1969-12-31 23:59:59.999999999')
    const time = data(new TimeNanosecond(), BigInt64Array.of(1n), 1)
    expect((await carried(time, 'VARCHAR')).values).toEqual(['00:00:00.000000001'])
    await expect(carried(time)).rejects.toThrow(/^1 value is finer/)
    await expect(carried(data(new DateMillisecond(), BigInt64Array.of(1n), 1))).rejects.toThrow(/finer than DATE/)
  })

  it('converts numbers of odd widths', async () => {
    const halves = Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001, 0x8000, 0x7c00, 0x7e00)
    expect((await carried(data(new Float16(), halves, 7))).values).toEqual([
      '1.0',
      '-2.0',
      '65504.0',
      '5.9604645e-8',
      '-0.0',
      'Infinity',
      'NaN',
    ])
    expect((await carried(data(new Float32(), Float32Array.of(0.1), 1))).values).toEqual(['0.1'])
    const wide = (value: bigint): number[] =>
      Array.from({ length: 8 }, (_, i) => Number(BigInt.asUintN(32, value >> BigInt(32 * i))))
    const words = Uint32Array.from([...wide(12345n), ...wide(-12345n)])
    expect(await carried(data(new Decimal(2, 38, 256), words, 2))).toEqual({
      type: 'DECIMAL(38,2)',
      values: ['123.45', '-123.45'],
    })
    const huge = Uint32Array.from(wide(10n ** 50n))
    expect(await carried(data(new Decimal(2, 76, 256), huge, 1))).toEqual({
      type: 'VARCHAR',
      values: [`1${'0'.repeat(48)}.00`],
    })
    await expect(carried(data(new Decimal(2, 38, 256), huge, 1))).rejects.toThrow(/more digits/)
    expect((await carried(data(new Decimal(2, 5, 32), Uint32Array.of(150, 0xffffffff), 2))).values).toEqual([
      '1.50',
      '-0.01',
    ])
    expect((await carried(data(new Decimal(-2, 5), Uint32Array.of(15, 0, 0, 0), 1))).values).toEqual(['1500'])
    expect((await carried(data(new Decimal(0, 38), Uint32Array.of(15, 0, 0, 0), 1), 'HUGEINT')).values).toEqual(['15'])
  })

  it('prints intervals and durations', async () => {
    expect((await carried(data(new Interval(IntervalUnit.YEAR_MONTH), Int32Array.of(14, -1, 0), 3))).values).toEqual([
      '1 year 2 months',
      '-1 month',
      '00:00:00',
    ])
    expect(
      (await carried(data(new Interval(IntervalUnit.DAY_TIME), Int32Array.of(1, 500, 0, -3_600_000), 2))).values,
    ).toEqual(['1 day 00:00:00.5', '-01:00:00'])
    const nanos = new BigInt64Array([1n + (2n << 32n), 3_000_000_001n])
    expect(await carried(data(new Interval(IntervalUnit.MONTH_DAY_NANO), new Int32Array(nanos.buffer), 1))).toEqual({
      type: 'INTERVAL',
      values: ['1 month 2 days 00:00:03.000000001'],
    })
    expect((await carried(data(new DurationMillisecond(), BigInt64Array.of(93_600_000n), 1))).values).toEqual([
      '26:00:00',
    ])
  })

  it('takes columns of nulls, empty columns, nested ones', async () => {
    expect(await carried(makeData({ type: new Null(), length: 2 }))).toEqual({ type: 'VARCHAR', values: [null, null] })
    expect(
      (await carried(makeData({ type: new Null(), length: 2 }), 'STRUCT(a INTEGER[], b MAP(VARCHAR, DATE))')).values,
    ).toEqual([null, null])
    expect((await carried(data(new Utf8(), new Uint8Array(0), 0))).values).toEqual([])
    expect(
      (
        await carried(
          vectorFromArray([], new List(new Field('i', new Utf8()))).data[0] ??
            makeData({
              type: new List(new Field('i', new Utf8())),
              child: makeData({ type: new Utf8(), valueOffsets: new Int32Array(1) }),
              valueOffsets: new Int32Array(1),
            }),
        )
      ).values,
    ).toEqual([])
    const entries = new Field(
      'entries',
      new Struct<{ key: Utf8; value: Float16 }>([
        new Field('key', new Utf8()),
        new Field('value', new Float16(), true),
      ]),
      false,
    )
    const map = vectorFromArray([{ a: 1, b: null }, null, {}], new Map_(entries as never)).data[0]
    expect(await carried(map)).toEqual({ type: 'MAP(VARCHAR, FLOAT)', values: ['{"a":1.0,"b":null}', null, '{}'] })
    const list = vectorFromArray(
      [[{ x: 1n, y: [true] }, null], null],
      new List(
        new Field(
          'el',
          new Struct([
            new Field('x', new Int64(), true),
            new Field('y', new List(new Field('z', new Bool(), true)), true),
          ]),
          true,
        ),
      ),
    ).data[0]
    const type = 'STRUCT(x BIGINT, y BOOLEAN[])[]'
    expect(await carried(list)).toEqual({ type, values: ['[{"x":1,"y":[true]},null]', null] })
    expect((await carried(list.slice(1, 1))).values).toEqual([null])
  })

  it('refuses what is of another type', async () => {
    await expect(carried(data(new Int8(), Int8Array.of(1), 1), 'DATE')).rejects.toThrow(/Int8 can't be carried as DATE/)
  })

  it('keeps the nulls of slices in place', async () => {
    const sliced = data(
      new TimeSecond(),
      Int32Array.from({ length: 20 }, (_, i) => i),
      20,
      Uint8Array.of(0b10101010, 0b01010101, 0b1111),
    ).slice(3, 10)
    expect((await carried(sliced)).values).toEqual([
      '00:00:03',
      null,
      '00:00:05',
      null,
      '00:00:07',
      '00:00:08',
      null,
      '00:00:10',
      null,
      '00:00:12',
    ])
  })
})
