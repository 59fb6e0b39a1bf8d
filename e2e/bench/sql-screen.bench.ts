import { expect, type Page } from '@playwright/test'
import { button, openSql, rows, SLOW, status, write } from '../sql.ts'
import { rendererMemory } from './memory.ts'
import { test } from './window.ts'

/* The SQL screen: a result of 10,000,000 rows, scrolling it, and typing while a statement runs. */

const APP = process.env['ROWHOUSE_ORIGIN'] ?? 'http://localhost:4173'
const TEN_MILLION = 'SELECT range AS id, range * 7 AS seven, range / 3 AS third FROM range(10000000)'
/** 8 bytes per value, as none is null. */
const ARROW_BYTES = 10_000_000 * 3 * 8

const say = (line: string): void => {
  // oxlint-disable-next-line no-console -- the measurement
  console.log(line)
}
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
const frames = (times: readonly number[]): string =>
  `p50 ${percentile(times, 0.5).toFixed(1)}, p95 ${percentile(times, 0.95).toFixed(1)}, longest ${Math.max(...times).toFixed(1)} ms`

/** Milliseconds between pressing "Run" and the first row on the page. */
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

/** CSS pixels to scroll per frame. */
interface Move {
  readonly down: number
  readonly across: number
}

/**
 * Milliseconds between frames while the page scrolls in each of them: slowly at first, so that rows and columns appear
 * at the edge, then by pages.
 */
function framesOf(page: Page, moves: { readonly slow: Move; readonly fast: Move } | null): Promise<number[]> {
  return page.evaluate((steps) => {
    const root = document.querySelector('[role=grid][aria-label=Result]')
    const all = root ? [root, ...root.querySelectorAll('*')] : []
    const scroller = all.find((each) => each.scrollHeight > each.clientHeight + 1000) ?? null
    if (steps && !scroller) throw new Error('nothing scrolls')
    return new Promise<number[]>((resolve) => {
      const times: number[] = []
      let last = performance.now()
      let [x, way] = [0, 1]
      const next = (now: number): void => {
        times.push(now - last)
        last = now
        if (steps && scroller) {
          const step = times.length < 150 ? steps.slow : steps.fast
          // Back and forth, since the end is soon reached horizontally.
          const most = scroller.scrollWidth - scroller.clientWidth
          x += way * step.across
          if (x < 0 || x > most) way = -way
          scroller.scrollBy({ top: step.down, left: Math.min(most, Math.max(0, x)) - scroller.scrollLeft })
        }
        if (times.length < 300) requestAnimationFrame(next)
        else resolve(times.slice(2))
      }
      requestAnimationFrame(next)
    })
  }, moves)
}

const DOWN = { slow: { down: 40, across: 0 }, fast: { down: 2000, across: 0 } }
const ACROSS = { slow: { down: 0, across: 25 }, fast: { down: 0, across: 400 } }
const BOTH = { slow: { down: 40, across: 25 }, fast: { down: 2000, across: 400 } }

test('a result of 10,000,000 rows, and scrolling it', async ({ page }) => {
  await openSql(page, `${APP}/sql`)
  await rows(page, 'SELECT 1 AS one', '1 row')
  // Starts the engine without any rows on the page.
  await rows(page, 'SELECT 1 AS one WHERE false', '0 rows')
  const before = rendererMemory()
  await write(page, TEN_MILLION)
  const first = await untilFirstRow(page)
  await expect(status(page)).toContainText('10,000,000 rows', { timeout: 120_000 })
  await page.waitForTimeout(1000)
  const memory = rendererMemory() - before
  say(
    `10,000,000 rows x 3: first row on the page ${Math.round(first)} ms after “Run” (bar 300 ms after the engine’s ` +
      `first batch); the renderer grew by ${Math.round(memory / 1e6)} MB, ${(memory / ARROW_BYTES).toFixed(2)}x the ` +
      `Arrow bytes (bar 1.3x); the page says ${(await status(page).innerText()).replaceAll('\n', ' ')}`,
  )
  const idle = await framesOf(page, null)
  const scrolled = await framesOf(page, DOWN)
  await page.goto('about:blank')
  const empty = await framesOf(page, null)
  const ratio = percentile(scrolled, 0.95) / percentile(empty, 0.95)
  say(
    `frames: scrolling ${frames(scrolled)} (bar p95 17, none over 50); at rest ${frames(idle)}; ` +
      `an empty page ${frames(empty)}; p95 ${ratio.toFixed(2)}x the empty page’s`,
  )
})

