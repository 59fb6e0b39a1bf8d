/** What a build is made of, by paths below its folder. */
export interface Manifest {
  /** Another one when anything is. */
  readonly version: string
  /** Their names hold a hash of their contents: one that's known never changes. */
  readonly assets: readonly string[]
  /** Files of fixed names, besides the start page. */
  readonly shell: readonly string[]
  /** First parts of the addresses that are the app's own pages. */
  readonly routes: readonly string[]
}

interface Options {
  /** The app's folder. */
  readonly scope: URL
  readonly caches: CacheStorage
  readonly fetch: (request: Request) => Promise<Response>
  /** What becomes of all that is kept or fetched for the app. */
  readonly guard: (answer: Response, address: string) => Response
  /** What becomes of the start page on its way out. */
  readonly prepare: (page: Response) => Promise<Response>
}

export interface Precache {
  /** Keeps this version's start page and fixed files; all of its assets too, if a running version is to be replaced. */
  install(replaces: boolean): Promise<void>
  /** Keeps the assets that aren't yet. Those who come at once wait for the same work. */
  keepAssets(): Promise<void>
  /** The answer to a request, or null when it's the network's alone. */
  answer(request: Request): Promise<Response> | null
  /** Removes what other versions kept. Not while a page of theirs is open: it may still load parts of itself. */
  removeOthers(): Promise<void>
}

const START = 'index.html'
/** Downloads at a time: the page has some of its own. */
const AT_ONCE = 3

/**
 * Keeps the app for offline use: the start page with all files of fixed names in a cache for this version, and assets in
 * one for all versions, so that an update fetches what has changed and pages of the version before find their parts.
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
    // Some hosts redirect from index.html to its folder.
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
    if (response.status === 200 && assets.has(new URL(request.url).pathname.slice(folder.length))) {
      // The page doesn't wait for it; where there's no room it isn't kept.
      void cache.put(request.url, response.clone()).catch(() => {})
    }
    return response
  }

  const file = async (request: Request, name: string): Promise<Response> => {
    const kept = await (await caches.open(shellName)).match(addressOf(name), { ignoreVary: true })
    return guard(kept ?? (await fetch(request)), request.url)
  }

  /** The host knows better what's at an address that isn't one of the app's; without a network it's the app's to say. */
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

/** A navigation can't be answered with an answer that came by a redirect. */
async function withoutRedirect(response: Response): Promise<Response> {
  if (!response.redirected) return response
  return new Response(await response.blob(), { status: response.status, headers: response.headers })
}
