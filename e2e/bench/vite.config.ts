import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig } from 'vite'
import app from '../../vite.config.ts'

/** The benchmark page: the engine as it ships, beside the peers that it's measured against. */
export default mergeConfig(
  { ...app, plugins: [] },
  defineConfig({
    root: fileURLToPath(new URL('.', import.meta.url)),
    publicDir: false,
    build: {
      outDir: fileURLToPath(new URL('../../node_modules/.cache/rowhouse-bench', import.meta.url)),
      emptyOutDir: true,
    },
  }),
)
