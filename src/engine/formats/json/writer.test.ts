import * as fc from 'fast-check'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordBatch } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { defaultOptions, type JsonOptions } from '../../../tables/plan.ts'
import { parseType, printType, type Column, type ColumnType } from '../../../tables/types.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { Fingerprinter } from '../../convert/fingerprint/fingerprint.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { MemorySink } from '../../../lib/sink.ts'
import { batchOf, randomTable } from '../../testing/arbitrary.ts'
import { nativeRows, nativeText } from '../../testing/oracle.ts'
import { jsonReader } from './reader.ts'
import { jsonWriter } from './writer.ts'
import { cellsOf, fileOf, load } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'

const ARRAY: JsonOptions = { kind: 'json', layout: 'array', normalize: false }
const LINES: JsonOptions = { kind: 'json', layout: 'lines', normalize: false }

async function write(columns: readonly Column[], batches: readonly RecordBatch[], options = ARRAY) {
  const sink = new MemorySink()
  const writer = jsonWriter.open(sink, options, QUIET)
  await writer.begin({ name: 'table', columns })
  for (const batch of batches) await writer.write(batch)
  const result = await writer.finish()
  return { file: sink.file('table.json'), text: await sink.file('').text(), result }
}

/** A column with the given values, of which null is null. */
function oneColumn(type: string, values: readonly (string | null)[]): { column: Column; batch: RecordBatch } {
  const column = { name: 'v', type: parseType(type) }
  return { column, batch: batchOf({ columns: [column], cells: [values] }) }
}

async function written(type: string, values: readonly (string | null)[]): Promise<string[]> {
  const made = oneColumn(type, values)
  const { text } = await write([made.column], [made.batch], LINES)
  return text.trimEnd().split('\n')
}

