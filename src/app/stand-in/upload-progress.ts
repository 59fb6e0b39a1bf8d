import { isWorkerMessage } from '../../sw/protocol.ts'

/**
 * Tells how many bytes of an upload the service worker has taken, about ten times a second.
 * @returns a function that ends it
 */
export function onUploadProgress(url: string, listener: (sent: number) => void): () => void {
  const { href } = new URL(url, location.href)
  const heard = ({ data }: MessageEvent<unknown>): void => {
    if (isWorkerMessage(data) && data.type === 'rowhouse:upload-progress' && data.url === href) listener(data.sent)
  }
  navigator.serviceWorker.addEventListener('message', heard)
  return () => navigator.serviceWorker.removeEventListener('message', heard)
}
