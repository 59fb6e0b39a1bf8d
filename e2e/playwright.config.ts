import { defineConfig } from '@playwright/test'

const executablePath = process.env['ROWHOUSE_BROWSER'] || undefined
const port = process.env['ROWHOUSE_E2E_PORT'] ?? '4173'

/** Chromium uses only one such list, so it begins with Playwright's own. */
const OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
  // Pages of the address bar's menu, which each window loads although they're invisible, and which take a third as long
  // as the app itself.
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  // For two cores: each Playwright worker runs a browser, in which the app has workers of its own.
  workers: 2,
  fullyParallel: true,
  timeout: 180_000,
  // The retry distinguishes tests that fail sometimes from those that always fail, and records a trace; both fail the
  // run.
  retries: 1,
  failOnFlakyTests: true,
  // Long enough for a busy machine. Tests don't wait longer than they need.
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    // Animations and traces take most of a machine's time if it renders without a graphics card.
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
