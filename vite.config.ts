import { createRequire } from 'node:module'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { createLogger, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Screens that can be opened by their address on a host that serves files and nothing else. */
const ROUTES = ['convert']

/** Gives the build its content security policy, and each screen a page of its own. */
function staticPages(): Plugin {
  return {
    name: 'rowhouse-static-pages',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
        injectTo: 'head-prepend',
      },
    ],
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') this.error('the build made no index.html')
        const html = String(index.source)
        for (const route of ROUTES) {
          const source = html.replaceAll(/(href|src)="\.\//g, '$1="../')
          this.emitFile({ type: 'asset', fileName: `${route}/index.html`, source })
        }
        this.emitFile({ type: 'asset', fileName: '404.html', source: html })
      },
    },
  }
}

/** The package's `exports` name a blocking build for browsers that isn't there; the file itself is. */
const blockingBuild = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@duckdb/duckdb-wasm')),
  'duckdb-browser-blocking.mjs',
)

/** DuckDB's source maps name sources that the package doesn't ship. */
const logger = createLogger()
const warnOnce = logger.warnOnce.bind(logger)
logger.warnOnce = (message, options) => {
  if (!/duckdb.*source ?map|points to missing source/is.test(message)) warnOnce(message, options)
}

export default defineConfig({
  base: './',
  customLogger: logger,
  plugins: [react(), staticPages()],
  resolve: { alias: process.env['VITEST'] ? {} : { '@duckdb/duckdb-wasm/blocking': blockingBuild } },
  worker: { format: 'es' },
  build: { target: 'es2023', chunkSizeWarningLimit: 1024 },
  optimizeDeps: { exclude: ['@duckdb/duckdb-wasm', 'parquet-wasm'], include: ['apache-arrow'] },
  server: { port: 5173 },
  preview: { port: 5173 },
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'node', testTimeout: 30_000 },
})
