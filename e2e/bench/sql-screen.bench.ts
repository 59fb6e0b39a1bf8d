import { expect, type Page } from '@playwright/test'
import { button, grid, openSql, rows, SLOW, status, write } from '../sql.ts'
import { rendererMemory } from './memory.ts'
import { test } from './window.ts'

/* The SQL screen itself: a result of 10,000,000 rows, scrolling it, and typing while a statement runs. */

const APP = process.env['ROWHOUSE_ORIGIN'] ?? 'http://localhost:4173'
const TEN_MILLION = 'SELECT range AS id, range * 7 AS seven, range / 3 AS third FROM range(10000000)'
/** 8 bytes a value, and none for nulls. */
const ARROW_BYTES = 10_000_000 * 3 * 8

const say = (line: string): void => {
  // oxlint-disable-next-line no-console -- the measurement
  console.log(line)
}
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
const frames = (times: readonly number[]): string =>
  `p50 ${percentile(times, 0.5).toFixed(1)}, p95 ${percentile(times, 0.95).toFixed(1)}, longest ${Math.max(...times).toFixed(1)} ms`

/** Milliseconds between the press of "Run" and the first row on the page. */
async function untilFirstRow(page: Page): Promise<number> {
  await page.evaluate(() => {
    const look = (): void => {
      if (!document.querySelector('[role=grid][aria-label=Result] [role=gridcell]')) return
      watcher.disconnect()
      Object.assign(window, { firstRow: performance.now() - begun })
    }
    const watcher = new MutationObserver(look)
    let begun = 0
    const press = (): void => {
      begun = performance.now()
      watcher.observe(document.body, { childList: true, subtree: true })
    }
    addEventListener('click', press, { capture: true, once: true })
  })
  await button(page, 'Run').click()
  const found = await page.waitForFunction(() => (window as unknown as { firstRow?: number }).firstRow ?? null)
  return (await found.jsonValue()) ?? 0
}

/** The times between frames while the page does something in each of them, in milliseconds. */
function framesOf(page: Page, scroll: boolean): Promise<number[]> {
  return page.evaluate((scrolls) => {
    const root = document.querySelector('[role=grid][aria-label=Result]')
    const all = root ? [root, ...root.querySelectorAll('*')] : []
    const scroller = all.find((each) => each.scrollHeight > each.clientHeight + 1000) ?? null
    if (scrolls && !scroller) throw new Error('nothing scrolls')
    return new Promise<number[]>((resolve) => {
      const times: number[] = []
      let last = performance.now()
      const next = (now: number): void => {
        times.push(now - last)
        last = now
        // Slowly at first, so that rows come in at the edge; then by pages.
        if (scrolls && scroller) scroller.scrollTop += times.length < 150 ? 40 : 2000
        if (times.length < 300) requestAnimationFrame(next)
        else resolve(times.slice(2))
      }
      requestAnimationFrame(next)
    })
  }, scroll)
}

test('a result of 10,000,000 rows, and scrolling it', async ({ page }) => {
  await openSql(page, `${APP}/sql`)
  await rows(page, 'SELECT 1 AS one', '1 row')
  // No rows are on the page, and the engine runs.
  await rows(page, 'SELECT 1 AS one WHERE false', '0 rows')
  const before = rendererMemory()
  await write(page, TEN_MILLION)
  const first = await untilFirstRow(page)
  await expect(status(page)).toContainText('10,000,000 rows', { timeout: 120_000 })
  await page.waitForTimeout(1000)
  const memory = rendererMemory() - before
  say(
    `10,000,000 rows x 3: first row on the page ${Math.round(first)} ms behind “Run” (bar 300 ms behind the engine’s ` +
      `first batch); the renderer grew by ${Math.round(memory / 1e6)} MB, ${(memory / ARROW_BYTES).toFixed(2)}x the ` +
      `Arrow bytes (bar 1.3x); the page says ${(await status(page).innerText()).replaceAll('\n', ' ')}`,
  )
  const idle = await framesOf(page, false)
  const scrolled = await framesOf(page, true)
  await page.goto('about:blank')
  const empty = await framesOf(page, false)
  const ratio = percentile(scrolled, 0.95) / percentile(empty, 0.95)
  say(
    `frames: scrolling ${frames(scrolled)} (bar p95 17, none over 50); at rest ${frames(idle)}; ` +
      `an empty page ${frames(empty)}; p95 ${ratio.toFixed(2)}x the empty page’s`,
  )
})

test('typing while a statement runs', async ({ page }) => {
  await openSql(page, `${APP}/sql`)
  await rows(page, 'SELECT 1 AS one', '1 row')
  await page.evaluate(() => {
    const handled: number[] = []
    const slow: number[] = []
    // From the key until the page is free again; when it's painted is the display's rhythm too.
    let pressed = 0
    addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { capture: true })
    addEventListener(
      'input',
      () => {
        const { port1, port2 } = new MessageChannel()
        const from = pressed
        port1.addEventListener('message', () => handled.push(performance.now() - from))
        port1.start()
        port2.postMessage(null)
      },
      { capture: true },
    )
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') slow.push(duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
    Object.assign(window, { typed: { handled, slow } })
  })
  const type = async (): Promise<{ handled: number[]; slow: number[] }> => {
    await page.evaluate(() => {
      const { typed } = window as unknown as { typed: { handled: number[]; slow: number[] } }
      typed.handled.length = 0
      typed.slow.length = 0
    })
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('SELECT range, count(*) FROM range(10) GROUP BY range ORDER BY 1', { delay: 60 })
    await page.waitForTimeout(500)
    return page.evaluate(() => (window as unknown as { typed: { handled: number[]; slow: number[] } }).typed)
  }
  await write(page, 'SELECT sum(a.range * b.range % 7) FROM range(1000000) a, range(1000000) b;\n')
  const idle = await type()
  await write(page, 'SELECT sum(a.range * b.range % 7) FROM range(1000000) a, range(1000000) b;\n')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('Runs in this browser', SLOW)
  const busy = await type()
  await button(page, 'Cancel').click()
  await expect(grid(page).or(status(page)).first()).toBeVisible()
  const words = ({ handled, slow }: { handled: number[]; slow: number[] }): string =>
    `until the page is free p95 ${percentile(handled, 0.95).toFixed(1)} ms; ` +
    `painted later than after 16 ms: ${slow.length} of ${handled.length} keys, p95 of those ${percentile(slow, 0.95)} ms`
  say(`keys while a statement runs: ${words(busy)} (bar p95 16 ms)`)
  say(`keys while none runs: ${words(idle)}`)
})
