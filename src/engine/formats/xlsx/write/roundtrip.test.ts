import type { RecordBatch } from 'apache-arrow'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareFingerprints } from '../../../../tables/compare.ts'
import { parseType, type Column } from '../../../../tables/types.ts'
import { printInterval } from '../../../arrow/cast/texts.ts'
import { Fingerprinter } from '../../../convert/fingerprint/fingerprint.ts'
import type { TableFingerprint } from '../../../../tables/receipt.ts'
import { xlsxReader } from '../reader.ts'
import { batchOf, columnData, columnsOf, writeTables, type TextColumn, type Written } from '../testing/write.ts'
import { QUIET } from '../../../testing/quiet.ts'

/** Reads the file with our own reader, like the verification. */
async function readBack({ file, result }: Written, columns: readonly Column[], table = 0): Promise<TableFingerprint> {
  const fingerprinter = new Fingerprinter(columns)
  const { settings, tables } = result.readBack[table]
  for (const name of tables) {
    const wanted = columns.map(({ name: source, type }, index) => ({ index, source, type }))
    for await (const { batch, rejected } of xlsxReader.read(file, { settings, table: name, columns: wanted }, QUIET)) {
      expect(rejected).toEqual([])
      fingerprinter.add(batch)
    }
  }
  return fingerprinter.finish()
}

async function expectSame(tables: readonly TextColumn[], maxRows?: number): Promise<void> {
  const columns = columnsOf(tables)
  const batch: RecordBatch = batchOf(tables.map(columnData))
  const expected = new Fingerprinter(columns)
  expected.add(batch)
  const written = await writeTables([{ name: 'Table', columns, batches: [batch] }], maxRows)
  const found = await readBack(written, columns)
  expect(compareFingerprints(expected.finish(), found)).toEqual([])
}

const EDGES: Record<string, (string | null)[]> = {
  BOOLEAN: ['true', 'false'],
  TINYINT: ['-128', '127', '0'],
  UINTEGER: ['4294967295', '0'],
  BIGINT: ['9223372036854775807', '-9223372036854775808', '999999999999999', '1000000000000000', '0'],
  UBIGINT: ['18446744073709551615'],
  HUGEINT: ['99999999999999999999999999999999999999', '-1'],
  'DECIMAL(4,4)': ['0.0001', '-0.9999', '0.0000'],
  'DECIMAL(18,3)': ['123456789012.345', '999999999999999.999', '-0.001', '100.000'],
  'DECIMAL(38,10)': ['1234567890123456789012345678.0123456789', '0.0000000001'],
  FLOAT: ['0.1', '3.4028235e+38', '1e-45', 'NaN', '-Infinity', '-0.0', '16777216.0'],
  DOUBLE: ['0.1', '1.7976931348623157e+308', '5e-324', 'NaN', 'Infinity', '-0.0', '1e+21', '0.30000000000000004'],
  VARCHAR: [
    '',
    ' ',
    '007',
    '1e5',
    '_x0041_',
    'a\r\nb',
    '\u0000\u001f',
    '\ufffe',
    'NaN',
    'true',
    '2024-01-01',
    '😀',
    '\t\n',
  ],
  BLOB: ['', 'AAEC'],
  UUID: ['123e4567-e89b-12d3-a456-426614174000'],
  DATE: ['1900-01-01', '1900-02-28', '1900-03-01', '1899-12-31', '0001-01-01', '9999-12-31', '2024-02-29'],
  TIME: ['00:00:00', '23:59:59.999999', '00:00:00.000001', '12:34:56.5'],
  TIMESTAMP: [
    '1900-01-01 00:00:00',
    '1899-12-31 23:59:59.999999',
    '9999-12-31 23:59:59.999999',
    '2024-02-29 12:00:00.000001',
  ],
  TIMESTAMP_S: ['2024-02-29 12:00:01', '0001-01-01 00:00:00'],
  INTERVAL: [
    '00:00:00',
    '00:00:00.000001',
    '-23:59:59.999999',
    '24:00:00',
    '2501999:47:34.740991',
    '2501999:47:34.740992',
    '-2501999:47:34.740991',
    '999999:00:00.000000001',
    '1 year 2 months -3 days 04:05:06.7',
    '-5 days',
  ],
  TIMESTAMP_MS: ['2024-02-29 12:00:01.001', '9999-12-31 23:59:59.999'],
  TIMESTAMP_NS: [
    '2024-02-29 12:00:01.000000001',
    '1677-09-22 00:00:00',
    '2262-04-11 23:47:16.854775',
    '2024-01-01 00:00:00.1',
  ],
  'TIMESTAMP WITH TIME ZONE': ['2024-02-29 12:00:00.000001+00', '1850-01-01 00:00:00+00', '1970-01-01 00:00:00+00'],
  'INTEGER[]': ['[1,2,null]', '[]'],
  'STRUCT(a INTEGER, b VARCHAR)': ['{"a":1,"b":"<&>"}', '{"a":null,"b":""}'],
  'MAP(VARCHAR, DOUBLE)': ['{"x":1.5}', '{}'],
}

test.each(Object.entries(EDGES))('%s comes back with every value', async (type, values) => {
  await expectSame([{ name: 'x', type, values: [null, ...values, null] }])
})

const ends = (min: bigint, max: bigint): fc.Arbitrary<string> => fc.bigInt({ min, max }).map(String)
const decimal = (width: number, scale: number): fc.Arbitrary<string> =>
  fc.bigInt({ min: 1n - 10n ** BigInt(width), max: 10n ** BigInt(width) - 1n }).map((unscaled) => {
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
    const point = digits.length - scale
    return `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`
  })
