import { defineConfig } from '@playwright/test'

const executablePath = process.env['ROWHOUSE_BROWSER'] || undefined

/** One measurement at a time, so that they don't disturb each other. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.bench.ts',
  outputDir: '../../test-results',
  workers: 1,
  reporter: 'list',
  timeout: 900_000,
  use: {
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  webServer: [
    {
      command: 'npx vite preview --config e2e/bench/vite.config.ts --port 4174 --strictPort',
      cwd: '../..',
      url: 'http://localhost:4174',
    },
    { command: 'npx vite preview --port 4173 --strictPort', cwd: '../..', url: 'http://localhost:4173' },
  ],
})
