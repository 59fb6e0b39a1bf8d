import { defineConfig } from '@playwright/test'
import type { BrowserOptions, BrowserWorkerOptions } from './test.ts'

/* The same steps in each browser. Which are installed, `.ci/setup.mjs` finds: an empty path skips a browser's steps. */

export default defineConfig<BrowserOptions, BrowserWorkerOptions>({
  testDir: '.',
  testMatch: 'steps.spec.ts',
  outputDir: '../../test-results/browsers',
  // Two cores, and each browser has workers of its own.
  workers: 2,
  timeout: 400_000,
  // A machine that is busy with something else makes a browser miss its time: a fault of ours fails twice.
  retries: 1,
  projects: [
    { name: 'Chromium', use: { browserPath: process.env['ROWHOUSE_BROWSER'] ?? '' } },
    { name: 'Firefox', use: { browserPath: process.env['ROWHOUSE_FIREFOX'] ?? '' } },
    { name: 'WebKit', use: { browserPath: process.env['ROWHOUSE_WEBKIT_DRIVER'] ?? '' } },
  ],
})
