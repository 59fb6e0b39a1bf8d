import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test, type Locator, type Page } from './test.ts'
import { readDirectory } from '../src/lib/zip/read.ts'
import type { Receipt } from '../src/tables/receipt.ts'
import { driftingMonths } from './fixtures/months.ts'
import { add, convertTo, download, fixture, region } from './page.ts'

interface Made {
  readonly name: string
  readonly target: string
  readonly receipts: readonly Receipt[]
  /** For a workbook: its parts, since their compression depends on the platform. */
  readonly parts?: readonly unknown[]
}

/** The command line's results, written by a test in `src/server/cli`. */
const EXPECTED = JSON.parse(readFileSync(fixture('receipts.json'), 'utf8')) as readonly Made[]

test('a browser makes the same bytes and receipts as the command line', async ({ page }) => {
  for (const { name, target, receipts, parts } of EXPECTED) {
    const card = await add(page, name)
    await card.getByRole('combobox', { name: 'Convert to' }).waitFor()
    const label = await card.locator(`option[value=${target}]`).textContent()
    await convertTo(card, label ?? target)
    const made = await download(page, card.getByRole('button', { name: 'Download', exact: true }))
    const saved = await download(page, card.getByRole('button', { name: 'Save receipt' }))
    const found = JSON.parse(readFileSync(saved.path, 'utf8')) as { readonly receipts: readonly Receipt[] }
    const bytes = readFileSync(made.path)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const own = parts === undefined ? {} : { size: bytes.length, sha256 }
    const expected = receipts.map((receipt) => ({
      ...receipt,
      output: { ...receipt.output, ...own },
      createdAt: expect.any(String),
      duration: expect.any(Object),
    }))
    expect(found.receipts, `${name} to ${target}`).toEqual(expected)
    expect(found.receipts[0]?.output.sha256).toBe(sha256)
    if (parts) {
      const entries = await readDirectory(new Blob([bytes]))
      expect(entries.map((entry) => [entry.name, entry.size, entry.crc])).toEqual(parts)
    }
    await card.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(card).toBeHidden()
  }
})

/** The command line's results for several inputs, or with several outputs. */
const RESHAPED = JSON.parse(readFileSync(fixture('receipts-reshaped.json'), 'utf8')) as Readonly<
  Record<'combined' | 'split', readonly Receipt[]>
>

async function savedReceipts(page: Page, card: Locator): Promise<readonly Receipt[]> {
  const { path } = await download(page, card.getByRole('button', { name: 'Save receipt' }))
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly receipts: readonly Receipt[] }).receipts
}

const lasting = (receipts: readonly Receipt[]): unknown[] =>
  receipts.map((receipt) => ({ ...receipt, createdAt: expect.any(String), duration: expect.any(Object) }))

test('a browser combines files to the same bytes and receipt as the command line', async ({ page }) => {
  const months = driftingMonths().map(([name, text]) => {
    return { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
  })
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(months)
  await expect(page.getByText('50 rows')).toHaveCount(12)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Combine' }).click()
  const combined = region(page, 'orders-2024.parquet')
  await combined.getByRole('button', { name: /^Apply/ }).click()
  await combined.getByRole('button', { name: 'Convert', exact: true }).click()
  expect(await savedReceipts(page, combined)).toEqual(lasting(RESHAPED.combined))
})

test('a browser splits a file to the same bytes and receipt as the command line', async ({ page }) => {
  const customers = await add(page, 'customers.csv')
  await customers.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await page.getByRole('button', { name: 'Split', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Split “customers.csv”' })
  await dialog.getByRole('combobox', { name: 'Column' }).selectOption('batch')
  await dialog.getByRole('button', { name: 'Split', exact: true }).click()
  await customers.getByRole('button', { name: 'Convert', exact: true }).click()
  expect(await savedReceipts(page, customers)).toEqual(lasting(RESHAPED.split))
})
