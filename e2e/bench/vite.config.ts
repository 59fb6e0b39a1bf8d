import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type Plugin } from 'vite'
import app, { engine } from '../../vite.config.ts'

/** MSW's unmodified service worker, for the page to compare with. */
const stockWorker: Plugin = {
  name: 'stock-msw',
  generateBundle() {
    const source = readFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'))
    this.emitFile({ type: 'asset', fileName: 'mockServiceWorker.js', source })
  },
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The benchmark page: our engine as shipped, beside those to compare with. */
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
