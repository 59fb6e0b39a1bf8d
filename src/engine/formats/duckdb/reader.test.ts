import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import type { FormatId } from '../../../contract/formats.ts'
import { defaultOptions } from '../../../tables/plan.ts'
import { parseType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { nativeRows, nativeText } from '../../testing/oracle.ts'
import { convert, inspect } from '../../testing/run.ts'
import { BATCH_ROWS } from '../../arrow/batch.ts'
import { duckdbReader } from './reader.ts'
import { planFrom } from '../../../tables/edits.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'duckdb-reader-'))

let next = 0

/** A database written by native DuckDB. */
async function made(name: string, ...statements: string[]): Promise<{ file: File; path: string }> {
  const target = path.join(folder, name)
  const instance = await DuckDBInstance.create(target)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  await connection.run('CHECKPOINT')
  connection.closeSync()
  instance.closeSync()
  return { file: new File([readFileSync(target)], name), path: target }
}

describe('duckdbReader', () => {
  it('lists tables and views with their types, and converts them', async () => {
    const { file } = await made(
      'shop.duckdb',
      `CREATE TABLE orders AS SELECT i::INTEGER AS id, 'n' || i AS "the name", (i / 4)::DECIMAL(9,2) AS amount FROM range(5000) t(i)`,
      'CREATE TABLE "empty one" (a BIGINT, b STRUCT(x INTEGER, "y z" VARCHAR[]))',
      'CREATE VIEW large AS SELECT * FROM orders WHERE amount > 1000',
      'CREATE SCHEMA other',
      'CREATE TABLE other.hidden AS SELECT 1 AS a',
    )
    const { inspection, previews } = await inspect(file)
    expect(inspection.format).toBe('duckdb')
    expect(inspection.tables.map(({ name, rows, columns }) => [name, rows, columns.map(({ type }) => type)])).toEqual([
      ['empty one', 0, ['BIGINT', 'STRUCT(x INTEGER, "y z" VARCHAR[])']],
      ['orders', 5000, ['INTEGER', 'VARCHAR', 'DECIMAL(9,2)']],
      ['large', 999, ['INTEGER', 'VARCHAR', 'DECIMAL(9,2)']],
      ['other.hidden', 1, ['INTEGER']],
    ])
    expect(previews[1].rows.slice(0, 2)).toEqual([
      ['0', 'n0', '0.00'],
      ['1', 'n1', '0.25'],
    ])
    const { result, files } = await convert(file, 'csv')
    expect(result.outputs.map(({ receipts }) => receipts[0].verdict)).toEqual(['match', 'match', 'match', 'match'])
    expect(result.outputs[3].name).toBe('shop - other.hidden.csv')
    expect((await files[1].text()).split('\n').slice(0, 2)).toEqual(['id,the name,amount', '0,n0,0.00'])
  })

  const everyType = `
    SELECT * EXCLUDE (row_number) FROM (SELECT *, row_number() OVER () AS row_number FROM test_all_types()) WHERE row_number <> 0
  `
  it.each<FormatId>(['json', 'parquet', 'arrow'])('carries every type to %s', async (target) => {
    const { file } = await made(`types-${target}.db`, `CREATE TABLE types AS ${everyType}`)
    const { result } = await convert(file, target, defaultOptions(target), (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        // Types that these formats lack are tested with the formats.
        columns: table.columns.map((column) => ({ ...column, include: !/^(date|timestamp)/.test(column.name) })),
      })),
    }))
    expect(result.outputs[0].receipts[0]).toMatchObject({ verdict: 'match', expected: { rows: 3 } })
  })

  it('gives the values that native DuckDB gives', async () => {
    const { file, path: at } = await made(
      'values.db',
      `CREATE TABLE v AS SELECT
        170141183460469231731687303715884105727::HUGEINT AS huge, 12::HUGEINT AS small, INTERVAL '1 year 2 days 03:04:05.6' AS span,
        '{"a": 1}'::VARCHAR AS text, 'ab\\x00'::BLOB AS bytes, uuid() AS id, TIME '01:02:03.000004' AS clock,
        'b'::ENUM('a', 'b') AS kind, '101'::BIT AS bits, MAP {1: 'x'} AS pairs, [1, 2]::INTEGER[2] AS fixed`,
    )
    const { inspection, previews } = await inspect(file)
    expect(inspection.tables[0].columns.map(({ type }) => type)).toEqual([
      'VARCHAR',
      'HUGEINT',
      'INTERVAL',
      'VARCHAR',
      'BLOB',
      'UUID',
      'TIME',
      'VARCHAR',
      'VARCHAR',
      'MAP(INTEGER, VARCHAR)',
      'INTEGER[]',
    ])
    await nativeRows(`ATTACH '${at}' AS native (READ_ONLY)`)
    const [native] = await nativeText('FROM native.v')
    const [row] = previews[0].rows
    expect(row.filter((_, i) => ![4, 9, 10].includes(i))).toEqual(native.filter((_, i) => ![4, 9, 10].includes(i)))
  })

  it.each<[string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>, string]>([
    ['cut short', (bytes) => bytes.slice(0, 300_000), 'corrupt-file'],
    ['cut short by whole blocks', (bytes) => bytes.slice(0, 12_288 + 262_144), 'corrupt-file'],
    ['only a header', (bytes) => bytes.slice(0, 64), 'corrupt-file'],
    ['less than a header', (bytes) => bytes.slice(0, 20), 'corrupt-file'],
    [
      'a flipped byte in a block',
      (bytes) => bytes.map((byte, i) => (i === 12_400 ? byte ^ 255 : byte)),
      'corrupt-file',
    ],
    ['of a later version', (bytes) => bytes.map((byte, i) => (i === 12 ? 200 : byte)), 'unsupported-format'],
    ['encrypted', (bytes) => bytes.map((byte, i) => (i === 20 ? 1 : byte)), 'password-protected'],
  ])('refuses a file that is %s, and goes on', async (_, damage, code) => {
    const { file } = await made(
      `damage-${next++}.db`,
      'CREATE TABLE a AS SELECT i, i || i AS b FROM range(100000) t(i)',
    )
    const bytes = damage(new Uint8Array(await file.arrayBuffer()))
    await expect(inspect(new File([bytes], 'damage.db'))).rejects.toMatchObject({ code })
    await expect(inspect(file)).resolves.toMatchObject({ inspection: { tables: [{ rows: 100_000 }] } })
  })

  it('reads a database that shrank', async () => {
    const sizes: number[] = []
    for (let i = 0; i < 4; i++) {
      const { file } = await made(
        'shrank.db',
        'CREATE OR REPLACE TABLE a AS SELECT i, i || i AS b FROM range(100000) t(i)',
      )
      sizes.push(file.size)
      await expect(inspect(file)).resolves.toMatchObject({ inspection: { tables: [{ rows: 100_000 }] } })
    }
    expect(Math.min(...sizes.slice(1))).toBeLessThan(Math.max(...sizes))
  })

  it('reads batches that are worth their cost', async () => {
    const { file } = await made(
      'batches.db',
      `CREATE TABLE a AS SELECT i, CASE WHEN i % 3 > 0 THEN i || 'x' END AS text, [i, NULL] AS list, {a: i, b: {c: [i || '']}} AS s,
        i % 2 = 0 AS flag, (i / 8)::DECIMAL(20,3) AS amount, MAP {i: i || ''} AS pairs FROM range(150001) t(i)`,
    )
    const { inspection } = await inspect(file)
    const columns = planFrom(inspection).tables[0].columns.map((column) => ({
      ...column,
      type: parseType(column.type),
    }))
    const context = { signal: new AbortController().signal, progress: () => undefined }
    const rows: number[] = []
    const wanted = [0, 1, 2, 3, 7, 2047, 2048, 65_535, 65_536, 100_003, 150_000]
    let first = 0
    for await (const { batch } of duckdbReader.read(
      file,
      { settings: inspection.settings, table: 'a', columns },
      context,
    )) {
      rows.push(batch.numRows)
      for (const i of wanted.filter((each) => each >= first && each < first + batch.numRows)) {
        const cells = columns.map(({ type }, column) => cellToString(type, batch.data.children[column], i - first))
        const text = i % 3 > 0 ? `${i}x` : null
        const [amount, flag] = [(i / 8).toFixed(3), String(i % 2 === 0)]
        expect(cells.slice(0, 6)).toEqual([`${i}`, text, `[${i},null]`, `{"a":${i},"b":{"c":["${i}"]}}`, flag, amount])
        expect(cells[6]).toContain(`"${i}"`)
      }
      first += batch.numRows
    }
    expect(first).toBe(150_001)
    expect(Math.min(...rows.slice(0, -1))).toBeGreaterThan(BATCH_ROWS * 0.75)
  })

  it('tells tables of one name in several schemas apart, and says which views can’t be read', async () => {
    const { file } = await made(
      'schemas.db',
      'CREATE SCHEMA a',
      'CREATE SCHEMA "b c"',
      'CREATE TABLE t AS SELECT 1 AS v',
      'CREATE TABLE a.t AS SELECT 2 AS v',
      'CREATE TABLE "b c".t AS SELECT 3 AS v',
      'CREATE TABLE "a.t" AS SELECT 4 AS v',
      'CREATE TABLE gone AS SELECT 5 AS v',
      'CREATE VIEW broken AS FROM gone',
      'CREATE VIEW a.whole AS FROM a.t',
      'DROP TABLE gone',
      "ATTACH ':memory:' AS other",
      'CREATE TABLE other.t AS SELECT 6 AS v',
      'CREATE VIEW abroad AS FROM other.t',
    )
    const { inspection, previews } = await inspect(file)
    expect(inspection.tables.map(({ name }, i) => [name, previews[i].rows])).toEqual([
      ['a.t', [['4']]],
      ['t', [['1']]],
      ['a.t_1', [['2']]],
      ['a.whole', [['2']]],
      ['b c.t', [['3']]],
    ])
    expect(inspection.notes).toEqual([
      {
        code: 'unreadable-view',
        message: 'The view “abroad” can’t be read: it needs t of another database or schema, which isn’t in the file.',
      },
      { code: 'unreadable-view', message: 'The view “broken” can’t be read: it needs gone, which isn’t in the file.' },
    ])
  })

  it('refuses a database without tables', async () => {
    const { file } = await made('none.db', 'CREATE SCHEMA other')
    await expect(inspect(file)).rejects.toMatchObject({ code: 'empty-file' })
  })
})
