import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type UploadTransport } from './create.ts'
import type { ApiClient } from './client.ts'
import { ok, rig } from './testing.ts'

const NEW = { name: 'Sales', description: '', visibility: 'private', tags: [], tables: [] } as const

describe('after stalling for two minutes, an error ends', () => {
  const stalled = {
    code: 'unreachable',
    message: expect.stringMatching(/^Nothing has moved .* s\.example\./) as string,
  }
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('an upload', async () => {
    let went: (sent: number) => void = () => undefined
    const upload: UploadTransport = ({ signal, onProgress }) => {
      went = onProgress
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    }
    const ended = vi.fn()
    const { client } = rig([], { upload })
    const call = client.upload('https://s.example/put', new Blob(), { contentType: 'text/csv' }).finally(ended)
    const outcome = expect(call).rejects.toMatchObject(stalled)
    for (let sent = 1; sent < 4; sent++) {
      await vi.advanceTimersByTimeAsync(119_000)
      went(sent)
    }
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(120_000)
    await outcome
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a download', async () => {
    const { client } = rig([
      ({ signal }) =>
        new Response(
          new ReadableStream({
            start(stream) {
              stream.enqueue(new Uint8Array(3))
              signal.addEventListener('abort', () => stream.error(signal.reason))
            },
          }),
        ),
    ])
    const outcome = expect(client.download('https://s.example/get')).rejects.toMatchObject(stalled)
    await vi.advanceTimersByTimeAsync(120_000)
    await outcome
  })

  const silent = (request: Request): Promise<Response> =>
    new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error))
    })

  test.each([
    ['a list', 2, (api: ApiClient) => api.listDatasets()],
    ['a query, which may wait for its turn', 30, (api: ApiClient) => api.query('SELECT 1')],
    ['loading', 30, (api: ApiClient) => api.createDataset(NEW)],
    ['adding', 30, (api: ApiClient) => api.addTables('ds_1', [])],
  ])('an answer that doesn’t arrive: %s after %i minutes', async (_, minutes, call) => {
    const { client } = rig([silent])
    const ended = vi.fn()
    const outcome = call(client)
      .then(
        () => 'an answer',
        (error: unknown) => error,
      )
      .finally(ended)
    await vi.advanceTimersByTimeAsync(minutes * 60_000 - 1)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toMatchObject({ code: 'unreachable', details: { reason: 'stalled' } })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('nothing if an answer is slow but doesn’t stall', async () => {
    const slow = new ReadableStream<Uint8Array>({
      async pull(stream) {
        for (const part of (await ok({ formats: [] }).text()).match(/.{1,40}/gs) ?? []) {
          await new Promise((resolve) => setTimeout(resolve, 100_000))
          stream.enqueue(new TextEncoder().encode(part))
        }
        stream.close()
      },
    })
    const { client } = rig([new Response(slow)])
    const call = client.formats()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(await call).toEqual([])
  })
})
