import type { ServerObjects } from '../objects/objects.ts'
import type { Handler } from './listener.ts'

/**
 * Redirects downloads to the object store while the signed URL is valid. The contract says that the response has the
 * bytes, so this must be enabled by the operator for stores that clients can reach.
 * @param storage handles signed URLs; a response with an object means that the URL is valid
 */
export function redirecting(storage: Handler, objects: Pick<ServerObjects, 'link'>): Handler {
  return async (request) => {
    const response = await storage(request)
    const { headers } = response
    const [, blobId] = /^"(.+)"$/.exec(headers.get('ETag') ?? '') ?? []
    if (blobId === undefined || !mayLeave(request) || !response.ok) return response
    const location = await objects.link(blobId, {
      expiresAt: Number(new URL(request.url).searchParams.get('expires')),
      contentType: headers.get('Content-Type') ?? 'application/octet-stream',
      contentDisposition: headers.get('Content-Disposition') ?? 'attachment',
    })
    if (location === null) return response
    await response.body?.cancel()
    return new Response(null, {
      status: 307,
      headers: {
        Location: location,
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
        // Requests of pages' scripts aren't redirected.
        Vary: 'Origin, Sec-Fetch-Mode, Sec-Fetch-Site, User-Agent',
      },
    })
  }
}

/**
 * Programs and browser downloads may be redirected. Scripts of pages may not: their policy doesn't allow the store, and
 * the store may not allow the page. Neither may requests that resume a download from this server, since the store has
 * other ETags.
 */
function mayLeave({ method, headers }: Request): boolean {
  // Only browsers send the origin; Node sends the mode, too. Over plain HTTP they send neither, but identify
  // themselves.
  const isPages =
    headers.has('Origin') ||
    (headers.has('Sec-Fetch-Site')
      ? headers.get('Sec-Fetch-Mode') !== 'navigate'
      : (headers.get('User-Agent') ?? '').startsWith('Mozilla/'))
  return method === 'GET' && !isPages && !headers.has('If-Range')
}
