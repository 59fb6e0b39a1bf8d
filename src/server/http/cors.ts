/* CORS (Fetch standard): which pages may read responses. Cookies aren't used, so credentials aren't allowed. */

const ALLOWED_HEADERS = 'Authorization, Content-Type, If-Range, Range, X-API-Key'
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const EXPOSED_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Location',
  'Retry-After',
  'X-Rowhouse-Executor',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ')
/** Seconds for which browsers may cache a preflight. */
const MAX_AGE = '600'

export interface Cors {
  /** The response to a preflight of an allowed origin; null for any other request. */
  preflight(request: Request): Response | null
  /** Adds the headers that let pages of an allowed origin read a response. */
  allow(request: Request, headers: Headers): void
}

/** @param origins allowed origins, as browsers send them: `https://app.example.com` */
export function createCors(origins: readonly string[]): Cors {
  const allowed: ReadonlySet<string> = new Set(origins)
  const originOf = (request: Request): string | null => {
    const origin = request.headers.get('Origin')
    return origin !== null && allowed.has(origin) ? origin : null
  }
  const allow = (request: Request, headers: Headers): boolean => {
    // Caches mustn't give one origin's response to another.
    if (allowed.size > 0) headers.append('Vary', 'Origin')
    const origin = originOf(request)
    if (origin === null) return false
    headers.set('Access-Control-Allow-Origin', origin)
    headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    return true
  }
  return {
    preflight(request) {
      if (request.method !== 'OPTIONS' || !request.headers.has('Access-Control-Request-Method')) return null
      const headers = new Headers()
      if (!allow(request, headers)) return null
      headers.delete('Access-Control-Expose-Headers')
      headers.set('Access-Control-Allow-Headers', ALLOWED_HEADERS)
      headers.set('Access-Control-Allow-Methods', ALLOWED_METHODS)
      headers.set('Access-Control-Max-Age', MAX_AGE)
      return new Response(null, { status: 204, headers })
    },
    allow(request, headers) {
      allow(request, headers)
    },
  }
}
