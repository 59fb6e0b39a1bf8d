import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, type Page } from './test.ts'
import { account, dataset, open, sql } from './api.ts'
import { fileHost } from './host.ts'

/* Nothing leaves the machine: neither from a page, nor from any of its workers. */

let elsewhere: Server
let heard: string[]
let address: string

test.beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end('reached')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
})
test.beforeEach(() => {
  heard = []
})
test.afterAll(() => elsewhere.close())

/** The result of a fetch. */
const ask = (url: string): Promise<string> =>
  fetch(url).then(
    (response) => response.text(),
    () => 'refused',
  )

/** Starts workers of the engine: one that loads tables, and one that queries them. */
async function engines(page: Page): Promise<void> {
  const by = await account(page)
  await dataset(by, 'people')
  const { data, text } = await sql(by, `SELECT count(*)::INT AS n FROM ${by.workspace.slug}.people.t`)
  expect(data['rows'], text).toEqual([{ n: 3 }])
}

test('a fetch elsewhere is refused in the page and in each of its workers', async ({ page, context }) => {
  // Checks that the server can be reached at all.
  expect(await ask(`${address}/control`)).toBe('reached')
  await open(page)
  // Reloaded to get the page from the service worker, since on the first visit it came from the host.
  await page.reload()
  await open(page)
  await engines(page)
  expect(await page.evaluate(ask, `${address}/page`)).toBe('refused')
  const workers = page.workers()
  expect(workers.length).toBeGreaterThan(1)
  for (const worker of workers) expect(await worker.evaluate(ask, `${address}/worker`), worker.url()).toBe('refused')
  const [serviceWorker] = context.serviceWorkers()
  expect(await serviceWorker?.evaluate(ask, `${address}/service-worker`)).toBe('refused')
  expect(heard).toEqual(['/control'])
})

test('where the host sends no headers, the service worker does, and none may frame the app', async ({ page }) => {
  const host = await fileHost('/')
  try {
    await page.goto(`${host.origin}/convert`)
    await expect(page.locator('html[data-service=ready]')).toBeAttached()
    await page.reload()
    await expect(page.locator('html[data-service=ready]')).toBeAttached()
    await page
      .getByLabel('Add files')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    await expect(page.getByText('a.csv').first()).toBeVisible()
    await expect.poll(() => page.workers().length).toBeGreaterThan(0)
    for (const worker of page.workers())
      expect(await worker.evaluate(ask, `${address}/worker`), worker.url()).toBe('refused')
    const policies = await page.evaluate(async () => {
      const scripts = performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /assets.*js$/.test(name))
      const answers = await Promise.all(scripts.map((url) => fetch(url)))
      return answers.map(({ headers }) => headers.get('Content-Security-Policy'))
    })
    expect(policies.length).toBeGreaterThan(2)
    for (const policy of policies) expect(policy).toContain("connect-src 'self';")
    // In the page itself, from a script.
    const refused = await page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective))
          const frame = document.createElement('iframe')
          frame.src = location.href
          document.body.append(frame)
        }),
    )
    expect(refused).toMatch(/^(frame-src|default-src|frame-ancestors)$/)
    expect(heard).toEqual([])
  } finally {
    host.close()
  }
})

test('a page that frames the app gets nothing to be clicked', async ({ page }) => {
  const host = await fileHost('/')
  try {
    await page.goto(`${host.origin}/theme.js`)
    await page.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      document.body.replaceChildren(frame)
    }, `${host.origin}/convert`)
    await expect(page.frameLocator('iframe').getByText('doesn’t run inside another page')).toBeVisible()
    await expect(page.frameLocator('iframe').getByRole('button')).toHaveCount(0)
  } finally {
    host.close()
  }
})

test('slashes at an address’s beginning make no other host of it', async ({ page, baseURL }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${baseURL}//evil.example/convert`)
  await expect(page.locator('#root')).not.toBeEmpty()
  expect(new URL(page.url()).pathname).toBe('/evil.example/convert')
  expect(asked.filter((url) => !url.startsWith(baseURL ?? '') && !/^(data|blob):/.test(url))).toEqual([])
})
