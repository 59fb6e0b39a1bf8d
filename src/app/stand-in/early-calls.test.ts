import { expect, it, vi } from 'vitest'
import { holdEarlyCalls } from './early-calls.ts'

const FOLDER = new URL('https://example.org/app/')

function scope() {
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const native = vi.fn((_: RequestInfo | URL, init?: RequestInit) =>
    init?.signal?.aborted ? Promise.reject(init.signal.reason as Error) : Promise.resolve(new Response('ok')),
  )
  const page = { fetch: native as unknown as typeof fetch }
  holdEarlyCalls(page, FOLDER, answered)
  return { page, native, answer }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

it.each([
  '/app/public/v1/convert/formats',
  'https://example.org/app/api/public/v1/openapi.json',
  '/app/console/v1/workspaces',
  '/app/storage/objects/a',
])('holds %s until it can be answered', async (address) => {
  const { page, native, answer } = scope()
  const call = page.fetch(address)
  await settled()
  expect(native).not.toHaveBeenCalled()
  answer()
  expect(await (await call).text()).toBe('ok')
  await page.fetch(new Request(new URL(address, FOLDER)))
  expect(native).toHaveBeenCalledTimes(2)
})

it.each(['/app/assets/engine.js', 'https://elsewhere.org/app/public/v1/x', '/public/v1/x', '/app/publicly/v1'])(
  'leaves %s alone',
  async (address) => {
    const { page, native } = scope()
    await page.fetch(address)
    expect(native).toHaveBeenCalledTimes(1)
  },
)

it('lets a cancelled call go ahead', async () => {
  const { page } = scope()
  const controller = new AbortController()
  const call = page.fetch('/app/public/v1/x', { signal: controller.signal })
  controller.abort(new DOMException('stop', 'AbortError'))
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})