describe('text', () => {
  const { column, batch: data } = oneColumn('INTEGER', ['1', null])

  it('is an array with an object a line', async () => {
    expect((await write([column], [data])).text).toBe('[\n{"v":1},\n{"v":null}\n]\n')
    expect((await write([column], [])).text).toBe('[]\n')
    expect((await write([column], [data.slice(0, 0), data.slice(1), data.slice(0, 1)])).text).toBe(
      '[\n{"v":null},\n{"v":1}\n]\n',
    )
  })

  it('is one object a line', async () => {
    expect((await write([column], [data], LINES)).text).toBe('{"v":1}\n{"v":null}\n')
    expect((await write([column], [], LINES)).text).toBe('')
  })

  it.each([
    ['HUGEINT', '99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
    ['DECIMAL(38,2)', '123456789012345678901234567890123456.70', '123456789012345678901234567890123456.70'],
    ['DOUBLE', '0.1', '0.1'],
    ['VARCHAR', '"\\\b\f\n\r\t\u0000\u001f/é🎈\u2028<', '"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/é🎈\u2028<"'],
    ['BLOB', 'AAEC/w==', '"AAEC/w=="'],
    ['DATE', '2024-02-29', '"2024-02-29"'],
    ['TIMESTAMP', '2024-02-29 12:00:00.5', '"2024-02-29T12:00:00.5"'],
    ['TIMESTAMP WITH TIME ZONE', '2024-02-29 12:00:00+02', '"2024-02-29T10:00:00Z"'],
    ['STRUCT(a BIGINT, "b c" VARCHAR[])', '{"b c":["x"]}', '{"a":null,"b c":["x"]}'],
    ['MAP(VARCHAR, INTEGER)', '{"k":1}', '{"k":1}'],
    ['MAP(INTEGER, INTEGER)', '[{"key":1,"value":null}]', '[{"key":1,"value":null}]'],
  ])('writes %s %s', async (type, text, json) => {
    expect(await written(type, [text])).toEqual([`{"v":${json}}`])
  })

  it('keeps any name', async () => {
    const names = ['__proto__', 'a"b\\', '', '<b>\n', 'é']
    const columns = names.map((name) => ({ name, type: parseType('INTEGER') }))
    const { text } = await write(columns, [batchOf({ columns, cells: names.map((_, i) => [String(i)]) })], LINES)
    expect(text).toBe('{"__proto__":0,"a\\"b\\\\":1,"":2,"<b>\\n":3,"é":4}\n')
  })
})

describe('what JSON has not', () => {
  it('makes nulls of NaN and infinities, and counts them', async () => {
    const { column, batch: data } = oneColumn('DOUBLE', ['NaN', '1', 'Infinity', null, '-Infinity', '2'])
    const adaptation = jsonWriter.adapt(column, ARRAY)
    expect(adaptation).toMatchObject({ type: column.type, onlyIfChanged: true, note: { column: 'v' } })
    const { data: out, changed } = (await adaptation?.convert?.(data.data.children[0])) ?? { data: null, changed: 0 }
    expect(changed).toBe(3)
    expect(out && cellsOf([column], batchFromColumns([out], 6))).toEqual([
      [null],
      ['1.0'],
      [null],
      [null],
      [null],
      ['2.0'],
    ])
    const slice = data.slice(1, 3).data.children[0]
    const part = await adaptation?.convert?.(slice)
    expect(part?.changed).toBe(1)
    expect(part && cellsOf([column], batchFromColumns([part.data], 2))).toEqual([['1.0'], [null]])
    // The batch itself isn't changed.
    expect(cellsOf([column], data)[0]).toEqual(['NaN'])
  })

  it('does so inside of nested values, but only in the rows that there are', async () => {
    const type = parseType('STRUCT(l DOUBLE[], m MAP(VARCHAR, FLOAT))')
    const builder = makeColumnBuilder(type)
    const rows = ['{"l":["NaN",1],"m":{"a":"Infinity"}}', '{"l":["-Infinity"],"m":{"b":2}}', '{"l":[],"m":{"c":"NaN"}}']
    for (const row of rows) expect(builder.appendText(Buffer.from(row), 0, row.length)).toBe(true)
    const column = { name: 'v', type }
    const data = batchFromColumns([builder.finish()], 3)
    const convert = jsonWriter.adapt(column, ARRAY)?.convert
    expect((await convert?.(data.data.children[0]))?.changed).toBe(4)
    const { data: out, changed } = (await convert?.(data.slice(1, 3).data.children[0])) ?? { data: null, changed: 0 }
    expect(changed).toBe(2)
    expect(out && cellsOf([column], batchFromColumns([out], 2))).toEqual([
      ['{"l":[null],"m":{"b":2.0}}'],
      ['{"l":[],"m":{"c":null}}'],
    ])
  })

  it('leaves columns alone that have none', async () => {
    expect(jsonWriter.adapt({ name: 'v', type: parseType('DECIMAL(9,2)[]') }, ARRAY)).toBeNull()
    const { column, batch: data } = oneColumn('DOUBLE[]', ['[1,2]'])
    const given = data.data.children[0]
    expect(await jsonWriter.adapt(column, ARRAY)?.convert?.(given)).toEqual({ data: given, changed: 0 })
  })

  it.each([
    ['BLOB', 'binary-as-base64'],
    ['STRUCT(a BLOB)[]', 'binary-as-base64'],
    ['TIMESTAMP', 'time-as-text'],
    ['MAP(DATE, INTEGER)', 'time-as-text'],
    ['INTEGER', undefined],
  ])('describes %s', (type, code) => {
    expect(jsonWriter.describe({ name: 'v', type: parseType(type) }, ARRAY)?.code).toBe(code)
  })

  it('refuses structs with two fields of one name', () => {
    const field = { name: 'a', type: parseType('INTEGER') }
    const type: ColumnType = { kind: 'list', item: { kind: 'struct', fields: [field, field] } }
    expect(() => jsonWriter.check([{ name: 'v', type }], ARRAY)).toThrowError(/two fields named “a”/)
  })
})

/** Random nested types, with values as JSON text. */
const scalarValue: readonly (readonly [string, fc.Arbitrary<string>])[] = [
  ['INTEGER', fc.integer().map(String)],
  ['BIGINT', fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String)],
  ['DECIMAL(20,3)', fc.bigInt(0n, 10n ** 16n).map((whole) => `${whole}.125`)],
  [
    'DOUBLE',
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? '-0.0' : String(value))),
  ],
  ['BOOLEAN', fc.boolean().map(String)],
  ['VARCHAR', fc.string({ unit: 'grapheme', maxLength: 6 }).map((value) => JSON.stringify(value))],
  ['DATE', fc.constantFrom('"2024-02-29"', '"1600-01-01"')],
  ['TIMESTAMP WITH TIME ZONE', fc.constantFrom('"2024-02-29T12:00:00.25Z"', '"1999-12-31T23:59:59+01:00"')],
  ['BLOB', fc.constantFrom('""', '"AAEC/w=="')],
]

interface Nested {
  readonly type: ColumnType
  readonly value: fc.Arbitrary<string>
}
const orNull = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant('null') })

const nested: fc.Arbitrary<Nested> = fc.letrec<{
  node: Nested
  list: Nested
  struct: Nested
  map: Nested
  leaf: Nested
}>((tie) => ({
  leaf: fc.constantFrom(...scalarValue).map(([type, value]) => ({ type: parseType(type), value })),
  list: tie('node').map(({ type, value }) => ({
    type: { kind: 'list', item: type },
    value: fc.array(orNull(value), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  })),
  struct: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b c', '__proto__', '"', 'é'), tie('node')), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map((fields) => ({
      type: { kind: 'struct', fields: fields.map(([name, { type }]) => ({ name, type })) },
      value: fc
        .tuple(fc.shuffledSubarray(fields.map((_, i) => i)), ...fields.map(([, { value }]) => orNull(value)))
        .map(
          ([order, ...values]) =>
            `{${order.map((i) => `${JSON.stringify(fields[i]?.[0])}: ${values[i] ?? ''}`).join(' , ')}}`,
        ),
    })),
  map: fc.tuple(fc.constantFrom('VARCHAR', 'INTEGER'), tie('node')).map(([key, { type, value }]) => ({
    type: { kind: 'map', key: parseType(key), value: type },
    value: fc
      .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 99 }), orNull(value)), { maxLength: 3, selector: ([k]) => k })
      .map((entries) =>
        key === 'VARCHAR'
          ? `{${entries.map(([k, v]) => `"k${k}":${v}`).join(',')}}`
          : `[${entries.map(([k, v]) => `{"value":${v},"key":${k}}`).join(',')}]`,
      ),
  })),
  node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie('leaf'), tie('list'), tie('struct'), tie('map')),
})).node

