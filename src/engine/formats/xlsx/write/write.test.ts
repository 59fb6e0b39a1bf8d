import * as fc from 'fast-check'
import { inflateRawSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { defaultOptions } from '../../../../tables/plan.ts'
import { parseType, VARCHAR } from '../../../../tables/types.ts'
import { isAbort } from '../../../../lib/abort.ts'
import { EngineError } from '../../../errors.ts'
import { MemorySink } from '../../../../lib/sink.ts'
import { openWorkbook, xlsxWriter } from './write.ts'
import {
  batchOf,
  cellsOf,
  columnData,
  columnsOf,
  sheetJs,
  writeColumns,
  writeTables,
  type TextColumn,
} from '../testing/write.ts'
import { QUIET } from '../../../testing/quiet.ts'

afterEach(() => vi.restoreAllMocks())

const options = defaultOptions('xlsx')

/** Type, value and number format of the first column's cells below the header. */
async function column(type: string, values: (string | null)[]): Promise<unknown[]> {
  const { bytes } = await writeColumns([{ type, values }])
  return cellsOf(bytes)
    .slice(1)
    .map((row) => row?.[0] && [row[0].t, row[0].v, row[0].z])
}

/** A part of the file as text: entries are in the order of writing. */
function part(bytes: Uint8Array, name: string): string {
  const buffer = Buffer.from(bytes)
  for (let at = 0; (at = buffer.indexOf('PK\u0003\u0004', at, 'latin1')) >= 0; at += 4) {
    const length = buffer.readUInt16LE(at + 26)
    if (buffer.toString('utf8', at + 30, at + 30 + length) === name) {
      return inflateRawSync(buffer.subarray(at + 30 + length)).toString()
    }
  }
  throw new Error(`no ${name}`)
}

describe('a cell holds', () => {
  const n = (value: number, format: string): unknown[] => ['n', value, format]
  const s = (value: string): unknown[] => ['s', value, '@']

  test('booleans', async () => {
    expect(await column('BOOLEAN', ['true', 'false', null, 'true'])).toEqual([
      ['b', true, 'General'],
      ['b', false, 'General'],
      undefined,
      ['b', true, 'General'],
    ])
  })

  test.each([
    ['TINYINT', ['-128', '127']],
    ['UTINYINT', ['0', '255']],
    ['SMALLINT', ['-32768', '32767']],
    ['USMALLINT', ['65535']],
    ['INTEGER', ['-2147483648', '2147483647', '0']],
    ['UINTEGER', ['4294967295']],
    ['BIGINT', ['-999999999999999', '999999999999999']],
    ['UBIGINT', ['999999999999999']],
    ['HUGEINT', ['-999999999999999']],
    ['DECIMAL(9,0)', ['123456789']],
  ])('%s as numbers', async (type, values) => {
    expect(await column(type, values)).toEqual(values.map((value) => n(Number(value), '0')))
  })

  test('decimals as numbers with their places', async () => {
    const found = await column('DECIMAL(18,2)', ['-1234567890123.45', '0.10', '9999999999999999.00', '-0.01'])
    expect(found).toEqual([n(-1234567890123.45, '0.00'), n(0.1, '0.00'), s('9999999999999999.00'), n(-0.01, '0.00')])
    expect(await column('DECIMAL(38,37)', ['0.0000000000000000000000000000000000001'])).toEqual([
      n(1e-37, `0.${'0'.repeat(30)}`),
    ])
  })

  test('numbers of more than 15 digits as text, counted', async () => {
    const { bytes, result } = await writeColumns([
      { name: 'id', type: 'BIGINT', values: ['1000000000000000', '9223372036854775807', '-123456789012345', '5'] },
      { name: 'd', type: 'DECIMAL(38,4)', values: ['1.2345', '123456789012.3456', '123456789012345.0000', null] },
      { name: 'u', type: 'UBIGINT', values: [null, '18446744073709551615', null, null] },
      { name: 'h', type: 'HUGEINT', values: [null, null, '-170141183460469231731687303715884105', null] },
    ])
    const rows = cellsOf(bytes).slice(1)
    expect(rows.map((row) => row.map((cell) => cell?.v))).toEqual([
      ['1000000000000000', 1.2345],
      ['9223372036854775807', '123456789012.3456', '18446744073709551615'],
      [-123456789012345, 123456789012345, undefined, '-170141183460469231731687303715884105'],
      [5],
    ])
    expect(result.readBack[0].changes).toEqual(
      [
        ['id', 2],
        ['d', 1],
        ['u', 1],
        ['h', 1],
      ].map(([name, count]) => ({
        code: 'long-numbers',
        message: expect.stringMatching(count === 1 ? /^1 number has more/ : /^2 numbers have more/) as string,
        column: name,
        count,
      })),
    )
  })

  test('floats as numbers, what is none as text', async () => {
    const values = ['1.0', '-0.0', '0.1', '1e+21', '1.7976931348623157e+308', '5e-324', '0.30000000000000004']
    const { bytes, result } = await writeColumns([
      { name: 'x', type: 'DOUBLE', values: [...values, 'NaN', 'Infinity', '-Infinity', null] },
    ])
    const found = cellsOf(bytes).map((row) => row?.[0]?.v)
    expect(found.slice(1)).toEqual([...values.map(Number), 'NaN', 'Infinity', '-Infinity'])
    expect(part(bytes, 'xl/worksheets/sheet1.xml')).toContain('<c r="A2"><v>1</v></c>')
    expect(result.readBack[0].changes).toMatchObject([{ code: 'not-finite', column: 'x', count: 3 }])
    expect(await column('FLOAT', ['0.1', '3.4028235e+38'])).toEqual([n(0.1, 'General'), n(3.4028235e38, 'General')])
  })

  test('dates as serial numbers', async () => {
    const dates: [string, number][] = [
      ['1900-01-01', 1],
      ['1900-02-28', 59],
      ['1900-03-01', 61],
      ['2024-02-29', 45_351],
      ['9999-12-31', 2_958_465],
    ]
    expect(await column('DATE', [...dates.map(([date]) => date), null, '1899-12-31', '10000-01-01'])).toEqual([
      ...dates.map(([, serial]) => n(serial, 'yyyy\\-mm\\-dd')),
      undefined,
      s('1899-12-31'),
      s('10000-01-01'),
    ])
  })

  test('times as fractions of a day', async () => {
    expect(await column('TIME', ['00:00:00', '12:00:00', '23:59:59.999999', '00:00:00.000001', '24:00:00'])).toEqual([
      n(0, 'hh:mm:ss'),
      n(0.5, 'hh:mm:ss'),
      n(0.9999999999885, 'hh:mm:ss.000'),
      n(1.16e-11, 'hh:mm:ss.000'),
      s('24:00:00'),
    ])
  })

  test.each(['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE'])(
    '%s as serial numbers',
    async (type) => {
      const zone = type === 'TIMESTAMP WITH TIME ZONE' ? '+00' : ''
      const format = 'yyyy\\-mm\\-dd\\ hh:mm:ss'
      expect(await column(type, ['1900-01-01 00:00:00', '2024-02-29 06:00:00', '1899-12-31 23:59:59'])).toEqual([
        n(1, format),
        n(45_351.25, format),
        s(`1899-12-31 23:59:59${zone}`),
      ])
      if (type === 'TIMESTAMP_S') return
      expect(await column(type, ['2024-02-29 06:00:00.125'])).toEqual([n(45_351.25 + 0.125 / 86_400, `${format}.000`)])
    },
  )

  test('nanoseconds as text, where a microsecond is too coarse', async () => {
    const { bytes, result } = await writeColumns([
      { type: 'TIMESTAMP_NS', values: ['2024-02-29 06:00:00.000001', '2024-02-29 06:00:00.000000001'] },
    ])
    const cells = cellsOf(bytes).slice(1)
    expect(cells.map(([cell]) => cell?.t)).toEqual(['n', 's'])
    expect(cells[1][0]?.v).toBe('2024-02-29 06:00:00.000000001')
    expect(result.readBack[0].changes).toMatchObject([{ code: 'nanoseconds-as-text', count: 1 }])
  })

  test('durations as days, what is none as text, counted', async () => {
    const values = ['00:00:00', '08:30:00', '38:15:00', '36:00:00.125', '-08:30:00', '2501999:00:00']
    const others = ['1 month 02:00:00', '1 day', '2502000:00:00', '00:00:00.000000001']
    const { bytes, result } = await writeColumns([
      { name: 'x', type: 'INTERVAL', values: [...values, null, ...others] },
    ])
    const cells = cellsOf(bytes)
      .slice(1)
      .map((row) => row?.[0] && [row[0].t, row[0].v, row[0].z])
    const [whole, fine] = ['[h]:mm:ss', '[h]:mm:ss.000']
    expect(cells).toEqual([
      n(0, whole),
      n(0.3541666666667, whole),
      n(1.59375, whole),
      n(1.5000014467593, fine),
      n(-0.3541666666667, whole),
      n(104_249.958_333_333_33, whole),
      undefined,
      ...others.map(s),
    ])
    expect(result.readBack[0].changes).toEqual([
      {
        code: 'negative-durations',
        message: '1 duration is negative. Sums in Excel include it, though Excel shows ##### for it.',
        column: 'x',
        count: 1,
      },
      {
        code: 'durations-as-text',
        message: '3 durations in months or years, or of more than 285 years, are held as text.',
        column: 'x',
        count: 3,
      },
      {
        code: 'nanoseconds-as-text',
        message: '1 time finer than a microsecond is held as text.',
        column: 'x',
        count: 1,
      },
    ])
    expect(await column('INTERVAL', ['-01:00:00'])).toEqual([n(-0.0416666666667, whole)])
  })

  test('text as it is', async () => {
    const values = [
      '007',
      '',
      null,
      ' both ',
      'a\nb',
      'a\rb',
      '\u0000',
      '_x000D_',
      '<&>',
      '=1+1',
      '1e5',
      '😀',
      'x'.repeat(32_767),
    ]
    expect(await column('VARCHAR', values)).toEqual(values.map((value) => (value === null ? undefined : s(value))))
  })

  test('all else as text', async () => {
    const uuid = '123e4567-e89b-12d3-a456-426614174000'
    expect(await column('UUID', [uuid])).toEqual([s(uuid)])
    expect(await column('BLOB', ['aGk=', ''])).toEqual([s('aGk='), s('')])
  })
})

describe('a workbook', () => {
  test('has a bold, frozen header with the names, whatever they are', async () => {
    const names = ['plain', '', '__proto__', '<b>&amp;', 'plain', ' x ', 'a\nb']
    const { bytes, result } = await writeColumns(names.map((name) => ({ name, type: 'INTEGER', values: ['1'] })))
    expect(cellsOf(bytes)[0].map((cell) => cell?.v)).toEqual(names)
    const sheet = part(bytes, 'xl/worksheets/sheet1.xml')
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet).toContain('<c r="A1" s="1" t="inlineStr">')
    expect(result.readBack).toMatchObject([{ settings: { kind: 'xlsx', headerRow: { Table: 1 } }, tables: ['Table'] }])
  })

  test('has widths by header and first rows', async () => {
    const { bytes } = await writeColumns([
      { name: 'n', type: 'INTEGER', values: ['1'] },
      { name: 'a rather long name', type: 'INTEGER', values: ['1'] },
      { name: 't', type: 'VARCHAR', values: ['x'.repeat(30)] },
      { name: 'u', type: 'VARCHAR', values: ['x'.repeat(3000)] },
      { name: 'd', type: 'DATE', values: ['2024-01-01'] },
    ])
    const widths = [...part(bytes, 'xl/worksheets/sheet1.xml').matchAll(/<col [^>]*width="(\d+)"/g)].map(([, w]) => w)
    expect(widths).toEqual(['8', '20', '32', '60', '12'])
  })

  test('is the same file each time', async () => {
    const columns: TextColumn[] = [{ type: 'VARCHAR', values: ['a', 'b', 'a'] }]
    expect((await writeColumns(columns)).bytes).toEqual((await writeColumns(columns)).bytes)
  })

  test('splits a table over sheets, each with its header', async () => {
    const values = Array.from({ length: 7 }, (_, i) => `${i}`)
    const first = { name: 'x'.repeat(40), columns: columnsOf([{ type: 'INTEGER', values }]), batches: [] }
    const halves = [values.slice(0, 4), values.slice(4)].map((half) =>
      batchOf([columnData({ type: 'INTEGER', values: half })]),
    )
    const other = { ...first, name: 'Other', batches: [halves[1]] }
    const { bytes, result } = await writeTables([{ ...first, batches: halves }, other], 4)
    const names = ['x'.repeat(31), `${'x'.repeat(27)} (2)`, `${'x'.repeat(27)} (3)`, 'Other']
    expect(sheetJs(bytes).SheetNames).toEqual(names)
    expect(names.map((_, i) => cellsOf(bytes, i).map(([cell]) => cell?.v))).toEqual([
      ['col0', 0, 1, 2],
      ['col0', 3, 4, 5],
      ['col0', 6],
      ['col0', 4, 5, 6],
    ])
    expect(result.readBack[0].changes).toMatchObject([{ code: 'split-sheets', count: 3 }])
    expect(result.readBack.map(({ tables }) => tables)).toEqual([names.slice(0, 3), ['Other']])
    expect(result.readBack[0].settings).toEqual({
      kind: 'xlsx',
      headerRow: { [names[0]]: 1, [names[1]]: 1, [names[2]]: 1 },
    })
  })

  test('keeps to one sheet when the rows just fit', async () => {
    const { result } = await writeColumns([{ type: 'INTEGER', values: ['1', '2', '3'] }], 4)
    expect(result.readBack[0].tables).toEqual(['Table'])
    expect(result.readBack[0].changes).toEqual([])
  })

  test('may have no rows, no columns, and rows of nulls alone', async () => {
    const { bytes } = await writeColumns([{ name: 'a', type: 'DATE', values: [] }])
    expect(cellsOf(bytes).map((row) => row.map((cell) => cell?.v))).toEqual([['a']])
    const none = await writeTables([{ name: 'none', columns: [], batches: [] }])
    expect(sheetJs(none.bytes).SheetNames).toEqual(['none'])
    const nulls = await writeColumns([{ type: 'INTEGER', values: [null, null] }])
    expect(part(nulls.bytes, 'xl/worksheets/sheet1.xml')).toContain('<row r="2"></row><row r="3"></row></sheetData>')
  })

  test('takes the sheet name that was asked for', async () => {
    const sink = new MemorySink()
    const writer = openWorkbook(sink, { kind: 'xlsx', sheetName: 'Q1/Q2' }, QUIET)
    for (let i = 0; i < 2; i++) {
      await writer.begin({ name: `t${i}`, columns: columnsOf([{ type: 'INTEGER', values: [] }]) })
    }
    const { readBack } = await writer.finish()
    expect(readBack.flatMap(({ tables }) => tables)).toEqual(['Q1_Q2', 'Q1_Q2 (2)'])
  })

  test('shares texts that come again, and writes the others in their cells', async () => {
    const often = Array.from({ length: 10_000 }, (_, i) => `often ${i % 10}`)
    const once = Array.from({ length: 10_000 }, (_, i) => `once ${i}`)
    const { bytes } = await writeColumns([
      { name: 'often', type: 'VARCHAR', values: often },
      { name: 'once', type: 'VARCHAR', values: once },
    ])
    const rows = cellsOf(bytes).slice(1)
    expect(rows.map(([cell]) => cell?.v)).toEqual(often)
    expect(rows.map((row) => row[1]?.v)).toEqual(once)
    const sheet = part(bytes, 'xl/worksheets/sheet1.xml')
    expect(sheet).toContain('<c r="A10001" s="2" t="s">')
    expect(sheet).toContain('<c r="B10001" s="2" t="inlineStr">')
  })

  test('reads slices of batches as they are', async () => {
    const columns: TextColumn[] = [
      { type: 'BOOLEAN', values: ['true', null, 'false', 'true', null] },
      { type: 'VARCHAR', values: ['a', 'b', null, 'd', 'e'] },
      { type: 'TIMESTAMP', values: [null, '2024-01-01 00:00:00', '2024-01-02 00:00:00', null, '2024-01-03 00:00:00'] },
    ]
    const slice = batchOf(columns.map(columnData)).slice(2, 5)
    const { bytes } = await writeTables([{ name: 't', columns: columnsOf(columns), batches: [slice] }])
    const rows = cellsOf(bytes)
      .slice(1)
      .map((row) => [0, 1, 2].map((i) => row[i]?.v))
    expect(rows).toEqual([
      [false, undefined, 45_293],
      [true, 'd', undefined],
      [undefined, 'e', 45_294],
    ])
  })
})

