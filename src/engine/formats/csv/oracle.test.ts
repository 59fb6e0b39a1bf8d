import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultOptions, type CsvOptions } from '../../../tables/plan.ts'
import { parseType } from '../../../tables/types.ts'
import { MemorySink } from '../../../lib/sink.ts'
import { csvReader } from './reader.ts'
import { csvWriter } from './writer.ts'
import { inspect, readAll, texts } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'

/* Compares with native DuckDB. */

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-csv-'))
let duck: DuckDBConnection
beforeAll(async () => {
  duck = await (await DuckDBInstance.create(':memory:')).connect()
  await duck.run(`SET TimeZone = 'UTC'`)
})
const sql = async (text: string): Promise<(string | null)[][]> =>
  (await duck.runAndReadAll(text)).getRowsJson() as (string | null)[][]

const COLUMNS: readonly (readonly [name: string, type: string, sql: string])[] = [
  ['i', 'INTEGER', 'CAST(r - 500 AS INTEGER)'],
  ['big', 'BIGINT', 'CAST(9007199254740993 + r AS BIGINT)'],
  ['ubig', 'UBIGINT', 'CAST(18446744073709551615 - r AS UBIGINT)'],
  ['huge', 'HUGEINT', `CAST('-1234567890123456789012345678901234' AS HUGEINT) + r`],
  ['dec', 'DECIMAL(12,3)', 'CAST(CAST(1000 * r AS DECIMAL(12,3)) + 100000000.125 AS DECIMAL(12,3))'],
  ['dbl', 'DOUBLE', 'CAST(r AS DOUBLE) / 7'],
  ['ok', 'BOOLEAN', 'r % 3 = 0'],
  ['d', 'DATE', `DATE '1901-01-01' + CAST(r * 37 AS INTEGER)`],
  ['t', 'TIME', `TIME '00:00:00' + to_microseconds(r * 86000000)`],
  ['ts', 'TIMESTAMP', `TIMESTAMP '1950-01-01 00:00:00' + to_microseconds(r * 1234567890123)`],
  ['tz', 'TIMESTAMP WITH TIME ZONE', `TIMESTAMPTZ '2024-01-01 00:00:00+00' + to_seconds(r * 3601)`],
  [
    's',
    'VARCHAR',
    `CASE r % 5 WHEN 0 THEN 'a,b' WHEN 1 THEN 'say "' || r || '"' WHEN 2 THEN '' WHEN 3 THEN E'two\\nlines' ELSE 'plain é' END`,
  ],
]
const TABLE = `SELECT ${COLUMNS.map(([name, , from]) => `CASE WHEN r % 11 = 10 THEN NULL ELSE ${from} END AS ${name}`).join(', ')} FROM range(1000) t(r)`

/** DuckDB formats the values of both sides as text and compares them. */
async function differences(path: string, expected: string): Promise<unknown[][]> {
  const columns = `{${COLUMNS.map(([name, type]) => `'${name}': '${type}'`).join(', ')}}`
  const read = `SELECT * FROM read_csv('${path}', auto_detect=false, header=true, delim=',', quote='"', escape='"', columns=${columns}, allow_quoted_nulls=false)`
  return sql(`(${expected} EXCEPT ALL ${read}) UNION ALL (${read} EXCEPT ALL ${expected})`)
}

async function rewrite(content: Uint8Array, options: CsvOptions): Promise<string> {
  const file = new File([content as Uint8Array<ArrayBuffer>], 'in.csv')
  const inspection = await inspect(content)
  const columns = inspection.tables[0].columns.map(({ index, name, type }) => ({
    index,
    name,
    source: name,
    type: parseType(type),
  }))
  const sink = new MemorySink()
  const writer = csvWriter.open(sink, options, QUIET)
  await writer.begin({ name: 't', columns })
  const request = { settings: inspection.settings, table: null, columns }
  for await (const { batch, rejected } of csvReader.read(file, request, QUIET)) {
    expect(rejected).toEqual([])
    await writer.write(batch)
  }
  await writer.finish()
  const path = join(folder, `out-${Math.random()}.csv`)
  writeFileSync(path, new Uint8Array(await sink.file('t.csv').arrayBuffer()))
  return path
}

describe('beside native DuckDB', () => {
  it('finds the types that DuckDB wrote, and DuckDB finds its values in what is written of them', async () => {
    for (const [name, options] of [
      ['plain', ''],
      ['all', ", QUOTE '\"', FORCE_QUOTE *"],
    ]) {
      const path = join(folder, `${name}.csv`)
      const table = name === 'all' ? `${TABLE} WHERE r % 11 <> 10` : TABLE
      await sql(`COPY (${table}) TO '${path}' (HEADER${options})`)
      const content = readFileSync(path)
      const [found] = (await inspect(content)).tables
      expect(found.columns.map(({ type }) => type)).toEqual(COLUMNS.map(([, type]) => type))
      expect(found.columns.map(({ nulls }) => nulls)).toEqual(COLUMNS.map(() => (name === 'all' ? 0 : 90)))
      const written = await rewrite(content, defaultOptions('csv') as CsvOptions)
      expect(await differences(written, table)).toEqual([])
      const quoted = await rewrite(content, {
        ...(defaultOptions('csv') as CsvOptions),
        quoteAll: true,
        lineEnd: '\r\n',
        bom: true,
      })
      expect(await differences(quoted, table)).toEqual([])
    }
  })

  it('splits any file as DuckDB does', async () => {
    const cell = fc.oneof(
      fc.constantFrom('', 'a', 'b c', ' d', 'e ', 'x"y', '007', 'é', "it's", '#'),
      fc.constantFrom('""', '"a,b"', '"say ""hi"""', '"two\nlines"', '"two\r\nlines"', ' "spaced" ', '"\t"', '" "'),
    )
    const file = fc.tuple(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
    )
    let count = 0
    const property = fc.asyncProperty(file, async ([rows, lineEnd, lastEnd]) => {
      const content = ['a,b,c', ...rows.map((row) => row.join(','))].join(lineEnd) + (lastEnd ? lineEnd : '')
      const path = join(folder, `split-${count++}.csv`)
      writeFileSync(path, content)
      const expected = await sql(
        `SELECT * FROM read_csv('${path}', auto_detect=false, header=true, delim=',', quote='"', escape='"', allow_quoted_nulls=false, columns={'a': 'VARCHAR', 'b': 'VARCHAR', 'c': 'VARCHAR'})`,
      )
      const settings = {
        delimiter: ',',
        quote: '"',
        escape: '"',
        comment: null,
        skipLines: 0,
        header: true,
        trim: false,
      } as const
      const inspection = await inspect(content, settings)
      expect((await readAll(content, inspection, texts(inspection))).rows).toEqual(expected)
    })
    await fc.assert(property, { numRuns: 300 })
  })
})
