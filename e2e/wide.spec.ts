import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { convertTo, download, region } from './page.ts'

/* A trace copies the page's elements at each step, in the page's own thread: it would be what this measures. */
test.use({ trace: 'off' })

interface WithTasks {
  readonly longTasks: number[]
}

test('10,000 columns are shown without freezing, and convert', async ({ page }) => {
  await page.addInitScript(() => {
    const found: number[] = []
    Object.assign(globalThis, { longTasks: found })
    new PerformanceObserver((list) => found.push(...list.getEntries().map((entry) => entry.duration))).observe({
      type: 'longtask',
    })
  })
  const names = Array.from({ length: 10_000 }, (_, i) => `c${i}`)
  const path = test.info().outputPath('wide.csv')
  writeFileSync(path, `${names.join(',')}\n${`${names.map((_, i) => i).join(',')}\n`.repeat(20)}`)
  await page.goto('/convert')
  await expect(page.getByLabel('Add files')).toBeAttached()
  const startUp = await page.evaluate(() => (globalThis as unknown as WithTasks).longTasks.splice(0))
  await page.getByLabel('Add files').setInputFiles(path)
  const file = region(page, 'wide.csv')
  await expect(file.getByRole('table', { name: 'Preview' })).toContainText('c0', { timeout: 30_000 })
  await convertTo(file, 'CSV', 50_000)
  const tasks = await page.evaluate(() => (globalThis as unknown as WithTasks).longTasks)
  test
    .info()
    .annotations.push({ type: 'main-thread tasks over 50 ms', description: `${startUp.join(' ')}; ${tasks.join(' ')}` })
  // The bench measures the page by itself; here the test looks at it by roles at the same time.
  expect(Math.max(0, ...tasks)).toBeLessThan(300)
  // Only what is in view is in the page.
  expect(await page.locator('td, th, [role=gridcell], [role=columnheader]').count()).toBeLessThan(20_000)
  const got = await download(page, file.getByRole('button', { name: 'Download', exact: true }))
  expect(readFileSync(got.path, 'utf8').trim().split('\n')).toHaveLength(21)
})
