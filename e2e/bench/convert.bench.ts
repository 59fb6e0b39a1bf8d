import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, type LaunchOptions, type Page } from '@playwright/test'
import type { FormatId } from '../../src/contract/formats.ts'
import {
  csv100,
  csv200k,
  csv2g,
  csvEuropean,
  csvLong,
  csvWide,
  json50,
  nativeCsvToParquet,
  ndjson50,
  parquet,
} from './data.ts'
import { peakMemory } from './memory.ts'
import type { Changes, PeerName, Timing } from './page.ts'
import { test, withWindow } from './window.ts'

const PAGE = 'http://localhost:4174'
const APP = 'http://localhost:4173'
const DIST = new URL('../../dist/', import.meta.url)
const rows: string[][] = []

test.afterAll(() => {
  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  for (const row of rows) console.log(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
})

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
const times = (a: number, b: number): string => `${(a / b).toFixed(2)}x`
const report = (...cells: [work: string, ours: string, theirs: string, ratio: string]): number => rows.push(cells)

/** Waits until the engine has warmed up, as in the app after an idle second, so that it doesn't disturb the others. */
async function openPage(page: Page): Promise<void> {
  await page.goto(PAGE)
  await page.waitForTimeout(5000)
}

/** The best of three, each in a new page: two cores are noisy, and a page's heap never shrinks. */
async function ours(page: Page, file: string, target: FormatId, changes: Changes = {}, runs = 3): Promise<Timing> {
  const timings: Timing[] = []
  for (let i = 0; i < runs; i++) {
    await openPage(page)
    await page.getByLabel('Files').setInputFiles(file)
    const run = [target, changes] as const
    timings.push(await page.evaluate(([to, set]) => window.bench.rowhouse(0, to, undefined, set), run))
  }
  return timings.reduce((best, timing) => (timing.total < best.total ? timing : best))
}

/** Like `ours`. */
async function theirs(page: Page, file: string, peer: PeerName, runs = 3): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    await openPage(page)
    await page.getByLabel('Files').setInputFiles(file)
    best = Math.min(best, await page.evaluate((name) => window.bench.peer(name, 0), peer))
  }
  return best
}

const split = (t: Timing): string =>
  `${seconds(t.total)} (inspect ${seconds(t.inspect)}, convert ${seconds(t.convert)}, verify ${seconds(t.verify)})`

test('CSV 100 MB to Parquet', async ({ page }) => {
  const file = await csv100()
  const own = await ours(page, file, 'parquet')
  const native = await nativeCsvToParquet(file)
  const plain = await theirs(page, file, 'csvToParquet')
  report(
    'CSV 100 MB → Parquet zstd, receipt included',
    split(own),
    `native, one thread ${seconds(native)}`,
    `${times(own.total, native)} (bar 3x)`,
  )
  report('', '', `papaparse + hyparquet-writer ${seconds(plain)}`, `${times(plain, own.total)} faster (bar 5x)`)
})

const OTHER_CSV: readonly [string, () => Promise<string>][] = [
  ['CSV 100 MB of long texts → Parquet', csvLong],
  ['CSV 100 MB of 200 columns → Parquet', csvWide],
]
for (const [work, make] of OTHER_CSV) {
  test(work, async ({ page }) => {
    const file = await make()
    const own = await ours(page, file, 'parquet')
    const native = await nativeCsvToParquet(file)
    report(work, split(own), `native, one thread ${seconds(native)}`, `${times(own.total, native)} (bar 3x)`)
  })
}

/** What people set for numbers with decimal commas. */
const COMMAS: Changes = {
  amount: { type: 'DECIMAL(10,2)', format: { decimalMark: ',' } },
  ratio: { type: 'DOUBLE', format: { decimalMark: ',' } },
  moment: { type: 'TIMESTAMP', format: { dateFormat: '%d.%m.%Y %H:%M:%S' } },
}

test('European CSV 100 MB to Parquet', async ({ page }) => {
  const european = await ours(page, await csvEuropean(), 'parquet', COMMAS)
  const plain = await ours(page, await csv100(), 'parquet')
  report(
    'European CSV 100 MB → Parquet',
    split(european),
    `the plain one ${seconds(plain.total)}`,
    `${times(european.total, plain.total)} of it (bar 1.2x)`,
  )
})

const PLAIN: readonly [string, () => Promise<string>, FormatId, PeerName][] = [
  ['Parquet 850,000 x 10 → CSV', parquet, 'csv', 'parquetToCsv'],
  ['JSON 50 MB → Parquet', json50, 'parquet', 'jsonToParquet'],
  ['NDJSON 50 MB → CSV', ndjson50, 'csv', 'ndjsonToCsv'],
]
for (const [work, make, target, peer] of PLAIN) {
  test(work, async ({ page }) => {
    const file = await make()
    const own = await ours(page, file, target)
    const plain = await theirs(page, file, peer)
    report(work, split(own), `plain JavaScript ${seconds(plain)}`, `${times(plain, own.total)} faster (bar 3x)`)
    report('', `without inspection and receipt ${seconds(own.convert)}`, '', `${times(plain, own.convert)} faster`)
  })
}

