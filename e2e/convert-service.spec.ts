import { readFile, writeFile } from 'node:fs/promises'
import { expect, test, type Locator, type Page } from './test.ts'
import { add, download, region } from './page.ts'
import { ready } from './stand-in.ts'

/* Conversion through the service that runs in the browser. */

const where = (file: Locator): Locator => file.getByRole('combobox', { name: 'Where' })

/** Chooses the service, which is in the card's menu while the browser is chosen. */
async function through(file: Locator): Promise<void> {
  if (await where(file).isVisible()) return void (await where(file).selectOption('service'))
  await (await option(file)).click()
  await expect(where(file)).toHaveValue('service')
}

/** Opens the card's menu; returns the item that chooses the service. */
async function option(file: Locator): Promise<Locator> {
  await file.getByRole('button', { name: 'More', exact: true }).click()
  return file.page().getByRole('menuitem', { name: /through the service/ })
}

async function convertThere(file: Locator, target: string): Promise<void> {
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption(target)
  await through(file)
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible({ timeout: 40_000 })
}

async function addText(page: Page, name: string, text: string): Promise<Locator> {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  return region(page, name)
}

test('a file goes through the service, is compared, downloaded, and there after a reload', async ({ page }) => {
  const file = await add(page, 'customers.csv')
  await convertThere(file, 'json')
  const receipt = file.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('every value is the same')
  await expect(receipt).toContainText('the service in this browser')
  const { name, path } = await download(page, file.getByRole('button', { name: 'Download' }))
  expect(name).toBe('customers.json')
  const rows = JSON.parse(await readFile(path, 'utf8')) as { customer_no: string }[]
  expect(rows.length).toBe(500)
  expect(rows[0]?.customer_no).toBe('00001')
  await page.reload()
  await expect(file.getByRole('region', { name: 'Receipt' })).toContainText('the service in this browser')
  await expect(file.getByRole('button', { name: 'Download' })).toBeEnabled()
})

test('what was changed of the columns is what the service gets', async ({ page }) => {
  const file = await addText(page, 'codes.csv', 'code,n\n12,1\n34,2\n')
  await file.getByRole('tab', { name: /Columns/ }).click()
  await file.getByRole('combobox', { name: /type of .*code/i }).selectOption('VARCHAR')
  await through(file)
  await expect(file.getByText('the table is sent as you planned it')).toBeVisible()
  await convertThere(file, 'json')
  const { path } = await download(page, file.getByRole('button', { name: 'Download' }))
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual([
    { code: '12', n: 1 },
    { code: '34', n: 2 },
  ])
})

test('what the service can’t do is said before', async ({ page }) => {
  const ragged = await add(page, 'ragged.csv', 'two-sheets.xlsx')
  await ready(page)
  const expectOption = async (file: Locator, text: string): Promise<void> => {
    const item = await option(file)
    await expect(item).toHaveText(text)
    if (text.endsWith(')')) await expect(item).toBeDisabled()
    else await expect(item).toBeEnabled()
    await page.keyboard.press('Escape')
    await expect(item).toBeHidden()
  }
  await expect(ragged.getByRole('table', { name: 'Preview' })).toBeVisible()
  await expectOption(ragged, 'Convert through the service (rows don’t fit)')
  const book = region(page, 'two-sheets.xlsx')
  await expect(book.getByRole('table', { name: 'Preview' })).toBeVisible()
  await expectOption(book, 'Convert through the service (several sheets)')
  await book.getByRole('combobox', { name: 'Convert to' }).selectOption('xlsx')
  await expectOption(book, 'Convert through the service')
  await book.getByRole('combobox', { name: 'Convert to' }).selectOption('arrow')
  await expectOption(book, 'Convert through the service (doesn’t write Arrow)')
})

test('a file of more than 50 MB isn’t sent', async ({ page }) => {
  test.slow()
  const big = test.info().outputPath('big.csv')
  await writeFile(big, `id,text\n${`1,${'x'.repeat(98)}\n`.repeat(525_000)}`)
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(big)
  const file = region(page, 'big.csv')
  await expect(file.getByRole('table', { name: 'Preview' })).toBeVisible({ timeout: 60_000 })
  const item = await option(file)
  await expect(item).toHaveText('Convert through the service (over 50 MB)')
  await expect(item).toBeDisabled()
})

test('it’s cancelled, and leaves nothing', async ({ page }) => {
  // The first upload doesn't end until it's cancelled.
  await page.addInitScript(() => {
    const native = window.fetch.bind(window)
    window.fetch = (address, init) => {
      if (Reflect.has(window, 'uploading') || init?.method !== 'PUT') return native(address, init)
      Reflect.set(window, 'uploading', true)
      const { signal } = init
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
    }
  })
  const file = await add(page, 'customers.csv')
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('parquet')
  await through(file)
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('list', { name: 'Steps' })).toContainText('Upload')
  await page.waitForFunction(() => Reflect.has(window, 'uploading'))
  await file.getByRole('button', { name: 'Cancel' }).click()
  await expect(file.getByText('Cancelled. Nothing was kept.')).toBeVisible()
  await convertThere(file, 'parquet')
  await expect(file.getByRole('region', { name: 'Receipt' })).toContainText('every value is the same')
})

test('a file, and what became of one, goes on to a dataset', async ({ page }) => {
  const file = await add(page, 'customers.csv')
  await file.getByRole('button', { name: 'Publish it as a dataset' }).click()
  const dialog = page.getByRole('dialog', { name: 'New dataset' })
  await expect(dialog.getByText('customers.csv').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page.getByRole('heading', { name: 'customers' })).toBeVisible()
})
