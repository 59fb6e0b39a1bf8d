import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, minifySync, type Plugin, type Rolldown } from 'vite'
import { POLICY_HEADER, policyFor, policyHeader } from './policy.ts'
import type { Manifest } from './precache.ts'

const entry = fileURLToPath(new URL('./worker.ts', import.meta.url))
const require = createRequire(import.meta.url)

/** From the package, so that its version always matches the page's side. */
const mockServiceWorker = (): Buffer => readFileSync(require.resolve('msw/mockServiceWorker.js'))

interface Options {
  /** The first path segments of the app's own pages. */
  readonly routes: readonly string[]
  /** The policies of the build, of pages in development, and of everything else in development. */
  readonly policies: { readonly build: string; readonly developmentPage: string; readonly development: string }
}

/**
 * Builds the service worker, with the list of files to cache for offline use, as `sw.js` beside index.html: a classic
 * script, because it loads MSW's with `importScripts`. In development it's served at the same place and caches nothing.
 * Both servers send the policy with everything, as hosts should; `_headers` states it for hosts that read that.
 */
export function serviceWorker({ routes, policies }: Options): Plugin {
  let publicDir = ''
  return {
    name: 'rowhouse-service-worker',
    configResolved(config) {
      publicDir = config.publicDir
    },
    configurePreviewServer(server) {
      server.middlewares.use((request, response, next) => {
        response.setHeader(POLICY_HEADER, policyHeader(policyFor(request.url ?? '/', policies.build)))
        next()
      })
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const isPage = request.headers['sec-fetch-dest'] === 'document'
        response.setHeader(
          POLICY_HEADER,
          policyHeader(isPage ? policies.developmentPage : policyFor(request.url ?? '/', policies.development)),
        )
        const answer = (source: string | Buffer) => {
          response.setHeader('Content-Type', 'text/javascript')
          response.setHeader('Cache-Control', 'no-cache')
          response.end(source)
        }
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        if (pathname === '/mockServiceWorker.js') answer(mockServiceWorker())
        else if (pathname === '/sw.js') bundleWorker(null, policies.development).then(answer, next)
        else next()
      })
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const mock = minifySync('mockServiceWorker.js', mockServiceWorker().toString(), { module: false })
        this.emitFile({ type: 'asset', fileName: 'mockServiceWorker.js', source: mock.code })
        const source = await bundleWorker(manifestOf(bundle, publicDir, routes), policies.build)
        this.emitFile({ type: 'asset', fileName: 'sw.js', source })
        const headers = `/*\n  ${POLICY_HEADER}: ${policyHeader(policies.build)}\n`
        this.emitFile({ type: 'asset', fileName: '_headers', source: headers })
      },
    },
  }
}

async function bundleWorker(manifest: Manifest | null, policy: string): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { BUILD_MANIFEST: JSON.stringify(manifest), BUILD_POLICY: JSON.stringify(policy) },
    build: {
      write: false,
      target: 'es2023',
      minify: manifest !== null,
      modulePreload: false,
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  })
  const [output] = Array.isArray(built) ? built : [built as Rolldown.RolldownOutput]
  const [chunk] = output?.output ?? []
  if (chunk?.type !== 'chunk' || output?.output.length !== 1) throw new Error('the service worker isn’t one script')
  return chunk.code
}

/** Names of assets contain a hash of their contents; changes of other files change the manifest's version. */
function manifestOf(bundle: Rolldown.OutputBundle, publicDir: string, routes: readonly string[]): Manifest {
  const hash = createHash('sha256')
  const assets: string[] = []
  for (const output of Object.values(bundle).sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) {
    if (output.fileName.startsWith('assets/')) {
      if (!output.fileName.endsWith('.map')) assets.push(output.fileName)
      hash.update(output.fileName)
    } else if (output.fileName === 'index.html') {
      hash.update(output.type === 'asset' ? output.source : output.code)
    }
  }
  const files = readdirSync(publicDir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => path.join(file.parentPath, file.name))
    .sort()
  for (const file of files) hash.update(readFileSync(file))
  return {
    version: hash.digest('hex').slice(0, 16),
    assets,
    shell: files.map((file) => path.relative(publicDir, file).split(path.sep).join('/')),
    routes,
  }
}
