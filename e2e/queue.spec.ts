import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, test, type Page } from './test.ts'
import { convertTo, expectWithin, kept } from './page.ts'

/** A file large enough to be interrupted while it's processed. */
function largeCsv(path: string, rows: number): string {
  const file = openSync(path, 'w')
  writeSync(file, 'id,name,amount,day\n')
  for (let block = 0; block < rows / 1000; block++) {
    const lines = Array.from({ length: 1000 }, (_, i) => {
      const id = block * 1000 + i
      return `${id},"Person ${id * 7919}",${(id % 100000) / 4},2024-01-${String((id % 28) + 1).padStart(2, '0')}`
    })
    writeSync(file, `${lines.join('\n')}\n`)
  }
  closeSync(file)
  return path
}

/** Names of all files in the browser's private file system. */
async function storedFiles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names: string[] = []
    const walk = async (folder: FileSystemDirectoryHandle, prefix: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'file') names.push(prefix + name)
        else await walk(handle, `${prefix}${name}/`)
      }
    }
    await walk(await navigator.storage.getDirectory(), '')
    return names
  })
}

for (const target of ['Parquet', 'Excel']) {
  test(`cancel stops a conversion to ${target} within two seconds and leaves nothing`, async ({ page }) => {
    const path = largeCsv(test.info().outputPath('large.csv'), 1_000_000)
    await page.goto('/convert')
    await page.getByLabel('Add files').setInputFiles(path)
    const file = page.getByRole('region', { name: 'large.csv', exact: true })
    await file.getByRole('combobox', { name: 'Convert to' }).selectOption(target)
    const cancel = file.getByRole('button', { name: 'Cancel', exact: true })
    await expectWithin(2000, async () => {
      await file.getByRole('button', { name: 'Convert', exact: true }).click()
      await expect(file.getByRole('progressbar')).toBeVisible()
      await cancel.click()
      return () => expect(cancel).toHaveCount(0)
    })
    await expect(file.getByRole('region', { name: 'Receipt' })).toHaveCount(0)
    await expect.poll(() => storedFiles(page)).toEqual([])
    await convertTo(file, 'CSV')
  })
}

test('after a reload in the middle the unfinished file says so, and nothing half-written is left', async ({ page }) => {
  const path = largeCsv(test.info().outputPath('large.csv'), 1_000_000)
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(path)
  const file = page.getByRole('region', { name: 'large.csv', exact: true })
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('Excel')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('progressbar')).toBeVisible()
  await page.reload()
  await expect(file).toContainText(/interrupted/i)
  await expect.poll(() => storedFiles(page)).toEqual([])
})

test('a full disk is said so, and its space is given back', async ({ page }) => {
  const path = largeCsv(test.info().outputPath('large.csv'), 500_000)
  await page.goto('/convert')
  const client = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 4_000_000 })
  await page.getByLabel('Add files').setInputFiles(path)
  const file = page.getByRole('region', { name: 'large.csv', exact: true })
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption('CSV')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('alert')).toContainText(/full/)
  await expect(file.getByRole('button', { name: 'Download', exact: true })).toHaveCount(0)
  await expect.poll(() => storedFiles(page)).toEqual([])
  await client.send('Storage.overrideQuotaForOrigin', { origin })
  await file
    .getByRole('button', { name: /^(Convert|Retry)$/ })
    .first()
    .click()
  await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible()
})

const smallFiles = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `small-${i}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`id,name\n${i},Ann\n`),
  }))

test('what is under the pointer stays there while files above are read and converted', async ({ page }) => {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(smallFiles(12))
  const cards = page.locator('section[data-stage]')
  await expect(cards).toHaveCount(12)
  const heading = page.getByRole('heading', { name: 'small-5.csv', exact: true })
  await heading.hover()
  const before = await heading.boundingBox()
  await expect(page.locator('section[data-stage=ready]')).toHaveCount(12, { timeout: 60_000 })
  // By keyboard, so that the pointer stays where it is.
  await page.getByRole('button', { name: 'Convert all' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('section[data-stage=done]')).toHaveCount(12, { timeout: 60_000 })
  await expect.poll(async () => Math.abs(((await heading.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
})

test('all files that a reload interrupts are there, and one button opens them again', async ({ page }) => {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(smallFiles(120))
  await expect(page.getByText(/^120 files · /)).toBeVisible()
  await expect.poll(() => kept(page, 'sources')).toHaveLength(120)
  await page.reload()
  await expect(page.locator('section[data-stage=interrupted]').first()).toBeVisible()
  await page.getByRole('button', { name: 'Open again (120)' }).click()
  // Only the lines in view are rendered.
  await expect(page.getByText(/being read/)).toHaveCount(0, { timeout: 80_000 })
  await expect(page.locator('section[data-stage=ready]').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Open again/ })).toHaveCount(0)
})
