import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { dist, fileHost } from './host.ts'
import { convertTo, fixture, region } from './page.ts'
import {
  call,
  conversion,
  hardReload,
  keptOffline,
  newKey,
  objectSizes,
  post,
  putBytes,
  ready,
  stopServiceWorker,
} from './stand-in.ts'

const MB = 1_048_576

test.describe('the service behind the page’s own addresses', () => {
  test('answers after the first visit, a reload and a hard reload', async ({ page, context }) => {
    await page.goto('/convert')
    for (const again of [() => page.reload(), () => page.reload(), () => hardReload(context, page)]) {
      await ready(page)
      for (const address of ['public/v1/convert/formats', 'api/public/v1/convert/formats']) {
        const { status, text } = await call(page, address)
        expect([status, text]).toEqual([401, expect.stringContaining('"UNAUTHORIZED"')])
      }
      expect((await call(page, 'console/v1/workspaces')).text).toContain('"my_workspace"')
      await again()
    }
    await ready(page)
    expect((await call(page, 'console/v1/workspaces')).status).toBe(200)
  })

  test('calls that come before the stand-in wait for it', async ({ page }) => {
    await page.goto('/convert')
    await ready(page)
    await page.addInitScript(() => {
      const early = fetch('/console/v1/workspaces').then(async (response) => [response.status, await response.text()])
      Object.assign(window, { early })
    })
    await page.reload()
    const [status, text] = await page.evaluate(() => (window as unknown as { early: Promise<[number, string]> }).early)
    expect(status).toBe(200)
    expect(text).toContain('"my_workspace"')
  })

  test('calls right after the first visit, and after a hard reload, wait for it', async ({ page, context }) => {
    await page.goto('/convert')
    expect(await call(page, 'console/v1/workspaces')).toMatchObject({ status: 200 })
    await hardReload(context, page)
    expect((await call(page, 'public/v1/convert/formats')).text).toContain('"UNAUTHORIZED"')
  })

  test('two tabs have it, and one when the other has closed', async ({ page, context }) => {
    const other = await context.newPage()
    for (const tab of [page, other]) {
      await tab.goto('/convert')
      await ready(tab)
    }
    const { key } = await newKey(page)
    const { put } = await conversion(other, key)
    expect(await putBytes(page, put, 10)).toBe(200)
    await other.close()
    expect((await call(page, 'console/v1/workspaces')).status).toBe(200)
  })

  test('it’s there again when the last tab has closed', async ({ page, context }) => {
    await page.goto('/convert')
    await ready(page)
    const { key } = await newKey(page)
    const { put } = await conversion(page, key)
    await page.close()
    const again = await context.newPage()
    await again.goto('/convert')
    await ready(again)
    expect(await putBytes(again, put, 10)).toBe(200)
  })

  test('a service worker that was stopped goes on where it was', async ({ page, context }) => {
    await page.goto('/convert')
    await ready(page)
    const { key } = await newKey(page)
    await stopServiceWorker(context, page)
    const { put } = await conversion(page, key)
    await stopServiceWorker(context, page)
    expect(await putBytes(page, put, 10)).toBe(200)
    await stopServiceWorker(context, page)
    expect((await call(page, 'console/v1/workspaces')).status).toBe(200)
  })

  test('one that’s stopped in the middle of an upload leaves the object whole or as it was', async ({
    page,
    context,
  }) => {
    await page.goto('/convert')
    await ready(page)
    const { key } = await newKey(page)
    let whole = 0
    for (const wait of [20, 60, 120]) {
      const { put, path: source } = await conversion(page, key)
      const upload = putBytes(page, put, 50 * MB)
      await page.waitForTimeout(wait)
      await stopServiceWorker(context, page)
      const status = await upload
      const converted = await call(page, 'public/v1/convert', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
        body: JSON.stringify({ source_url: source, source_format: 'csv', destination_format: 'json' }),
      })
      // Bytes that aren't CSV are refused; without bytes there's nothing to convert. It may also have been stopped
      // after everything was written, but before it could answer.
      if (status !== 200 && converted.status === 404) continue
      expect(converted.status).toBe(400)
      whole++
      expect((await objectSizes(page)).filter((size) => size === 50 * MB).length).toBeGreaterThanOrEqual(whole)
    }
  })

  test('an address of the service opened in a tab is answered by another tab', async ({ page, context }) => {
    await page.goto('/convert')
    await ready(page)
    const other = await context.newPage()
    const response = await other.goto('/api/public/v1/openapi.json')
    expect(response?.status()).toBe(200)
    expect(await other.locator('body').innerText()).toContain('"openapi"')
  })

  test('a call that’s cancelled ends where it’s answered', async ({ page }) => {
    await page.goto('/convert')
    await ready(page)
    const { key } = await newKey(page)
    const ended = await page.evaluate(async (apiKey) => {
      const ask = (sql: string, signal?: AbortSignal) =>
        fetch('/public/v1/query', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
          body: JSON.stringify({ sql, timeout_seconds: 60 }),
          ...(signal ? { signal } : {}),
        })
      await ask('SELECT 1')
      const cancel = new AbortController()
      const long = ask('SELECT count(*) FROM range(1000000000) a, range(1000000000) b', cancel.signal).catch(
        (error: Error) => error.name,
      )
      await new Promise((resolve) => setTimeout(resolve, 500))
      cancel.abort()
      const begun = performance.now()
      const next = await ask('SELECT 42')
      return { long: await long, status: next.status, waited: performance.now() - begun }
    }, key)
    expect(ended).toMatchObject({ long: 'AbortError', status: 200 })
    expect(ended.waited).toBeLessThan(10_000)
  })
})

