import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { createLogger, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { noUnusedParts } from './src/app/vite-plugin.ts'
import { duckdbGlue } from './src/engine/storage/vite-plugin.ts'
import { smallSheetJs } from './src/engine/formats/sheetjs/vite-plugin.ts'
import { duckdbWasm } from './src/engine/storage/wasm-plugin.ts'
import { kernel } from './src/engine/kernel/vite-plugin.ts'
import { workerEntries } from './src/engine/channel/vite-plugin.ts'
import { LongestFirst } from './src/lib/testing/sequencer.ts'
import { contentSecurityPolicy, POLICY_HEADER } from './src/sw/policy.ts'
import { serviceWorker } from './src/sw/vite-plugin.ts'

/** Screens that can be opened by their address on a host that serves files and nothing else. */
const ROUTES = ['convert', 'datasets', 'sql', 'settings', 'reference']

/**
 * Runs before anything loads. A build knows neither the folder that it's served from nor how deep in the app the page
 * was opened, and its addresses are relative: so this finds the app's folder by the screen's name in the address. Where
 * no screen is named, it tries one folder up for each file that isn't there.
 */
const FIND_BASE = `
(() => {
  // Two slashes at its beginning would make another host of the base.
  const path = location.pathname.replace(/^\\/+/, '/')
  if (path !== location.pathname) history.replaceState(null, '', path + location.search + location.hash)
  const screen = /^(.*?\\/)(?:${ROUTES.join('|')})(?:\\/|$)/.exec(path)
  const base = document.createElement('base')
  base.href = screen ? screen[1] : path.slice(0, path.lastIndexOf('/') + 1)
  document.head.append(base)
  addEventListener('error', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.rel === 'modulepreload') return
    const name = target instanceof HTMLScriptElement ? 'src' : 'href'
    const [, folder, file] = /^(.*)\\/([^/]+\\/[^/]+)$/.exec(new URL(target[name] ?? '', location).pathname) ?? []
    if (!folder) return
    const again = document.createElement(target.localName)
    for (const { name: key, value } of target.attributes) again.setAttribute(key, value)
    again.setAttribute(name, folder.slice(0, folder.lastIndexOf('/')) + '/' + file)
    target.replaceWith(again)
  }, true)
})()
`

const POLICIES = {
  build: contentSecurityPolicy({ scripts: [`'sha256-${createHash('sha256').update(FIND_BASE).digest('base64')}'`] }),
  // Vite's page has a script of its own, and the service worker doesn't widen its policy for a connected service.
  developmentPage: contentSecurityPolicy({ scripts: ["'unsafe-inline'"], connect: ['ws:', 'http:', 'https:'] }),
  development: contentSecurityPolicy({ scripts: [], connect: ['ws:'] }),
}

/** Gives the build its content security policy, and each screen a page of its own. */
function staticPages(): Plugin {
  return {
    name: 'rowhouse-static-pages',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': POLICY_HEADER, content: POLICIES.build },
        injectTo: 'head-prepend',
      },
      { tag: 'script', children: FIND_BASE, injectTo: 'head-prepend' },
    ],
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') this.error('the build made no index.html')
        for (const page of [...ROUTES.map((route) => `${route}/index.html`), '404.html']) {
          this.emitFile({ type: 'asset', fileName: page, source: index.source })
        }
      },
    },
  }
}

/** The package's `exports` name a blocking build for browsers that isn't there; the file itself is. */
const blockingBuild = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@duckdb/duckdb-wasm')),
  'duckdb-browser-blocking.mjs',
)

/** `npm run reading` and `npm run language` measure how much is right: longer than a test may take. */
const MEASURES = process.env['ROWHOUSE_READING']
  ? ['src/**/*.reading.ts']
  : process.env['ROWHOUSE_LANGUAGE']
    ? ['src/**/*.language.ts']
    : null

/** Unit tests that take long: random tables, damaged files, DuckDB as the judge. */
const LONG_TESTS = [
  'src/**/*{corrupt,damage,damaged,full-disk,fuzz,halves,hostile,large,lasting,measured,oracle,pairs,parts,passing,random,round-trip,roundtrip,sheetjs,sums}.test.ts',
  'src/contract/snippets/**/*.test.ts',
  'src/engine/bad-input/**/*.test.ts',
  'src/engine/columns/cells/**/*.test.ts',
  'src/engine/convert/**/*.test.ts',
  'src/engine/formats/csv/tokenizer.test.ts',
  'src/engine/formats/duckdb/**/*.test.ts',
  'src/engine/formats/sqlite/**/*.test.ts',
  'src/engine/foreign/**/*.test.ts',
  'src/engine/io/{encoding,unpack}.test.ts',
  'src/engine/kernel/**/*.test.ts',
  'src/engine/sql/**/*.test.ts',
  'src/engine/storage/**/*.test.ts',
  'src/lib/duckdb-sql/names.test.ts',
  'src/server/cli/{cli,program,query/file}.test.ts',
  'src/server/duckdb/**/*.test.ts',
  'src/server/engine/fixtures.test.ts',
  'src/server/objects/s3.test.ts',
  'src/server/records/{pgbouncer,records}.test.ts',
  'src/server/{deploy/replicas,faults}.test.ts',
  'src/server/{backup,serve,serve-s3,worker-user}.test.ts',
  'src/service/backup/**/*.test.ts',
  'src/service/routes/convert/**/*.test.ts',
]