/** Dates and times of the years 1 to 9999, as ISO 8601 to the microsecond. */
const moment = fc
  .tuple(
    fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
    fc.oneof(fc.integer({ min: 0, max: 999_999 }), fc.constant(0)),
  )
  .map(([second, micros]) => {
    const iso = new Date(second * 1000).toISOString()
    return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`}`
  })

/** Durations of up to 285 years to the microsecond, or in months and days. */
const duration = fc
  .tuple(fc.boolean(), fc.integer({ min: -9e15, max: 9e15 }), fc.nat(40), fc.integer({ min: -40, max: 40 }))
  .map(([inMonths, micros, months, days]) => {
    const whole = micros % 3 === 0 ? Math.trunc(micros / 1e6) * 1e6 : micros
    return inMonths && months > 0
      ? printInterval(months, days, BigInt(whole) * 1000n)
      : printInterval(0, 0, BigInt(whole) * 1000n)
  })

const RANDOM: Record<string, fc.Arbitrary<string>> = {
  BOOLEAN: fc.boolean().map(String),
  SMALLINT: ends(-32_768n, 32_767n),
  INTEGER: ends(-(2n ** 31n), 2n ** 31n - 1n),
  BIGINT: ends(-(2n ** 63n), 2n ** 63n - 1n),
  UBIGINT: ends(0n, 2n ** 64n - 1n),
  HUGEINT: decimal(38, 0),
  'DECIMAL(9,2)': decimal(9, 2),
  'DECIMAL(17,5)': decimal(17, 5),
  'DECIMAL(38,20)': decimal(38, 20),
  DOUBLE: fc.double().map((value) => (Object.is(value, -0) ? '-0.0' : String(value))),
  VARCHAR: fc.string({ unit: 'binary', maxLength: 20 }),
  DATE: moment.map((text) => text.slice(0, 10)),
  TIME: moment.map((text) => text.slice(11)),
  TIMESTAMP: moment,
  'TIMESTAMP WITH TIME ZONE': moment.map((text) => `${text}+00`),
  INTERVAL: duration,
  BLOB: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  'VARCHAR[]': fc.array(fc.option(fc.string({ maxLength: 5 })), { maxLength: 4 }).map((list) => JSON.stringify(list)),
}

test('random tables of all types come back, split over sheets or not', async () => {
  const rows = 8
  const column = fc.constantFrom(...Object.keys(RANDOM)).chain((type) =>
    fc.record({
      name: fc.string({ unit: 'binary', maxLength: 8 }),
      type: fc.constant(type),
      values: fc.array(fc.option(RANDOM[type], { freq: 6 }), { minLength: rows, maxLength: rows }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(column, { minLength: 1, maxLength: 8 }), fc.constantFrom(4, 100), expectSame),
    { numRuns: 250 },
  )
})

test('every kind of microsecond comes back', async () => {
  const micro = (i: number): string => String(Math.round((i * 61_803_398_875 + (i % 7)) % 1e6)).padStart(6, '0')
  const near = Array.from({ length: 20_000 }, (_, i) => {
    const second = String(i % 60).padStart(2, '0')
    const hour = String(Math.floor(i / 900) % 24).padStart(2, '0')
    // Close to whole milliseconds, where a reader may take the microseconds for another program's rounding.
    const fraction = i % 2 ? micro(i) : `${String((i * 7) % 1000).padStart(3, '0')}00${(i >> 1) % 10}`
    return `${hour}:${String(i % 59).padStart(2, '0')}:${second}.${fraction}`
  })
  await expectSame([
    { type: 'TIME', values: near },
    { type: 'INTERVAL', values: near.map((time, i) => `${i % 3 ? '' : '-'}${(i % 1000) + 100}${time.slice(2)}`) },
    { type: 'TIMESTAMP', values: near.map((time, i) => `${1900 + (i % 8000)}-03-01 ${time}`) },
  ])
})

test('several tables come back, each from its own sheets', async () => {
  const tables = ['1', '2'].map((digit, i) => {
    const text: TextColumn[] = [{ name: 'n', type: 'INTEGER', values: Array.from({ length: 5 + i }, () => digit) }]
    return { name: 'Same', columns: columnsOf(text), batches: [batchOf(text.map(columnData))] }
  })
  const written = await writeTables(tables, 4)
  const found = await Promise.all(tables.map(({ columns }, i) => readBack(written, columns, i)))
  expect(found.map(({ rows, columns: [{ sum }] }) => [rows, sum])).toEqual([
    [5, '5'],
    [6, '12'],
  ])
})

test('our own reader finds the types again', async () => {
  const columns: TextColumn[] = [
    { name: 'id', type: 'INTEGER', values: ['1', '2'] },
    { name: 'code', type: 'VARCHAR', values: ['007', '008'] },
    { name: 'day', type: 'DATE', values: ['2024-01-01', null] },
    { name: 'at', type: 'TIMESTAMP', values: ['2024-01-01 10:00:00', '2024-01-01 10:00:00.5'] },
    { name: 'time', type: 'TIME', values: ['10:00:00', '11:30:00'] },
    { name: 'spent', type: 'INTERVAL', values: ['08:30:00', '-38:15:00.25'] },
    { name: 'ok', type: 'BOOLEAN', values: ['true', 'false'] },
    { name: 'long', type: 'BIGINT', values: ['9223372036854775807', '1'] },
  ]
  const batches = [batchOf(columns.map(columnData))]
  const { file } = await writeTables([{ name: 'Table', columns: columnsOf(columns), batches }])
  const { tables } = await xlsxReader.inspect(file, {}, QUIET)
  const types = new Map(tables[0].columns.map(({ name, type }) => [name, type]))
  for (const { name, type } of columns) {
    if (name === 'long') continue
    expect([name, types.get(name ?? '')]).toEqual([name, type])
  }
  expect(parseType(types.get('long') ?? '')).toBeDefined()
})
