import { BufferType, Data } from 'apache-arrow'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultOptions, type CsvOptions } from '../../../tables/plan.ts'
import { parseType, type Column, type ColumnType } from '../../../tables/types.ts'
import { tries } from '../../../lib/testing.ts'
import { makeColumnBuilder } from '../builder.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { cellToString } from '../../arrow/text.ts'
import { toArrowType } from '../../arrow/types.ts'
import { csvWriter } from '../../formats/csv/writer.ts'
import { batchOf, randomTable } from '../../testing/arbitrary.ts'
import { writeWhole } from '../../testing/write-whole.ts'
import { CsvRowWriter, type CsvForm } from './csv-row-writer.ts'
import { Kernel } from '../../kernel/kernel.ts'

const encoder = new TextEncoder()
const OPTIONS: CsvOptions = { ...(defaultOptions('csv') as CsvOptions), header: false }
const formOf = ({ delimiter, nullString, lineEnd, quoteAll }: CsvOptions): CsvForm => ({
  delimiter: encoder.encode(delimiter),
  nullText: encoder.encode(nullString),
  lineEnd: encoder.encode(lineEnd),
  quoteAll,
  // Enough for what is written here without `csvWriter`, which knows of more.
  plain: !quoteAll && delimiter === ',' && nullString === '',
})
const PLAIN = formOf(OPTIONS)
const reserve = Reflect.get<Kernel, 'reserve'>(Kernel.prototype, 'reserve')

interface Batch {
  readonly columns: readonly Column[]
  readonly data: readonly Data[]
  readonly rows: number
}

/** What each row must come to. */
function expectedRows({ columns, data, rows }: Batch, options: CsvOptions): Buffer[] {
  const [delimiter, nullText, lineEnd] = [options.delimiter, options.nullString, options.lineEnd].map((text) =>
    Buffer.from(text),
  )
  const special = [delimiter[0], 0x22, 0x0d, 0x0a]
  const cell = (text: string | null): Buffer => {
    if (text === null) return nullText
    const bytes = Buffer.from(text)
    const quoted =
      options.quoteAll ||
      bytes.length === 0 ||
      bytes.equals(nullText) ||
      text.startsWith('\ufeff') ||
      special.some((byte) => bytes.includes(byte))
    return quoted ? Buffer.from(`"${text.replaceAll('"', '""')}"`) : bytes
  }
  return Array.from({ length: rows }, (_, row) =>
    Buffer.concat(
      columns.flatMap(({ type }, i) => [
        cell(cellToString(type, data[i], row)),
        i === columns.length - 1 ? lineEnd : delimiter,
      ]),
    ),
  )
}

/** Not `toEqual`, which would print megabytes. */
function expectSame(found: Uint8Array, wanted: Buffer): void {
  if (wanted.equals(found)) return
  const at = wanted.findIndex((byte, i) => byte !== found[i])
  const around = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(Math.max(0, at - 80), at + 80)).toString()
  expect(around(found)).toBe(around(wanted))
  expect(found.length).toBe(wanted.length)
}

/** Writes a batch, and holds that its pieces are of whole rows and put together are what they must be. */
function expectWritten(csv: CsvRowWriter, batch: Batch, options = OPTIONS): number {
  const wanted = expectedRows(batch, options)
  const ends = new Set<number>()
  let size = 0
  for (const row of wanted) ends.add((size += row.length))
  const pieces: Uint8Array[] = []
  let written = 0
  for (const piece of csv.write(batch.data, batch.rows)) {
    pieces.push(piece.slice())
    expect(piece.length).toBeGreaterThan(0)
    expect(ends.has((written += piece.length))).toBe(true)
  }
  expectSame(Buffer.concat(pieces), Buffer.concat(wanted))
  return pieces.length
}

/** How Arrow has the values of a type, and what is random of them. */
type Values = (type: ColumnType, count: number) => fc.Arbitrary<{ values: ArrayBufferView; offsets?: Int32Array }>

const between = (min: bigint, max: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.constantFrom(min, min + 1n, max - 1n, max, 0n, min < 0n ? -1n : 1n),
    fc.bigInt(min, max),
    // Of every length, not only the long ones that most numbers are.
    fc.tuple(fc.bigInt(min, max), fc.bigInt(0n, 126n)).map(([value, by]) => value >> by),
  )
