import type { RecordBatch } from 'apache-arrow'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultOptions, type CsvOptions } from '../../../tables/plan.ts'
import { parseType, type Column } from '../../../tables/types.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { cellToString } from '../../arrow/text.ts'
import { MemorySink } from '../../../lib/sink.ts'
import { tries } from '../../../lib/testing.ts'
import type { WriteResult } from '../types.ts'
import { csvReader } from './reader.ts'
import { csvWriter } from './writer.ts'
import { QUIET } from '../../testing/quiet.ts'

const encoder = new TextEncoder()
const OPTIONS = defaultOptions('csv') as CsvOptions

type Rows = (string | null)[][]

function batchOf(columns: readonly Column[], rows: Rows): RecordBatch {
  const data = columns.map(({ type }, i) => {
    const builder = makeColumnBuilder(type)
    for (const row of rows) {
      const value = row[i]
      const bytes = encoder.encode(value ?? '')
      if (value === null) builder.appendNull()
      else expect(builder.appendText(bytes, 0, bytes.length)).toBe(true)
    }
    return builder.finish()
  })
  return batchFromColumns(data, rows.length)
}

function rowsOf(columns: readonly Column[], batch: RecordBatch): Rows {
  const cells = batch.data.children
  return Array.from({ length: batch.numRows }, (_, row) =>
    columns.map(({ type }, i) => cellToString(type, cells[i], row)),
  )
}

async function write(columns: readonly Column[], rows: Rows, options: CsvOptions): Promise<[File, WriteResult]> {
  const sink = new MemorySink()
  const writer = csvWriter.open(sink, options, QUIET)
  await writer.begin({ name: 't', columns })
  const batch = batchOf(columns, rows)
  const middle = Math.floor(rows.length / 2)
  await writer.write(batch.slice(0, middle))
  await writer.write(batch.slice(middle))
  const result = await writer.finish()
  return [sink.file('t.csv'), result]
}

async function roundTrip(columns: readonly Column[], rows: Rows, options: CsvOptions): Promise<void> {
  const [file, { readBack }] = await write(columns, rows, options)
  const found: Rows = []
  const request = {
    settings: readBack[0].settings,
    table: null,
    columns: columns.map(({ name, type }, index) => ({ index, source: name, type })),
  }
  let names: readonly string[] | undefined
  for await (const read of csvReader.read(file, request, QUIET)) {
    expect(read.rejected).toEqual([])
    found.push(...rowsOf(columns, read.batch))
    names ??= read.names
  }
  expect(found).toEqual(rowsOf(columns, batchOf(columns, rows)))
  if (options.header) expect(names).toEqual(columns.map(({ name }) => name))
}

const nasty = fc
  .array(
    fc.constantFrom(
      'a',
      'NULL',
      '"',
      '""',
      "'",
      ',',
      ';',
      '\t',
      ' ',
      '|',
      '\\',
      '\n',
      '\r',
      '\r\n',
      '#',
      '=',
      '-',
      '\u0000',
      '\ufeff',
      'é',
      '🎉',
      '0',
      '1.5',
      'true',
      '\ufffd',
      '__proto__',
      '<b>',
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const options = fc.record({
  kind: fc.constant('csv' as const),
  delimiter: fc.constantFrom(',', ';', '\t', '|', ' ', ':', '0', '||', '§', '\u001f'),
  quoteAll: fc.boolean(),
  bom: fc.boolean(),
  lineEnd: fc.constantFrom('\n' as const, '\r\n' as const),
  nullString: fc.constantFrom('', '', 'NULL', '\\N', '1', 'true', 'NaN'),
  header: fc.boolean(),
  safeForSpreadsheets: fc.constant(false),
  normalize: fc.constant(false),
})

describe('what is written', () => {
  it('reads back the same: any text, in any dialect', async () => {
    const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.record({
        names: fc.uniqueArray(nasty, { minLength: width, maxLength: width }),
        rows: fc.array(fc.array(fc.option(nasty), { minLength: width, maxLength: width }), { maxLength: 12 }),
        options,
      }),
    )
    const property = fc.asyncProperty(table, async (sample) => {
      const columns = sample.names.map((name) => ({ name, type: parseType('VARCHAR') }))
      await roundTrip(columns, sample.rows, sample.options)
    })
    await fc.assert(property, { numRuns: tries(500) })
  })

  it('reads back the same: every type', async () => {
    const values: Record<string, (string | null)[]> = {
      BOOLEAN: ['true', 'false', null],
      INTEGER: ['0', '-2147483648', null],
      UBIGINT: ['18446744073709551615', '1', null],
      HUGEINT: ['-99999999999999999999999999999999999999', '0', null],
      'DECIMAL(10,3)': ['1234567.891', '-0.001', null],
      FLOAT: ['1.5', 'NaN', '-0.0'],
      DOUBLE: ['0.1', '1e+300', '-Infinity'],
      VARCHAR: ['', '"', null],
      BLOB: ['AAEC', '', null],
      UUID: ['00000000-0000-0000-0000-000000000001', null, null],
      DATE: ['2024-02-29', '0001-01-01', null],
      TIME: ['00:00:00', '23:59:59.999999', null],
      TIMESTAMP: ['2024-02-29 12:00:00.000001', '1969-12-31 23:59:59', null],
      TIMESTAMP_NS: ['2024-02-29 12:00:00.000000001', '2024-02-29 12:00:00', null],
      'TIMESTAMP WITH TIME ZONE': ['2024-02-29 12:00:00+00', '2024-02-29 12:00:00+02:00', null],
      INTERVAL: ['1 day', null, null],
      'INTEGER[]': ['[1,null,3]', '[]', null],
      'STRUCT(a INTEGER, "b c" VARCHAR[])': ['{"a":1,"b c":["x,\\"y\\"",null]}', '{"a":null,"b c":null}', null],
      'MAP(VARCHAR, DOUBLE)': ['{"k":1.5}', '{}', null],
    }
    const columns = Object.keys(values).map((type) => ({ name: type, type: parseType(type) }))
    const rows = [0, 1, 2].map((row) => Object.values(values).map((column) => column[row]))
    for (const delimiter of [',', ' ', ':', '0', '-', '.', 'e', '||']) {
      for (const nullString of ['', 'true', '0', '2024-02-29']) {
        if (nullString.includes(delimiter)) continue
        await roundTrip(columns, rows, { ...OPTIONS, delimiter, nullString })
        await roundTrip(columns, rows, {
          ...OPTIONS,
          delimiter,
          nullString,
          quoteAll: true,
          bom: true,
          lineEnd: '\r\n',
        })
      }
    }
  })
})
