import { defineConfig } from '@playwright/test'

const executablePath = process.env['ROWHOUSE_BROWSER'] || undefined
const port = process.env['ROWHOUSE_E2E_PORT'] ?? '4173'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  // Two cores: a worker of Playwright's has a browser, and the app in it workers of its own.
  workers: 2,
  fullyParallel: true,
  timeout: 90_000,
  // The second try tells a test that sometimes fails from one that always does, and leaves a trace: both fail the run.
  retries: 1,
  failOnFlakyTests: true,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    // Animations, and a trace of each step, take most of a machine that draws without a graphics card.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `npx vite preview --port ${port} --strictPort`,
    cwd: '..',
    url: `http://localhost:${port}`,
    reuseExistingServer: !process.env['CI'],
  },
})
