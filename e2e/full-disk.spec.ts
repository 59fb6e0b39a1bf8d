import { statSync } from 'node:fs'
import { expect, test } from './test.ts'
import { account, open, put, upload } from './api.ts'
import { createDataset, leaks, listDatasets, totals } from './bench/crash.ts'
import { create, expectWhole, filesIn, MB, smallDisk, TEXT } from './full-disk.ts'
import { openSql, rows, tree } from './sql.ts'
import { ready } from './stand-in.ts'

/*
 * The disk becomes full at each step of storing: what is reported as stored must be complete; of anything else, nothing
 * may be left.
 */

test('a dataset is whole, or 503 and nothing, wherever its disk gets full', async ({ page }) => {
  test.setTimeout(300_000)
  await open(page)
  const leaveRoom = await smallDisk(page)
  const by = await account(page)
  const url = await upload(by, TEXT)
  const made: string[] = []
  let refused = 0
  for (const room of [1, 100_000, 700_000, 1 * MB, 1.6 * MB, 2.2 * MB, 3 * MB, 8 * MB]) {
    await leaveRoom(room)
    const { status, retryAfter } = await create(by, `d${room}`, url)
    await leaveRoom(null)
    if (status === 201) made.push(`d${room}`)
    else {
      refused++
      expect([status, retryAfter], `with room for ${room} bytes`).toEqual([503, '60'])
    }
    expect((await filesIn(page, 'tables')).length).toBe(made.length)
  }
  expect(refused).toBeGreaterThan(3)
  expect(made.length).toBeGreaterThan(0)
  // As another page finds them, whose engine has no cached state.
  await page.reload()
  await open(page)
  for (const name of made) await expectWhole(by, name)
  expect(await leaks(page)).toEqual([])
})

test('an upload is whole, or 503 and nothing, wherever its disk gets full', async ({ page }) => {
  await open(page)
  const leaveRoom = await smallDisk(page)
  const by = await account(page)
  for (const room of [1, 100_000, 1 * MB, 2 * MB, 6 * MB]) {
    const files = [{ filename: 'a.csv', content_type: 'text/csv' }]
    const { data } = await by.call('POST', '/public/v1/storage/signed-urls', { workspace_id: by.workspace.id, files })
    const [{ signed_url: url }] = data['urls'] as [{ signed_url: string }]
    await leaveRoom(room)
    const { status, headers } = await put(page, url, TEXT)
    await leaveRoom(null)
    expect(await leaks(page, ['objects'])).toEqual([])
    const { status: then } = await create(by, `u${room}`, url)
    if (status === 200) expect(then).toBe(201)
    else expect([status, headers['retry-after'], then]).toEqual([503, '60', 400])
  }
})

test('a local table is whole, or isn’t there, wherever its disk gets full', async ({ page }) => {
  test.setTimeout(300_000)
  await openSql(page)
  const leaveRoom = await smallDisk(page)
  const input = page.getByLabel('Files to query', { exact: true })
  const added: string[] = []
  for (const room of [1, 400_000, 1 * MB, 1.6 * MB, 3 * MB, 8 * MB]) {
    const name = `t${Math.round(room)}`
    await leaveRoom(room)
    await input.setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(TEXT) })
    const there = tree(page).getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
    const full = page.getByRole('alert').filter({ hasText: 'is full' })
    await expect(there.or(full).first()).toBeVisible({ timeout: 60_000 })
    const isThere = await there.isVisible()
    await leaveRoom(null)
    if (isThere) added.push(name)
    else await page.getByRole('button', { name: `Dismiss “${name}.csv”` }).click()
    await expect(full).toHaveCount(0)
    expect((await filesIn(page, 'local-tables')).length).toBe(added.length)
  }
  await page.reload()
  for (const name of added) await rows(page, `SELECT id FROM local.${name}`, '100,000 rows')
})

test('a backup is whole or refused, and a restore done or undone, wherever the disk gets full', async ({
  page,
}, info) => {
  test.setTimeout(300_000)
  await openSql(page)
  const csv = { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(TEXT) }
  await page.getByLabel('Files to query', { exact: true }).setInputFiles(csv)
  await expect(tree(page).getByRole('treeitem', { name: /^codes\b/ })).toBeVisible({ timeout: 60_000 })
  await page.goto('/settings/backup')
  await ready(page)
  expect(await createDataset(page, 'Kept', { rows: 20_000 })).toBe(201)
  const whole = { rows: 20_000, sum: '199990000' }
  const leaveRoom = await smallDisk(page)
  const full = page.getByRole('alert').filter({ hasText: 'isn’t enough room' })
  const button = page.getByRole('button', { name: 'Download backup' })

  const path = info.outputPath('backup.zip')
  let size = 0
  const refused = { backup: 0, restore: 0 }
  for (const room of [1, 0.7 * MB, 1.5 * MB, 2.5 * MB, 8 * MB]) {
    await leaveRoom(room)
    const downloading = page.waitForEvent('download', { timeout: 60_000 }).catch(() => null)
    await button.click()
    const download = await Promise.race([downloading, full.waitFor({ timeout: 60_000 }).then(() => null)])
    await leaveRoom(null)
    if (download) {
      await download.saveAs(path)
      size = statSync(path).size
    } else refused.backup++
    expect((await filesIn(page, 'backups')).length, `with room for ${room} bytes`).toBe(download ? 1 : 0)
    await expect(button).toBeEnabled()
  }
  expect(refused.backup).toBeGreaterThan(1)
  expect(size).toBeGreaterThan(2 * MB)
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry('backups', { recursive: true }))

  expect(await createDataset(page, 'Later', { rows: 500 })).toBe(201)
  const dialog = page.getByRole('dialog', { name: 'Restore this backup?' })
  for (const room of [1, 0.7 * MB, 1.5 * MB, 2.5 * MB, 8 * MB]) {
    await page.getByLabel('Backup file').setInputFiles(path)
    await expect(dialog).toBeVisible({ timeout: 60_000 })
    await leaveRoom(room)
    await dialog.getByRole('button', { name: 'Replace everything' }).click()
    const alert = dialog.getByRole('alert')
    await expect(alert.or(page.getByText('Backup restored').first())).toBeVisible({ timeout: 60_000 })
    const isRefused = await alert.isVisible()
    if (isRefused) {
      await expect(alert).toContainText('isn’t enough room on this disk. Nothing was changed')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      refused.restore++
    }
    await leaveRoom(null)
    expect((await listDatasets(page)).toSorted()).toEqual(isRefused ? ['Kept', 'Later'] : ['Kept'])
    expect(await totals(page, 'Kept')).toEqual([whole, whole])
    expect(await leaks(page, ['tables']), `with room for ${room} bytes`).toEqual([])
    expect((await filesIn(page, 'local-tables')).length).toBe(1)
    if (!isRefused) break
  }
  expect(refused.restore).toBeGreaterThan(1)
  expect(await listDatasets(page)).toEqual(['Kept'])
  await openSql(page)
  await rows(page, 'SELECT id FROM local.codes', '100,000 rows')
})
