import { DuckDBInstance } from '@duckdb/node-api'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/* Two tables with values for which engines differ. */

/** By name: the column's type, and its possible values as SQL. */
const COLUMNS: Readonly<Record<string, readonly [type: string, values: readonly string[]]>> = {
  k: ['INTEGER', ['1', '2', '3', '4', '5', '6', 'NULL']],
  tiny: ['TINYINT', ['-128', '127', '0', '-1', '1', '7', 'NULL']],
  small: ['SMALLINT', ['-32768', '32767', '0', '12', '-7', 'NULL']],
  int: ['INTEGER', ['-2147483648', '2147483647', '0', '1', '-1', '1000', '-77', 'NULL']],
  big: [
    'BIGINT',
    ['-9223372036854775808', '9223372036854775807', '0', '9007199254740993', '-3', '12345678901', 'NULL'],
  ],
  few: ['BIGINT', ['1', '2', '3', '5', '8', '-13', 'NULL']],
  wide: ['UBIGINT', ['0', '18446744073709551615', '9223372036854775808', '5', 'NULL']],
  cents: ['DECIMAL(9,2)', ['-9999999.99', '9999999.99', '0.00', '-0.05', '12.34', '0.01', 'NULL']],
  long: ['DECIMAL(18,4)', ['99999999999999.9999', '-99999999999999.9999', '0.0001', '-1.5', '1000', 'NULL']],
  half: ['DECIMAL(4,1)', ['-999.9', '0.5', '1.5', '2.5', '-0.5', 'NULL']],
  flag: ['BOOLEAN', ['true', 'false', 'NULL']],
  day: [
    'DATE',
    [`'1970-01-01'`, `'1969-12-31'`, `'2024-02-29'`, `'1900-01-01'`, `'2299-12-31'`, `'1999-12-31'`, 'NULL'],
  ],
  date: [
    'DATE',
    [`'1969-02-28'`, `'2024-02-29'`, `'2000-03-01'`, `'1900-12-31'`, `'0001-01-01'`, `'9999-12-31'`, `'1600-02-29'`],
  ],
  moment: [
    'TIMESTAMP',
    [`'1969-12-31 23:59:59.999999'`, `'2024-02-29 12:34:56.789'`, `'0001-01-01 00:00:00'`, `'2013-07-15 10:11:12'`],
  ],
  far: [
    'DATE',
    [
      `'0001-01-01'`,
      `'9999-12-31'`,
      `'infinity'`,
      `'-infinity'`,
      `'1582-10-04'`,
      `'2300-01-01'`,
      `'5877642-06-25 (BC)'`,
      `'5881580-07-10'`,
      'NULL',
    ],
  ],
  at: [
    'TIMESTAMP',
    [
      `'1970-01-01 00:00:00'`,
      `'1969-12-31 23:59:59.999999'`,
      `'2024-02-29 12:34:56.789'`,
      `'2013-07-15 10:11:12.000001'`,
      'NULL',
    ],
  ],
  ever: [
    'TIMESTAMP',
    [
      `'infinity'`,
      `'-infinity'`,
      `'0001-01-01 00:00:00'`,
      `'9999-12-31 23:59:59'`,
      `'290309-12-22 (BC) 00:00:00'`,
      `'294247-01-10 04:00:54.775806'`,
      'NULL',
    ],
  ],
  text: [
    'VARCHAR',
    [
      `'a'`,
      `'A'`,
      `'b'`,
      `''`,
      `'ab'`,
      `'a%b'`,
      `'a_b'`,
      `'a\\b'`,
      `'ä'`,
      `'日本語'`,
      `'a' || chr(10) || 'b'`,
      `'it''s'`,
      `'😀x'`,
      `' a'`,
      `'a '`,
      `'a' || chr(0)`,
      `'e' || chr(769)`,
      `'STRASSE ß ﬃ'`,
      'NULL',
    ],
  ],
  word: ['VARCHAR', [`'red'`, `'green'`, `'blue'`, `'reddish'`, `'Äpfel'`, 'NULL']],
  real: ['DOUBLE', ['0.1', '-2.5', '1e300', '3', '1e-7', '0.30000000000000004', '100', 'NULL']],
  odd: ['DOUBLE', [`'nan'`, `'inf'`, '-0.0', '0.0', '1.5', 'NULL']],
}

/** Two tables with different rows, as Parquet files. */
export async function writeTables(rows: number): Promise<ReadonlyMap<'x' | 'y', File>> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const files = new Map<'x' | 'y', File>()
  for (const [name, salt, count] of [
    ['x', 1, rows],
    ['y', 2, Math.ceil(rows / 3)],
  ] as const) {
    const list = Object.entries(COLUMNS).map(([column, [type, values]], i) => {
      const texts = `[${values.map((value) => `CAST(${value} AS VARCHAR)`).join(', ')}]`
      return `CAST(${texts}[1 + (hash(hash(i, ${i}), ${salt}) % ${values.length})::BIGINT] AS ${type}) AS "${column}"`
    })
    const place = path.join(tmpdir(), `rowhouse-${crypto.randomUUID()}.parquet`)
    await connection.run(`COPY (SELECT ${list.join(', ')} FROM range(${count}) r(i)) TO '${place}' (FORMAT parquet)`)
    files.set(name, new File([readFileSync(place)], `${name}.parquet`))
    rmSync(place)
  }
  connection.closeSync()
  instance.closeSync()
  return files
}
