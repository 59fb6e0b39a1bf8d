import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { readDirectory } from '../src/lib/zip/read.ts'
import type { Receipt } from '../src/tables/receipt.ts'
import { add, convertTo, download, fixture } from './page.ts'

interface Made {
  readonly name: string
  readonly target: string
  readonly receipts: readonly Receipt[]
  /** Of a workbook: what is in it. How that is deflated is the platform's own. */
  readonly parts?: readonly unknown[]
}

/** What the command line makes: written by a test of `src/server/cli`. */
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