test.describe('objects', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/convert')
    await ready(page)
  })

  test('come and go by their signed URLs, in parts too, under a name that nothing breaks', async ({ page }) => {
    const { key } = await newKey(page)
    const { put, path: source } = await conversion(page, key, 'Umsätze "neu"; x=1')
    expect(
      (await call(page, put, { method: 'PUT', headers: { 'Content-Type': 'text/csv' }, body: 'id\n1\n' })).status,
    ).toBe(200)
    const body = {
      source_url: source,
      source_format: 'csv',
      destination_format: 'json',
      filename: 'Umsätze "neu"; x=1',
    }
    const { download_url: url } = (await post(page, key, 'convert', body)) as { download_url: string }
    const whole = await call(page, url)
    expect(JSON.parse(whole.text)).toEqual([{ id: 1 }])
    expect(whole.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(whole.text.length),
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="Ums_tze _neu_; x=1.json"; filename*=UTF-8''Ums%C3%A4tze%20%22neu%22%3B%20x%3D1.json`,
    })
    const part = await call(page, url, { headers: { Range: 'bytes=1-3' } })
    expect([part.status, part.text]).toEqual([206, whole.text.slice(1, 4)])
    const end = await call(page, url, { headers: { Range: 'bytes=-2' } })
    expect([end.status, end.text]).toEqual([206, whole.text.slice(-2)])
    expect((await call(page, url, { headers: { Range: 'bytes=9999-' } })).status).toBe(416)

    const waiting = page.waitForEvent('download')
    await page.evaluate((address) => {
      const link = document.createElement('a')
      link.href = address
      link.click()
    }, url)
    const download = await waiting
    expect(readFileSync(await download.path(), 'utf8')).toBe(whole.text)
    expect(download.suggestedFilename()).toMatch(/^Umsätze .neu.; x=1\.json$/)
  })

  test('of 50 MB are taken, and none of a byte more', async ({ page }) => {
    const { key } = await newKey(page)
    const { put } = await conversion(page, key)
    expect(await putBytes(page, put, 50 * MB)).toBe(200)
    expect(await objectSizes(page)).toEqual([50 * MB])
    expect(await putBytes(page, put, 50 * MB + 1)).toBe(413)
    expect(await objectSizes(page)).toEqual([50 * MB])
  })

  test('that are cancelled on their way leave nothing', async ({ page }) => {
    const { key } = await newKey(page)
    const { put } = await conversion(page, key)
    expect(await putBytes(page, put, 50 * MB, 1)).toBe('AbortError')
    await expect.poll(() => objectSizes(page)).toEqual([])
    // Cancelled halfway: a fast upload may finish and is kept, so then another is cancelled.
    const cancel = async (): Promise<boolean> => {
      const { put: url } = await conversion(page, key)
      return page.evaluate(async (address) => {
        let aborted = false
        const request = new XMLHttpRequest()
        request.open('PUT', address)
        request.setRequestHeader('Content-Type', 'text/csv')
        request.addEventListener('abort', () => (aborted = true))
        const ended = new Promise((resolve) => request.addEventListener('loadend', resolve))
        request.upload.addEventListener('progress', ({ loaded, total }) => loaded < total && request.abort())
        request.send(new Blob([new Uint8Array(50 * 1_048_576)]))
        await ended
        return aborted
      }, url)
    }
    const taken: number[] = []
    while (!(await cancel())) taken.push(50 * MB)
    // What was just being written is gone, and doesn't come back.
    await expect.poll(() => objectSizes(page)).toEqual(taken)
    await page.waitForTimeout(1000)
    expect(await objectSizes(page)).toEqual(taken)
    expect(await putBytes(page, put, 10)).toBe(200)
  })

  test('tell an XMLHttpRequest how much of them was taken', async ({ page }) => {
    const { key } = await newKey(page)
    const { put } = await conversion(page, key)
    const told = await page.evaluate(async (url) => {
      const steps: number[] = []
      const request = new XMLHttpRequest()
      request.open('PUT', url)
      request.setRequestHeader('Content-Type', 'text/csv')
      request.upload.addEventListener('progress', ({ loaded }) => steps.push(loaded))
      const ended = new Promise((resolve) => request.addEventListener('loadend', resolve))
      request.send(new Blob([new Uint8Array(50 * 1_048_576)]))
      await ended
      return { steps, status: request.status }
    }, put)
    expect(told.status).toBe(200)
    expect(told.steps.length).toBeGreaterThan(0)
    expect(told.steps).toEqual([...told.steps].sort((a, b) => a - b))
  })

  test('need a signature that’s right', async ({ page }) => {
    const { key } = await newKey(page)
    const { put } = await conversion(page, key)
    const headers = { 'Content-Type': 'text/csv' }
    const refused = async (url: string, method = 'PUT'): Promise<unknown[]> => {
      const { status, text } = await call(page, url, method === 'PUT' ? { method, headers, body: 'x' } : { method })
      return [status, (JSON.parse(text) as { error: { code: string } }).error.code]
    }
    expect(await refused(put.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toEqual([403, 'FORBIDDEN'])
    expect(await refused(put.replace('max=5', 'max=6'))).toEqual([403, 'FORBIDDEN'])
    expect(await refused(put, 'GET')).toEqual([403, 'FORBIDDEN'])
    expect(await refused('storage/nothing', 'GET')).toEqual([403, 'FORBIDDEN'])
    const wrongType = await call(page, put, { method: 'PUT', headers: { 'Content-Type': 'text/html' }, body: 'x' })
    expect(wrongType.status).toBe(400)
    expect(await objectSizes(page)).toEqual([])
  })

  test('that nothing names are swept, others not', async ({ page }) => {
    const { key } = await newKey(page)
    const { put } = await conversion(page, key)
    expect(await putBytes(page, put, 10)).toBe(200)
    await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory()
      const folder = await root.getDirectoryHandle('objects')
      await folder.getFileHandle('left-over', { create: true })
    })
    expect((await objectSizes(page)).sort((a, b) => a - b)).toEqual([0, 10])
    await page.reload()
    await ready(page)
    await expect.poll(() => objectSizes(page)).toEqual([10])
    expect(await putBytes(page, put, 20)).toBe(200)
    expect(await objectSizes(page)).toEqual([20])
  })

  test('that a full disk has no room for leave nothing', async ({ page, context }) => {
    const { key } = await newKey(page)
    const { put } = await conversion(page, key)
    const devtools = await context.newCDPSession(page)
    const { origin } = new URL(page.url())
    const { usage } = await page.evaluate(() => navigator.storage.estimate())
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: (usage ?? 0) + 20 * MB })
    expect(await putBytes(page, put, 50 * MB)).toBe(503)
    expect(await objectSizes(page)).toEqual([])
    await devtools.send('Storage.overrideQuotaForOrigin', { origin })
    expect(await putBytes(page, put, 50 * MB)).toBe(200)
  })
})

test('without a network the app opens at every address, converts, and has its service', async ({ page, context }) => {
  await page.goto('/convert')
  await ready(page)
  await keptOffline(page)
  await context.setOffline(true)
  for (const address of ['/', '/convert', '/datasets', '/settings/keys']) {
    await page.goto(address)
    await ready(page)
  }
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(fixture('customers.csv'))
  await convertTo(region(page, 'customers.csv'), 'Parquet')
  const { key } = await newKey(page)
  const { put } = await conversion(page, key)
  expect(await putBytes(page, put, 10)).toBe(200)
})

test.describe('in a folder of a host that serves files alone', () => {
  const folder = '/tools/rowhouse/'

  test('the service is below that folder, by deep links and hard reloads too', async ({ page, context }) => {
    const host = await fileHost(folder)
    try {
      for (const address of ['', 'convert', 'convert/x/y']) {
        await page.goto(`${host.origin}${folder}${address}`)
        await ready(page)
        expect((await call(page, 'console/v1/workspaces')).status).toBe(200)
      }
      await hardReload(context, page)
      await ready(page)
      const { key } = await newKey(page)
      const { put } = await conversion(page, key)
      expect(put).toContain(`${host.origin}${folder}storage/`)
      expect(await putBytes(page, put, 10)).toBe(200)
      // Addresses outside its folder belong to the host.
      expect(await page.evaluate(async () => (await fetch('/console/v1/workspaces')).status)).toBe(404)
    } finally {
      host.close()
    }
  })

  test('a newer version waits for the last page, and breaks none that’s open', async ({ page, context }) => {
    const host = await fileHost(folder)
    try {
      const start = `${host.origin}${folder}convert`
      await page.goto(start)
      await ready(page)
      await keptOffline(page)

      const worker = readFileSync(path.join(dist, 'sw.js'), 'utf8')
      const html = readFileSync(path.join(dist, 'index.html'), 'utf8')
      host.deployed.set('sw.js', worker.replace(/(version["`']?:\s*["`'])[0-9a-f]{16}/, '$1ffffffffffffffff'))
      host.deployed.set('index.html', html.replace('<title>', '<meta name="newer"><title>'))
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        await registration.update()
      })
      await expect(page.getByText('A new version of Rowhouse is ready')).toBeVisible()
      const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)
      await expect.poll(waiting).toBe(true)

      // The open page and a new one both have the running version, and work.
      const second = await context.newPage()
      await second.goto(start)
      await ready(second)
      await expect(second.locator('meta[name=newer]')).toHaveCount(0)
      // It closes during a call, which nobody answers any more.
      await second.evaluate(async () => {
        const { promise: asked, resolve } = Promise.withResolvers<void>()
        navigator.serviceWorker.addEventListener(
          'message',
          (event) => {
            event.stopImmediatePropagation()
            resolve()
          },
          { capture: true },
        )
        void fetch('console/v1/workspaces').catch(() => undefined)
        await asked
      })
      await second.close()

      // It takes over when a page asks for it, repeatedly, while another page knows nothing of it.
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        const ask = (): void => registration.waiting?.postMessage({ type: 'rowhouse:take-over' })
        const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
        ask()
        const asking = setInterval(ask, 1000)
        await changed
        clearInterval(asking)
      })
      const { key } = await newKey(page)
      const { put } = await conversion(page, key)
      expect(await putBytes(page, put, 10)).toBe(200)
      await page.getByLabel('Add files').setInputFiles(fixture('customers.csv'))
      await convertTo(region(page, 'customers.csv'), 'Parquet')

      await page.reload()
      await ready(page)
      await expect(page.locator('meta[name=newer]')).toHaveCount(1)
    } finally {
      host.close()
    }
  })
})
