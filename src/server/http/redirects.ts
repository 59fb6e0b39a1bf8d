import type { ServerObjects } from '../objects/objects.ts'
import type { Handler } from './listener.ts'

/**
 * Sends downloads to where the bytes are, for as long as the signed URL holds. By the contract an answer has the bytes; so
 * this is for stores that whoever runs the server says can be reached.
 * @param storage answers signed URLs, which it has checked when it gives an object
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
        // A page's own requests are answered here.
        Vary: 'Origin, Sec-Fetch-Mode, Sec-Fetch-Site, User-Agent',
      },
    })
  }
}

/**
 * Programs and downloads by a browser may. A page's script may not: its policy names no store, and the store's answer may
 * not name the page. Nor whoever goes on with what this server began, whose tag isn't the store's.
 */
function mayLeave({ method, headers }: Request): boolean {
  // Browsers alone say where a request comes from; Node says its mode, too. Over plain HTTP they say neither, but who they are.
  const isPages =
    headers.has('Origin') ||
    (headers.has('Sec-Fetch-Site')
      ? headers.get('Sec-Fetch-Mode') !== 'navigate'
      : (headers.get('User-Agent') ?? '').startsWith('Mozilla/'))
  return method === 'GET' && !isPages && !headers.has('If-Range')
}
