import fc from 'fast-check'
import type { RecordBatch } from 'apache-arrow'
import { parseType, type Column, type ColumnType } from '../../tables/types.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { batchFromColumns } from '../arrow/batch.ts'

/* Random tables. Tests only. */

const encoder = new TextEncoder()
const pad = (value: number, width: number): string => String(value).padStart(width, '0')

const day = fc
  .date({ min: new Date('1900-03-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const time = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(999_999))
  .map(([h, m, s, micro]) => `${pad(h, 2)}:${pad(m, 2)}:${pad(s, 2)}.${pad(micro, 6)}`)
const moment = fc.tuple(day, time).map(([d, t]) => `${d} ${t}`)
const integer = (min: bigint, max: bigint): fc.Arbitrary<string> => fc.bigInt(min, max).map(String)

/** Text that has broken readers: quotes, separators, line ends, formulas, markup, text that looks like numbers. */
const nasty = fc.constantFrom(
  '',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\n',
  '\r\n',
  '\r',
  "'",
  '\\',
  '\\N',
  'NULL',
  'null',
  '007',
  '1e5',
  '+1',
  '-0',
  '=1+1',
  '<b>&amp;',
  '__proto__',
  '_x000D_',
  ' x ',
  '#',
  '漢字',
  '🎈',
  '\u2028',
  '\u0001',
  '{"a":1}',
  '[1]',
  '2024-01-02',
  'true',
)
const text = fc.oneof(
  nasty,
  fc.string({ maxLength: 20, unit: 'grapheme' }),
  fc.array(nasty, { maxLength: 4 }).map((a) => a.join('')),
)
const double = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (Object.is(value, -0) ? '-0.0' : String(value)))

/** Types, and their values as canonical text. */
const VALUES: readonly (readonly [type: string, values: fc.Arbitrary<string>])[] = [
  ['BOOLEAN', fc.boolean().map(String)],
  ['INTEGER', integer(-(2n ** 31n), 2n ** 31n - 1n)],
  ['BIGINT', integer(-(2n ** 63n), 2n ** 63n - 1n)],
  ['UBIGINT', integer(0n, 2n ** 64n - 1n)],
  ['HUGEINT', integer(-(10n ** 38n) + 1n, 10n ** 38n - 1n)],
  ['DECIMAL(12,2)', integer(-(10n ** 9n), 10n ** 9n).map((whole) => `${whole}.05`)],
  ['DECIMAL(38,10)', integer(0n, 10n ** 27n).map((whole) => `${whole}.0123456789`)],
  ['DOUBLE', double],
  ['VARCHAR', text],
  ['DATE', day],
  ['TIME', time],
  ['TIMESTAMP', moment],
  ['TIMESTAMP WITH TIME ZONE', moment.map((value) => `${value}+00`)],
  ['BLOB', fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64'))],
  ['UUID', fc.uuid()],
  ['INTEGER[]', fc.array(fc.option(fc.integer()), { maxLength: 4 }).map((value) => JSON.stringify(value))],
  [
    'STRUCT(a BIGINT, "b c" VARCHAR)',
    fc.record({ a: fc.option(fc.integer()), 'b c': fc.option(text) }).map((value) => JSON.stringify(value)),
  ],
  [
    'MAP(VARCHAR, DOUBLE)',
    fc
      .uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.integer()), {
        selector: ([key]) => key,
        maxLength: 3,
      })
      .map((pairs) => `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}.5`).join(',')}}`),
  ],
]

export interface RandomTable {
  readonly columns: readonly Column[]
  /** By column, then row; null is null. */
  readonly cells: readonly (readonly (string | null)[])[]
}

const name = fc.oneof(
  fc.constantFrom('a', 'A', 'b c', '__proto__', 'constructor', '"', '<i>', '0', 'id,name', 'ünï'),
  fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }).filter((value) => value.trim() === value),
)

/** Tables with one to six columns and up to thirty rows, including nulls. */
export function randomTable(): fc.Arbitrary<RandomTable> {
  return fc
    .record({
      rows: fc.integer({ min: 1, max: 30 }),
      names: fc.uniqueArray(name, { minLength: 1, maxLength: 6, selector: (value) => value.toLowerCase() }),
    })
    .chain(({ rows, names }) =>
      fc
        .tuple(
          ...names.map(() =>
            fc.constantFrom(...VALUES).chain(([type, values]) => column(parseType(type), values, rows)),
          ),
        )
        .map((made) => ({
          columns: made.map(({ type }, i) => ({ name: names[i] ?? '', type })),
          cells: made.map(({ cells }) => cells),
        })),
    )
}

function column(
  type: ColumnType,
  values: fc.Arbitrary<string>,
  rows: number,
): fc.Arbitrary<{ type: ColumnType; cells: (string | null)[] }> {
  return fc
    .array(fc.option(values, { freq: 5 }), { minLength: rows, maxLength: rows })
    .map((cells) => ({ type, cells }))
}

export function batchOf({ columns, cells }: RandomTable): RecordBatch {
  const data = columns.map(({ type }, i) => {
    const builder = makeColumnBuilder(type)
    for (const cell of cells[i]) {
      if (cell === null) builder.appendNull()
      else {
        const bytes = encoder.encode(cell)
        if (!builder.appendText(bytes, 0, bytes.length)) throw new Error(`not a value: ${JSON.stringify(cell)}`)
      }
    }
    return builder.finish()
  })
  return batchFromColumns(data, cells[0].length)
}