describe('round trips', () => {
  it('gives a table without rows back', async () => {
    const { column, batch: data } = oneColumn('INTEGER', ['1'])
    for (const options of [ARRAY, LINES]) {
      await roundTrip([column], data.slice(0, 0), options, [])
    }
  })

  it('gives random tables back', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomTable(),
        fc.boolean(),
        fc.array(fc.nat(30), { maxLength: 3 }),
        async (table, asLines, cuts) => {
          await roundTrip(table.columns, batchOf(table), asLines ? LINES : ARRAY, cuts)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('gives random nested values back', async () => {
    const cases = nested.chain(({ type, value }) =>
      fc.tuple(
        fc.constant(type),
        fc.array(fc.option(value, { freq: 6 }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(8), { maxLength: 2 }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([type, values, cuts]) => {
        const isString = (value: string | null): value is string =>
          type.kind === 'scalar' && value?.startsWith('"') === true
        const texts = values.map((value) => (isString(value) ? (JSON.parse(value) as string) : value))
        const { column, batch: data } = oneColumn(printType(type), texts)
        await roundTrip([column], data, LINES, cuts)
      }),
      { numRuns: 300 },
    )
  })

  async function roundTrip(
    columns: readonly Column[],
    whole: RecordBatch,
    options: JsonOptions,
    cuts: readonly number[],
  ): Promise<void> {
    const expected = new Fingerprinter(columns)
    expected.add(whole)
    const bounds = [0, ...cuts.map((cut) => Math.min(cut, whole.numRows)).sort((a, b) => a - b), whole.numRows]
    const slices = bounds.slice(1).map((end, i) => whole.slice(bounds[i], end))
    const { file, result } = await write(columns, slices, options)
    const [readBack] = result.readBack
    const found = new Fingerprinter(columns)
    const wanted = columns.map(({ name, type }, index) => ({ index, source: name, type }))
    const request = { settings: readBack.settings, table: null, columns: wanted }
    for await (const { batch: part, rejected, names } of jsonReader.read(file, request, QUIET)) {
      expect(rejected).toEqual([])
      expect(names).toEqual(columns.map(({ name }) => name))
      found.add(part)
    }
    expect(found.finish()).toEqual(expected.finish())
  }
})

const UNREADABLE = /^(BLOB|HUGEINT|DECIMAL\(38)/

describe('native DuckDB', () => {
  it('reads what we write as the same values', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'json-'))
    const options = [ARRAY, LINES]
    try {
      await nativeRows(`SET TimeZone = 'UTC'`)
      await fc.assert(
        fc.asyncProperty(randomTable(), fc.constantFrom(...options), async (table, layout) => {
          // DuckDB doesn't read base64, and converts long numbers in JSON to doubles.
          const kept = table.columns.flatMap(({ type }, i) => (UNREADABLE.test(printType(type)) ? [] : [i]))
          const columns = kept.map((i, n) => ({ name: `c${n}`, type: table.columns[i].type }))
          if (columns.length === 0) return
          const data = batchOf({ columns, cells: kept.map((i) => table.cells[i]) })
          const { text } = await write(columns, [data], layout)
          const path = join(folder, 'table.json')
          writeFileSync(path, text)
          const types = columns.map(({ name, type }) => `${name}: '${printType(type)}'`).join(', ')
          const format = layout === ARRAY ? 'array' : 'newline_delimited'
          const rows = await nativeText(
            `SELECT to_json(t) FROM (FROM read_json('${path}', format = '${format}', columns = {${types}})) t`,
          )
          const ours = text
            .split('\n')
            .filter((line) => line.startsWith('{'))
            .map((line) => line.replace(/,$/, ''))
          expect(rows.map(([row]) => loose(row ?? ''))).toEqual(ours.map(loose))
        }),
        { numRuns: 40 },
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  /** DuckDB prints timestamps with a space, `+00` for Z and trailing zeros in maps of doubles; numbers stay text. */
  function loose(json: string): unknown {
    return JSON.parse(json.replaceAll(/(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+?)?)0*(?:Z|\+00)?"/g, '$1 $2"'))
  }
})

it('has the options that a plan gives', async () => {
  expect(defaultOptions('json')).toEqual(ARRAY)
  const { inspection } = await load(fileOf('{"a":1}\n', 'a.ndjson'))
  expect(inspection.settings).toMatchObject({ layout: 'lines' })
})
