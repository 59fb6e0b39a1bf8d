import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, type LaunchOptions, type Page } from '@playwright/test'
import { csvParts, csvWhole } from './data.ts'
import { nativeRows, nativeTypes, quoted } from '../native.ts'
import { peakMemory } from './memory.ts'
import type { Timing } from './page.ts'
import { test, withWindow } from './window.ts'

const PAGE = 'http://localhost:4174'
const APP = 'http://localhost:4173'
const FILES = 500

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

/** Runs the engine over files in a new browser process. */
function alone(
  options: LaunchOptions,
  files: readonly string[],
  work: 'combine' | 'unnamed' | 'rowhouse',
): Promise<{ result: Timing; peak: number }> {
  return withFiles(options, files, (page) =>
    peakMemory(() =>
      page.evaluate(
        (what) =>
          what === 'rowhouse'
            ? window.bench.rowhouse(0, 'parquet')
            : window.bench.combine('parquet', { named: what === 'combine' }),
        work,
      ),
    ),
  )
}

function withFiles<T>(options: LaunchOptions, files: readonly string[], use: (page: Page) => Promise<T>): Promise<T> {
  return withWindow(options, async (context) => {
    const page = await context.newPage()
    await page.goto(PAGE)
    await page.waitForTimeout(5000)
    await page.getByLabel('Files').setInputFiles([...files])
    return use(page)
  })
}

/** For each file: row count, and sums over all values, which don't depend on the order of rows. */
function sumsByFile(columns: readonly string[], from: string): Promise<unknown[][]> {
  const sums = columns.map((name) => `count(${name}), sum(hash(${name})), bit_xor(hash(id, ${name}))`)
  return nativeRows(`SELECT file, count(*), ${sums.join(', ')} FROM ${from} GROUP BY file ORDER BY file`)
}

/** Files with 18 bytes to 2 kB. */
function smallFiles(): string[] {
  const folder = test.info().outputPath('small')
  mkdirSync(folder, { recursive: true })
  return Array.from({ length: FILES }, (_, i) => {
    const file = path.join(folder, `f${String(i).padStart(3, '0')}.csv`)
    const lines = Array.from(
      { length: [1, 3, 20, 60][i % 4] ?? 1 },
      (__, row) => `${i * 100 + row},name ${row},${row}.25\n`,
    )
    writeFileSync(file, i % 4 === 0 ? `a,b\n1,2\n3,4\n5,${i % 10}\n` : ['id,name,amount\n', ...lines].join(''))
    return file
  })
}

test('500 small CSVs on the Convert screen', async ({ page }) => {
  const files = smallFiles()
  await page.addInitScript(() => {
    const ends: [end: number, duration: number][] = []
    Object.assign(window, { longTasks: ends })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) ends.push([startTime + duration, duration])
    }).observe({ type: 'longtask' })
  })
  await page.goto(APP)
  const input = page.getByLabel('Add files')
  await input.waitFor({ state: 'attached' })
  await page.waitForTimeout(4000)
  // The browser's own time to pass that many files isn't the page's.
  await input.evaluate((element) =>
    element.addEventListener('change', () => Object.assign(window, { begun: performance.now() }), {
      capture: true,
      once: true,
    }),
  )
  // Looks at as little as possible: a search by role or text goes through all of the page, for as long as 100 ms.
  const times = page.evaluate(async () => {
    const begun = (): number | undefined => (window as unknown as { begun?: number }).begun
    const until = (isSo: () => boolean | undefined): Promise<number> =>
      new Promise((resolve) => {
        const timer = setInterval(() => {
          if (begun() === undefined || !isSo()) return
          clearInterval(timer)
          resolve(performance.now() - (begun() ?? 0))
        }, 10)
      })
    const first = await until(() => document.querySelector('main section h2')?.textContent.includes('f000.csv'))
    const all = await until(() => !document.querySelector('main header h1 + p')?.textContent.includes('being read'))
    return { first, all }
  })
  await input.setInputFiles(files)
  const { first, all } = await times
  const longest = await page.evaluate(() => {
    const { longTasks, begun } = window as unknown as { longTasks: [end: number, duration: number][]; begun: number }
    return Math.max(0, ...longTasks.map(([end, duration]) => Math.min(duration, end - begun)))
  })
  await expect(page.getByText(/being read/)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'f000.csv', exact: true })).toBeAttached()
  console.log(
    `500 CSVs of 18 bytes to 2 kB: first card ${seconds(first)} (bar 1 s), all read ${seconds(all)} (bar 20 s), longest task ${Math.round(longest)} ms (bar 50 ms)`,
  )
})

/**
 * Combines files with and without a column of their names, and converts the same rows as one file, by turns: the same work
 * can take a third longer a minute later. Prints the best of each.
 */
async function compare(options: LaunchOptions, what: string, files: readonly string[], whole: string, turns: number) {
  const all: Record<'combine' | 'unnamed' | 'rowhouse', Timing[]> = { combine: [], unnamed: [], rowhouse: [] }
  let peak = 0
  for (let turn = 0; turn < turns; turn++) {
    for (const work of ['combine', 'unnamed', 'rowhouse'] as const) {
      const run = await alone(options, work === 'rowhouse' ? [whole] : files, work)
      all[work].push(run.result)
      if (work === 'combine') peak = Math.max(peak, run.peak)
    }
  }
  const best = (timings: readonly Timing[]): number =>
    Math.min(...timings.map(({ convert, verify }) => convert + verify))
  const inspected = (timings: readonly Timing[]): string => seconds(Math.min(...timings.map(({ inspect }) => inspect)))
  const asOne = best(all.rowhouse)
  const times = (timings: readonly Timing[]): string =>
    `${seconds(best(timings))}, ${(best(timings) / asOne).toFixed(2)}x`
  console.log(
    `${what} → Parquet, best of ${turns}: ${times(all.unnamed)} of the same rows as one file, ${seconds(asOne)} (bar 1.15x); with a column of the file's name ${times(all.combine)}; reading them before ${inspected(all.combine)}, as one ${inspected(all.rowhouse)}; peak renderer memory ${megabytes(peak)} (bar 1,000 MB)`,
  )
}

test('100 CSVs of 2 MB into one Parquet', async ({ launchOptions }) => {
  await compare(launchOptions, '100 CSVs of 2 MB', await csvParts(100, false), await csvWhole(100, false), 3)
})

test('1,000 drifting CSVs of 2 MB into one Parquet', async ({ launchOptions }) => {
  const files = await csvParts(1000, true)
  await compare(launchOptions, '1,000 drifting CSVs of 2 MB', files, await csvWhole(1000, true), 3)
  const made = test.info().outputPath('combined.parquet')
  await withFiles(launchOptions, files, async (page) => {
    const download = page.waitForEvent('download', { timeout: 0 })
    await page.evaluate(() => window.bench.combine('parquet', { download: true }))
    await (await download).saveAs(made)
  })
  const types = (await nativeTypes(`FROM ${quoted(made)}`)).filter(([name]) => name !== 'file')
  const columns = types.map(([name]) => name)
  expect(columns.toSorted().join()).toBe('amount,channel,city,day,email,flag,id,moment,name,quantity,ratio')
  const asMade = types.map(([name, type]) => `${name}: ${quoted(type)}`).join(', ')
  const list = files.map(quoted).join(', ')
  const csvs = `read_csv([${list}], union_by_name = true, filename = 'path', types = {${asMade}})`
  const native = `(SELECT * EXCLUDE (path), parse_filename(path) AS file FROM ${csvs})`
  expect(await sumsByFile(columns, quoted(made))).toEqual(await sumsByFile(columns, native))
})
