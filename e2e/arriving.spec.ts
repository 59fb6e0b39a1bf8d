import { expect, test } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { drop } from './page.ts'
import { column, editor, openSql, result, rows, run, SLOW, status, tabs, tree, write } from './sql.ts'

test('while a file is added it says how far it is, and a statement about it waits for all of it', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  const ROWS = 400_000
  const lines = Array.from({ length: ROWS }, (_, i) => `${i},name ${i % 1000},${i / 4}`)
  await drop(page, 'orders.csv', `id,name,amount\n${lines.join('\n')}\n`)
  const adding = page.getByRole('list', { name: 'Files being added' })
  await expect(adding).toContainText('orders.csv')
  await run(page, 'SELECT count(*) AS n, sum(id) AS s FROM orders')
  await expect(status(page)).toContainText('Waits for all of orders.csv, which is being added…')
  await expect(adding).toContainText(/\d %/)
  await expect(status(page)).toContainText('1 row', SLOW)
  expect(await column(page, 0, 1)).toEqual(['400000'])
  expect(await column(page, 1, 1)).toEqual(['79999800000'])
  await expect(adding).toHaveCount(0)
  await expect(tree(page).getByRole('treeitem', { name: /^orders/ })).toBeVisible()
  await expect(result(page)).toContainText('local.orders')
})

test('what is typed while a file is added stays in view when it’s there', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  await drop(page, 'orders.csv', `id\n${Array.from({ length: 400_000 }, (_, i) => i).join('\n')}\n`)
  await expect(page.getByRole('list', { name: 'Files being added' })).toContainText('orders.csv')
  await write(page, 'SELECT 2 AS t')
  await expect(tree(page).getByRole('treeitem', { name: /^orders/ })).toBeVisible(SLOW)
  await expect(page.getByText('“orders.csv” added as local.orders').first()).toBeVisible()
  await expect(tabs(page)).toHaveCount(1)
  await expect(editor(page)).toHaveText('SELECT 2 AS t')
})

test('the first rows of a file can be queried while the rest loads, and never pass for all of it', async ({ page }) => {
  await openSql(page)
  await rows(page, 'SELECT 1 AS one', '1 row')
  const ROWS = 400_000
  const lines = Array.from({ length: ROWS }, (_, i) => `${i},name ${i % 1000},${i / 4}`)
  await drop(page, 'orders.csv', `id,name,amount\n${lines.join('\n')}\n`)
  const adding = page.getByRole('list', { name: 'Files being added' })
  await adding.getByRole('button', { name: 'Query its first rows' }).click()
  const note = 'Of a sample: local.orders_first_rows has only the first 1,000 rows of orders.csv.'
  await expect(result(page)).toContainText(note, SLOW)
  await expect(status(page)).toContainText('1,000 rows', SLOW)
  expect(await column(page, 0, 3)).toEqual(['0', '1', '2'])
  await rows(page, 'SELECT max(id) AS last FROM orders_first_rows', '1 row')
  await expect(result(page)).toContainText(note)
  await expectAccessible(page, 'an answer of a sample')
  // By the table's name or the file's, all rows are read.
  await rows(page, `SELECT max(id) AS last FROM 'orders.csv'`, '1 row')
  expect(await column(page, 0, 1)).toEqual(['399999'])
  await expect(result(page)).not.toContainText('sample')
})
