import { kindOfPath } from '../../sw/protocol.ts'

let release: () => void = () => undefined
const answered = new Promise<void>((resolve) => {
  release = resolve
})

/** Releases held calls: the stand-in answers now, or it's known that it won't. */
export function letCallsGo(): void {
  release()
}

/**
 * Holds calls of the service that the page makes before the stand-in can answer. On a first visit there's no service
 * worker yet, and the host would answer with the app's page and status 200.
 * @param folder the app's folder, with a slash at its end
 * @param until settles when calls may go ahead
 */
export function holdEarlyCalls(scope: { fetch: typeof fetch }, folder: URL, until: Promise<unknown> = answered): void {
  const native = scope.fetch.bind(scope)
  let held = true
  const end = (): void => {
    held = false
  }
  until.then(end, end)
  scope.fetch = async (input, init) => {
    const url = URL.parse(input instanceof Request ? input.url : input, folder)
    if (!held || url?.origin !== folder.origin) return native(input, init)
    const kind = kindOfPath(url.pathname, folder.pathname)
    if (kind === 'api' || kind === 'storage') {
      const signal = init?.signal ?? (input instanceof Request ? input.signal : null)
      await Promise.race([until.catch(() => undefined), aborted(signal)])
    }
    return native(input, init)
  }
}

/** Resolves when it's aborted: the fetch that follows rejects by itself. */
function aborted(signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