/** Of those, the ones that replace modules, or fill the memory. */
const LONE_TESTS = ['src/**/{full-disk,large}.test.ts']

/** DuckDB's source maps name sources that the package doesn't ship. */
const logger = createLogger()
const warnOnce = logger.warnOnce.bind(logger)
logger.warnOnce = (message, options) => {
  if (!/duckdb.*source ?map|points to missing source/is.test(message)) warnOnce(message, options)
}

const SHARED_UI =
  /\/src\/(?:ui|features\/shared\/(?!sql-editor))|\/node_modules\/(?:react|react-dom|scheduler|@base-ui|@floating-ui|lucide-react|@tanstack)\//

/**
 * What nearly every screen loads, and what page and workers share, are a chunk each. Left alone, the bundler cuts them into
 * a hundred chunks of a few hundred bytes, and each of those goes through the service worker on its own. Workers have no
 * document: what they and the page need must be in the first group. Where they'd load the second, the build fails.
 */
const SHARED_CHUNKS = [
  {
    name: 'tables',
    test: /\/src\/(?:lib\/(?!duckdb-sql)|tables\/(?!files|changes\/value-changes|combine\/changes)|engine\/(?:errors|channel\/|sql\/files\/paths|storage\/(?:file-names|spill-folder)|io\/private-files)|ui\/format)|vite\/preload-helper/,
    priority: 2,
  },
  // What comes before the first paint, and what comes later.
  { name: 'ui', test: SHARED_UI, tags: ['$initial' as const], priority: 1 },
  { name: 'parts', test: SHARED_UI },
]

/** What a build with the engine in it needs. */
export const engine = (): Plugin[] => [kernel(), duckdbGlue(), duckdbWasm(), smallSheetJs(), workerEntries()]

export default defineConfig({
  base: './',
  customLogger: logger,
  plugins: [react(), engine(), noUnusedParts(), staticPages(), serviceWorker({ routes: ROUTES, policies: POLICIES })],
  resolve: { alias: process.env['VITEST'] ? {} : { '@duckdb/duckdb-wasm/blocking': blockingBuild } },
  build: {
    target: 'es2023',
    chunkSizeWarningLimit: 1024,
    modulePreload: {
      // A chunk that workers load, too, can't preload scripts: they have no document.
      resolveDependencies: (_, found, { hostType }) =>
        hostType === 'html' ? found : found.filter((name) => name.endsWith('.css')),
    },
    rolldownOptions: {
      // DuckDB's glue code has `eval`s that are never reached, and that the content security policy refuses.
      checks: { eval: false, pluginTimings: false },
      output: { codeSplitting: { groups: SHARED_CHUNKS } },
    },
  },
  optimizeDeps: {
    exclude: ['@duckdb/duckdb-wasm', 'parquet-wasm'], // What only workers import isn't found ahead: finding it late would reload the page.
    include: ['apache-arrow', 'fzstd'],
  },
  server: { port: 5173 },
  preview: { port: 5173 },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          // `npm run reading` and `npm run language` measure: longer than a test may take.
          include: MEASURES ?? ['src/**/*.test.ts'],
          exclude: [...LONG_TESTS, 'src/server/clickhouse/**'],
          environment: 'node',
          // Files share what they import: loading it again for each takes as long as their tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: MEASURES ? [] : LONG_TESTS,
          exclude: [...LONE_TESTS, 'src/server/duckdb/**'],
          environment: 'node',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: MEASURES ? [] : LONE_TESTS,
          environment: 'node',
        },
      },
      {
        extends: true,
        test: {
          // The same tests, over a server: `ROWHOUSE_HOST` says which.
          name: 'service on a server',
          include: MEASURES ? [] : ['src/service/**/*.test.ts'],
          // What the browser alone has, and what touches neither.
          exclude: [
            'src/service/{backup,stores,testing}/**',
            'src/service/**/{disposition,engine-tables,json-mistake,range,signing}.test.ts',
          ],
          environment: 'node',
          isolate: false,
          globalSetup: ['src/server/testing/cluster.ts'],
          setupFiles: ['src/server/testing/contract.ts'],
        },
      },
      {
        extends: true,
        test: {
          // The same statements, run by the DuckDB that a server has.
          name: 'statements on a server',
          include: MEASURES
            ? []
            : [
                'src/engine/sql/{keywords,names,query,query-hostile,query-lasting}.test.ts',
                'src/engine/sql/result/json-values.test.ts',
                'src/server/duckdb/**/*.test.ts',
                'src/server/clickhouse/**/*.test.ts',
              ],
          environment: 'node',
          isolate: false,
          globalSetup: ['src/server/testing/build.ts'],
          setupFiles: ['src/server/testing/statements.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: MEASURES ? [] : ['src/**/*.test.tsx'],
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['src/ui/testing/setup.ts'],
        },
      },
    ],
    globalSetup: ['src/lib/testing/temp-folder.ts'],
    setupFiles: [
      'src/lib/testing/seed.ts',
      'src/lib/testing/fast-imports.ts',
      'src/lib/testing/equal-bytes.ts',
      'src/lib/testing/patience.ts',
      'src/engine/testing/compile-once.ts',
    ],
    // As long as a busy machine may take.
    testTimeout: MEASURES ? 1_800_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Left alone, Vitest keeps one core to itself: of two, that is half.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
  },
})
