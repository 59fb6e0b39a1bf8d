import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test, type Locator, type Page } from './test.ts'
import type { Receipt } from '../src/tables/receipt.ts'
import { expectAccessible } from './accessible.ts'
import { nativeRows } from './native.ts'
import { convertTo, download, region } from './page.ts'
import { SLOW } from './sql.ts'

/** Writes a month's file in the test's folder. */
function month(name: string, head: string, rows: readonly string[]): string {
  const path = test.info().outputPath(name)
  writeFileSync(path, `${head}\n${rows.join('\n')}\n`)
  return path
}

const HEAD = 'region,day,amount'
const JANUARY = ['north,2024-01-01,1.50', 'south,2024-01-01,2.25', 'north,2024-01-02,3.00', ',2024-01-03,4.75']
const SUMS = 'SELECT region, sum(amount) AS total FROM orders GROUP BY region ORDER BY region NULLS LAST'

/** Adds a file and opens its editor. */
async function opened(page: Page, path: string, name: string): Promise<Locator> {
  await page.getByLabel('Add files').setInputFiles(path)
  const card = region(page, name)
  await card.getByRole('tab', { name: 'Shape with SQL' }).click()
  return card
}

/** Replaces the statement in the editor. */
async function write(card: Locator, sql: string): Promise<void> {
  const editor = card.getByRole('textbox', { name: /^SQL that shapes/ })
  await editor.click()
  await editor.press('ControlOrMeta+a')
  await editor.press('Delete')
  await editor.pressSequentially(sql)
  await editor.press('Escape')
}

test('a statement sums by group: its preview follows, the receipt proves what was read and written, a recipe does it again', async ({
  page,
}) => {
  await page.goto('/convert')
  const orders = await opened(page, month('orders-2024-01.csv', HEAD, JANUARY), 'orders-2024-01.csv')
  const preview = orders.getByRole('table', { name: 'Preview of the statement' })
  await expect(preview).toContainText('4.75')
  await expect(orders).toContainText('Made of all 4 rows of the file.')
  await write(orders, SUMS)
  await expect(preview).toContainText('total')
  await expect(orders).toContainText('All 3 rows')
  await expectAccessible(page, 'shaping with SQL')
  await orders.getByRole('button', { name: 'Apply statement' }).click()
  await expect(orders).toContainText('Applied: its result is written.')
  await convertTo(orders, 'Parquet')
  const receipt = orders.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('of 4 rows it made 3 rows')
  await expect(receipt).toContainText(SUMS)
  const made = await download(page, orders.getByRole('button', { name: 'Download', exact: true }))
  expect(await nativeRows(`SELECT region, total::VARCHAR FROM '${made.path}'`)).toEqual([
    ['north', '4.50'],
    ['south', '2.25'],
    [null, '4.75'],
  ])
  const json = await download(page, receipt.getByRole('button', { name: 'Save receipt' }))
  const { receipts } = JSON.parse(readFileSync(json.path, 'utf8')) as { readonly receipts: readonly [Receipt] }
  expect(receipts[0]).toMatchObject({ verdict: 'match', found: { rows: 3 }, shape: { sql: SUMS } })
  expect(receipts[0].shape?.tables.map(({ name, read }) => [name, read.rows])).toEqual([['orders', 4]])

  await orders.getByRole('tab', { name: 'Columns' }).click()
  await orders.getByRole('button', { name: 'Save as recipe' }).click()
  await page.getByRole('dialog', { name: 'Save as recipe' }).getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByLabel('Add files')
    .setInputFiles(month('orders-2024-02.csv', HEAD, ['east,2024-02-01,2.00', 'east,2024-02-02,3.50']))
  const february = region(page, 'orders-2024-02.csv')
  await february.getByRole('button', { name: 'Apply recipe' }).click()
  await expect(february).toContainText('Shaped with SQL: SELECT region')
  await convertTo(february, 'CSV')
  const next = await download(page, february.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(next.path, 'utf8')).toBe('region,total\neast,5.50\n')

  // A file without one of the columns stops with the reason.
  await page
    .getByLabel('Add files')
    .setInputFiles(month('orders-2024-03.csv', 'region,day,price', ['east,2024-03-01,2.00']))
  const march = region(page, 'orders-2024-03.csv')
  await march.getByRole('button', { name: 'Apply recipe' }).click()
  await expect(march).toContainText('Shaped with SQL: SELECT region')
  await march.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(march).toContainText('Referenced column "amount" not found')
})

