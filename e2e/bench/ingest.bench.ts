import { csv50, nativeCsvToTable } from './data.ts'
import { test } from './window.ts'

const ROUNDS = 4

/** Alternates in one page, where the first round is a warm-up: two cores are noisy, and both start an engine. */
test('CSV 50 MB into a table at rest', async ({ page }) => {
  await page.goto('http://localhost:4174')
  // Wait until the conversion engine has warmed up, so that it doesn't disturb the measurement.
  await page.waitForTimeout(5000)
  const file = await csv50()
  await page.getByLabel('Files').setInputFiles(file)
  const times = { ours: [] as number[], whole: [] as number[], sampled: [] as number[] }
  for (let i = 0; i < ROUNDS; i++) {
    times.whole.push(await page.evaluate(() => window.bench.duckdbCsv(0, -1)))
    times.ours.push(await page.evaluate(() => window.bench.ingest(0)))
    times.sampled.push(await page.evaluate(() => window.bench.duckdbCsv(0, null)))
  }
  const best = (all: readonly number[]): number => Math.min(...all.slice(1))
  const [ours, whole, sampled] = [best(times.ours), best(times.whole), best(times.sampled)]
  const native = await nativeCsvToTable(file)
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`
  console.log(
    `CSV 50 MB into a table at rest: ${seconds(ours)} (the first: ${seconds(times.ours[0] ?? 0)}); ` +
      `native DuckDB on one thread, into a file, types over all rows: ${seconds(native)}: ` +
      `${(ours / native).toFixed(2)}x (bar 2x); DuckDB-WASM in memory, types over all rows: ${seconds(whole)}: ${(ours / whole).toFixed(2)}x; ` +
      `by its sample of 20,480 rows: ${seconds(sampled)}`,
  )
})
