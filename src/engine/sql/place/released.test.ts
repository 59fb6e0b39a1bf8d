import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, it } from 'vitest'
import { duckParquet } from '../../formats/parquet/testing/oracle.ts'
import { Session } from '../../testing/session.ts'
import { loadText } from '../../testing/tables.ts'

/* Files of tables that were removed are let go of, as soon as no statement reads them. */

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-released-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Engine {
  readonly db: { run(sql: string): { getChildAt(i: number): { get(row: number): unknown } | null }[] }
}

/** Catalogs, and views of files in place, that the engine has beside those that it always has. */
function held({ engine }: Session): number {
  const { db } = engine as unknown as Engine
  const [rows] =
    db.run(`SELECT (SELECT count(*) FROM system.main.duckdb_databases() WHERE database_name LIKE 'f\\_%' ESCAPE '\\')
    + (SELECT count(*) FROM system.main.duckdb_views() WHERE view_name LIKE 'f\\_%' ESCAPE '\\')`)
  return Number(rows?.getChildAt(0)?.get(0))
}

async function databaseFile(): Promise<File> {
  const target = path.join(folder, 'shop.duckdb')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(
    `ATTACH '${target}' AS shop; CREATE TABLE shop.t AS SELECT i FROM range(300000) r(i); DETACH shop`,
  )
  return new File([readFileSync(target)], 'shop.duckdb')
}

const SUM = 'SELECT count(*), sum(i) FROM t'

it.each([
  ['Parquet', async () => (await duckParquet('SELECT i FROM range(300000) r(i)', 'ROW_GROUP_SIZE 2048')).file],
  ['DuckDB', databaseFile],
  [
    'of a copied table',
    async () => (await loadText(`i\n${Array.from({ length: 5000 }, (_, i) => i).join('\n')}\n`)).file,
  ],
])('a file %s', async (kind, make) => {
  const file = await make()
  const session = await Session.open()
  const add = (): void =>
    session.add(
      ['t'],
      { stored: { fileId: 'c/t' }, file },
      undefined,
      ...(kind === 'DuckDB' ? [{ schema: 'main', table: 't' }] : []),
    )
  const remove = (): void => session.use({ published: [], local: [] })
  expect(held(session)).toBe(0)
  add()
  const { cells } = await session.run(SUM)
  expect(held(session)).toBeGreaterThan(0)
  remove()
  expect(held(session)).toBe(0)
  await expect(session.run(SUM)).rejects.toMatchObject({ tag: 'EngineError' })
  // It may come again.
  add()
  expect((await session.run(SUM)).cells).toEqual(cells)

  // What runs is not disturbed, and nor is a transaction.
  let taken = 0
  const all = await session.run('SELECT i FROM t ORDER BY i', { taken: () => void (taken++ === 0 && remove()) })
  expect(BigInt(all.cells.length)).toBe(BigInt(cells[0]?.[0] ?? 0))
  await session.run('SELECT 1')
  expect(held(session)).toBe(0)
  add()
  await session.change('BEGIN')
  await session.run(SUM)
  remove()
  await session.change('ROLLBACK')
  await session.run('SELECT 1')
  expect(held(session)).toBe(0)
})
