import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'

const folder = fileURLToPath(new URL('../../node_modules/.cache/rowhouse-bench-data/', import.meta.url))

/** Ten mixed columns, made by native DuckDB from the row number alone, so that every run measures the same file. */
const MIXED = `
  i AS id,
  'Person ' || (hash(i) % 1000000000) AS name,
  'user' || (hash(i * 7) % 100000000) || '@example.com' AS email,
  ['Lisbon', 'Zürich', 'São Paulo', 'New York, NY', 'The "Hague"', 'Köln'][(1 + hash(i * 3) % 6)::BIGINT] AS city,
  ((hash(i * 11) % 1000000) / 100)::DECIMAL(10, 2) AS amount,
  (hash(i * 13) % 1000)::INTEGER AS quantity,
  (hash(i * 17) % 1000000007) / 1000000007 AS ratio,
  DATE '2000-01-01' + (hash(i * 19) % 9000)::INTEGER AS day,
  TIMESTAMP '2024-01-01 00:00:00' + to_seconds((hash(i * 23) % 31000000)::BIGINT) AS moment,
  hash(i * 29) % 2 = 0 AS flag`

/** How many rows of `MIXED` make 2 MB of CSV. */
const PART_ROWS = 17_000

/** As `MIXED`, as a German spreadsheet writes it. */
const EUROPEAN = `
  * REPLACE (
    replace(amount::VARCHAR, '.', ',') AS amount,
    replace(ratio::VARCHAR, '.', ',') AS ratio,
    strftime(day, '%d.%m.%Y') AS day,
    strftime(moment, '%d.%m.%Y %H:%M:%S') AS moment
  ) FROM (SELECT ${MIXED} FROM range(850000) t(i))`

/** Numbers, amounts, words and dates, 200 columns of them. */
const WIDE = Array.from({ length: 200 }, (_, c) => {
  const number = `hash(i * ${c + 3}) % 100000`
  return [
    `${number} AS n${c}`,
    `((${number}) / 100)::DECIMAL(10, 2) AS d${c}`,
    `'v' || (${number}) % 1000 AS t${c}`,
    `DATE '2000-01-01' + ((${number}) % 9000)::INTEGER AS day${c}`,
  ][c % 4]
}).join(', ')

const LONG = `
  i AS id,
  repeat('Lorem ipsum dolor sit amet, consectetur ', 1 + (hash(i) % 20)::INTEGER) || hash(i) AS body,
  repeat('tempus fugit ', 1 + (hash(i * 3) % 40)::INTEGER) AS note`

const make = (name: string, rows: number, how: string): Promise<string> =>
  makeOf(name, `${MIXED} FROM range(${rows}) t(i)`, how)

async function makeOf(name: string, select: string, how: string): Promise<string> {
  const target = path.join(folder, name)
  if (existsSync(target) && statSync(target).size > 0) return target
  mkdirSync(folder, { recursive: true })
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (SELECT ${select}) TO '${target}' ${how}`)
  return target
}

export const csv50 = (): Promise<string> => make('mixed-50mb.csv', 425_000, '(FORMAT csv)')
export const csv100 = (): Promise<string> => make('mixed-100mb.csv', 850_000, '(FORMAT csv)')
export const csvLong = (): Promise<string> =>
  makeOf('long-100mb.csv', `${LONG} FROM range(140000) t(i)`, '(FORMAT csv)')
export const csvWide = (): Promise<string> => makeOf('wide-100mb.csv', `${WIDE} FROM range(75000) t(i)`, '(FORMAT csv)')
export const csvEuropean = (): Promise<string> => makeOf('european-100mb.csv', EUROPEAN, `(FORMAT csv, DELIMITER ';')`)
export const csv2g = (): Promise<string> => make('mixed-2gb.csv', 16_500_000, '(FORMAT csv)')
/** CSVs of 2 MB, one after another of the same table. @param drifting in every third a column is missing, in every fifth one is new */
export async function csvParts(count: number, drifting: boolean): Promise<string[]> {
  const parts: string[] = []
  for (let part = 0; part < count; part++) {
    const missing = drifting && part % 3 === 2 ? 'EXCLUDE (quantity)' : ''
    const fresh = drifting && part % 5 === 4 ? `, 'web' AS channel` : ''
    const rows = `SELECT ${MIXED} FROM range(${part * PART_ROWS}, ${(part + 1) * PART_ROWS}) t(i)`
    const name = `${drifting ? 'drifting' : 'part'}-2mb-${String(part).padStart(4, '0')}.csv`
    parts.push(await makeOf(name, `* ${missing}${fresh} FROM (${rows})`, '(FORMAT csv)'))
  }
  return parts
}
/** The bytes of `csvParts` as one file. */
export const csvWhole = (count: number): Promise<string> =>
  make(`whole-${count}-parts.csv`, count * PART_ROWS, '(FORMAT csv)')
export const parquet = (): Promise<string> => make('mixed.parquet', 850_000, '(FORMAT parquet, CODEC zstd)')
export const json50 = (): Promise<string> => make('mixed-50mb.json', 220_000, '(FORMAT json, ARRAY true)')
export const ndjson50 = (): Promise<string> => make('mixed-50mb.ndjson', 220_000, '(FORMAT json)')
export const csv200k = (): Promise<string> => make('mixed-200k.csv', 200_000, '(FORMAT csv)')

/** Native DuckDB's time for the same conversion on one thread, in milliseconds: the best of three. */
export async function nativeCsvToParquet(source: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run('SET threads=1')
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const begun = performance.now()
    const target = path.join(folder, 'native.parquet')
    await connection.run(`COPY (SELECT * FROM read_csv('${source}')) TO '${target}' (FORMAT parquet, CODEC zstd)`)
    times.push(performance.now() - begun)
  }
  return Math.min(...times)
}
