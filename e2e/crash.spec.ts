import { mkdirSync } from 'node:fs'
import { expect, test } from './test.ts'
import { crashRounds, createDataset, leaks, listDatasets, totals } from './bench/crash.ts'
import { ready } from './stand-in.ts'

test('tabs that end while datasets are made, deleted or restored', async ({ browser, baseURL }, info) => {
  test.setTimeout(10 * 60_000)
  const context = await browser.newContext({ acceptDownloads: true })
  mkdirSync(info.outputPath('.'), { recursive: true })
  const rounds = await crashRounds({
    browser,
    context,
    origin: baseURL ?? '',
    rounds: 4,
    seed: 7,
    folder: info.outputPath('.'),
  })
  expect(rounds).toHaveLength(4)
  await context.close()
})

test('a disk that gets full in the middle: it’s said, nothing is half, and it works again with room', async ({
  page,
  context,
  baseURL,
}) => {
  await page.goto('/settings/backup')
  await ready(page)
  expect(await createDataset(page, 'Before', { rows: 20_000 })).toBe(201)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download backup' }).click()
  const backup = await (await download).path()
  const devtools = await context.newCDPSession(page)
  const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate())
  await devtools.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(baseURL ?? '').origin,
    quotaSize: usage + 200_000,
  })
  expect(await createDataset(page, 'Too large', { rows: 100_000 })).toBeGreaterThanOrEqual(400)
  expect(await listDatasets(page)).toEqual(['Before'])

  await page.getByLabel('Backup file').setInputFiles(backup)
  const dialog = page.getByRole('dialog', { name: 'Restore this backup?' })
  await dialog.getByRole('button', { name: 'Replace everything' }).click()
  await expect(dialog.getByRole('alert')).toContainText(/space|room|full/i, { timeout: 60_000 })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await totals(page, 'Before')).toEqual([
    { rows: 20_000, sum: '199990000' },
    { rows: 20_000, sum: '199990000' },
  ])

  await devtools.send('Storage.overrideQuotaForOrigin', { origin: new URL(baseURL ?? '').origin })
  expect(await createDataset(page, 'Fits now', { rows: 1_000 })).toBe(201)
  expect((await listDatasets(page)).toSorted()).toEqual(['Before', 'Fits now'])
  await page.reload()
  await ready(page)
  await expect.poll(() => leaks(page)).toEqual([])
})

test('erasing waits for an old tab that holds the database, and says so', async ({ page, context }) => {
  await page.goto('/settings/backup')
  await ready(page)
  const old = await context.newPage()
  // A page with the same origin that isn't the app: it keeps the database open, whatever it's asked.
  await old.goto('/favicon.svg')
  await old.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('rowhouse-service')
        opening.addEventListener('success', () => resolve(void Object.assign(globalThis, { held: opening.result })))
        opening.addEventListener('error', () => reject(opening.error ?? new Error('no database')))
      }),
  )
  await page.getByRole('button', { name: 'Erase everything…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase everything?' })
  await dialog.getByLabel('Type “erase” to confirm').fill('erase')
  await dialog.getByRole('button', { name: 'Erase everything' }).click()
  await expect(dialog.getByRole('alert')).toContainText('another tab')
  await old.close()
  await dialog.getByRole('button', { name: 'Erase everything' }).click()
  await expect(dialog).toBeHidden()
  await ready(page)
  expect(await listDatasets(page)).toEqual([])
})