const EXACT = 2n ** 53n
const int = (bits: number): fc.Arbitrary<bigint> => between(-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n)
const uint = (bits: number): fc.Arbitrary<bigint> => between(0n, 2n ** BigInt(bits) - 1n)

const fixed =
  <T extends bigint | number>(value: fc.Arbitrary<T>, view: (values: readonly T[]) => ArrayBufferView): Values =>
  (_, length) =>
    fc.array(value, { minLength: length, maxLength: length }).map((values) => ({ values: view(values) }))
const bigs = (value: fc.Arbitrary<bigint>): Values => fixed(value, (values) => BigInt64Array.from(values))
const smalls = (value: fc.Arbitrary<bigint>, array: { from(values: number[]): ArrayBufferView }): Values =>
  fixed(value, (values) => array.from(values.map(Number)))

/** 128 bits. */
const wide: Values = (type, count) => {
  const largest = 10n ** BigInt(type.kind === 'decimal' ? type.width : 38) - 1n
  return fixed(between(-largest, largest), (values) =>
    Uint32Array.from(values.flatMap((value) => [0n, 32n, 64n, 96n].map((by) => Number((value >> by) & 0xffffffffn)))),
  )(type, count)
}

const texts =
  (text: fc.Arbitrary<string | Uint8Array>): Values =>
  (_, count) =>
    // What lies before the first one and after the last one belongs to none.
    fc
      .tuple(fc.array(text, { minLength: count, maxLength: count }), fc.constantFrom('', 'x', '"\n'))
      .map(([all, rest]) => {
        const bytes = [rest, ...all].map((value) => Buffer.from(value))
        let end = 0
        const offsets = Int32Array.from(bytes, (value) => (end += value.length))
        return { values: Buffer.concat([...bytes, Buffer.from(rest)]), offsets }
      })

const NULLS = ['', 'NULL', 'null', '0', 'true', 'NaN', '\\N', '1970-01-01', 'no value, or none that we know'.repeat(2)]
const odd = fc.constantFrom(
  '"',
  '\r',
  '\n',
  ',',
  ';',
  '|',
  '-',
  '1',
  ':',
  '§',
  '\ufeff',
  'é',
  '漢',
  '🎈',
  '\t',
  ' ',
  '\0',
  'a',
  '""',
  '\r\n',
)
/** Of the lengths at which copies by 16 bytes change, with something odd anywhere. */
const edge = fc
  .tuple(fc.constantFrom(14, 15, 16, 17, 31, 32, 33, 47, 48, 49, 3000), fc.nat(), odd)
  .map(([length, at, special]) => {
    const before = [0, length - 1, at % length][at % 3]
    return 'x'.repeat(before) + special + 'x'.repeat(length - 1 - before)
  })
const text = fc.oneof(
  edge,
  fc.array(odd, { maxLength: 4 }).map((parts) => parts.join('')),
  fc.constantFrom(...NULLS, ...NULLS.flatMap((value) => [`${value}x`, value.slice(1), value.slice(0, -1)])),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
const double = fc.oneof(
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 5e-324, -Number.MAX_VALUE, 2 ** 53, 1e21, 1e-7, 0.1, 123456.789),
  fc.double(),
)

const VALUES: Readonly<Record<string, Values>> = {
  BOOLEAN: (_, count) =>
    fc.uint8Array({ minLength: (count + 7) >> 3, maxLength: (count + 7) >> 3 }).map((values) => ({ values })),
  TINYINT: smalls(int(8), Int8Array),
  SMALLINT: smalls(int(16), Int16Array),
  INTEGER: smalls(int(32), Int32Array),
  BIGINT: bigs(int(64)),
  HUGEINT: wide,
  UTINYINT: smalls(uint(8), Uint8Array),
  USMALLINT: smalls(uint(16), Uint16Array),
  UINTEGER: smalls(uint(32), Uint32Array),
  UBIGINT: fixed(uint(64), (values) => BigUint64Array.from(values)),
  FLOAT: fixed(double, (values) => Float32Array.from(values)),
  DOUBLE: fixed(double, (values) => Float64Array.from(values)),
  VARCHAR: texts(text),
  BLOB: texts(fc.uint8Array({ maxLength: 40 })),
  UUID: texts(fc.uuid()),
  DATE: smalls(int(32), Int32Array),
  // Beyond 2^53 microseconds of a day, and 2^53 seconds, `cellToString` isn't exact.
  TIME: bigs(between(-EXACT, EXACT)),
  TIMESTAMP: bigs(int(64)),
  TIMESTAMP_S: bigs(between(-EXACT, EXACT)),
  TIMESTAMP_MS: bigs(between(-EXACT * 1000n, EXACT * 1000n)),
  TIMESTAMP_NS: bigs(int(64)),
  'TIMESTAMP WITH TIME ZONE': bigs(int(64)),
  INTERVAL: texts(fc.oneof(text, fc.constant('1 day -00:00:01'))),
  'DECIMAL(9,2)': wide,
  'DECIMAL(18,0)': wide,
  'DECIMAL(18,18)': wide,
  'DECIMAL(19,4)': wide,
  'DECIMAL(38,38)': wide,
}

