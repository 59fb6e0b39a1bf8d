import puppeteer, { type ElementHandle, type KeyInput, type LaunchOptions } from 'puppeteer-core'
import type { Driver } from './driver.ts'

const LAUNCH: Readonly<Record<'chrome' | 'firefox', LaunchOptions>> = {
  chrome: {
    browser: 'chrome',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  },
  firefox: { browser: 'firefox', protocol: 'webDriverBiDi' },
}

/** Chromium and Firefox, driven by WebDriver BiDi or its predecessor. */
export async function launchPuppeteer(browser: 'chrome' | 'firefox', executablePath: string): Promise<Driver> {
  const running = await puppeteer.launch({ ...LAUNCH[browser], executablePath, headless: true, timeout: 60_000 })
  const page = await running.newPage()
  await page.setViewport({ width: 1440, height: 900 })
  page.setDefaultTimeout(60_000)
  return {
    name: (await running.version()).replace('/', ' '),
    async open(url) {
      await page.goto(url)
    },
    evaluate: (work, ...args) => page.evaluate(work as never, ...(args as readonly unknown[] as never[])) as never,
    click: (selector) => page.click(selector),
    async setFiles(selector, paths) {
      const input = (await page.$(selector)) as ElementHandle<HTMLInputElement> | null
      await input?.uploadFile(...paths)
    },
    type: (text) => page.keyboard.type(text),
    async press(keys) {
      const parts = keys.split('+') as KeyInput[]
      const key = parts.pop()
      for (const part of parts) await page.keyboard.down(part)
      if (key) await page.keyboard.press(key)
      for (const part of parts.toReversed()) await page.keyboard.up(part)
    },
    async screenshot(path: `${string}.png`) {
      await page.screenshot({ path })
    },
    close: () => running.close(),
  }
}
