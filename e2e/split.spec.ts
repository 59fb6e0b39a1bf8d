import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from './test.ts'
import type { Receipt } from '../src/tables/receipt.ts'
import { expectAccessible } from './accessible.ts'
import { download, region } from './page.ts'
import { readDirectory, unpackedBytes } from '../src/lib/zip/read.ts'

/** The files in an archive as text, by name. */
async function unzipped(path: string): Promise<Map<string, string>> {
  const file = new Blob([readFileSync(path)])
  const files = new Map<string, string>()
  for (const entry of await readDirectory(file)) {
    const source = await unpackedBytes(file, entry)
    const parts: Uint8Array[] = []
    for (let part = await source.read(); part; part = await source.read()) parts.push(part)
    files.set(entry.name, Buffer.concat(parts).toString())
  }
  return files
}

test('a table is split by a column: one ZIP, a file for each value, and one receipt to which they add up', async ({
  page,
}) => {
  const path = test.info().outputPath('orders.csv')
  const regions = ['north', 'south', '', 'a/b']
  const lines = Array.from({ length: 400 }, (_, i) => `${i},${regions[i % 4] ?? ''},${i}.50\n`)
  writeFileSync(path, `id,region,amount\n${lines.join('')}`)
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(path)
  const orders = region(page, 'orders.csv')
  await expect(orders).toContainText('400 rows')
  await orders.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await page.getByRole('button', { name: 'Split', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Split “orders.csv”' })
  await dialog.getByRole('combobox', { name: 'Column' }).selectOption('region')
  await expectAccessible(page, 'splitting')
  await dialog.getByRole('button', { name: 'Split', exact: true }).click()
  await expect(orders).toContainText('Becomes a file for each value of “region”.')
  await orders.getByRole('button', { name: 'Convert', exact: true }).click()
  const receipt = orders.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('Rows without a value are in “orders - no value.csv”.', { timeout: 30_000 })
  await expect(orders.getByRole('list', { name: 'Files made' }).getByRole('listitem')).toHaveCount(4)

  const zip = await download(page, orders.getByRole('button', { name: 'Download', exact: true }))
  expect(zip.name).toBe('orders.zip')
  const files = await unzipped(zip.path)
  expect([...files.keys()]).toEqual([
    'orders - north.csv',
    'orders - south.csv',
    'orders - no value.csv',
    'orders - a_b.csv',
  ])
  const of = (value: string): string => lines.filter((line) => line.split(',')[1] === value).join('')
  expect([...files.values()]).toEqual(regions.map((value) => `id,region,amount\n${of(value)}`))
  const json = await download(page, receipt.getByRole('button', { name: 'Save receipt' }))
  const { receipts } = JSON.parse(readFileSync(json.path, 'utf8')) as { readonly receipts: readonly [Receipt] }
  const [{ found, parts = [] }] = receipts
  expect(parts.map(({ value, rows }) => [value, rows])).toEqual([
    ['north', 100],
    ['south', 100],
    [null, 100],
    ['a/b', 100],
  ])
  const sum = parts.reduce((total, { rowChecksum }) => total + BigInt(`0x${rowChecksum}`), 0n) % 2n ** 64n
  expect(sum.toString(16).padStart(16, '0')).toBe(found.rowChecksum)
})
