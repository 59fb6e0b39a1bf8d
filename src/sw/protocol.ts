/* Messages between pages and the service worker. MSW has its own as well. */

/** Who answers a page's calls of the service: the page itself, with its stand-in, or the network. */
export type Answering = 'here' | 'network'

export type PageMessage =
  /** Tells who answers this page's calls from now on. */
  | { readonly type: 'rowhouse:answering'; readonly answering: Answering }
  /** Asks to control pages that aren't controlled, such as those reloaded with Shift. */
  | { readonly type: 'rowhouse:claim' }
  /** Asks to replace the running version, although pages use it. */
  | { readonly type: 'rowhouse:take-over' }
  /** Tells that a call is no longer awaited. `id` is in its `CALL_HEADER`. */
  | { readonly type: 'rowhouse:cancel-call'; readonly id: string }
  /** Asks to cache what is still missing for offline use. */
  | { readonly type: 'rowhouse:keep-offline' }

export type WorkerMessage =
  /** Asks for `rowhouse:answering`. */
  | { readonly type: 'rowhouse:who-answers' }
  | { readonly type: 'rowhouse:upload-progress'; readonly url: string; readonly sent: number }
  /** Tells that all of the app is cached, so that it opens without a network. */
  | { readonly type: 'rowhouse:offline-ready' }

/** Has a call's id, for cancelling: browsers don't tell a service worker that an answer is no longer awaited. */
export const CALL_HEADER = 'x-rowhouse-call'

/** Has an upload's size in bytes: browsers don't show a service worker the `Content-Length`. */
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

/** Whether it's one of our messages: MSW's arrive the same way. */
export function isPageMessage(data: unknown): data is PageMessage {
  return hasOurType(data)
}

/** Whether it's one of our messages: MSW's arrive the same way. */
export function isWorkerMessage(data: unknown): data is WorkerMessage {
  return hasOurType(data)
}
