import type { ParquetOptions } from '../../../../tables/plan.ts'
import { readAll, saveFile, writeAll } from './oracle.ts'
import { parquetReader } from '../reader.ts'
import { parquetWriter } from '../writer.ts'

export const OPTIONS: ParquetOptions = { kind: 'parquet', codec: 'zstd', rowGroupSize: 122_880 }

/** 100 rows of every type that Parquet and DuckDB share. */
export const MIXED = `SELECT
  (i - 50)::TINYINT AS i8, i::SMALLINT AS i16, i::INTEGER AS i32, (i * 1234567890123)::BIGINT AS i64,
  (i % 200)::UTINYINT AS u8, i::USMALLINT AS u16, i::UINTEGER AS u32, (18446744073709551615 - i)::UBIGINT AS u64,
  (i / 7.0)::FLOAT AS f, (i / 7.0)::DOUBLE AS d, (i * 0.9)::DECIMAL(4,2) AS d4, (i * 1.01)::DECIMAL(9,4) AS d9,
  (i * -1.01)::DECIMAL(18,2) AS d18, (i * 12345678901234567890.123)::DECIMAL(38,3) AS d38,
  'text ü ' || i AS s, ('\\x00\\xFF' || i::VARCHAR)::BLOB AS b, i % 2 = 0 AS bool, NULL::BOOLEAN AS no_bool,
  DATE '2020-01-01' + i::INTEGER AS dt, TIME '01:02:03.000001' + to_seconds(i) AS t,
  TIMESTAMP '1969-12-31 23:59:59.999999' + to_days(i::INTEGER) AS ts, make_timestamp_ns(1577836800123456789 + i) AS tsn,
  make_timestamp_ms(1577836800123 + i)::TIMESTAMP_MS AS tsm, TIMESTAMPTZ '2020-01-01 00:00:00.123456+00' + to_hours(i) AS tz,
  CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS sparse, NULL::INTEGER AS nothing, [i, NULL, i + 1] AS l, []::INTEGER[] AS el,
  CASE WHEN i % 4 = 0 THEN NULL WHEN i % 4 = 1 THEN [] ELSE [['a', NULL], NULL, []] END AS ll,
  CASE WHEN i % 5 = 0 THEN NULL ELSE {'a': i, 'b c': 'x' || i, 'n': [{'z': i % 2 = 0}]} END AS st, MAP {'k' || i: i, 'l': NULL} AS m,
  MAP {i: [{'q': DATE '2020-01-01'}]} AS mi
  FROM range(100) r(i)`

/** Reads a file and writes it again; returns the new path. */
export async function rewrite(file: File, options: ParquetOptions = OPTIONS): Promise<string> {
  const { columns, batches } = await readAll(parquetReader, file)
  return saveFile((await writeAll(parquetWriter, columns, batches, options)).file)
}
