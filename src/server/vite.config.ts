import { chmodSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { smallSheetJs } from '../engine/formats/sheetjs/vite-plugin.ts'
import { kernel } from '../engine/kernel/vite-plugin.ts'
import { duckdbWasm } from '../engine/storage/wasm-plugin.ts'
import { packageOf } from './vite-package.ts'
import { ownFiles } from './vite-plugin.ts'

/** Packages that aren't bundled: native modules, and those that look for files beside their own. */
const PACKAGES = ['@duckdb/node-api', '@duckdb/node-bindings', '@electric-sql/pglite', 'pg']

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Makes files with a shebang executable. */
const executable: Plugin = {
  name: 'rowhouse-executable',
  writeBundle({ dir = '' }, bundle) {
    for (const [name, made] of Object.entries(bundle)) {
      if (made.type === 'chunk' && made.code.startsWith('#!')) chmodSync(path.join(dir, name), 0o755)
    }
  },
}

/** Builds what runs in Node: the command line, the server and its processes. The page has its own build. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  plugins: [kernel(), duckdbWasm(), smallSheetJs(), executable, packageOf(root, PACKAGES), ownFiles()],
  // DuckDB-WASM's build for Node is a CommonJS module, which uses these.
  define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
  // Assets are found relative to their scripts.
  experimental: {
    renderBuiltUrl(file, { hostId }) {
      const beside = path.posix.relative(path.posix.dirname(hostId), file)
      return { runtime: `new URL(${JSON.stringify(beside)}, import.meta.url).href` }
    },
  },
  ssr: { noExternal: true, external: PACKAGES },
  build: {
    ssr: true,
    ssrEmitAssets: true,
    target: 'node20',
    outDir: 'dist-server',
    assetsDir: 'assets',
    // Vite would empty it completely; `ownFiles` only removes our files.
    emptyOutDir: false,
    rolldownOptions: {
      input: {
        rowhouse: fileURLToPath(new URL('cli/main.ts', import.meta.url)),
        server: fileURLToPath(new URL('main.ts', import.meta.url)),
        process: fileURLToPath(new URL('tables/process.ts', import.meta.url)),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      checks: { eval: false, pluginTimings: false },
    },
  },
})
