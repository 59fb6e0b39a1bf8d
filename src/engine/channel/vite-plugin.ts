import path from 'node:path'
import type { Plugin } from 'vite'

const ENTRY = '?worker-entry'

/** Collects messages until the worker listens, and fails like a worker whose first module can't be loaded. */
const entry = (module: string): string => `
const early = []
const hold = (event) => early.push(event)
addEventListener('message', hold)
import(${JSON.stringify(module)}).then(
  () => {
    removeEventListener('message', hold)
    for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports }))
  },
  (error) => setTimeout(() => { throw error }),
)
`

/** Vite's notation for workers: `new Worker(new URL('./worker.ts', import.meta.url))`. */
const WORKER_URL = /new URL\('(\.\/[^']*worker\.ts)', import\.meta\.url\)/g

/**
 * Builds workers together with the page, so that shared code is shipped and compiled once: Vite itself bundles each
 * worker separately. A worker begins with a module from which nothing else imports: WebKit evaluates a worker's first
 * module again if another module imports it, and the worker then receives each message twice. The build fails if a
 * worker would load styles.
 */
export function workerEntries(): Plugin {
  return {
    name: 'rowhouse-worker-entries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { code: /new Worker\(|vite:preloadError/ },
      async handler(code, importer) {
        // Vite's code around `import()` dispatches an event on the window if a chunk can't be fetched, but a worker has
        // no window.
        if (code.includes('vite:preloadError')) {
          if (!code.includes('window.dispatchEvent'))
            this.error('Vite tells of chunks that can’t be fetched in another way')
          return code.replace('window.dispatchEvent', 'globalThis.dispatchEvent')
        }
        const addresses = new Map<string, string>()
        for (const [written, source = ''] of code.matchAll(WORKER_URL)) {
          const module = await this.resolve(source, importer)
          if (!module) this.error(`${source} isn’t there`)
          // Chunks with the same name would have the same URL: `engine/worker.ts` is “engine-worker”.
          const name = path
            .basename(module.id, '.ts')
            .replace(/^worker$/, `${path.basename(path.dirname(module.id))}-worker`)
          const chunk = this.emitFile({ type: 'chunk', id: module.id + ENTRY, name })
          addresses.set(written, `import.meta.ROLLUP_FILE_URL_${chunk}`)
        }
        return addresses.size > 0 ? code.replace(WORKER_URL, (written) => addresses.get(written) ?? written) : null
      },
    },
    generateBundle(_, bundle) {
      const seen = new Set<string>()
      const visit = (fileName: string): void => {
        const chunk = bundle[fileName]
        if (seen.has(fileName) || chunk?.type !== 'chunk') return
        seen.add(fileName)
        if (chunk.viteMetadata?.importedCss.size)
          this.error(`a worker has no document, and loads ${fileName}, which has styles`)
        for (const each of [...chunk.imports, ...chunk.dynamicImports]) visit(each)
      }
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith(ENTRY)) visit(chunk.fileName)
    },
    resolveId: (source) => (source.endsWith(ENTRY) ? source : null),
    load: (id) => (id.endsWith(ENTRY) ? entry(id.slice(0, -ENTRY.length)) : null),
  }
}