describe('what a sheet can’t hold is refused:', () => {
  test('a text that is too long, by its place', async () => {
    const values = ['ok', null, `${'x'.repeat(32_766)}😀`]
    const error = await writeColumns([{ name: 'notes', type: 'VARCHAR', values }]).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(EngineError)
    expect(error).toMatchObject({
      code: 'unwritable',
      message: expect.stringContaining('“notes”') as string,
      place: 'column “notes”, row 3',
      remedy: expect.stringContaining('CSV') as string,
    })
  })

  test('too many columns', () => {
    const columns = Array.from({ length: 16_385 }, (_, i) => ({ name: `${i}`, type: VARCHAR }))
    expect(() => xlsxWriter.check(columns, options)).toThrow(/16,385 columns/)
    xlsxWriter.check(columns.slice(1), options)
  })

  test('a name that is too long', () => {
    const columns = [{ name: 'x'.repeat(32_768), type: VARCHAR }]
    expect(() => xlsxWriter.check(columns, options)).toThrow(EngineError)
  })
})

test.each([
  ['INTEGER[]', 'nested-as-json'],
  ['STRUCT(a INTEGER)', 'nested-as-json'],
  ['BLOB', 'binary-as-base64'],
  ['UUID', 'uuid-as-text'],
  ['TIMESTAMP WITH TIME ZONE', 'time-zone-dropped'],
  ['BIGINT', undefined],
  ['VARCHAR', undefined],
])('%s: tells %s before the work', (type, code) => {
  const named = { name: 'x', type: parseType(type) }
  expect(xlsxWriter.describe(named, options)?.code).toBe(code)
  expect(xlsxWriter.adapt(named, options)).toBeNull()
})

