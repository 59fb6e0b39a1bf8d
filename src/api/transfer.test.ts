import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readBlob, xhrUpload } from './transfer.ts'

/** The part of XMLHttpRequest that uploads use, controlled by the test. */
class FakeRequest extends EventTarget {
  static last: FakeRequest
  readonly upload = new EventTarget()
  readonly headers = new Map<string, string>()
  readonly abort = vi.fn(() => this.dispatchEvent(new Event('abort')))
  status = 0
  responseText = ''
  line = ''
  body: unknown = null
  constructor() {
    super()
    FakeRequest.last = this
  }
  open(method: string, url: string): void {
    this.line = `${method} ${url}`
  }
  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value)
  }
  send(body: unknown): void {
    this.body = body
  }
  getAllResponseHeaders(): string {
    return 'retry-after: 7\r\nx-request-id: req_1\r\n'
  }
}

beforeEach(() => void vi.stubGlobal('XMLHttpRequest', FakeRequest))
afterEach(() => void vi.unstubAllGlobals())

function begin(signal = new AbortController().signal) {
  const sent: number[] = []
  const body = new Blob(['abc'])
  const done = xhrUpload({
    url: 'https://s.example/put',
    body,
    contentType: 'text/csv',
    signal,
    onProgress: (bytes) => sent.push(bytes),
  })
  done.catch(() => undefined)
  return { done, sent, body, request: FakeRequest.last }
}

test('an upload has the file’s type, reports progress, and resolves with the answer', async () => {
  const { done, sent, body, request } = begin()
  expect([request.line, request.body, request.headers.get('Content-Type')]).toEqual([
    'PUT https://s.example/put',
    body,
    'text/csv',
  ])
  request.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 2 }))
  Object.assign(request, { status: 503, responseText: '{}' })
  request.dispatchEvent(new Event('load'))
  const answer = await done
  expect(sent).toEqual([2])
  expect(answer).toMatchObject({ status: 503, text: '{}' })
  expect(answer.headers.get('Retry-After')).toBe('7')
})

test('an upload without an answer is “unreachable”, and says where', async () => {
  const { done, request } = begin()
  request.dispatchEvent(new Event('error'))
  await expect(done).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('s.example') as string,
  })
})

test('an upload that breaks off says so', async () => {
  const { done, request } = begin()
  request.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 2 }))
  request.dispatchEvent(new Event('error'))
  await expect(done).rejects.toMatchObject({ code: 'unreachable', details: { reason: 'cut-off' } })
})

test('cancelling ends an upload with the signal’s reason', async () => {
  const controller = new AbortController()
  const { done, request } = begin(controller.signal)
  const reason = new DOMException('no more', 'AbortError')
  controller.abort(reason)
  await expect(done).rejects.toBe(reason)
  expect(request.abort).toHaveBeenCalledTimes(1)
})

test('an upload that was cancelled before never starts', async () => {
  const { done } = begin()
  const before = FakeRequest.last
  await expect(begin(AbortSignal.abort(new Error('early'))).done).rejects.toThrow('early')
  expect(FakeRequest.last).toBe(before)
  void done
})

test('the size of a compressed answer isn’t known', async () => {
  const steps: (number | null)[] = []
  const response = new Response('hello', { headers: { 'Content-Length': '3', 'Content-Encoding': 'gzip' } })
  await readBlob(response, (_, total) => steps.push(total))
  expect(steps).toEqual([null, null])
})
