import { describe, expect, it } from 'vitest'
import type { ParquetOptions } from '../../../tables/plan.ts'
import { parquetReader, parquetWriter } from './index.ts'
import { duckParquet, readAll, saveFile, sql, writeAll } from './oracle.test-helper.ts'

const options: ParquetOptions = { kind: 'parquet', codec: 'zstd', rowGroupSize: 122_880 }

async function rewrite(file: File, own: ParquetOptions = options): Promise<string> {
  const { columns, batches } = await readAll(parquetReader, file)
  return saveFile((await writeAll(parquetWriter, columns, batches, own)).file)
}

export const WIDE = `SELECT
  i::TINYINT AS i8, i::SMALLINT AS i16, i::INTEGER AS i32, (i * 1234567890123)::BIGINT AS i64,
  (i % 200)::UTINYINT AS u8, i::USMALLINT AS u16, i::UINTEGER AS u32, (18446744073709551615 - i)::UBIGINT AS u64,
  (i / 7.0)::FLOAT AS f, (i / 7.0)::DOUBLE AS d, (i * 1.01)::DECIMAL(4,2) AS d4, (i * 1.01)::DECIMAL(9,4) AS d9,
  (i * 1.01)::DECIMAL(18,2) AS d18, (i * 12345678901234567890.123)::DECIMAL(38,3) AS d38,
  'text ' || i AS s, ('\\x00\\xFF' || i::VARCHAR)::BLOB AS b, i % 2 = 0 AS bool,
  DATE '2020-01-01' + i::INTEGER AS dt, TIME '01:02:03.000001' + to_seconds(i) AS t,
  TIMESTAMP '1969-12-31 23:59:59.999999' + to_days(i::INTEGER) AS ts, ('2020-01-01'::TIMESTAMP_NS)::TIMESTAMP_NS AS tsn,
  '2020-01-01 00:00:00.123'::TIMESTAMP_MS AS tsm, TIMESTAMPTZ '2020-01-01 00:00:00.123456+00' + to_hours(i) AS tz,
  CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS sparse, NULL::INTEGER AS nothing, [i, NULL, i + 1] AS l, []::INTEGER[] AS el,
  CASE WHEN i % 5 = 0 THEN NULL ELSE {'a': i, 'b c': 'x' || i, 'n': [{'z': i}]} END AS st, MAP {'k' || i: i, 'l': NULL} AS m
  FROM range(100) r(i)`

describe('Parquet there and back', () => {
  it('gives native DuckDB the same types and values', async () => {
    const { path, file } = await duckParquet(WIDE)
    const out = await rewrite(file)
    const types = (p: string): Promise<unknown[][]> =>
      sql(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${p}')`)
    expect(await types(out)).toEqual(await types(path))
    expect(await sql(`SELECT count(*) FROM (SELECT * FROM '${path}' EXCEPT ALL SELECT * FROM '${out}')`)).toEqual([
      ['0'],
    ])
    expect(await sql(`SELECT count(*) FROM '${out}'`)).toEqual([['100']])
  })
})
