import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { parseType, type ColumnType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { xlsxReader } from './read.ts'
import { inspect, QUIET, readRows } from './read-testing.ts'
import { batchOf, columnData, columnsOf, writeTables, type TextColumn } from './write-testing.ts'

const pad = (value: number, width: number): string => String(value).padStart(width, '0')
const integer = (min: bigint, max: bigint): fc.Arbitrary<string> => fc.bigInt({ min, max }).map(String)
const day = fc.integer({ min: -719_162, max: 2_932_896 }).map((days) => {
  const date = new Date(days * 86_400_000)
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`
})
const micros = fc.oneof(fc.nat(999_999), fc.constantFrom(0, 1, 2, 5, 999, 1000, 1001, 500_000, 999_999))
const clock = fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59), micros).map(([h, m, s, fraction]) => {
  const time = `${pad(h, 2)}:${pad(m, 2)}:${pad(s, 2)}`
  return fraction === 0 ? time : `${time}.${pad(fraction, 6).replace(/0+$/, '')}`
})
const moment = fc.tuple(day, clock).map((parts) => parts.join(' '))
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' x ',
    '\r\n',
    '\t',
    '_x000D_',
    '_x005F_',
    '_',
    '<&>"',
    ']]>',
    '007',
    '1e5',
    '=1+1',
    '😀',
    '\u0000',
    'true',
    '#N/A',
  ),
)

const TYPES: readonly (readonly [type: string, values: fc.Arbitrary<string>])[] = [
  ['BOOLEAN', fc.boolean().map(String)],
  ['TINYINT', integer(-128n, 127n)],
  ['INTEGER', integer(-(2n ** 31n), 2n ** 31n - 1n)],
  ['BIGINT', integer(-(2n ** 63n), 2n ** 63n - 1n)],
  ['UBIGINT', integer(0n, 2n ** 64n - 1n)],
  ['HUGEINT', integer(-(10n ** 38n) + 1n, 10n ** 38n - 1n)],
  ['DECIMAL(9,2)', fc.integer({ min: -999_999_999, max: 999_999_999 }).map((cents) => (cents / 100).toFixed(2))],
  ['DECIMAL(38,10)', integer(0n, 10n ** 27n).map((whole) => `${whole}.0123456789`)],
  [
    'DOUBLE',
    fc
      .double()
      .map((value) =>
        Object.is(value, -0)
          ? '-0.0'
          : Number.isInteger(value) && Math.abs(value) < 1e21
            ? `${value}.0`
            : String(value),
      ),
  ],
  ['FLOAT', fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => String(Math.fround(value)))],
  ['VARCHAR', text],
  ['BLOB', fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64'))],
  ['UUID', fc.uuid()],
  ['DATE', day],
  ['TIME', clock],
  ['TIMESTAMP', moment],
  ['TIMESTAMP_S', moment.map((value) => value.slice(0, 19))],
  ['TIMESTAMP WITH TIME ZONE', moment.map((value) => `${value}+00`)],
  ['INTERVAL', fc.constantFrom('1 year 2 months', '26:30:00', '3 days')],
  ['INTEGER[]', fc.array(fc.option(fc.integer()), { maxLength: 4 }).map((value) => JSON.stringify(value))],
]

const anyColumn: fc.Arbitrary<TextColumn> = fc.constantFrom(...TYPES).chain(([type, values]) =>
  fc.record({
    name: text,
    type: fc.constant(type),
    values: fc.array(fc.option(values, { freq: 5 }), { minLength: 7, maxLength: 7 }),
  }),
)

function canonical({ type: name, values }: TextColumn): (string | null)[] {
  const type: ColumnType = parseType(name)
  const data = columnData({ type: name, values })
  return values.map((_, row) => cellToString(type, data, row))
}

test('what our writer wrote is read the same, asked for the same types', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyColumn, { minLength: 1, maxLength: 6 }), async (columns) => {
      const batches = [batchOf(columns.map((column) => columnData(column)))]
      const { file, result } = await writeTables([{ name: 'T', columns: columnsOf(columns), batches }])
      const [{ settings, tables }] = result.readBack
      const wanted = columns.map(({ name = '', type }, index) => ({ index, source: name, type: parseType(type) }))
      const rows: (string | null)[][] = []
      let names: readonly string[] | undefined
      for await (const part of xlsxReader.read(file, { settings, table: tables[0], columns: wanted }, QUIET)) {
        expect(part.rejected).toEqual([])
        names ??= part.names
        for (let row = 0; row < part.batch.numRows; row++) {
          rows.push(wanted.map(({ type }, i) => cellToString(type, part.batch.data.children[i], row)))
        }
      }
      expect(names).toEqual(columns.map(({ name }) => name))
      const expected = columns.map(canonical)
      expect(rows).toEqual(Array.from({ length: 7 }, (_, row) => expected.map((values) => values[row])))
    }),
    { numRuns: 300 },
  )
})

describe('what SheetJS wrote', () => {
  type Value = string | number | boolean | Date | null
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.integer(),
    fc.boolean(),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((string) => !/_x[0-9a-f]{4}_/i.test(string)),
    fc
      .integer({ min: Date.UTC(1901, 0, 1) / 1000, max: Date.UTC(2200, 0, 1) / 1000 })
      .map((seconds) => new Date(seconds * 1000)),
    fc.constant(null),
  )

  function shown(cell: Value): string | null {
    if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace('T', ' ')
    return cell === null ? null : String(cell)
  }

  test.each([true, false])('random sheets, shared strings %s', async (bookSST) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        async (table) => {
          const sheet = XLSX.utils.aoa_to_sheet([['a', 'b', 'c'], ...table], {
            dense: true,
            UTC: true,
            dateNF: 'yyyy-mm-dd hh:mm:ss',
          })
          const book = XLSX.utils.book_new(sheet, 'S')
          const bytes = XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true, bookSST }) as ArrayBuffer
          const settings = { kind: 'xlsx', headerRow: { S: 1 } } as const
          const file = new File([bytes], 's.xlsx')
          const { rows } = await readRows(file, { settings, types: ['VARCHAR', 'VARCHAR', 'VARCHAR'] })
          const kept = table.filter((row) => row.some((cell) => cell !== null))
          expect(rows).toEqual(kept.map((row) => row.map(shown)))
          // The types that the inspection concludes hold for every row.
          const inspected = await inspect(file, settings)
          const { rejected } = await readRows(file, { settings })
          expect(rejected).toEqual([])
          expect(inspected.tables[0].rows).toBe(kept.length)
        },
      ),
      { numRuns: 100 },
    )
  })
})
