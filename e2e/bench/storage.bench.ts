import { expect, type BrowserContext, type Page } from '@playwright/test'
import { conversion, newKey, putBytes, ready } from '../stand-in.ts'
import { rendererMemory } from './memory.ts'
import { test } from './window.ts'

const APP = process.env['ROWHOUSE_ORIGIN'] ?? 'http://localhost:4173'
const STOCK = process.env['ROWHOUSE_BENCH_ORIGIN'] ?? 'http://localhost:4174'
const SIZE = 52_428_800
const ROUNDS = 9

interface Side {
  readonly page: Page
  readonly url: string
}

async function ours(context: BrowserContext): Promise<Side> {
  const page = await context.newPage()
  await page.goto(`${APP}/convert`)
  await ready(page)
  return { page, url: (await conversion(page, (await newKey(page)).key)).put }
}

async function stock(context: BrowserContext): Promise<Side> {
  const page = await context.newPage()
  await page.goto(`${STOCK}/stock.html`)
  await ready(page)
  return { page, url: `${STOCK}/storage/object` }
}

/** Milliseconds for a PUT of 50 MB, measured by the page. */
async function upload({ page, url }: Side): Promise<number> {
  const begun = await page.evaluate(() => performance.now())
  expect(await putBytes(page, url, SIZE)).toBe(200)
  return (await page.evaluate(() => performance.now())) - begun
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

test('PUT of 50 MB to a signed URL', async ({ context }) => {
  const [mine, theirs] = [await ours(context), await stock(context)]
  const times: { mine: number[]; theirs: number[] } = { mine: [], theirs: [] }
  for (let i = 0; i < ROUNDS; i++) {
    times.mine.push(await upload(mine))
    times.theirs.push(await upload(theirs))
  }
  const [own, other] = [median(times.mine), median(times.theirs)]
  // oxlint-disable-next-line no-console -- the measurement
  console.log(
    `PUT of 50 MB, median of ${ROUNDS}: ${Math.round(own)} ms, stock MSW ${Math.round(other)} ms: ` +
      `${(other / own).toFixed(2)}x faster (bar 2x)`,
  )
})

// Unmodified MSW keeps about 200 MB for each: forty uploads take minutes, and more memory than many machines have.
for (const [name, open, uploads] of [
  ['ours', ours, 40],
  ['stock MSW', stock, 10],
] as const) {
  test(`memory over ${uploads} PUTs of 50 MB, ${name}`, async ({ context }) => {
    const side = await open(context)
    const memory: number[] = []
    for (let i = 0; i < uploads; i++) {
      await upload(side)
      memory.push(rendererMemory())
    }
    const at = [5, 10, 20, 30, 40].filter((i) => i <= uploads).map((i) => `${i}: ${megabytes(memory[i - 1] ?? 0)}`)
    // oxlint-disable-next-line no-console -- the measurement
    console.log(`Largest renderer after so many PUTs of 50 MB, ${name}: ${at.join(', ')}`)
  })
}
