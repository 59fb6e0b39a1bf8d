import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { convertTo, download, region } from './page.ts'

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Writes a file in the test's folder. */
function written(name: string, text: string): string {
  const path = test.info().outputPath(name)
  writeFileSync(path, text)
  return path
}

test('a receipt is kept as a file, and tells later whether its files have changed', async ({ page }) => {
  await page.goto('/convert')
  const source = written('orders.csv', 'id,city,amount\n1,Rome,12.50\n2,Oslo,3.00\n')
  await page.getByLabel('Add files').setInputFiles(source)
  const orders = region(page, 'orders.csv')
  await convertTo(orders, 'JSON')
  const made = await download(page, orders.getByRole('button', { name: 'Download', exact: true }))
  const saved = await download(page, orders.getByRole('button', { name: 'Save receipt' }))
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(orders.getByRole('region', { name: 'Receipt' })).toHaveCSS('color-scheme', 'light')
  await page.emulateMedia({ media: null, colorScheme: null })
  expect(saved.name).toBe('orders.receipt.json')
  const { $schema, receipts } = JSON.parse(readFileSync(saved.path, 'utf8')) as {
    readonly $schema: string
    readonly receipts: readonly unknown[]
  }
  expect(receipts).toMatchObject([{ source: { sha256: sha256(source) }, output: { sha256: sha256(made.path) } }])

  await page.reload()
  expect(await (await page.request.get($schema)).json()).toMatchObject({ title: 'Rowhouse receipt' })
  const add = (...paths: readonly string[]) => page.getByLabel('Add files', { exact: true }).setInputFiles(paths)
  await add(saved.path, made.path, source)
  const check = region(page, 'orders.receipt.json')
  await expect(check.getByText('This is the file that the receipt is about; it hasn’t changed.')).toHaveCount(2)
  await expect(check.getByText('It was read again: 2 rows, 3 columns')).toBeVisible()
  await expectAccessible(page, 'a receipt that was checked')
  await check.getByRole('button', { name: 'Remove orders.receipt.json' }).focus()
  await page.keyboard.press('Enter')
  await expect(check).toHaveCount(0)

  await add(saved.path)
  await check
    .getByLabel('Add files to compare')
    .setInputFiles(written('orders.json', readFileSync(made.path, 'utf8').replace('Oslo', 'Bonn')))
  await expect(check.getByText('The file has changed, or it isn’t the one')).toBeVisible()
  const differences = check.getByRole('table', { name: 'Differences' })
  await expect(differences.getByRole('row').filter({ hasText: 'city' }).first()).toContainText('Oslo')
  await add(written('next.receipt.json', JSON.stringify({ version: 2 })))
  await expect(region(page, 'next.receipt.json').getByRole('alert')).toContainText('made by a newer Rowhouse')
})
