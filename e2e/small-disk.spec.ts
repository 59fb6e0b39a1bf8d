import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { SmallDisk } from '../src/server/testing/disk.ts'
import { account, accountOf, open, upload } from './api.ts'
import { leaks } from './bench/crash.ts'
import { create, expectWhole, filesIn, MB, TEXT, type LeaveRoom } from './full-disk.ts'
import { region } from './page.ts'
import { openSql, rows, tree } from './sql.ts'
import { ready } from './stand-in.ts'

/*
 * A browser whose profile is on a real file system of 160 MB, which another program fills without any quota knowing.
 * With less than 0.2 MB left, Chromium itself crashes.
 */

/** Fills the file system with a file, like another program. */
function filling(at: string): LeaveRoom {
  const ballast = path.join(at, 'ballast')
  return (room) => {
    rmSync(ballast, { force: true })
    if (room === null) return Promise.resolve()
    const { bavail, bsize } = statfsSync(at)
    const file = openSync(ballast, 'w')
    const zeros = Buffer.alloc(MB)
    try {
      for (let left = bavail * bsize - room; left > 0;) left -= writeSync(file, zeros, 0, Math.min(left, MB))
    } catch {
      // The browser writes at the same time, so the disk may be full earlier.
    }
    closeSync(file)
    return Promise.resolve()
  }
}

async function firstPage(context: BrowserContext): Promise<Page> {
  return context.pages()[0] ?? context.newPage()
}

test('on a small disk that others fill, what is said to be kept is there when the browser starts again', async ({
  playwright,
  launchOptions,
  baseURL,
}, info) => {
  test.setTimeout(400_000)
  // Chromium itself may crash if its profile's disk is full, which isn't our fault.
  test.skip(!process.env['ROWHOUSE_SMALL_DISK'], 'only where ROWHOUSE_SMALL_DISK is set')
  const disk = info.outputPath('disk')
  const mounted = SmallDisk.mount(disk, '160m')
  if (typeof mounted === 'string') return test.skip(true, mounted)
  const launch = (): Promise<BrowserContext> =>
    playwright.chromium.launchPersistentContext(path.join(disk, 'profile'), {
      ...launchOptions,
      ...(baseURL ? { baseURL } : {}),
    })
  const leaveRoom = filling(disk)
  let context = await launch()
  try {
    let page = await firstPage(context)
    await open(page)
    const by = await account(page)
    const url = await upload(by, TEXT)
    const refused: string[] = []

    const datasets: string[] = []
    for (const room of [0.2 * MB, 1 * MB, 2 * MB, 4 * MB, 30 * MB]) {
      await leaveRoom(room)
      const { status, retryAfter } = await create(by, `d${room}`, url)
      await leaveRoom(null)
      if (status === 201) datasets.push(`d${room}`)
      else {
        refused.push(`dataset, ${room}`)
        expect([status, retryAfter], `with room for ${room} bytes`).toEqual([503, '60'])
      }
      expect((await filesIn(page, 'tables')).length).toBe(datasets.length)
      expect(await leaks(page)).toEqual([])
    }

    await openSql(page)
    const locals: string[] = []
    for (const room of [1 * MB, 2 * MB, 30 * MB]) {
      const name = `t${room}`
      await leaveRoom(room)
      await page
        .getByLabel('Files to query', { exact: true })
        .setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(TEXT) })
      const there = tree(page).getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
      const full = page.getByRole('alert').filter({ hasText: 'is full' })
      await expect(there.or(full)).toBeVisible({ timeout: 60_000 })
      const isThere = await there.isVisible()
      await leaveRoom(null)
      if (isThere) locals.push(name)
      else {
        refused.push(`local table, ${room}`)
        await page.getByRole('button', { name: `Dismiss “${name}.csv”` }).click()
      }
      expect((await filesIn(page, 'local-tables')).length).toBe(locals.length)
    }

    await page.goto('/convert')
    for (const room of [1 * MB, 30 * MB]) {
      const name = `c${room}.csv`
      await page.getByLabel('Add files').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(TEXT) })
      const file = region(page, name)
      await file.getByRole('combobox', { name: 'Convert to' }).selectOption('json')
      const before = (await filesIn(page, 'outputs')).length
      await leaveRoom(room)
      await file.getByRole('button', { name: 'Convert', exact: true }).click()
      const receipt = file.getByRole('region', { name: 'Receipt' })
      const full = file.getByText('is full')
      await expect(receipt.or(full).first()).toBeVisible({ timeout: 60_000 })
      const isDone = await receipt.isVisible()
      await leaveRoom(null)
      if (!isDone) refused.push(`conversion, ${room}`)
      expect((await filesIn(page, 'outputs')).length).toBe(before + (isDone ? 1 : 0))
    }

    await page.goto('/settings/backup')
    await ready(page)
    for (const room of [1 * MB, 40 * MB]) {
      await leaveRoom(room)
      const full = page.getByRole('alert').filter({ hasText: 'isn’t enough room' })
      const done = page.getByText('Backup made').first()
      await page.getByRole('button', { name: 'Download backup' }).click()
      await expect(full.or(done)).toBeVisible({ timeout: 60_000 })
      const isDone = await done.isVisible()
      await leaveRoom(null)
      if (!isDone) refused.push(`backup, ${room}`)
      expect((await filesIn(page, 'backups')).length).toBe(isDone ? 1 : 0)
    }

    await context.close()
    context = await launch()
    page = await firstPage(context)
    await open(page)
    const again = accountOf(page, by)
    for (const name of datasets) await expectWhole(again, name)
    expect(await leaks(page)).toEqual([])
    await openSql(page)
    for (const name of locals) await rows(page, `SELECT id FROM local.${name}`, '100,000 rows')
    expect(refused.length).toBeGreaterThan(4)
  } finally {
    await context.close()
    mounted.unmount()
  }
})
