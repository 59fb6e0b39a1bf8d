import { describe, expect, it } from 'vitest'
import type { ParquetOptions } from '../../../tables/plan.ts'
import { EngineError } from '../../errors.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { parseType } from '../../../tables/types.ts'
import { parquetReader } from './reader.ts'
import { parquetWriter } from './writer.ts'
import { MIXED, OPTIONS, rewrite } from './testing/mixed.ts'
import { duckParquet, readAll, saveFile, writeAll } from './testing/oracle.ts'
import { nativeRows } from '../../testing/oracle.ts'
import { QUIET } from '../../testing/quiet.ts'

function describeFile(path: string): Promise<unknown[][]> {
  return nativeRows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${path}')`)
}

const encoder = new TextEncoder()

/** A batch of columns given as text, in which null is null. */
function textBatch(columns: readonly (readonly [type: string, ...(string | null)[]])[]) {
  const data = columns.map(([type, ...values]) => {
    const builder = makeColumnBuilder(parseType(type))
    for (const value of values) {
      const bytes = encoder.encode(value ?? '')
      if (value === null) builder.appendNull()
      else if (!builder.appendText(bytes, 0, bytes.length)) throw new Error(`${value} is no ${type}`)
    }
    return builder.finish()
  })
  return batchFromColumns(data, data[0].length)
}

