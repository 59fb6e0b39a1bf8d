import { expect, type BrowserContext, type Page } from '@playwright/test'

/* Calls the service at the page's own addresses, as code in the page does. */

/** Resolves when the page's requests reach the stand-in. */
export async function ready(page: Page): Promise<void> {
  await expect(page.locator('html[data-service=ready]')).toBeAttached()
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A request by the page's own `fetch`. Addresses are relative to the app's folder. */
export function call(
  page: Page,
  path: string,
  init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<Answer> {
  return page.evaluate(
    async ([address, request]) => {
      const scope = (await navigator.serviceWorker.ready).scope
      const response = await fetch(new URL(address, scope), request)
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    },
    [path, init] as const,
  )
}

const data = ({ text }: Answer): Record<string, unknown> => (JSON.parse(text) as { data: Record<string, unknown> }).data

/** A key with all scopes for the first workspace. */
export async function newKey(page: Page): Promise<{ readonly workspaceId: string; readonly key: string }> {
  const { workspaces } = data(await call(page, 'console/v1/workspaces')) as { workspaces: { id: string }[] }
  const workspaceId = workspaces[0]?.id ?? ''
  const body = JSON.stringify({ name: 'Test', scopes: ['datasets:*:read', 'datasets:*:write'] })
  const made = await call(page, `console/v1/workspaces/${workspaceId}/api-keys`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  return { workspaceId, key: (data(made) as { key: string }).key }
}

/** A call of the public interface; returns `data`. */
export async function post(page: Page, key: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await call(page, `public/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify(body),
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return data(answer)
}

/** The URLs to upload a CSV file to, and to download its conversion to JSON. */
export async function conversion(
  page: Page,
  key: string,
  filename?: string,
): Promise<{ readonly put: string; readonly path: string }> {
  const body = { source_format: 'csv', destination_format: 'json', ...(filename === undefined ? {} : { filename }) }
  const { source } = (await post(page, key, 'convert/upload-urls', body)) as {
    source: { upload_url: string; file_path: string }
  }
  return { put: source.upload_url, path: source.file_path }
}

/** Uploads that many bytes; returns the status, or the name of the error. `cancelAfter` is in milliseconds. */
export function putBytes(page: Page, url: string, size: number, cancelAfter?: number): Promise<number | string> {
  return page.evaluate(
    async ([address, bytes, after]) => {
      const cancel = new AbortController()
      if (after !== undefined) setTimeout(() => cancel.abort(), after)
      try {
        const response = await fetch(address, {
          method: 'PUT',
          headers: { 'Content-Type': 'text/csv' },
          body: new Blob([new Uint8Array(bytes)]),
          signal: cancel.signal,
        })
        return response.status
      } catch (error) {
        return (error as Error).name
      }
    },
    [url, size, cancelAfter] as const,
  )
}

/** Sizes of the stored objects, without those that are swept meanwhile. */
export function objectSizes(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const gone = (error: Error): null => {
      if (error.name !== 'NotFoundError') throw error
      return null
    }
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('objects', { create: true })
    const sizes: number[] = []
    for await (const handle of folder.values()) {
      const file = handle.kind === 'file' ? await handle.getFile().catch(gone) : null
      if (file) sizes.push(file.size)
    }
    return sizes
  })
}

/** Stops the service worker, as browsers do when it's idle. */
export async function stopServiceWorker(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  // The session isn't detached, since Chromium sometimes crashed when that happened while workers stopped.
  await devtools.send('ServiceWorker.stopAllWorkers')
}

/** Reloads without the service worker and all caches. */
export async function hardReload(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  const loaded = page.waitForEvent('load')
  await devtools.send('Page.reload', { ignoreCache: true })
  await loaded
  await devtools.detach()
}

/** Caches all of the app, and resolves when it opens without a network. */
export async function keptOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    const kept = new Promise<void>((resolve) => {
      navigator.serviceWorker.addEventListener('message', ({ data: message }: MessageEvent<{ type?: string }>) => {
        if (message.type === 'rowhouse:offline-ready') resolve()
      })
    })
    active?.postMessage({ type: 'rowhouse:keep-offline' })
    await kept
  })
}
