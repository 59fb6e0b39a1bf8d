import { chromium, expect, test as base } from '@playwright/test'
import { launchPuppeteer } from './puppeteer.ts'
import { App } from './app.ts'
import { launchWebKit } from './webdriver.ts'

export type BrowserOptions = object
export interface BrowserWorkerOptions {
  /** Of the browser, or of its driver; empty where it isn't installed. */
  readonly browserPath: string
  /** One browser for the steps that follow one another. */
  readonly launched: App
}

/** MSW asks for a newer service worker, and waits for no answer: without a network there is none. */
const UNHEARD = /ServiceWorker (?:script|for scope) |sw\.js load failed/

/** A test whose `app` is the one in the project's browser. Nothing may go wrong there unnoticed. */
export const test = base.extend<{ readonly app: App }, BrowserWorkerOptions>({
  browserPath: ['', { option: true, scope: 'worker' }],
  launched: [
    async ({ browserPath }, use, { project }) => {
      const app = await App.start(await launch(project.name, browserPath))
      await use(app)
      await app.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  app: async ({ launched }, use, info) => {
    info.annotations.push({ type: 'browser', description: launched.driver.name })
    await use(launched)
    if (info.status !== info.expectedStatus) {
      await launched.driver.screenshot(info.outputPath('screen.png')).catch(() => undefined)
      return
    }
    const faults = await launched.faults()
    expect(faults.filter((fault) => !UNHEARD.test(fault))).toEqual([])
  },
})

test.beforeEach(({ browserPath }, { project }) => {
  test.skip(browserPath === '' && project.name !== 'Chromium', `${project.name} isn’t installed`)
})

function launch(name: string, path: string): ReturnType<typeof launchPuppeteer> {
  if (name === 'WebKit') return launchWebKit(path)
  return launchPuppeteer(name === 'Firefox' ? 'firefox' : 'chrome', path || chromium.executablePath())
}
