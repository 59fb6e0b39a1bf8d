import { defineConfig } from '@playwright/test'

const executablePath = process.env['ROWHOUSE_BROWSER'] || undefined
const port = process.env['ROWHOUSE_E2E_PORT'] ?? '4173'

/** Chromium takes one list: first what Playwright itself turns off. */
const OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
  // The address bar's pages: each window loads them, though none is seen, which takes a third as long as the app itself.
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  // Two cores: a worker of Playwright's has a browser, and the app in it workers of its own.
  workers: 2,
  fullyParallel: true,
  timeout: 180_000,
  // The second try tells a test that sometimes fails from one that always does, and leaves a trace: both fail the run.
  retries: 1,
  failOnFlakyTests: true,
  // As long as a busy machine may take: what is there sooner is seen sooner.
  expect: { timeout: 30_000 },
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
        `--disable-features=${OFF.join(',')}`,
        // V8 compiles WebAssembly again, optimized, once it's used much. 15 times as much as it would wait for here: a new
        // page's first statement takes a third less processor time, and what runs for seconds is optimized all the same.
        '--js-flags=--wasm-tiering-budget=200000000',
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
