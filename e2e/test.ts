import { test as playwrightTest, type BrowserContext } from '@playwright/test'

/* Playwright’s test, without what would take most of a test’s time and no test looks at. */

/** Runs in the page, before its own scripts. */
function refuseToKeepAll(): void {
  const Worker = globalThis.ServiceWorker as typeof ServiceWorker | undefined
  if (Worker === undefined) return // An address that isn’t secure has none.
  const send = Reflect.get(Worker.prototype, 'postMessage') as (...args: unknown[]) => void
  Worker.prototype.postMessage = function postMessage(this: ServiceWorker, ...args: unknown[]) {
    const [message] = args as [{ readonly type?: string } | undefined]
    if (message?.type !== 'rowhouse:keep-offline') send.apply(this, args)
  }
}

/**
 * Each test has a new browser profile, in which the page would have its service worker keep all of the app for offline
 * use: 37 MB, two seconds after it was opened. Here it keeps only what the page loads. Specs about offline use take
 * Playwright’s own `test`.
 */
export const test = playwrightTest.extend<{ context: BrowserContext }>({
  async context({ context }, use) {
    await context.addInitScript(refuseToKeepAll)
    await use(context)
  },
})

export { expect } from '@playwright/test'
export type { Download, Locator, Page } from '@playwright/test'
