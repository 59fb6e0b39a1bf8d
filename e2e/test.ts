import { test as playwrightTest, type BrowserContext } from '@playwright/test'

/* Playwright’s test, without what would take most of a test’s time and no test looks at. */

/** Runs in the page, before its own scripts. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
}

interface Options {
  readonly savesData: boolean
}

/**
 * Each test has a new browser profile, in which the page would have its service worker keep all of the app for offline
 * use, 37 MB, and would get its workers ready before anybody wants something of them. It does neither where the device
 * is set to save data, as it is here by default. Specs about offline use take Playwright’s own `test`.
 */
export const test = playwrightTest.extend<Options & { context: BrowserContext }>({
  savesData: [true, { option: true }],
  async context({ context, savesData }, use) {
    if (savesData) await context.addInitScript(saveData)
    await use(context)
  },
})

export { expect } from '@playwright/test'
export type { Download, Locator, Page } from '@playwright/test'
