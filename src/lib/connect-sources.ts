/*
 * The other origins that the page may connect to. The page's policy allows only its own; the service worker widens it.
 */

/** Kept when the app's version changes. */
const CACHE = 'rowhouse-connect'
const ENTRY = '/connect-sources'

/**
 * Stores the origins that the next page may connect to, in addition to its own. Anything but `http(s)` origins is left
 * out, since what is stored here ends up in the page's policy.
 */
export async function writeConnectSources(origins: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const kept = Array.from(new Set(origins.map(originOf).filter((origin) => origin !== null)))
  if (kept.length === 0) await cache.delete(ENTRY)
  else await cache.put(ENTRY, new Response(JSON.stringify(kept)))
}

/** The stored origins; none if there's no storage. */
export async function readConnectSources(): Promise<readonly string[]> {
  try {
    const answer = await (await caches.open(CACHE)).match(ENTRY)
    const value: unknown = answer ? await answer.json() : []
    return Array.isArray(value) ? value.map(originOf).filter((origin) => origin !== null) : []
  } catch {
    return []
  }
}

/** A parsed origin may still contain characters with a meaning in a policy: `;`, `*`. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/

function originOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  try {
    const { origin } = new URL(value)
    return ORIGIN.test(origin) ? origin : null
  } catch {
    return null
  }
}

/** Quotes in the attribute may be written as `&#39;`. */
const SOURCES = /connect-src (?:[^;"&]|&[#\w]+;)*/

/**
 * The page with these origins added to its policy. A page without a policy in a `<meta>` is returned unchanged.
 * @param html the start page from the build
 */
export function withConnectSources(html: string, origins: readonly string[]): string {
  if (origins.length === 0) return html
  return html.replace(SOURCES, (sources) => [sources, ...origins].join(' '))
}

/**
 * The answer to a navigation, with the stored origins added to its policy. Called by the service worker for the start
 * page, from the cache or the network.
 */
export async function withKeptConnectSources(page: Response): Promise<Response> {
  const origins = await readConnectSources()
  if (origins.length === 0 || !page.ok) return page
  const headers = new Headers(page.headers)
  for (const name of ['content-length', 'content-encoding', 'etag']) headers.delete(name)
  return new Response(withConnectSources(await page.text(), origins), { status: page.status, headers })
}
