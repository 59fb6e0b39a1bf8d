import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type Plugin } from 'vite'
import app, { engine } from '../../vite.config.ts'

/** MSW's service worker as it comes, for the page that's measured beside ours. */
const stockWorker: Plugin = {
  name: 'stock-msw',
  generateBundle() {
    const source = readFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'))
    this.emitFile({ type: 'asset', fileName: 'mockServiceWorker.js', source })
  },
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The benchmark page: the engine as it ships, beside the peers that it's measured against. */
export default mergeConfig(
  { ...app, plugins: [engine(), stockWorker] },
  defineConfig({
    root: fileURLToPath(new URL('.', import.meta.url)),
    publicDir: false,
    build: {
      outDir: fileURLToPath(new URL('../../node_modules/.cache/rowhouse-bench', import.meta.url)),
      emptyOutDir: true,
      rolldownOptions: { input: [here('index.html'), here('sql.html'), here('stock.html')] },
    },
  }),
)
