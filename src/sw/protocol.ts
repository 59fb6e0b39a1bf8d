/* What pages and the service worker say to each other. MSW has words of its own beside these. */

/** Who answers a page's calls of the service: the page itself, with the stand-in, or the network. */
export type Answering = 'here' | 'network'

export type PageMessage =
  /** Who answers this page's calls, from now on. */
  | { readonly type: 'rowhouse:answering'; readonly answering: Answering }
  /** Take pages that no service worker controls, such as those that were reloaded past it. */
  | { readonly type: 'rowhouse:claim' }
  /** Replace the version that's running, though pages use it. */
  | { readonly type: 'rowhouse:take-over' }
  /** A call isn't waited for any more. `id` is in its `CALL_HEADER`. */
  | { readonly type: 'rowhouse:cancel-call'; readonly id: string }
  /** Fetch what isn't kept for offline use yet. */
  | { readonly type: 'rowhouse:keep-offline' }

export type WorkerMessage =
  /** Asks for `rowhouse:answering`. */
  | { readonly type: 'rowhouse:who-answers' }
  | { readonly type: 'rowhouse:upload-progress'; readonly url: string; readonly sent: number }
  /** All of the app is kept: it opens without a network. */
  | { readonly type: 'rowhouse:offline-ready' }

/** An id of the call, for cancelling: browsers don't tell a service worker that nobody waits for an answer any more. */
export const CALL_HEADER = 'x-rowhouse-call'

/** How many bytes an upload has: browsers tell a service worker of no `Content-Length`. */
export const LENGTH_HEADER = 'x-rowhouse-length'

/** Prefixes of the service's calls below the app's folder; objects are at `storage/`. */
const API_PREFIXES = ['public/v1', 'api/public/v1', 'console/v1'] as const

/**
 * What a request is for.
 * @param base path of the app's folder, with a slash at its end
 */
export function kindOfPath(pathname: string, base: string): 'api' | 'storage' | 'app' | 'outside' {
  if (!pathname.startsWith(base)) return 'outside'
  const rest = pathname.slice(base.length)
  if (rest.startsWith('storage/')) return 'storage'
  return API_PREFIXES.some((prefix) => rest === prefix || rest.startsWith(`${prefix}/`)) ? 'api' : 'app'
}

function hasOurType(data: unknown): boolean {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    typeof data.type === 'string' &&
    data.type.startsWith('rowhouse:')
  )
}

/** Whether it's one of ours: MSW's messages come the same way. */
export function isPageMessage(data: unknown): data is PageMessage {
  return hasOurType(data)
}

/** Whether it's one of ours: MSW's messages come the same way. */
export function isWorkerMessage(data: unknown): data is WorkerMessage {
  return hasOurType(data)
}
