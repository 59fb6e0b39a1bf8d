import { kindOfPath } from '../../sw/protocol.ts'

let release: () => void = () => undefined
const answered = new Promise<void>((resolve) => {
  release = resolve
})

/** Somebody answers the service's addresses now, or it's known that nobody will. */
export function letCallsGo(): void {
  release()
}

/**
 * Makes calls of the service wait that the page makes before the stand-in answers. On a first visit no service worker is
 * there yet, and the host would answer them with the app's page, as a success.
 * @param folder the app's folder, with a slash at its end
 * @param until settles when calls can go
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

/** Resolves when it's aborted: what comes next then rejects by itself. */
function aborted(signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
