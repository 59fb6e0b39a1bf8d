import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, test as base, type BrowserContext, type LaunchOptions } from '@playwright/test'

/**
 * A regular window in a new browser process. Playwright's own contexts are private windows, whose private file system
 * is in another process's memory: writing there took 20 times as long.
 */
export async function withWindow<T>(options: LaunchOptions, use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const profile = await mkdtemp(path.join(tmpdir(), 'rowhouse-bench-'))
  const context = await chromium.launchPersistentContext(profile, options)
  try {
    return await use(context)
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
}

/** Each test in a new regular window. */
export const test = base.extend({
  context: ({ launchOptions }, use) => withWindow(launchOptions, use),
})