/** Some rows of a longer column; what lies under a null is random, too. */
function columnOf(name: string, rows: number): fc.Arbitrary<{ type: ColumnType; data: Data }> {
  const type = parseType(name)
  return fc.tuple(fc.constantFrom(0, 0, 1, 7, 8, 9, 40), fc.nat(9)).chain(([before, after]) => {
    const length = before + rows + after
    const bytes = (length + 7) >> 3
    const validity = fc.option(fc.uint8Array({ minLength: bytes, maxLength: bytes }), { freq: 2 })
    return fc.tuple(VALUES[name](type, length), validity).map(([{ values, offsets }, bits]) => {
      const buffers = {
        [BufferType.DATA]: values,
        ...(offsets ? { [BufferType.OFFSET]: offsets } : {}),
        ...(bits ? { [BufferType.VALIDITY]: bits } : {}),
      }
      // -1: they are counted once someone asks.
      const data = new Data(toArrowType(type), 0, length, bits ? -1 : 0, buffers)
      return { type, data: before + after === 0 ? data : data.slice(before, rows) }
    })
  })
}

const anyType = fc.constantFrom(...Object.keys(VALUES))
const ofAnyBits: fc.Arbitrary<Batch> = fc.nat(60).chain((rows) =>
  fc
    .array(
      anyType.chain((name) => columnOf(name, rows)),
      { minLength: 1, maxLength: 6 },
    )
    .map((made) => ({
      columns: made.map(({ type }, i) => ({ name: `c${i}`, type })),
      data: made.map(({ data }) => data),
      rows,
    })),
)

/** As readers make them, lists, structs and maps among them. */
const ofReaders: fc.Arbitrary<Batch> = fc.tuple(randomTable(), fc.nat(), fc.nat()).map(([table, from, count]) => {
  const whole = batchOf(table)
  const begin = from % (whole.numRows + 1)
  const rows = count % (whole.numRows - begin + 1)
  return { columns: table.columns, data: whole.data.children.map((column) => column.slice(begin, rows)), rows }
})

const options: fc.Arbitrary<CsvOptions> = fc
  .record({
    delimiter: fc.constantFrom(
      ',',
      ',',
      ';',
      '\t',
      '|',
      '||',
      ', ',
      '-',
      '1',
      ':',
      '.',
      ' ',
      'e',
      '§',
      ' and then '.repeat(3),
    ),
    nullString: fc.constantFrom('', '', ...NULLS),
    lineEnd: fc.constantFrom('\n' as const, '\r\n' as const),
    quoteAll: fc.boolean(),
  })
  // What the writer refuses.
  .filter(({ delimiter, nullString }) => !nullString.includes(delimiter.slice(0, 1)))
  .map((some) => ({ ...OPTIONS, ...some }))

type Cell = string | null
const columnsOf = (...types: readonly string[]) => types.map((name, i) => ({ name: `c${i}`, type: parseType(name) }))

function tableOf(columns: readonly Column[], rows: number, cell: (row: number, column: number) => Cell): Batch {
  const data = columns.map(({ type }, i) => {
    const builder = makeColumnBuilder(type)
    for (let row = 0; row < rows; row++) {
      const value = cell(row, i)
      const bytes = encoder.encode(value ?? '')
      if (value === null) builder.appendNull()
      // Not `expect`, which takes longer than all the rest.
      else if (!builder.appendText(bytes, 0, bytes.length)) throw new Error(`“${value}” is refused`)
    }
    return builder.finish()
  })
  return { columns, data, rows }
}

