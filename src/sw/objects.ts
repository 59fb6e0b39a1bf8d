import type { Storage } from '../service/storage/index.ts'
import { CALL_HEADER, LENGTH_HEADER, type WorkerMessage } from './protocol.ts'

interface ObjectCalls {
  answer(request: Request, clientId: string): Promise<Response>
  /** Called when nobody waits for the answer any more. */
  cancel(id: string): void
}

const PROGRESS_EVERY_MS = 100
const EARLY_MS = 10_000

/**
 * Answers object URLs, and reports progress to the page that uploads, since browsers report none for uploads that a
 * service worker answers.
 */
export function createObjectCalls(storage: Storage, clients: Pick<Clients, 'get'>): ObjectCalls {
  const running = new Map<string, AbortController>()
  /** Calls cancelled before they arrived: messages may overtake calls. */
  const early = new Set<string>()

  const progress = (url: string, clientId: string) => {
    const client = clients.get(clientId)
    let reportedAt = performance.now()
    return (sent: number) => {
      if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return
      reportedAt = performance.now()
      const message: WorkerMessage = { type: 'rowhouse:upload-progress', url, sent }
      void client.then((found) => found?.postMessage(message))
    }
  }

  return {
    async answer(request, clientId) {
      const id = request.headers.get(CALL_HEADER) ?? crypto.randomUUID()
      const length = request.headers.get(LENGTH_HEADER)
      const cancel = new AbortController()
      running.set(id, cancel)
      if (early.delete(id)) cancel.abort()
      try {
        return await storage(request, {
          signal: cancel.signal,
          ...(length === null ? {} : { length: Number(length) }),
          ...(request.method === 'PUT' && clientId !== '' ? { onProgress: progress(request.url, clientId) } : {}),
        })
      } finally {
        running.delete(id)
      }
    },
    cancel(id) {
      const call = running.get(id)
      if (call) return call.abort()
      // Forgotten after a while, since a call that was already answered doesn't come again.
      early.add(id)
      setTimeout(() => early.delete(id), EARLY_MS)
      return undefined
    },
  }
}
