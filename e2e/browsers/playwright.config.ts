import { defineConfig } from '@playwright/test'
import type { BrowserOptions, BrowserWorkerOptions } from './test.ts'

/* The same steps in each browser. `.ci/setup.mjs` finds the installed ones; an empty path skips a browser. */

export default defineConfig<BrowserOptions, BrowserWorkerOptions>({
  testDir: '.',
  testMatch: 'steps.spec.ts',
  outputDir: '../../test-results/browsers',
  // For two cores, since each browser has workers of its own.
  workers: 2,
  timeout: 400_000,
  // On a busy machine, a browser may exceed a time limit. Our own bugs fail twice.
  retries: 1,
  projects: [
    { name: 'Chromium', use: { browserPath: process.env['ROWHOUSE_BROWSER'] ?? '' } },
    { name: 'Firefox', use: { browserPath: process.env['ROWHOUSE_FIREFOX'] ?? '' } },
    { name: 'WebKit', use: { browserPath: process.env['ROWHOUSE_WEBKIT_DRIVER'] ?? '' } },
  ],
})