const MIXED = columnsOf('INTEGER', 'VARCHAR', 'BOOLEAN', 'DOUBLE', 'HUGEINT', 'DECIMAL(9,2)')
const mixed = (rows: number): Batch =>
  tableOf(MIXED, rows, (row, column) => {
    if ((row * 7 + column) % 11 === 0) return null
    return [row, `"${row}"`.slice(row % 3), row % 5 === 0, row / 8, -row, `${row}.05`].map(String)[column]
  })
const slice = ({ columns, data }: Batch, from: number, rows: number): Batch => ({
  columns,
  data: data.map((column) => column.slice(from, rows)),
  rows,
})
const TEXT = columnsOf('VARCHAR')
const textRows = (...values: readonly Cell[]): Batch => tableOf(TEXT, values.length, (row) => values[row])

afterEach(() => void vi.restoreAllMocks())

describe('CsvRowWriter', () => {
  it.each([
    ['of any bits', ofAnyBits, tries(500)],
    ['as readers make them', ofReaders, tries(200)],
  ])('writes tables %s as their cells’ text, in any dialect', async (_, tables, numRuns) => {
    const property = fc.asyncProperty(tables, options, async ({ columns, data, rows }, how) => {
      const { bytes } = await writeWhole(csvWriter, how, columns, [batchFromColumns(data, rows)])
      expectSame(bytes, Buffer.concat(expectedRows({ columns, data, rows }, how)))
    })
    await fc.assert(property, { numRuns })
  })

  it.each([
    ['TIMESTAMP_S', ['-292277022657-01-27 08:29:52', 'infinity']],
    ['TIMESTAMP_MS', ['-292275055-05-16 16:47:04.192', 'infinity']],
    ['TIMESTAMP', ['-290308-12-21 19:59:05.224192', 'infinity']],
    ['TIMESTAMP_NS', ['1677-09-21 00:12:43.145224192', 'infinity']],
    ['TIME', ['-2562047788:00:54.775808', '2562047788:00:54.775807']],
  ])('writes the first and the last %s', (name, ends) => {
    const columns = columnsOf(name)
    const values = BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n)
    const data = new Data(toArrowType(columns[0].type), 0, 2, 0, { [BufferType.DATA]: values })
    const pieces = [...new CsvRowWriter(columns, PLAIN).write([data], 2)]
    expect(Buffer.concat(pieces).toString()).toBe(`${ends.join('\n')}\n`)
  })

  it.each([1, 4095, 4096, 4097, 10_000])('writes %d rows', (rows) => {
    expectWritten(new CsvRowWriter(MIXED, PLAIN), mixed(rows))
    expectWritten(new CsvRowWriter(MIXED, PLAIN), slice(mixed(rows + 20), 13, rows))
    const how = { ...OPTIONS, nullString: '0', quoteAll: true }
    expectWritten(new CsvRowWriter(MIXED, formOf(how)), slice(mixed(rows + 20), 7, rows), how)
  })

  it('writes more text than it takes at once', () => {
    const long = (row: number, column: number): Cell => {
      if ((row + column) % 13 === 0) return null
      return `${row}${(row % 7 === 0 ? '"' : 'é').repeat((row * 131 + column) % 1500)}`
    }
    const table = tableOf(columnsOf('VARCHAR', 'INTERVAL', 'BLOB', 'UUID'), 9000, (row, column) =>
      column === 1 ? '1 day' : column === 2 ? 'AAEC' : column === 3 ? null : long(row, column),
    )
    expect(expectWritten(new CsvRowWriter(table.columns, PLAIN), table)).toBeGreaterThan(9)
    const other = tableOf(columnsOf('VARCHAR', 'INTEGER', 'VARCHAR'), 9000, (row, column) =>
      column === 1 ? String(row) : long(row, column),
    )
    const reserved = vi.spyOn(Kernel.prototype, 'reserve')
    expect(expectWritten(new CsvRowWriter(other.columns, PLAIN), slice(other, 4999, 3999))).toBeGreaterThan(8)
    expect(Math.max(...reserved.mock.calls.flat())).toBeLessThan(6 * 1024 * 1024)
  })

  it('writes more than there is room for at once of what isn’t text', () => {
    const names = Object.keys(VALUES).flatMap((name) => (/^(BIG|DOUB|TIME)/.test(name) ? [name, name, name] : []))
    const columns = columnsOf(...names)
    const random = fc.tuple(...names.map((name) => columnOf(name, 5000)))
    const data = fc.sample(random, { numRuns: 1, seed: 1 })[0].map((column) => column.data)
    expect(expectWritten(new CsvRowWriter(columns, PLAIN), { columns, data, rows: 5000 })).toBeGreaterThan(2)
  })

  it('writes a row that is larger than the room for it', () => {
    const [plain, quotes] = ['x'.repeat(3_000_000), '"'.repeat(3_000_000)]
    for (const large of [plain, quotes, `${plain},`]) {
      expectWritten(new CsvRowWriter(TEXT, PLAIN), textRows(large))
      expectWritten(new CsvRowWriter(TEXT, PLAIN), textRows('a', null, large, '', 'b', large, large, 'c'))
    }
    // One byte for each of them fits, but not two.
    expectWritten(new CsvRowWriter(TEXT, PLAIN), textRows(quotes.slice(0, 1_000_000), 'a'))
    const columns = columnsOf('VARCHAR', 'INTEGER', 'VARCHAR', 'VARCHAR')
    const row = [quotes, '-1', plain, quotes]
    expectWritten(
      new CsvRowWriter(columns, PLAIN),
      tableOf(columns, 3, (at, column) => (at === 1 ? row[column] : null)),
    )
  })

  it('writes rows that end about where the room ends', () => {
    const csv = new CsvRowWriter(TEXT, PLAIN)
    const [half, all] = [512 * 1024, 1024 * 1024]
    for (let by = -160; by <= 160; by += 16) {
      expectWritten(csv, textRows('"'.repeat(half + by), 'a', null))
      expectWritten(csv, textRows('x'.repeat(all + by), 'a', '"'))
      expectWritten(csv, textRows('x'.repeat(half), 'x'.repeat(half + by), 'a', '"'))
    }
  })

  it.each([
    ['numbers', '', 40_000, '2024-02-29 12:34:56.789012'],
    ['long texts for nulls', '#'.repeat(600), 2000, null],
  ])('writes a row of so many columns that it is larger than the room for it: %s', (_, nullString, count, value) => {
    // What goes on for ever asks for the same memory again and again.
    let [last, times] = [0, 0]
    vi.spyOn(Kernel.prototype, 'reserve').mockImplementation(function (this: Kernel, size) {
      times = size === last ? times + 1 : 0
      last = size
      if (times > 20) throw new Error('it goes on for ever')
      return reserve.call(this, size)
    })
    const columns = columnsOf(...Array.from({ length: count }, () => 'TIMESTAMP'))
    const how = { ...OPTIONS, nullString }
    const form = { ...formOf(how), plain: true }
    const { data } = tableOf(columns.slice(0, 1), 2, () => value)
    expectWritten(new CsvRowWriter(columns, form), { columns, data: columns.map(() => data[0]), rows: 2 }, how)
  })

  it('writes nothing for no rows', () => {
    const csv = new CsvRowWriter(MIXED, PLAIN)
    expect(expectWritten(csv, mixed(0))).toBe(0)
    expect(expectWritten(csv, slice(mixed(30), 13, 0))).toBe(0)
    expect([...new CsvRowWriter([], PLAIN).write([], 0)]).toEqual([])
    expect(expectWritten(csv, mixed(3))).toBe(1)
  })

  it('writes one batch after another, of any size', () => {
    const csv = new CsvRowWriter(MIXED, PLAIN)
    const table = mixed(9000)
    const full = tableOf(MIXED, 50, (row, column) => (column === 2 ? 'true' : String(row)))
    for (const [from, rows] of [
      [0, 9000],
      [0, 0],
      [8, 1],
      [3, 4097],
      [8999, 1],
      [0, 8],
    ]) {
      expectWritten(csv, slice(table, from, rows))
      // No nulls at all, after a batch with some.
      expectWritten(csv, full)
    }
  })

  it('says that the memory can’t hold it, and goes on with what it can hold', () => {
    const csv = new CsvRowWriter(TEXT, PLAIN)
    const large = textRows('x'.repeat(3_000_000))
    const cause = new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded')
    const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
      throw cause
    })
    const write = (): readonly Uint8Array[] => [...csv.write(large.data, large.rows)]
    expect(write).toThrow(
      expect.objectContaining({
        name: 'RangeError',
        message: expect.stringMatching(/^The allocation/) as string,
        cause,
      }),
    )
    grow.mockRestore()
    expectWritten(csv, textRows('a', null, '"'))
    expectWritten(csv, large)
  })
})
