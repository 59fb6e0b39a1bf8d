import { savesData } from '../lib/save-data.ts'

/** The files of a build, as paths relative to its folder. */
export interface Manifest {
  /** Changes when any file does. */
  readonly version: string
  /** Files whose names contain a hash of their contents, so that they never change. */
  readonly assets: readonly string[]
  /** Files with fixed names, without the start page. */
  readonly shell: readonly string[]
  /** The first path segments of the app's own pages. */
  readonly routes: readonly string[]
}

interface Options {
  /** The app's folder. */
  readonly scope: URL
  readonly caches: CacheStorage
  readonly fetch: (request: Request) => Promise<Response>
  /** Applied to every cached or fetched answer for the app. */
  readonly guard: (answer: Response, address: string) => Response
  /** Applied to the start page before it's returned. */
  readonly prepare: (page: Response) => Promise<Response>
}

export interface Precache {
  /** Caches this version's start page and fixed files, and all of its assets if it replaces a running version. */
  install(replaces: boolean): Promise<void>
  /**
   * Caches missing assets. Simultaneous calls share the work. A device that is set to save data instead keeps each asset
   * when a page loads it, which takes a second more for the engine's 27 MB.
   */
  keepAssets(): Promise<void>
  /** The answer to a request, or null to leave it to the network. */
  answer(request: Request): Promise<Response> | null
  /**
   * Removes the caches of other versions. Not to be called while one of their pages is open, since it may still load
   * assets.
   */
  removeOthers(): Promise<void>
}

const START = 'index.html'
/** Simultaneous downloads, few because the page has its own. */
const AT_ONCE = 3

/**
 * Caches the app for offline use: the start page and all files with fixed names in a cache for this version, assets in
 * one for all versions, so that an update fetches only what has changed, and pages of the previous version still find
 * their assets.
 */
export function createPrecache(manifest: Manifest, { scope, caches, fetch, guard, prepare }: Options): Precache {
  const folder = scope.pathname
  const shellPrefix = `rowhouse-shell ${folder} `
  const shellName = shellPrefix + manifest.version
  const assetsName = `rowhouse-assets ${folder}`
  const assets = new Set(manifest.assets)
  const shell = new Set(manifest.shell)
  const routes = new Set(['', START, ...manifest.routes])
  const addressOf = (path: string): string => new URL(path, scope).href
  let keeping: Promise<void> | null = null

  const keepShell = async () => {
    const cache = await caches.open(shellName)
    const keep = async (path: string, name: string) => {
      const response = await fetch(new Request(addressOf(path), { cache: 'reload' }))
      if (!response.ok) throw new Error(`“${name}” answered ${response.status}`)
      await cache.put(addressOf(name), await withoutRedirect(response))
    }
    // Cached as the folder, since some hosts redirect from index.html to it.
    await Promise.all([keep('', START), ...manifest.shell.map((path) => keep(path, path))])
  }

  const keepMissing = async () => {
    const cache = await caches.open(assetsName)
    const kept = new Set((await cache.keys()).map(({ url }) => url))
    const missing = manifest.assets.map(addressOf).filter((address) => !kept.has(address))
    const next = async (): Promise<void> => {
      const address = missing.shift()
      if (address === undefined) return
      const response = await fetch(new Request(address))
      if (!response.ok) throw new Error(`“${address}” answered ${response.status}`)
      await cache.put(address, guard(response, address))
      await next()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
  }

  const asset = async (request: Request): Promise<Response> => {
    const cache = await caches.open(assetsName)
    const kept = await cache.match(request.url, { ignoreVary: true })
    if (kept) return guard(kept, request.url)
    const response = guard(await fetch(request), request.url)
    const isKept = savesData() && assets.has(new URL(request.url).pathname.slice(folder.length))
    if (response.status === 200 && isKept) {
      // Not awaited by the page, and skipped if there's no space.
      void cache.put(request.url, response.clone()).catch(() => {})
    }
    return response
  }

  const file = async (request: Request, name: string): Promise<Response> => {
    const kept = await (await caches.open(shellName)).match(addressOf(name), { ignoreVary: true })
    return guard(kept ?? (await fetch(request)), request.url)
  }

  /** For addresses that aren't the app's own, the host answers if it can, otherwise the app. */
  const otherPage = async (request: Request): Promise<Response> => {
    try {
      return await fetch(request)
    } catch {
      return file(request, START)
    }
  }

  return {
    async install(replaces) {
      await Promise.all([keepShell(), replaces ? keepMissing() : undefined])
    },
    keepAssets() {
      keeping ??= keepMissing().finally(() => (keeping = null))
      return keeping
    },
    answer(request) {
      if (request.method !== 'GET') return null
      const path = new URL(request.url).pathname.slice(folder.length)
      if (path.startsWith('assets/')) return asset(request)
      if (shell.has(path)) return file(request, path)
      if (request.mode !== 'navigate') return null
      const page = routes.has(path.split('/', 1)[0] ?? '') ? file(request, START) : otherPage(request)
      return page.then(prepare)
    },
    async removeOthers() {
      for (const name of await caches.keys()) {
        if (name.startsWith(shellPrefix) && name !== shellName) await caches.delete(name)
      }
      const cache = await caches.open(assetsName)
      const current = new Set(manifest.assets.map(addressOf))
      for (const request of await cache.keys()) if (!current.has(request.url)) await cache.delete(request)
    },
  }
}

/** A navigation can't be answered with a redirected response. */
async function withoutRedirect(response: Response): Promise<Response> {
  if (!response.redirected) return response
  return new Response(await response.blob(), { status: response.status, headers: response.headers })
}
