import { expect, test, type Page } from '@playwright/test'
import { account, open, put, sql, upload, type Account } from './api.ts'
import { leaks } from './bench/crash.ts'
import { openSql, rows, tree } from './sql.ts'

/* A disk that gets full at each step of what is kept: what is said to be kept is there, whole, and of the rest nothing. */

const ROWS = 100_000
const TEXT = `id,word,amount\n${Array.from({ length: ROWS }, (_, i) => `${i},word ${(i * 7919) % 99_991},${i / 8}`).join('\n')}\n`
const MB = 1_000_000

/** Leaves a page's origin so much room beside what it uses; null: all that there is. */
type LeaveRoom = (room: number | null) => Promise<void>

async function smallDisk(page: Page): Promise<LeaveRoom> {
  // The limit goes with the session that set it.
  const devtools = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  return async (room) => {
    const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate())
    const limit = room === null ? {} : { quotaSize: Math.round(usage + room) }
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, ...limit })
  }
}

/** What the private file system holds below a folder, `.part`s too. */
function filesIn(page: Page, folder: string): Promise<string[]> {
  return page.evaluate(async (name) => {
    const found: string[] = []
    const walk = async (handle: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [each, entry] of handle.entries()) {
        if (entry.kind === 'file') found.push(each)
        else await walk(entry)
      }
    }
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true }))
    return found
  }, folder)
}

async function create(
  by: Account,
  name: string,
  url: string,
): Promise<{ status: number; retryAfter: string | undefined }> {
  const { status, headers } = await by.call('POST', '/public/v1/datasets', {
    workspace_id: by.workspace.id,
    dataset_name: name,
    tables: [{ table_name: 't', signed_url: url }],
  })
  return { status, retryAfter: headers['retry-after'] }
}

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
  // As another page finds them, whose engine remembers nothing.
  await page.reload()
  await open(page)
  for (const name of made) {
    const { data, text } = await sql(
      by,
      `SELECT count(*)::INT AS n, sum(id)::VARCHAR AS s, sum(amount)::BIGINT::VARCHAR AS a FROM ${by.workspace.slug}.${name}.t`,
    )
    expect(data['rows'], text).toEqual([{ n: ROWS, s: '4999950000', a: '624993750' }])
  }
  expect(await leaks(page)).toEqual([])
})

test('an upload is whole, or 503 and nothing, wherever its disk gets full', async ({ page }) => {
  test.setTimeout(120_000)
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
    await expect(there.or(full)).toBeVisible({ timeout: 60_000 })
    const isThere = await there.isVisible()
    await leaveRoom(null)
    if (isThere) added.push(name)
    else await page.getByRole('button', { name: `Dismiss “${name}.csv”` }).click()
    expect((await filesIn(page, 'local-tables')).length).toBe(added.length)
  }
  await page.reload()
  for (const name of added) await rows(page, `SELECT id FROM local.${name}`, '100,000 rows')
})
