import { chromium, expect, test as base } from '@playwright/test'
import { launchPuppeteer } from './puppeteer.ts'
import { App } from './app.ts'
import { launchWebKit } from './webdriver.ts'

export type BrowserOptions = object
export interface BrowserWorkerOptions {
  /** Path of the browser or of its driver; empty if it isn't installed. */
  readonly browserPath: string
  /** The same browser for consecutive steps. */
  readonly launched: App
}

/** MSW looks for a newer service worker without awaiting the result, which fails without a network. */
const UNHEARD = /ServiceWorker (?:script|for scope) |sw\.js load failed/

/** A test whose `app` runs in the project's browser. Uncaught errors there fail the test. */
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
