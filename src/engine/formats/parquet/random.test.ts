import type { RecordBatch } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultOptions } from '../../../tables/plan.ts'
import type { TableFingerprint } from '../../../tables/receipt.ts'
import { parseType, printType, scalar, type Column, type ColumnType, type ScalarName } from '../../../tables/types.ts'
import { Fingerprinter } from '../../convert/fingerprint/fingerprint.ts'
import { batchOf } from '../../testing/arbitrary.ts'
import { arrowReader } from '../arrow/reader.ts'
import { arrowWriter } from '../arrow/writer.ts'
import { parquetReader } from './reader.ts'
import { parquetWriter } from './writer.ts'
import { fileAt, readAll, saveFile, tempPath, writeAll } from './testing/oracle.ts'
import { nativeRows } from '../../testing/oracle.ts'
import { loadParquet } from './wasm.ts'

/* Random tables of every type, nested at random, through our writers and readers and through others'. */

const pad = (value: number, width: number): string => String(value).padStart(width, '0')
const whole = (bits: bigint, signed: boolean): fc.Arbitrary<string> =>
  (signed ? fc.bigInt(-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n) : fc.bigInt(0n, 2n ** bits - 1n)).map(String)
const day = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const recent = fc
  .date({ min: new Date('1700-01-01T00:00:00Z'), max: new Date('2200-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const clock = (digits: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(10 ** digits - 1))
    .map(([h, m, s, f]) => `${pad(h, 2)}:${pad(m, 2)}:${pad(s, 2)}${digits > 0 ? `.${pad(f, digits)}` : ''}`)
const moment = (days: fc.Arbitrary<string>, digits: number): fc.Arbitrary<string> =>
  fc.tuple(days, clock(digits)).map(([d, t]) => `${d} ${t}`)
// NaN and infinities are null in JSON.
const float = (single: boolean): fc.Arbitrary<string> =>
  (single
    ? fc.float({ noNaN: true, noDefaultInfinity: true })
    : fc.double({ noNaN: true, noDefaultInfinity: true })
  ).map((value) => (Object.is(value, -0) ? '-0.0' : String(value)))

/** Values as text; `true` if they are quoted in JSON. */
const SCALARS: readonly (readonly [name: ScalarName, values: fc.Arbitrary<string>, quoted: boolean])[] = [
  ['BOOLEAN', fc.boolean().map(String), false],
  ['TINYINT', whole(8n, true), false],
  ['SMALLINT', whole(16n, true), false],
  ['INTEGER', whole(32n, true), false],
  ['BIGINT', whole(64n, true), false],
  ['HUGEINT', fc.bigInt(-(10n ** 38n) + 1n, 10n ** 38n - 1n).map(String), false],
  ['UTINYINT', whole(8n, false), false],
  ['USMALLINT', whole(16n, false), false],
  ['UINTEGER', whole(32n, false), false],
  ['UBIGINT', whole(64n, false), false],
  ['FLOAT', float(true), false],
  ['DOUBLE', float(false), false],
  ['VARCHAR', fc.string({ maxLength: 12, unit: 'grapheme' }), true],
  ['BLOB', fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64')), true],
  ['UUID', fc.uuid(), true],
  ['DATE', day, true],
  ['TIME', clock(6), true],
  ['TIMESTAMP', moment(day, 6), true],
  ['TIMESTAMP_S', moment(day, 0), true],
  ['TIMESTAMP_MS', moment(day, 3), true],
  ['TIMESTAMP_NS', moment(recent, 9), true],
  ['TIMESTAMP WITH TIME ZONE', moment(day, 6).map((text) => `${text}+00`), true],
]

interface TypedValues {
  readonly type: ColumnType
  /** A cell's text, and the same value as JSON. */
  readonly cell: fc.Arbitrary<{ readonly text: string; readonly json: string }>
}

const flat = (type: ColumnType, values: fc.Arbitrary<string>, quoted: boolean): TypedValues => ({
  type,
  cell: values.map((text) => ({ text, json: quoted ? JSON.stringify(text) : text })),
})

const decimal = fc.tuple(fc.integer({ min: 1, max: 38 }), fc.nat(38)).map(([width, some]): TypedValues => {
  const scale = Math.min(width, some)
  const limit = 10n ** BigInt(width) - 1n
  const values = fc.bigInt(-limit, limit).map((value) => {
    const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
    const point = digits.length - scale
    return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`
  })
  return flat({ kind: 'decimal', width, scale }, values, false)
})
const simple = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(...SCALARS).map(([name, values, quoted]) => flat(scalar(name), values, quoted)),
  },
  { weight: 1, arbitrary: decimal },
)

const nullable = ({ cell }: TypedValues): fc.Arbitrary<string> =>
  fc.option(cell, { freq: 4 }).map((value) => value?.json ?? 'null')
const both = (json: string): { text: string; json: string } => ({ text: json, json })

const { tree } = fc.letrec<{ tree: TypedValues }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 2, arbitrary: simple },
    {
      weight: 1,
      arbitrary: tie('tree').map((item): TypedValues => ({
        type: { kind: 'list', item: item.type },
        cell: fc.array(nullable(item), { maxLength: 4 }).map((items) => both(`[${items.join(',')}]`)),
      })),
    },
    {
      weight: 1,
      arbitrary: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((fields): TypedValues => ({
        type: { kind: 'struct', fields: fields.map(({ type }, i) => ({ name: ['a', 'b.c', '__proto__'][i], type })) },
        cell: fc
          .tuple(...fields.map(nullable))
          .map((values) => both(`{${values.map((json, i) => `"${['a', 'b.c', '__proto__'][i]}":${json}`).join(',')}}`)),
      })),
    },
    {
      weight: 1,
      arbitrary: tie('tree').map((value): TypedValues => ({
        type: { kind: 'map', key: scalar('VARCHAR'), value: value.type },
        cell: fc
          .uniqueArray(fc.tuple(fc.string({ maxLength: 4 }), nullable(value)), {
            maxLength: 3,
            selector: ([key]) => key,
          })
          .map((pairs) => both(`{${pairs.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`)),
      })),
    },
  ),
}))

const NAMES = ['plain', 'ünï', 'a.b', '漢字', '__proto__']

interface Made {
  readonly columns: readonly Column[]
  readonly batches: readonly RecordBatch[]
}

/** One to five columns, up to forty rows in one to three batches, some of them slices of others. */
const table: fc.Arbitrary<Made> = fc
  .tuple(fc.array(tree, { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 40 }), fc.nat(40))
  .chain(([typed, rows, cut]) => {
    const columns = typed.map(({ type }, i) => ({ name: NAMES[i], type }))
    const cells = typed.map(({ cell }) => fc.array(fc.option(cell, { freq: 4 }), { minLength: rows, maxLength: rows }))
    return fc.tuple(...cells).map((made): Made => {
      const batch = batchOf({ columns, cells: made.map((column) => column.map((value) => value?.text ?? null)) })
      const at = Math.min(cut, rows)
      return { columns, batches: [batch.slice(0, at), batch.slice(at, rows), batch] }
    })
  })

/** Uses the adapted types, with which values are read back. */
function fingerprintOf(columns: readonly Column[], batches: readonly RecordBatch[]): TableFingerprint {
  const printer = new Fingerprinter(columns)
  for (const batch of batches) printer.add(batch)
  return printer.finish()
}

const rowsOf = ({ batches }: Made): number => batches.reduce((sum, { numRows }) => sum + numRows, 0)

describe('random tables', () => {
  it('are the same through Parquet, and through native DuckDB', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 50 }), async (made, rowGroupSize) => {
        const options = { kind: 'parquet', codec: 'snappy', rowGroupSize } as const
        const { file, columns } = await writeAll(parquetWriter, made.columns, made.batches, options)
        const back = await readAll(parquetReader, file)
        expect(back.columns).toEqual(columns)
        expect(back.rows).toBe(rowsOf(made))
        expect(back.nulls).toEqual(back.fingerprint.columns.map(({ nulls }) => nulls))
        // If nothing was converted, the fingerprint is the same as before writing.
        if (!/TIMESTAMP_S/.test(made.columns.map(({ type }) => printType(type)).join())) {
          expect(back.fingerprint).toEqual(fingerprintOf(columns, made.batches))
        }
        const [ours, theirs] = [await saveFile(file), tempPath('parquet')]
        const described = await nativeRows(`SELECT column_type FROM (DESCRIBE FROM '${ours}')`)
        // DuckDB uses microseconds for milliseconds, and quotes names differently.
        const types = columns.map(({ type }) => printType(type).replaceAll('TIMESTAMP_MS', 'TIMESTAMP'))
        const plain = (text: string): string => text.replaceAll('TIMESTAMP_MS', 'TIMESTAMP').replaceAll('"', '')
        expect(described.map(([type]) => plain(String(type)))).toEqual(types.map(plain))
        await nativeRows(`COPY (FROM '${ours}') TO '${theirs}' (FORMAT parquet)`)
        const again = await readAll(parquetReader, fileAt(theirs))
        if (!columns.some(({ type }) => printType(type).includes('TIMESTAMP_MS'))) {
          expect(again.fingerprint.rowChecksum).toBe(back.fingerprint.rowChecksum)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('are the same through Arrow, and through arrow-rs', async () => {
    const { Table } = await loadParquet()
    await fc.assert(
      fc.asyncProperty(table, async (made) => {
        const { file, columns } = await writeAll(arrowWriter, made.columns, made.batches, defaultOptions('arrow'))
        const back = await readAll(arrowReader, file)
        expect(back.columns).toEqual(columns)
        expect(back.fingerprint).toEqual(fingerprintOf(columns, made.batches))
        expect(back.nulls).toEqual(back.fingerprint.columns.map(({ nulls }) => nulls))
        // Without its magic bytes, the file is a stream.
        const stream = new Uint8Array(await file.slice(8).arrayBuffer())
        const rust = Table.fromIPCStream(stream).intoIPCStream() as Uint8Array<ArrayBuffer>
        const again = await readAll(arrowReader, new File([rust], 'x.arrow'))
        expect(again.fingerprint).toEqual(back.fingerprint)
      }),
      { numRuns: 80 },
    )
  })
})

it.each(['BOOLEAN[]', 'MAP(VARCHAR, BOOLEAN)', 'STRUCT(a BOOLEAN[])[]'])(
  'slices of %s whose truth values are all null are the same',
  async (name) => {
    const type = parseType(name)
    const [some, none] = {
      'BOOLEAN[]': ['[true,null]', '[null]'],
      'MAP(VARCHAR, BOOLEAN)': ['{"a":true}', '{"b":null}'],
      'STRUCT(a BOOLEAN[])[]': ['[{"a":[true]}]', '[{"a":[null,null]},{"a":null}]'],
    }[name] ?? ['', '']
    const batch = batchOf({ columns: [{ name: 'c', type }], cells: [[some, none, none]] })
    const batches = [batch.slice(0, 1), batch.slice(1, 3)]
    for (const [reader, writer, options] of [
      [parquetReader, parquetWriter, defaultOptions('parquet')],
      [arrowReader, arrowWriter, defaultOptions('arrow')],
    ] as const) {
      const { file, columns } = await writeAll(writer, [{ name: 'c', type }], batches, options)
      expect((await readAll(reader, file)).fingerprint).toEqual(fingerprintOf(columns, batches))
    }
  },
)
