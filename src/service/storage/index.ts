import { createSigner, type Verdict } from '../signing.ts'
import { download } from './download.ts'
import { answerTo, ServiceError } from '../failures.ts'
import type { StoragePorts } from '../ports.ts'
import { upload } from './upload.ts'

export interface StorageOptions {
  /** Aborted when the client disconnects; needed if the request's own signal doesn't tell. */
  readonly signal?: AbortSignal
  /** Size of the body; needed if `Content-Length` doesn't tell. */
  readonly length?: number | null
  /** Called with the number of bytes received so far. */
  readonly onProgress?: (sent: number) => void
}

export type Storage = (request: Request, options?: StorageOptions) => Promise<Response>

const METHODS = 'PUT, GET, HEAD, OPTIONS'

const REFUSALS: Readonly<Record<Extract<Verdict, { ok: false }>['reason'], string>> = {
  signature: 'The signature of this URL is not valid.',
  method: 'This URL was signed for another method.',
  expired: 'This URL has expired. Ask for a new one.',
}

/**
 * Handles `/storage/...`: objects by signed URLs. The signature is the only credential.
 * - PUT: 200; 400 another content type, or another length than declared; 403 invalid URL; 404 unknown object; 409 in
 *   use; 413 too large.
 * - GET, HEAD: 200, 206, 416; 403 invalid URL; 404 not uploaded. 503 if there's no space left.
 */
export function createStorage(ports: StoragePorts): Storage {
  const signer = createSigner(ports.records, ports.clock)
  return async (request, { signal = request.signal, length = declaredLength(request), onProgress } = {}) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: METHODS } })
    try {
      const verdict = await signer.verify(request.method, request.url)
      if (!verdict.ok) throw new ServiceError('FORBIDDEN', REFUSALS[verdict.reason])
      if (request.method !== 'PUT') return await download(ports, request, verdict.objectId)
      return await upload(ports, request, verdict, { signal, length, onProgress })
    } catch (error) {
      return answerTo(error, request, ports, { place: '/storage ' })
    }
  }
}

function declaredLength(request: Request): number | null {
  const length = request.headers.get('Content-Length')
  return length === null ? null : Number(length)
}