/** One byte per value, 500 MB in all. Other types would need more memory than a page has. */
const FIFTY = Array.from({ length: 50 }, (_, i) => `CAST((range * ${i + 3}) % 100 AS TINYINT) AS column_${i}`)

test('a result of 10,000,000 rows and 50 columns, and scrolling it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openSql(page, `${APP}/sql`)
  await rows(page, 'SELECT 1 AS one WHERE false', '0 rows')
  const before = rendererMemory()
  await write(page, `SELECT ${FIFTY.join(', ')} FROM range(10000000)`)
  const first = await untilFirstRow(page)
  await expect(status(page)).toContainText('10,000,000 rows', { timeout: 120_000 })
  await page.waitForTimeout(1000)
  const memory = rendererMemory() - before
  say(
    `10,000,000 rows x 50: first row on the page ${Math.round(first)} ms after “Run”; the renderer grew by ` +
      `${Math.round(memory / 1e6)} MB, ${(memory / (10_000_000 * FIFTY.length)).toFixed(2)}x the Arrow bytes (bar 1.3x)`,
  )
  const down = await framesOf(page, DOWN)
  const across = await framesOf(page, ACROSS)
  const both = await framesOf(page, BOTH)
  say(
    `frames: scrolling down ${frames(down)}; across ${frames(across)}; both ${frames(both)} (bar p95 17, none over 50)`,
  )
})

/** Milliseconds for each key: its work, and the time until other tasks of the page run. */
interface Typed {
  readonly work: number[]
  readonly free: number[]
}

/**
 * A key's work includes its events, the changes that follow, and the frame that shows it. In between the page waits for
 * the display, and Chromium delays other tasks until then: that wait alone can take a frame.
 */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const typed: Typed = { work: [], free: [] }
    let [pressed, begun, ended] = [0, 0, 0]
    const end = (): void => {
      ended = performance.now()
    }
    // The editor renders in an observer of its own, which was created earlier and so is called earlier.
    new MutationObserver(end).observe(document.body, { subtree: true, childList: true, characterData: true })
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        pressed = timeStamp
        begun = performance.now()
      },
      { capture: true },
    )
    addEventListener(
      'input',
      () => {
        queueMicrotask(end)
        const from = { pressed, begun }
        requestAnimationFrame(() => {
          const frame = performance.now()
          const handled = ended - from.begun
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => {
            const now = performance.now()
            typed.work.push(handled + now - frame)
            typed.free.push(now - from.pressed)
          })
          port1.start()
          port2.postMessage(null)
        })
      },
      { capture: true },
    )
    Object.assign(window, { typed })
  })
}

async function type(page: Page): Promise<Typed> {
  await page.evaluate(() => {
    const { typed } = window as unknown as { typed: Typed }
    typed.work.length = 0
    typed.free.length = 0
  })
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('SELECT range, count(*) FROM range(10) GROUP BY range ORDER BY 1', { delay: 60 })
  await page.waitForTimeout(500)
  return page.evaluate(() => (window as unknown as { typed: Typed }).typed)
}

test('typing while a statement runs', async ({ page }) => {
  await page.goto('about:blank')
  await page.setContent('<textarea rows="20" cols="80" autofocus></textarea>')
  await page.getByRole('textbox').focus()
  await watchKeys(page)
  const empty = await type(page)
  await openSql(page, `${APP}/sql`)
  await rows(page, 'SELECT 1 AS one', '1 row')
  await watchKeys(page)
  await write(page, 'SELECT sum(a.range * b.range % 7) FROM range(1000000) a, range(1000000) b;\n')
  const idle = await type(page)
  await write(page, 'SELECT sum(a.range * b.range % 7) FROM range(1000000) a, range(1000000) b;\n')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toContainText('Runs in this browser', SLOW)
  const busy = await type(page)
  const begun = Date.now()
  await button(page, 'Cancel').click()
  await expect(status(page)).toContainText('Cancelled')
  say(`a runaway join was cancelled ${Date.now() - begun} ms after “Cancel”, with what looking takes (bar 1 s)`)
  const words = ({ work, free }: Typed): string =>
    `work p50 ${percentile(work, 0.5).toFixed(1)}, p95 ${percentile(work, 0.95).toFixed(1)} ms; ` +
    `until its frame is drawn p95 ${percentile(free, 0.95).toFixed(1)} ms`
  say(`keys while a statement runs: ${words(busy)} (bar p95 16 ms)`)
  say(`keys while none runs: ${words(idle)}`)
  say(`keys in a bare text field on an empty page: ${words(empty)}`)
})
