import { unreachable, type UploadTransport } from '../../api/create.ts'
import { LENGTH_HEADER } from '../../sw/protocol.ts'
import { onUploadProgress } from './upload-progress.ts'

/**
 * Sends a file to the service worker, which says how much of it it has: `XMLHttpRequest` tells nothing of a request that a
 * service worker answers.
 */
export const uploadHere: UploadTransport = async ({ url, body, contentType, signal, onProgress }) => {
  const stop = onUploadProgress(url, onProgress)
  try {
    const response = await fetch(url, {
      method: 'PUT',
      headers: { 'Content-Type': contentType, [LENGTH_HEADER]: String(body.size) },
      body,
      ...(signal ? { signal } : {}),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    throw unreachable(url, cause)
  } finally {
    stop()
  }
}
