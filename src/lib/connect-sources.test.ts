import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  readConnectSources,
  withConnectSources,
  withKeptConnectSources,
  writeConnectSources,
} from './connect-sources.ts'

const PAGE = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'self'; img-src 'self'">`

beforeEach(() => {
  const entries = new Map<string, string>()
  vi.stubGlobal('caches', {
    open: () =>
      Promise.resolve({
        put: async (key: string, value: Response) => void entries.set(key, await value.text()),
        match: (key: string) => Promise.resolve(entries.has(key) ? new Response(entries.get(key)) : undefined),
        delete: (key: string) => Promise.resolve(entries.delete(key)),
      }),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the policy gains the origins, and is otherwise unchanged', () => {
  const widened = withConnectSources(PAGE, ['https://data.example.com', 'http://localhost:9000'])
  expect(widened).toBe(
    PAGE.replace("connect-src 'self'", "connect-src 'self' https://data.example.com http://localhost:9000"),
  )
  expect(withConnectSources(PAGE, [])).toBe(PAGE)
  expect(withConnectSources('<p>no policy</p>', ['https://a.example'])).toBe('<p>no policy</p>')
})

test('a build’s page has its quotes as character references', () => {
  const page = `<meta content="default-src &#39;none&#39;; connect-src &#39;self&#39;; img-src &#39;self&#39;">`
  expect(withConnectSources(page, ['https://data.example.com'])).toBe(
    `<meta content="default-src &#39;none&#39;; connect-src &#39;self&#39; https://data.example.com; img-src &#39;self&#39;">`,
  )
})

test('only http and https origins are stored, so that nothing else gets into a policy', async () => {
  await writeConnectSources([
    'https://data.example.com/public/v1',
    "https://x.example; script-src 'unsafe-inline'",
    'https://*.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '*',
    'https://data.example.com/',
  ])
  const kept = await readConnectSources()
  expect(kept).toContain('https://data.example.com')
  expect(kept.every((origin) => /^https?:\/\/[^\s;"'*]+$/.test(origin))).toBe(true)
})

test('a page is served unchanged until an origin is stored', async () => {
  const page = new Response(PAGE)
  expect(await withKeptConnectSources(page)).toBe(page)
  await writeConnectSources(['https://data.example.com'])
  const widened = await withKeptConnectSources(new Response(PAGE, { headers: { 'Content-Type': 'text/html' } }))
  expect(await widened.text()).toContain("connect-src 'self' https://data.example.com;")
  expect(widened.headers.get('Content-Type')).toBe('text/html')
  await writeConnectSources([])
  expect(await readConnectSources()).toEqual([])
})