test('a faulty statement is told at its place, and isn’t applied', async ({ page }) => {
  await page.goto('/convert')
  const orders = await opened(page, month('orders.csv', HEAD, JANUARY), 'orders.csv')
  await write(orders, 'SELECT amuont FROM orders')
  const problems = orders.getByRole('group', { name: 'Problems in the text' })
  await expect(problems).toContainText('amuont')
  await expect(orders.getByRole('button', { name: 'Apply statement' })).toBeDisabled()
  await problems.getByRole('button', { name: 'Use amount' }).click()
  await expect(orders.getByRole('table', { name: 'Preview of the statement' })).toContainText('4.75')
  await write(orders, 'DELETE FROM orders')
  await expect(orders).toContainText('A statement that begins with DELETE gives no rows to write')
  await expect(orders.getByRole('button', { name: 'Apply statement' })).toBeDisabled()

  // The query shows the statement's result.
  await write(orders, SUMS)
  await orders.getByRole('button', { name: 'Apply statement' }).click()
  await expect(orders).toContainText('Applied: its result is written.')
  await orders.getByRole('button', { name: 'Query it' }).click()
  await expect(page).toHaveURL(/\/sql/)
  await expect(page.getByRole('treeitem', { name: 'orders, 3 rows' })).toBeVisible(SLOW)
})

test('what is being typed is discarded at one press, though the text before the button grows with it', async ({
  page,
}) => {
  await page.goto('/convert')
  const orders = await opened(page, month('orders.csv', HEAD, JANUARY), 'orders.csv')
  const editor = orders.getByRole('textbox', { name: /^SQL that shapes/ })
  await write(orders, 'SELECT region')
  const discard = orders.getByRole('button', { name: 'Discard it' })
  await expect(discard).toBeVisible()
  await editor.click()
  await editor.press('ControlOrMeta+End')
  const box = await discard.boundingBox()
  if (!box) throw new Error('no button')
  await page.mouse.move(box.x + 3, box.y + box.height / 2)
  await page.keyboard.type(' AS the_place_where_it_was_ordered')
  await page.mouse.down()
  await page.mouse.up()
  await expect(discard).toHaveCount(0)
  await expect(editor).not.toContainText('the_place')
})

test('Convert applies what was typed; what it gives can be split by its own columns', async ({ page }) => {
  await page.goto('/convert')
  const orders = await opened(page, month('orders.csv', HEAD, JANUARY), 'orders.csv')
  await write(orders, 'SELECT region AS place, amount FROM orders WHERE region IS NOT NULL')
  await expect(orders).toContainText('Not applied yet: converting applies it.')
  await orders.getByRole('tab', { name: 'Preview' }).click()
  await expect(orders).toContainText('Converting applies the statement that you typed: SELECT region AS place')
  await page.getByRole('button', { name: 'Split', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Split “orders.csv”' })
  const column = dialog.getByRole('combobox', { name: 'Column' })
  await expect(column.getByRole('option')).toHaveText(['place', 'amount'], SLOW)
  await dialog.getByRole('button', { name: 'Split', exact: true }).click()
  await orders.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await orders.getByRole('button', { name: 'Convert', exact: true }).click()
  const receipt = orders.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('of 4 rows it made 3 rows', SLOW)
  await expect(receipt).toContainText('WHERE region IS NOT NULL')
  await expect(orders.getByRole('list', { name: 'Files made' }).getByRole('listitem')).toHaveCount(2)
})
