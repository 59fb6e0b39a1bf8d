import { expect, type Page } from '@playwright/test'
import { newKey, ready } from '../stand-in.ts'
import { test } from './window.ts'

const APP = process.env['ROWHOUSE_ORIGIN'] ?? 'http://localhost:4173'
const COUNT = 1000

/** Writes datasets directly to the service's storage: creating a thousand by uploads would measure something else. */
async function fill(page: Page, workspaceId: string): Promise<void> {
  await page.evaluate(
    async ([workspace, count]) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('rowhouse-service')
        opening.addEventListener('success', () => resolve(opening.result))
        opening.addEventListener('error', () => reject(opening.error ?? new Error('no database')))
      })
      const transaction = database.transaction(['datasets', 'datasetRevisions'], 'readwrite')
      // As the service does for each change, to invalidate cached lists.
      transaction.objectStore('datasetRevisions').put({ id: 'datasets', token: crypto.randomUUID() })
      const schema = Array.from({ length: 12 }, (_, i) => ({ name: `column_${i}`, type: i % 3 ? 'VARCHAR' : 'BIGINT' }))
      for (let i = 0; i < count; i++) {
        const name = `Dataset ${String(i).padStart(4, '0')}`
        transaction.objectStore('datasets').put({
          id: `bench${String(i).padStart(21, '0')}`,
          workspaceId: workspace,
          name,
          nameKey: name.toLowerCase(),
          description: 'Made to measure with',
          visibility: i % 7 === 0 ? 'public' : 'private',
          tags: [`team ${i % 12}`, `year ${2015 + (i % 10)}`],
          createdAt: Date.now() - i * 3_600_000,
          updatedAt: Date.now() - i * 3_600_000,
          tables: Array.from({ length: 1 + (i % 3) }, (_, t) => ({
            fileId: `bench-${i}/${t}`,
            name: `table ${t}`,
            description: '',
            rowCount: (i * 7919) % 1_000_000,
            byteSize: (i * 104_729) % 50_000_000,
            schema,
          })),
        })
      }
      await new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve())
        transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')))
      })
      database.close()
    },
    [workspaceId, COUNT] as const,
  )
}

/** The page's longest task while something is done, in milliseconds. Tasks shorter than 50 ms count as 0. */
async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const seen: number[] = []
    const observer = new PerformanceObserver((list) => seen.push(...list.getEntries().map((entry) => entry.duration)))
    observer.observe({ type: 'longtask' })
    Object.assign(window, { longTasks: seen })
  })
  await work()
  await page.waitForTimeout(500)
  return page.evaluate(() => Math.round(Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks)))
}

/** The 95th percentile of round trips, in milliseconds. */
async function roundTrip(page: Page, path: string, key: string): Promise<number> {
  return page.evaluate(
    async ([address, apiKey]) => {
      const times: number[] = []
      for (let i = 0; i < 120; i++) {
        const begun = performance.now()
        const response = await fetch(address, { headers: { 'X-API-Key': apiKey } })
        await response.json()
        if (i >= 20) times.push(performance.now() - begun)
      }
      return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
    },
    [path, key] as const,
  )
}

test('1,000 datasets: the list, and round trips to the service', async ({ context }) => {
  const page = await context.newPage()
  await page.goto(`${APP}/convert`)
  await ready(page)
  const { workspaceId, key } = await newKey(page)
  await fill(page, workspaceId)
  await page.goto(`${APP}/convert`)
  await ready(page)
  // On a first visit, caching the app for offline use starts after two seconds and takes both cores.
  await page.waitForTimeout(6000)
  const names = page.getByRole('list', { name: 'Datasets' }).getByRole('link')
  const tasks = {
    // Playwright's look-up of elements by role runs in the page, too, so don't look while it's measured.
    opened: await longestTask(page, async () => {
      await page.evaluate(() => document.querySelector<HTMLAnchorElement>('nav a[href$="/datasets"]')?.click())
      await page.waitForTimeout(1500)
    }),
    searched: await longestTask(page, () => page.getByRole('searchbox').pressSequentially('dataset 01')),
    sorted: await longestTask(page, () => page.getByRole('button', { name: /Sort by Rows/ }).click()),
    scrolled: await longestTask(page, async () => {
      await page.getByRole('searchbox').clear()
      for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 1500)
    }),
  }
  await expect(names.first()).toBeVisible()
  const times = {
    list: await roundTrip(page, `/public/v1/workspaces/${workspaceId}/datasets`, key),
    expanded: await roundTrip(page, `/public/v1/workspaces/${workspaceId}/datasets?expand=tables`, key),
    get: await roundTrip(page, '/public/v1/datasets/bench000000000000000000500', key),
  }
  const words = Object.entries(tasks).map(([what, ms]) => `${what} ${ms === 0 ? 'under 50' : ms} ms`)
  // oxlint-disable-next-line no-console -- the measurement
  console.log(
    `longest task (bar 50 ms): ${words.join(', ')}\n` +
      `round trip, p95 (bar 15 ms): list ${times.list.toFixed(1)} ms, with tables ${times.expanded.toFixed(1)} ms, get ${times.get.toFixed(1)} ms`,
  )
})
