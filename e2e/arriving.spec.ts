import { expect, test } from '@playwright/test'
import { drop } from './page.ts'
import { column, openSql, result, rows, run, SLOW, status, tree } from './sql.ts'

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