describe('Parquet there and back', () => {
  it.each([['uncompressed'], ['snappy'], ['gzip'], ['brotli'], ['zstd'], ['lz4_raw']] as const)(
    'gives native DuckDB the same types and values (%s)',
    async (codec) => {
      const { path, file } = await duckParquet(MIXED)
      const out = await rewrite(file, { ...OPTIONS, codec, rowGroupSize: 30 })
      expect(await describeFile(out)).toEqual(await describeFile(path))
      expect(await nativeRows(`SELECT count(*) FROM (FROM '${path}' EXCEPT ALL FROM '${out}')`)).toEqual([['0']])
      const groups = await nativeRows(
        `SELECT count(DISTINCT row_group_id), any_value(compression) FROM parquet_metadata('${out}')`,
      )
      expect(groups).toEqual([['4', codec.toUpperCase()]])
    },
  )

  it('writes standard names within lists and maps, and statistics', async () => {
    const out = await rewrite((await duckParquet(`SELECT [1] AS l, MAP {'a': 1} AS m, 5 AS n`)).file)
    const names = await nativeRows(`SELECT name FROM parquet_schema('${out}')`)
    expect(names.flat().slice(1)).toEqual(['l', 'list', 'element', 'm', 'key_value', 'key', 'value', 'n'])
    const statistics = `SELECT stats_min_value, stats_max_value, stats_null_count FROM parquet_metadata('${out}') WHERE path_in_schema = 'n'`
    expect(await nativeRows(statistics)).toEqual([['5', '5', '0']])
  })

  it('changes what Parquet has no type for, and says so', async () => {
    const names = ['huge', 'uuid', 'interval', 'seconds', 'nested']
    const batch = textBatch([
      ['HUGEINT', '170141183460469231731687303715884', null],
      ['UUID', '00112233-4455-6677-8899-aabbccddeeff', null],
      ['INTERVAL', '1 month', null],
      ['TIMESTAMP_S', '2020-01-01 00:00:01', null],
      [
        'STRUCT(s TIMESTAMP_S, m MAP(VARCHAR, TIMESTAMP_S[]))',
        '{"s":"1969-12-31 23:59:59","m":{"a":["2020-01-01 00:00:00",null]}}',
        null,
      ],
    ])
    const types = ['HUGEINT', 'UUID', 'INTERVAL', 'TIMESTAMP_S', 'STRUCT(s TIMESTAMP_S, m MAP(VARCHAR, TIMESTAMP_S[]))']
    const columns = names.map((name, i) => ({ name, type: parseType(types[i]) }))
    for (const column of columns) expect(parquetWriter.adapt(column, OPTIONS)?.note.message).toContain(column.name)
    const { file } = await writeAll(parquetWriter, columns, [batch], OPTIONS)
    expect(await nativeRows(`FROM '${await saveFile(file)}'`)).toEqual([
      [
        '170141183460469231731687303715884',
        '00112233-4455-6677-8899-aabbccddeeff',
        '1 month',
        '2020-01-01 00:00:01',
        { s: '1969-12-31 23:59:59', m: [{ key: 'a', value: ['2020-01-01 00:00:00', null] }] },
      ],
      [null, null, null, null, null],
    ])
  })

  it('holds tables without rows, and columns without values', async () => {
    const columns = [
      'INTEGER',
      'VARCHAR',
      'DECIMAL(38,2)',
      'INTEGER[]',
      'STRUCT(a BOOLEAN)',
      'MAP(VARCHAR, DATE)',
      'BOOLEAN',
    ].map((type, i) => ({ name: `n${i}`, type: parseType(type) }))
    const empty = await writeAll(parquetWriter, columns, [], OPTIONS)
    const none = await readAll(parquetReader, empty.file)
    expect(none.columns).toEqual(columns)
    expect(none.rows).toBe(0)
    expect(await nativeRows(`SELECT count(*) FROM '${await saveFile(empty.file)}'`)).toEqual([['0']])
    const batch = textBatch(
      columns.map(({ type }, i) => [
        ['INTEGER', 'VARCHAR', 'DECIMAL(38,2)', 'INTEGER[]', 'STRUCT(a BOOLEAN)', 'MAP(VARCHAR, DATE)', 'BOOLEAN'][i] ??
          type.kind,
        null,
        null,
      ]),
    )
    const nulls = await writeAll(parquetWriter, columns, [batch, batch], OPTIONS)
    expect((await readAll(parquetReader, nulls.file)).nulls).toEqual(columns.map(() => 4))
  })

  it('takes any names', async () => {
    const names = ['__proto__', 'constructor', 'a.b', 'a', '<b>x</b>', ' ', 'ü', '"q"', 'list']
    const columns = names.map((name) => ({ name, type: parseType('STRUCT("a.b" INTEGER, __proto__ VARCHAR)') }))
    const cell = '{"a.b":1,"__proto__":"x"}'
    const batch = textBatch(names.map(() => ['STRUCT("a.b" INTEGER, __proto__ VARCHAR)', cell]))
    const { file } = await writeAll(parquetWriter, columns, [batch], OPTIONS)
    const back = await readAll(parquetReader, file)
    // A blank name counts as no name, as in every format.
    expect(back.columns).toEqual(columns.map(({ name, type }) => ({ name: name === ' ' ? 'column_6' : name, type })))
    expect((await describeFile(await saveFile(file))).map(([name]) => name)).toEqual(names)
  })

  it('takes 10,000 columns', async () => {
    const columns = Array.from({ length: 10_000 }, (_, i) => ({ name: `column ${i}`, type: parseType('INTEGER') }))
    const batch = textBatch(columns.map((_, i) => ['INTEGER', String(i), null]))
    const { file } = await writeAll(parquetWriter, columns, [batch], OPTIONS)
    const back = await readAll(parquetReader, file)
    expect(back.columns).toHaveLength(10_000)
    expect(back.fingerprint.columns[9999]).toMatchObject({ sum: '9999', nulls: 1 })
  })

  it('refuses two columns of one name', async () => {
    const column = { name: 'x', type: parseType('INTEGER') }
    await expect(writeAll(parquetWriter, [column, column], [], OPTIONS)).rejects.toMatchObject({ code: 'invalid-plan' })
  })

  it('refuses objects without fields', () => {
    const column = { name: 'x', type: { kind: 'list', item: { kind: 'struct', fields: [] } } } as const
    expect(() => parquetWriter.check([column], OPTIONS)).toThrow(EngineError)
  })

  it('stops when it is cancelled, reading and writing', async () => {
    const { file } = await duckParquet('SELECT i, random() AS r FROM range(500000) t(i)')
    const { columns, batches } = await readAll(parquetReader, file)
    const abort = new AbortController()
    const own = { signal: abort.signal, progress: () => abort.abort() }
    const options: ParquetOptions = { ...OPTIONS, codec: 'uncompressed' }
    await expect(writeAll(parquetWriter, columns, [...batches, ...batches], options, own)).rejects.toThrow('abort')
    await expect(readAll(parquetReader, new File([file], 'y'), own)).rejects.toThrow('abort')
    expect((await readAll(parquetReader, new File([file], 'z'), QUIET)).rows).toBe(500_000)
  })
})
