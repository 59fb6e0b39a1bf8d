import { existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { nativeRows, quoted } from '../native.ts'
import { openSql, rows, SLOW, status, tree, write } from '../sql.ts'
import { test } from './window.ts'

const APP = process.env['ROWHOUSE_ORIGIN'] ?? 'http://localhost:4173'
const FILE = path.join(tmpdir(), 'rowhouse-bench-orders.parquet')
const ORDERS = `SELECT i AS id, 'customer ' || hash(i) % 50000 AS customer, (hash(i * 3) % 1000000 / 100.0)::DECIMAL(12,2) AS amount,
  DATE '2020-01-01' + (hash(i * 7) % 1500)::INTEGER AS day, (hash(i * 11) % 1000000000)::BIGINT AS ref, hash(i * 17) / 3 AS score,
  ['north', 'south', 'east', 'west'][1 + (hash(i * 5) % 4)::INTEGER] AS region, TIMESTAMP '2024-01-01' + to_seconds(i) AS moment,
  substr(md5(i::VARCHAR), 1, 12) AS code, hash(i * 13) % 100 AS quantity FROM range(6500000) r(i)`

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`

/** Drops a file as the operating system does, since the browser only then provides a handle. */
async function drop(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [file], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data })
}

/** Milliseconds until all rows of a statement have arrived, according to the page. */
async function took(page: Page, sql: string, words: string): Promise<number> {
  await write(page, sql)
  const begun = performance.now()
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).not.toContainText(/ms|\d s/, SLOW)
  await expect(status(page)).toContainText(words, { timeout: 300_000 })
  return performance.now() - begun
}

test('a Parquet file of 300 MB, queried where it lies and copied into the browser', async ({ page }) => {
  if (!existsSync(FILE)) await nativeRows(`COPY (${ORDERS}) TO ${quoted(FILE)} (FORMAT parquet)`)
  await openSql(page, `${APP}/sql`)
  await rows(page, 'SELECT 1 AS one', '1 row')
  const begun = performance.now()
  await drop(page, FILE)
  const table = tree(page).getByRole('treeitem', { name: /^rowhouse_bench_orders/ })
  await table.waitFor({ timeout: 120_000 })
  const listed = performance.now() - begun
  const from = 'FROM local.rowhouse_bench_orders'
  const sum = `SELECT region, sum(amount) ${from} GROUP BY ALL`
  const count = await took(page, `SELECT count(*) ${from}`, '1 row')
  const first = await took(page, `${from} LIMIT 100`, '100 rows')
  const cold = await took(page, sum, '4 rows')
  const warm = await took(page, sum, '4 rows')
  await table.click({ button: 'right' })
  const copying = performance.now()
  await page.getByRole('menuitem', { name: 'Copy into this browser' }).click()
  await expect(page.getByRole('list', { name: 'Files being added' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Files being added' })).toBeHidden({ timeout: 600_000 })
  const copied = performance.now() - copying
  const there = await took(page, sum, '4 rows')
  // oxlint-disable-next-line no-console -- the measurement
  console.log(
    `Parquet, ${Math.round(statSync(FILE).size / 1e6)} MB: in place, it is listed after ${seconds(listed)}, count(*) ${seconds(count)}, ` +
      `the first 100 rows ${seconds(first)} (bar 1 s), a sum by a column ${seconds(cold)}, again ${seconds(warm)}; ` +
      `copied into the browser: ${seconds(copied)}, the sum then ${seconds(there)}`,
  )
})
