/* Which other origins the page may talk to. The page's policy allows its own alone; the service worker widens it. */

/** Not to be cleared with a version of the app. */
const CACHE = 'rowhouse-connect'
const ENTRY = '/connect-sources'

/**
 * Keeps the origins that the next page may connect to, beside its own. Anything that isn't an `http(s)` origin is left
 * out: what is kept here ends up in the page's policy.
 */
export async function writeConnectSources(origins: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const kept = Array.from(new Set(origins.map(originOf).filter((origin) => origin !== null)))
  if (kept.length === 0) await cache.delete(ENTRY)
  else await cache.put(ENTRY, new Response(JSON.stringify(kept)))
}

/** The origins that were kept; none where there's no storage. */
export async function readConnectSources(): Promise<readonly string[]> {
  try {
    const answer = await (await caches.open(CACHE)).match(ENTRY)
    const value: unknown = answer ? await answer.json() : []
    return Array.isArray(value) ? value.map(originOf).filter((origin) => origin !== null) : []
  } catch {
    return []
  }
}

/** A parsed origin may still hold what means something in a policy: `;`, `*`. */
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

/** Quotes may stand in the attribute as what they are, or as `&#39;`. */
const SOURCES = /connect-src (?:[^;"&]|&[#\w]+;)*/

/**
 * A page with its policy widened by these origins. A page whose policy isn't in a `<meta>` stays as it is.
 * @param html the start page, as the build made it
 */
export function withConnectSources(html: string, origins: readonly string[]): string {
  if (origins.length === 0) return html
  return html.replace(SOURCES, (sources) => [sources, ...origins].join(' '))
}

/**
 * The answer to a navigation, its policy widened by the origins that were kept. Called by the service worker for the
 * start page, wherever it took it from.
 */
export async function withKeptConnectSources(page: Response): Promise<Response> {
  const origins = await readConnectSources()
  if (origins.length === 0 || !page.ok) return page
  const headers = new Headers(page.headers)
  for (const name of ['content-length', 'content-encoding', 'etag']) headers.delete(name)
  return new Response(withConnectSources(await page.text(), origins), { status: page.status, headers })
}