test('cancelling stops it in the middle of a batch', async () => {
  // Each check of the clock finds that a second has passed, so messages are handled between rows on any machine.
  let seconds = 0
  vi.spyOn(performance, 'now').mockImplementation(() => 1000 * ++seconds)
  const values = Array.from({ length: 20_000 }, (_, i) => `text ${i}`)
  const columns = Array.from({ length: 4 }, (): TextColumn => ({ type: 'VARCHAR', values }))
  const data = columnData(columns[0])
  const controller = new AbortController()
  const writer = openWorkbook(new MemorySink(), options, { ...QUIET, signal: controller.signal })
  await writer.begin({ name: 't', columns: columnsOf(columns) })
  const writing = writer.write(batchOf(columns.map(() => data)))
  setImmediate(() => controller.abort())
  await expect(writing).rejects.toSatisfy(isAbort)
  await expect(writer.finish()).rejects.toSatisfy(isAbort)
})

const SCALARS: Record<string, fc.Arbitrary<string>> = {
  BOOLEAN: fc.boolean().map(String),
  INTEGER: fc.integer().map(String),
  BIGINT: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  DOUBLE: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  VARCHAR: fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('\r\n', '\r', '\n\r\r\n')),
}

/** The other reader turns a carriage return and a line feed into one line end; ours keeps both. */
const asReadElsewhere = (text: string): string => text.replaceAll('\r\n', '\n')

test('random tables come back from another reader', async () => {
  const anyColumn = fc.constantFrom(...Object.keys(SCALARS)).chain((type) =>
    fc.record({
      name: fc.string({ unit: 'binary', maxLength: 8 }),
      type: fc.constant(type),
      values: fc.array(fc.option(SCALARS[type], { freq: 5 }), { minLength: 6, maxLength: 6 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(anyColumn, { minLength: 1, maxLength: 6 }), async (columns) => {
      const { bytes } = await writeColumns(columns)
      const rows = cellsOf(bytes)
      for (const [c, { name, type, values }] of columns.entries()) {
        expect(rows[0][c]?.v).toBe(asReadElsewhere(name))
        for (const [r, value] of values.entries()) {
          const cell = rows[r + 1]?.[c]
          if (value === null) expect(cell).toBeUndefined()
          else if (type === 'BOOLEAN') expect(cell?.v).toBe(value === 'true')
          else if (type === 'VARCHAR') expect(cell).toMatchObject({ t: 's', v: asReadElsewhere(value) })
          else if (type === 'BIGINT') expect(String(cell?.v)).toBe(value)
          else expect(cell?.v === Number(value) || cell?.v === 0).toBe(true)
        }
      }
    }),
    { numRuns: 150 },
  )
})
