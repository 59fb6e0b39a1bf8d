import { unreachable, type UploadTransport } from '../../api/create.ts'
import { isWorkerMessage, LENGTH_HEADER } from '../../sw/protocol.ts'

/**
 * Uploads a file to the service worker, which reports the progress, since `XMLHttpRequest` doesn't if a service worker
 * answers.
 */
export const uploadHere: UploadTransport = async ({ url, body, contentType, signal, onProgress }) => {
  const stop = onUploadProgress(url, onProgress)
  try {
    const response = await fetch(url, {
      method: 'PUT',
      headers: { 'Content-Type': contentType, [LENGTH_HEADER]: String(body.size) },
      body,
      signal,
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal.throwIfAborted()
    throw unreachable(url, cause)
  } finally {
    stop()
  }
}

/**
 * Reports the bytes of an upload that the service worker has received, about ten times a second.
 * @returns a function that stops it
 */
export function onUploadProgress(url: string, listener: (sent: number) => void): () => void {
  const { href } = new URL(url, location.href)
  const heard = ({ data }: MessageEvent<unknown>): void => {
    if (isWorkerMessage(data) && data.type === 'rowhouse:upload-progress' && data.url === href) listener(data.sent)
  }
  navigator.serviceWorker.addEventListener('message', heard)
  return () => navigator.serviceWorker.removeEventListener('message', heard)
}
