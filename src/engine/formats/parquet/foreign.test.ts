import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { parseType } from '../../../tables/types.ts'
import { batchOf } from '../../testing/arbitrary.ts'
import { cellToString } from '../../arrow/text.ts'
import { duckParquet, readAll, writeAll } from './testing/oracle.ts'
import { nativeRows } from '../../testing/oracle.ts'
import { withFooter } from './testing/footer.ts'
import { parquetReader } from './reader.ts'
import { parquetWriter } from './writer.ts'
import { MIXED, OPTIONS, rewrite } from './testing/mixed.ts'
import { QUIET } from '../../testing/quiet.ts'

/** Each column's type and values, as text. */
async function contents(file: File): Promise<Record<string, [string, ...(string | null)[]]>> {
  const inspection = await parquetReader.inspect(file, {}, QUIET)
  const { columns, batches } = await readAll(parquetReader, file)
  const values = columns.map(({ name, type }, i): [string, [string, ...(string | null)[]]] => [
    name,
    [
      inspection.tables[0].columns[i].type,
      ...batches.flatMap((batch) => {
        const data = batch.data.children[i]
        return Array.from({ length: data.length }, (_, row) => cellToString(type, data, row))
      }),
    ],
  ])
  return Object.fromEntries(values)
}

describe('files of native DuckDB', () => {
  it.each([['uncompressed'], ['snappy'], ['gzip'], ['zstd'], ['lz4_raw'], ['brotli']])(
    'reads %s, data pages V1 and V2, exactly',
    async (codec) => {
      for (const version of ['v1', 'v2']) {
        const query = `FROM (${MIXED}) CROSS JOIN range(30) ORDER BY i32`
        const { path, file } = await duckParquet(
          `SELECT * EXCLUDE range ${query}`,
          `COMPRESSION ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048`,
        )
        const out = await rewrite(file)
        const difference = `SELECT count(*) FROM (SELECT * FROM '${path}' EXCEPT ALL SELECT * FROM '${out}')`
        expect(await nativeRows(difference)).toEqual([['0']])
        expect(await nativeRows(`SELECT count(*) FROM '${out}'`)).toEqual([['3000']])
      }
    },
  )

  it('carries what the library would get wrong', async () => {
    const { file } = await duckParquet(`SELECT * FROM (VALUES
      (INTERVAL '14 months 3 days 4 hours 0.5 seconds', [INTERVAL '1 day', NULL], uuid '00112233-4455-6677-8899-aabbccddeeff', '01:02:03+02'::TIMETZ, 'b'::ENUM('a', 'b')),
      (NULL, NULL, NULL, NULL, NULL),
      (INTERVAL '0 seconds', [], uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff', '23:59:59+00'::TIMETZ, 'a'::ENUM('a', 'b'))
    ) t(iv, ivs, u, tz, e)`)
    expect(await contents(file)).toEqual({
      iv: ['INTERVAL', '1 year 2 months 3 days 04:00:00.5', null, '00:00:00'],
      ivs: ['INTERVAL[]', '["1 day",null]', null, '[]'],
      u: ['UUID', '00112233-4455-6677-8899-aabbccddeeff', null, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
      tz: ['TIME', '01:02:03', null, '23:59:59'],
      e: ['VARCHAR', 'b', null, 'a'],
    })
  })

  it('counts the nulls of nested columns', async () => {
    const { file } =
      await duckParquet(`SELECT CASE WHEN i % 3 = 0 THEN NULL ELSE {'a': NULL::INTEGER, 'b': [1]} END AS s,
      CASE WHEN i % 4 = 0 THEN NULL ELSE [NULL::INTEGER] END AS l, CASE WHEN i % 5 = 0 THEN NULL ELSE MAP {1: 2} END AS m,
      i % 2 AS "s.a" FROM range(60) r(i)`)
    const { nulls, fingerprint } = await readAll(parquetReader, file)
    expect(nulls).toEqual([20, 15, 12, 0])
    expect(fingerprint.columns.map((column) => column.nulls)).toEqual([20, 15, 12, 0])
  })

  it('reads nested columns with letters beyond ASCII', async () => {
    const { file } = await duckParquet(`SELECT 1 AS a, MAP {'ü': 1} AS "ünï", {'ä': [2], 'ö': 'x'} AS "漢"`)
    expect(await contents(file)).toEqual({
      a: ['INTEGER', '1'],
      ünï: ['MAP(VARCHAR, INTEGER)', '{"ü":1}'],
      漢: ['STRUCT("ä" INTEGER[], "ö" VARCHAR)', '{"ä":[2],"ö":"x"}'],
    })
  })

  it('reads chosen columns in the order asked for, though names look like paths', async () => {
    const { file } = await duckParquet(`SELECT {'b': 1, 'c': 2} AS a, 3 AS "a.b", 4 AS c, 5 AS "a.b.c"`)
    const inspection = await parquetReader.inspect(file, {}, QUIET)
    const read = async (...indexes: number[]): Promise<string[]> => {
      const columns = indexes.map((index) => ({
        index,
        source: '',
        type: { kind: 'scalar', name: 'INTEGER' } as const,
      }))
      const cells: string[] = []
      for await (const { batch } of parquetReader.read(
        file,
        { settings: inspection.settings, table: null, columns },
        QUIET,
      )) {
        cells.push(...batch.data.children.map((data, i) => cellToString(columns[i].type, data, 0) ?? 'null'))
      }
      return cells
    }
    expect(await read(2, 1)).toEqual(['4', '3'])
    expect(await read(3)).toEqual(['5'])
    expect(await read(1, 3, 2)).toEqual(['3', '5', '4'])
  })
})

describe('files of hyparquet-writer', () => {
  it('reads types that DuckDB does not write', async () => {
    const buffer = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 8 },
        {
          name: 'half',
          type: 'FIXED_LEN_BYTE_ARRAY',
          type_length: 2,
          logical_type: { type: 'FLOAT16' },
          repetition_type: 'OPTIONAL',
        },
        {
          name: 'zoned',
          type: 'INT64',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
          repetition_type: 'OPTIONAL',
        },
        {
          name: 'fine',
          type: 'INT64',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
          repetition_type: 'OPTIONAL',
        },
        {
          name: 'time',
          type: 'INT64',
          logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'NANOS' },
          repetition_type: 'OPTIONAL',
        },
        {
          name: 'fine time',
          type: 'INT64',
          logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'NANOS' },
          repetition_type: 'OPTIONAL',
        },
        {
          name: 'millis',
          type: 'INT32',
          logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MILLIS' },
          repetition_type: 'OPTIONAL',
        },
        { name: 'enum', type: 'BYTE_ARRAY', logical_type: { type: 'ENUM' }, repetition_type: 'OPTIONAL' },
        { name: 'fixed', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 3, repetition_type: 'OPTIONAL' },
      ],
      columnData: [
        { name: 'half', data: [1.5, null, -0.25] },
        { name: 'zoned', data: [1_600_000_000_123_456_000n, null, -1000n] },
        { name: 'fine', data: [1_600_000_000_123_456_789n, null, -1n] },
        { name: 'time', data: [3_723_000_001_000n, null, 0n] },
        { name: 'fine time', data: [3_723_000_000_001n, null, 0n] },
        { name: 'millis', data: [3_723_001, null, 0] },
        {
          name: 'enum',
          data: ['rot', null, 'grün'].map((text) => (text === null ? null : new TextEncoder().encode(text))),
        },
        { name: 'fixed', data: [new Uint8Array([1, 2, 3]), null, new Uint8Array([255, 0, 1])] },
      ],
    })
    const file = new File([buffer], 'x.parquet')
    expect(await contents(file)).toEqual({
      half: ['FLOAT', '1.5', null, '-0.25'],
      zoned: ['TIMESTAMP WITH TIME ZONE', '2020-09-13 12:26:40.123456+00', null, '1969-12-31 23:59:59.999999+00'],
      fine: ['TIMESTAMP_NS', '2020-09-13 12:26:40.123456789', null, '1969-12-31 23:59:59.999999999'],
      time: ['TIME', '01:02:03.000001', null, '00:00:00'],
      'fine time': ['VARCHAR', '01:02:03.000000001', null, '00:00:00'],
      millis: ['TIME', '01:02:03.001', null, '00:00:00'],
      enum: ['VARCHAR', 'rot', null, 'grün'],
      fixed: ['BLOB', 'AQID', null, '/wAB'],
    })
    const { tables } = await parquetReader.inspect(file, {}, QUIET)
    expect(tables[0].notes.find(({ code }) => code === 'zone-dropped')?.column).toBe('fine')
    expect(tables[0].columns[4].flags).toContain('as-text')
  })

  it.each([
    ['whole microseconds', [[0, 2_440_588]], ['TIMESTAMP', '1970-01-01 00:00:00']],
    ['beyond nanoseconds', [[3_600_000_000_000, 5_373_484]], ['TIMESTAMP', '9999-12-31 01:00:00']],
    ['finer', [[1_001, 2_440_587]], ['TIMESTAMP_NS', '1969-12-31 00:00:00.000001001']],
    [
      'finer and beyond',
      [
        [1, 2_440_587],
        [0, 5_373_484],
      ],
      ['VARCHAR', '1969-12-31 00:00:00.000000001', '9999-12-31 00:00:00'],
    ],
  ] as const)('reads INT96 timestamps: %s', async (_, values, expected) => {
    const data = values.map(([nanos, day]) => {
      const bytes = new Uint8Array(12)
      const view = new DataView(bytes.buffer)
      view.setBigInt64(0, BigInt(nanos), true)
      view.setInt32(8, day, true)
      return bytes
    })
    const buffer = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 1 },
        { name: 't', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, repetition_type: 'REQUIRED' },
      ],
      columnData: [{ name: 't', data, encoding: 'PLAIN' }],
      statistics: false,
    })
    // No available writer makes INT96, but its pages are like those of 12 plain bytes, so only the footer is changed.
    const file = await withFooter(new File([buffer], 'x.parquet'), ({ schema, row_groups: [group] }) => {
      Object.assign(schema[1] ?? {}, { type: 'INT96', type_length: undefined })
      Object.assign(group?.columns[0]?.meta_data ?? {}, { type: 'INT96' })
    })
    expect(await contents(file)).toEqual({ t: expected })
  })
})

describe('names', () => {
  it('may be twice, empty, and of letters beyond ASCII', async () => {
    const types = ['INTEGER', 'VARCHAR', 'BOOLEAN', 'MAP(VARCHAR, DOUBLE)'].map(parseType)
    const columns = ['x', 'y', '', 'ünï'].map((name, i) => ({ name, type: types[i] }))
    const batch = batchOf({ columns, cells: [['1'], ['a'], ['true'], ['{"k":1.5}']] })
    const { file } = await writeAll(parquetWriter, columns, [batch], OPTIONS)
    // No available writer makes two columns with the same name, so the footer is changed.
    const twice = await withFooter(file, ({ schema, row_groups: [group] }) => {
      Object.assign(schema[2] ?? {}, { name: 'x' })
      Object.assign(group?.columns[1]?.meta_data ?? {}, { path_in_schema: ['x'], statistics: undefined })
    })
    expect(await contents(twice)).toEqual({
      x: ['INTEGER', '1'],
      x_1: ['VARCHAR', 'a'],
      column_3: ['BOOLEAN', 'true'],
      ünï: ['MAP(VARCHAR, DOUBLE)', '{"k":1.5}'],
    })
  })
})
