import { expect, test, type Page } from './test.ts'
import { readFileSync } from 'node:fs'
import { nativeRows, quoted } from './native.ts'
import { button, column, openSql, problem, refusal, rows, run, SLOW, status, tabs, tree } from './sql.ts'

/**
 * Simulates the browser’s permission to read a file, which a test can't grant or withdraw, and a drop with the file's
 * handle.
 */
async function withHandles(page: Page, name: string): Promise<void> {
  await page.addInitScript((dropped) => {
    let asked = sessionStorage.getItem('visited') === null
    sessionStorage.setItem('visited', 'yes')
    const state = (): Promise<string> => Promise.resolve(asked ? 'granted' : 'prompt')
    const ask = (): Promise<string> => {
      asked = true
      return state()
    }
    Object.assign(FileSystemFileHandle.prototype, { queryPermission: state, requestPermission: ask })
    const getAsFileSystemHandle = async (): Promise<FileSystemFileHandle> =>
      (await navigator.storage.getDirectory()).getFileHandle(dropped)
    Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle })
  }, name)
}

/** Stores bytes where the page can get a handle to them. */
async function save(page: Page, name: string, bytes: Buffer): Promise<void> {
  const write = async ([saved, base64]: readonly [string, string]): Promise<void> => {
    const root = await navigator.storage.getDirectory()
    const file = await (await root.getFileHandle(saved, { create: true })).createWritable()
    await file.write(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
    await file.close()
  }
  await page.evaluate(write, [name, bytes.toString('base64')] as const)
}

async function drop(page: Page, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(async (dropped) => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle(dropped)
    const data = new DataTransfer()
    data.items.add(await handle.getFile())
    return data
  }, name)
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer })
}

/** Number of local tables' files in this browser. */
function copies(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('local-tables').catch(() => null)
    let count = 0
    for await (const _ of folder?.keys() ?? []) count++
    return count
  })
}

test('a Parquet file is queried where it lies, and after a reload at a click', async ({ page }) => {
  const path = test.info().outputPath('orders.parquet')
  const select = `SELECT i AS id, i % 10 AS grade, 'customer ' || i % 7 AS customer FROM range(300000) r(i)`
  await nativeRows(`COPY (${select}) TO ${quoted(path)} (FORMAT parquet)`)
  await withHandles(page, 'orders.parquet')
  await openSql(page)
  await save(page, 'orders.parquet', readFileSync(path))
  await drop(page, 'orders.parquet')
  await expect(tree(page).getByRole('treeitem', { name: 'orders, 300,000 rows' })).toBeVisible(SLOW)
  await rows(page, 'SELECT count(*) FROM local.orders', '1 row')
  expect(await column(page, 0, 1)).toEqual(['300000'])
  await rows(
    page,
    "SELECT id, customer FROM local.orders WHERE grade = 3 AND customer = 'customer 5' LIMIT 3",
    '3 rows',
  )
  expect(await column(page, 0, 3)).toEqual(['33', '103', '173'])
  expect(await copies(page)).toBe(0)

  await page.reload()
  await expect(tree(page).getByRole('treeitem', { name: 'orders, 300,000 rows' })).toBeVisible(SLOW)
  await button(page, 'Allow reading orders.parquet').click()
  await expect(button(page, 'Allow reading orders.parquet')).toBeHidden()
  await rows(page, 'SELECT sum(id) FROM local.orders', '1 row')
  expect(await column(page, 0, 1)).toEqual(['44999850000'])

  await save(page, 'orders.parquet', Buffer.from('something else'))
  await run(page, 'SELECT sum(grade) FROM local.orders')
  await expect(status(page)).toContainText('Failed', SLOW)
  await expect(problem(page)).toContainText('“orders.parquet” has changed on your disk')
})

/** A DuckDB file written by native DuckDB. */
async function database(path: string, ...statements: string[]): Promise<Buffer> {
  await nativeRows(`ATTACH ${quoted(path)} AS made`)
  for (const statement of ['USE made', ...statements, 'CHECKPOINT', 'USE memory', 'DETACH made'])
    await nativeRows(statement)
  return readFileSync(path)
}

test('a DuckDB file is queried where it lies, by its own names, and after a reload at a click', async ({ page }) => {
  const bytes = await database(
    test.info().outputPath('shop.duckdb'),
    `CREATE TABLE orders AS SELECT i AS id, i % 10 AS grade, (CASE WHEN i % 2 = 0 THEN 'low' ELSE 'high' END)::ENUM('low', 'high') AS kind FROM range(300000) r(i)`,
    'CREATE SCHEMA years',
    'CREATE TABLE years.orders AS SELECT 2024 AS year, 7::HUGEINT AS sold',
    'CREATE VIEW graded AS SELECT grade, count(*) AS n FROM orders GROUP BY ALL',
  )
  await withHandles(page, 'shop.duckdb')
  await openSql(page)
  await save(page, 'shop.duckdb', bytes)
  await drop(page, 'shop.duckdb')
  for (const name of ['orders, 300,000 rows', 'graded', 'years_orders, 1 row'])
    await expect(tree(page).getByRole('treeitem', { name, exact: true })).toBeVisible(SLOW)
  await rows(page, "SELECT count(*), sum(id) FROM shop.orders WHERE kind = 'high'", '1 row')
  expect([await column(page, 0, 1), await column(page, 1, 1)]).toEqual([['150000'], ['22500000000']])
  await rows(page, 'SELECT o.sold, g.n FROM shop.years.orders o, shop.graded g WHERE g.grade = o.sold', '1 row')
  expect([await column(page, 0, 1), await column(page, 1, 1)]).toEqual([['7'], ['30000']])
  expect(await refusal(page, 'DELETE FROM shop.orders')).toContain('local files are read-only here')
  expect(await copies(page)).toBe(0)

  await page.reload()
  await expect(tree(page).getByRole('treeitem', { name: 'orders, 300,000 rows' })).toBeVisible(SLOW)
  // One click is enough for all of its tables.
  await button(page, 'Allow reading shop.duckdb').click()
  await expect(button(page, 'Allow reading shop.duckdb')).toBeHidden()
  await rows(page, 'SELECT max(id) FROM local.orders', '1 row')
  expect(await column(page, 0, 1)).toEqual(['299999'])

  const later = await database(
    test.info().outputPath('later.duckdb'),
    'CREATE TABLE orders AS SELECT 5 AS id',
    'CREATE TABLE more AS SELECT 6 AS a',
  )
  await save(page, 'shop.duckdb', later)
  expect(await refusal(page, 'SELECT max(id) FROM shop.orders')).toContain('has changed on your disk')
  await drop(page, 'shop.duckdb')
  await expect(tree(page).getByRole('treeitem', { name: 'more, 1 row' })).toBeVisible(SLOW)
  await expect(tree(page).getByRole('treeitem', { name: 'years_orders, 1 row' })).toBeHidden()
  // The new table’s first rows open automatically.
  await expect(tabs(page).filter({ hasText: 'more' })).toBeVisible(SLOW)
  await expect.poll(() => column(page, 0, 1), SLOW).toEqual(['6'])
  await rows(page, 'SELECT id, a FROM shop.orders, shop.more', '1 row')
  await expect.poll(() => column(page, 0, 1), SLOW).toEqual(['5'])
  expect(await column(page, 1, 1)).toEqual(['6'])
})
