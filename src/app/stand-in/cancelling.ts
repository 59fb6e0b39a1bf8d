import { CALL_HEADER, kindOfPath, type PageMessage } from '../../sw/protocol.ts'
import { onUploadProgress } from './upload.ts'

/**
 * Gives each `fetch` and `XMLHttpRequest` an id, by which a repeated call is recognized. It also lets cancelling reach
 * the answering side, and an `XMLHttpRequest` report upload progress, since browsers do neither if a service worker
 * answers. Other addresses are left alone.
 * @param folder the app's folder, with a slash at its end
 * @param cancelHere cancels a call that this page answers itself
 */
export function bridgeCancelling(folder: URL, cancelHere: (id: string) => void): void {
  const cancel = (id: string): void => {
    cancelHere(id)
    navigator.serviceWorker.controller?.postMessage({ type: 'rowhouse:cancel-call', id } satisfies PageMessage)
  }
  const isOurs = (address: string | URL): boolean => {
    const url = URL.parse(address, document.baseURI)
    if (url?.origin !== folder.origin) return false
    const kind = kindOfPath(url.pathname, folder.pathname)
    return kind === 'api' || kind === 'storage'
  }
  bridgeFetch(isOurs, cancel)
  bridgeXhr(isOurs, cancel)
}

function bridgeFetch(isOurs: (address: string | URL) => boolean, cancel: (id: string) => void): void {
  const native = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null)
    if (!isOurs(input instanceof Request ? input.url : input)) return native(input, init)
    const id = crypto.randomUUID()
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    headers.set(CALL_HEADER, id)
    const stop = (): void => cancel(id)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await native(input, { ...init, headers })
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }
}

function bridgeXhr(isOurs: (address: string | URL) => boolean, cancel: (id: string) => void): void {
  window.XMLHttpRequest = class extends XMLHttpRequest {
    #url = ''

    override open(method: string, url: string | URL, async?: boolean, user?: string | null, password?: string | null) {
      this.#url = new URL(url, document.baseURI).href
      super.open(method, url, async ?? true, user, password)
    }

    override send(body?: Document | XMLHttpRequestBodyInit | null) {
      if (isOurs(this.#url)) {
        const id = crypto.randomUUID()
        this.setRequestHeader(CALL_HEADER, id)
        const total = body instanceof Blob ? body.size : 0
        const end = onUploadProgress(this.#url, (loaded) => {
          const detail = { lengthComputable: total > 0, loaded, total }
          this.upload.dispatchEvent(new ProgressEvent('progress', detail))
        })
        this.addEventListener('abort', () => cancel(id), { once: true })
        this.addEventListener('loadend', end, { once: true })
      }
      super.send(body)
    }
  }
}
