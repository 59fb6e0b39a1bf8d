import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { loadParquet } from '../parquet/wasm.ts'
import { duckParquet, readAll, writeAll } from '../parquet/testing/oracle.ts'
import { parquetReader } from '../parquet/reader.ts'
import { arrowReader } from './reader.ts'
import { arrowWriter } from './writer.ts'

const WIDE = `SELECT
  (i % 100 - 50)::TINYINT AS i8, i::SMALLINT AS i16, i::INTEGER AS i32, (i * 1234567890123)::BIGINT AS i64,
  (i % 200)::UTINYINT AS u8, i::USMALLINT AS u16, i::UINTEGER AS u32, (18446744073709551615 - i)::UBIGINT AS u64,
  (i / 7.0)::FLOAT AS f, (i / 7.0)::DOUBLE AS d, (i * 1.01)::DECIMAL(6,2) AS d5, (i * 12345678901234567890.123)::DECIMAL(38,3) AS d38,
  'text ü ' || i AS s, ('\\x00\\xFF' || i::VARCHAR)::BLOB AS b, i % 2 = 0 AS bool, NULL::BOOLEAN AS nobool,
  DATE '2020-01-01' + i::INTEGER AS dt, TIME '01:02:03.000001' + to_seconds(i) AS t,
  TIMESTAMP '1969-12-31 23:59:59.999999' + to_days(i::INTEGER) AS ts, ('2020-01-01'::TIMESTAMP_NS)::TIMESTAMP_NS AS tsn,
  '2020-01-01 00:00:00.123'::TIMESTAMP_MS AS tsm, TIMESTAMPTZ '2020-01-01 00:00:00.123456+00' + to_hours(i) AS tz,
  CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS sparse, NULL::INTEGER AS nothing, [i, NULL, i + 1] AS l, []::INTEGER[] AS el,
  CASE WHEN i % 5 = 0 THEN NULL ELSE {'a': i, 'b c': 'x' || i, 'n': [{'z': i % 2 = 0}]} END AS st, MAP {'k' || i: i, 'l': NULL} AS m
  FROM range(1000) r(i)`

describe('Arrow there and back', () => {
  it('keeps every type and value, and other readers read it', async () => {
    const source = await readAll(parquetReader, (await duckParquet(WIDE)).file)
    const { file } = await writeAll(arrowWriter, source.columns, source.batches, { kind: 'arrow' })
    const back = await readAll(arrowReader, file)
    expect(back.fingerprint).toEqual(source.fingerprint)
    expect(back.nulls).toEqual(source.nulls)
    const bytes = new Uint8Array(await file.arrayBuffer())
    const table = tableFromIPC(bytes)
    expect(table.numRows).toBe(1000)
    expect(table.schema.names).toEqual(source.columns.map(({ name }) => name))
    // Without its magic bytes, the file is a stream that arrow-rs can read.
    const { Table } = await loadParquet()
    const rust = Table.fromIPCStream(bytes.subarray(8))
    expect(rust.recordBatches().reduce((sum, batch) => sum + batch.numRows, 0)).toBe(1000)
    const again = await readAll(arrowReader, new File([rust.intoIPCStream() as Uint8Array<ArrayBuffer>], 'x.arrow'))
    expect(again.fingerprint).toEqual(source.fingerprint)
  })
})