/** Runs in a new browser process, so that earlier memory isn't counted. */
function alone<T>(
  options: LaunchOptions,
  file: string,
  run: (page: Page) => Promise<T>,
): Promise<{ result: T; peak: number }> {
  return withWindow(options, async (context) => {
    const page = await context.newPage()
    await page.goto(PAGE)
    await page.getByLabel('Files').setInputFiles(file)
    return peakMemory(() => run(page))
  })
}

test('Excel 200,000 x 10', async ({ launchOptions }) => {
  const source = await csv200k()
  const write = await alone(launchOptions, source, (page) => page.evaluate(() => window.bench.rowhouse(0, 'xlsx')))
  const plainWrite = await alone(launchOptions, source, (page) =>
    page.evaluate(() => window.bench.peer('sheetjsWrite', 0)),
  )
  report(
    'Excel 200,000 x 10, write',
    `${split(write.result)}, ${megabytes(write.peak)}`,
    `SheetJS ${seconds(plainWrite.result)}, ${megabytes(plainWrite.peak)}`,
    `${times(plainWrite.result, write.result.total)} faster, receipt included (bar 1x)`,
  )
  const book = test.info().outputPath('mixed.xlsx')
  const made = await alone(launchOptions, source, (page) => page.evaluate(() => window.bench.workbook(0)))
  await writeFile(book, Buffer.from(made.result, 'base64'))
  const read = await alone(launchOptions, book, (page) => page.evaluate(() => window.bench.inspectOnly(0)))
  const plainRead = await alone(launchOptions, book, (page) => page.evaluate(() => window.bench.peer('sheetjsRead', 0)))
  report(
    'Excel 200,000 x 10, read',
    `${seconds(read.result)}, ${megabytes(read.peak)}`,
    `SheetJS ${seconds(plainRead.result)}, ${megabytes(plainRead.peak)}`,
    `${times(plainRead.result, read.result)} faster (bar 1x)`,
  )
})

test('CSV 2 GB to Parquet', async ({ launchOptions }) => {
  const file = await csv2g()
  const { result, peak } = await alone(launchOptions, file, (page) =>
    page.evaluate(() => window.bench.rowhouse(0, 'parquet')),
  )
  report('CSV 2 GB → Parquet', split(result), `peak renderer memory ${megabytes(peak)}`, '(bar 1,500 MB)')
  expect(result.bytes).toBeGreaterThan(0)
})

test('the page while it converts', async ({ page }) => {
  const file = await csv100()
  await page.addInitScript(() => {
    const tasks: number[] = []
    Object.assign(window, { longTasks: tasks })
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(APP)
  await page.getByLabel('Add files').waitFor({ state: 'attached' })
  await page.waitForTimeout(1000)
  const longest = (): Promise<number> =>
    page.evaluate(() => Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks))
  const start = await longest()
  await page.evaluate(() => {
    ;(window as unknown as { longTasks: number[] }).longTasks.length = 0
  })
  await page.getByLabel('Add files').setInputFiles(file)
  const card = page.getByRole('region', { name: path.basename(file), exact: true })
  await card.getByRole('table', { name: 'Preview' }).waitFor({ timeout: 60_000 })
  await card.getByRole('combobox', { name: 'Convert to' }).selectOption('Parquet')
  await card.getByRole('button', { name: 'Convert', exact: true }).click()
  await card.getByRole('region', { name: 'Receipt' }).waitFor({ timeout: 120_000 })
  report(
    'Longest task of the page while it inspects and converts',
    `${Math.round(await longest())} ms`,
    `at start ${Math.round(start)} ms`,
    '(bar 50 ms; 0: none over 50)',
  )
})

test('the first visit', async ({ page }) => {
  await page.goto(APP)
  await page.getByLabel('Add files').waitFor({ state: 'attached' })
  const ready = await page.evaluate(() => performance.now())
  await page
    .getByLabel('Add files')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,x\n') })
  const card = page.getByRole('region', { name: 'a.csv', exact: true })
  await card.getByRole('button', { name: 'Convert', exact: true }).click()
  await card.getByRole('region', { name: 'Receipt' }).waitFor()
  const converted = await page.evaluate(() => performance.now())
  report('First visit', `ready after ${seconds(ready)}`, `first file converted after ${seconds(converted)}`, '')
  const html = readFileSync(new URL('index.html', DIST), 'utf8')
  const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? '')
  const gzip = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, DIST))).length, 0)
  report('JavaScript before the first paint', `${Math.round(gzip / 1000)} kB gzip`, '', '(bar 150 kB)')
})
