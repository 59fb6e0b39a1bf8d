import { test as playwrightTest, type BrowserContext } from '@playwright/test'
import { recordStatements } from './statements.ts'

/* Playwright’s test, without work that would take most of a test’s time and that no test looks at. */

/** Runs in the page, before its own scripts. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
}

interface Options {
  readonly savesData: boolean
}

/**
 * Each test has a new browser profile, in which the service worker would cache all of the app for offline use, 37 MB,
 * and the page would start workers before they are needed. It does neither on a device that is set to save data, which
 * is the default here. Specs about offline use import Playwright’s own `test`.
 */
export const test = playwrightTest.extend<Options & { context: BrowserContext }>({
  savesData: [true, { option: true }],
  async context({ context, savesData }, use) {
    if (savesData) await context.addInitScript(saveData)
    const recording = process.env['ROWHOUSE_STATEMENTS']
    if (recording) await recordStatements(context, recording)
    await use(context)
  },
})

export { expect } from '@playwright/test'
export type { Download, Locator, Page } from '@playwright/test'
