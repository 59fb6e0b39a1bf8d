import { expect, test } from 'vitest'
import { redirecting } from './redirects.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const answer = redirecting(
  async () => new Response('bytes', { headers: { ETag: '"b"', 'Content-Type': 'text/csv' } }),
  { link: async (blobId) => `https://store.test/${blobId}` },
)
const statusOf = async (headers: Record<string, string>, method = 'GET') =>
  (await answer(new Request('http://rowhouse.test/storage/x?expires=1', { method, headers }))).status

test.each<[string, number, Record<string, string>]>([
  ['a program', 307, { 'User-Agent': 'curl/8.5.0' }],
  ['Node, which tells a mode', 307, { 'User-Agent': 'node', 'Sec-Fetch-Mode': 'cors' }],
  ['a download by a browser', 307, { 'User-Agent': BROWSER, 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }],
  ['a page’s script', 200, { 'User-Agent': BROWSER, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' }],
  ['a page’s script over plain HTTP, of which browsers tell nothing else', 200, { 'User-Agent': BROWSER }],
  ['a script of another origin’s page', 200, { Origin: 'https://app.example.com' }],
  ['who goes on with what this server began', 200, { 'If-Range': '"b"' }],
])('%s is answered with %i', async (_, status, headers) => {
  expect(await statusOf(headers)).toBe(status)
})

test('HEAD isn’t redirected', async () => {
  expect(await statusOf({}, 'HEAD')).toBe(200)
})
