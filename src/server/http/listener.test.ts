import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listenWith, type Handler } from './listener.ts'

const MEGABYTE = 2 ** 20
const refuse: Handler = async () => Response.json({ error: 'too large' }, { status: 413 })

async function serve(handler: Handler, lingering?: { readonly ms: number; readonly bytes: number }): Promise<Server> {
  const http = createServer()
  listenWith(http, handler, 'http://localhost', lingering)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
  })
  return http
}

function open(http: Server): Socket {
  const socket = connect({ port: (http.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => {
    socket.destroy()
  })
  return socket
}

const write = (socket: Socket, bytes: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

/** Everything until the other side ends. */
async function rest(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

const head = (bytes: number): string => `PUT /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n`

test('a client that sends its whole refused body before it reads gets the response', async () => {
  const socket = open(await serve(refuse))
  await write(socket, head(8 * MEGABYTE))
  for (let i = 0; i < 8; i++) {
    await write(socket, new Uint8Array(MEGABYTE))
    await pause(30)
  }
  const answer = await rest(socket)
  expect(answer).toMatch(/^HTTP\/1.1 413 [^]*\r\nConnection: close\r\n[^]*{"error":"too large"}/i)
})

test('the rest of a partly read body is also read after the response', async () => {
  const some: Handler = async (request) => {
    const reader = request.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    return refuse(request)
  }
  const socket = open(await serve(some))
  await write(socket, head(8 * MEGABYTE))
  for (let i = 0; i < 8; i++) await write(socket, new Uint8Array(MEGABYTE))
  expect(await rest(socket)).toMatch(/^HTTP\/1.1 413 /)
})

test('a client that keeps sending after the response sees its end, and is cut off after a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const socket = open(await serve(refuse, { ms: 30_000, bytes: MEGABYTE }))
  const ended = new Promise((resolve) => socket.once('end', resolve))
  const cut = new Promise((resolve) => socket.once('error', resolve))
  socket.resume()
  await write(socket, head(1e12))
  await ended
  await write(socket, 'still open')
  vi.advanceTimersByTime(30_000)
  const sending = setInterval(() => socket.write(new Uint8Array(1024)), 20)
  expect(await cut).toMatchObject({ code: expect.stringMatching(/^(?:EPIPE|ECONNRESET)$/) })
  clearInterval(sending)
})

test('a client that sends too much after the response is cut off before the time is up', async () => {
  const socket = open(await serve(refuse, { ms: 600_000, bytes: 8 * MEGABYTE }))
  const cut = new Promise((resolve) => socket.once('error', resolve))
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  await write(socket, head(1e12))
  let sent = 0
  const send = (): void => {
    if (socket.destroyed) return
    sent++
    socket.write(new Uint8Array(MEGABYTE), (error) => error ?? send())
  }
  send()
  expect(await cut).toMatchObject({ code: expect.stringMatching(/^(?:EPIPE|ECONNRESET)$/) })
  expect(answer).toMatch(/^HTTP\/1.1 413 /)
  // More was buffered on the way.
  expect(sent).toBeGreaterThan(8)
  expect(sent).toBeLessThan(64)
})

test('what follows a refused body isn’t handled as a request', async () => {
  const seen: string[] = []
  const http = await serve(async (request) => {
    seen.push(request.method)
    return refuse(request)
  })
  const socket = open(http)
  await write(socket, head(MEGABYTE))
  while (seen.length === 0) await pause(5)
  await write(socket, new Uint8Array(MEGABYTE))
  await write(socket, 'DELETE /a HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect((await rest(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413'])
  socket.end()
  await pause(100)
  expect(seen).toEqual(['PUT'])
})

test.each(['TRACE / HTTP/1.1', 'GET http:// HTTP/1.1'])(
  'a request that can’t be a web request is refused: %s',
  async (line) => {
    const socket = open(await serve(async () => new Response('answered')))
    await write(socket, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(await rest(socket)).toMatch(/^HTTP\/1.1 400 [^]*This request can’t be answered: its method, its address/)
  },
)

test('a URL that parsing would change is refused, since a proxy decides by the original', async () => {
  const http = await serve(async ({ url }) => new Response(url))
  const answerTo = async (target: string): Promise<string> => {
    const socket = open(http)
    await write(socket, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    return rest(socket)
  }
  const disguised = [
    '/x\\..\\metrics',
    '/x/../metrics',
    '/x/%2E%2e/metrics',
    '/x/.%2e?a',
    '/./metrics',
    '/metrics/.',
    '/metrics#x',
  ]
  for (const target of [...disguised, ...disguised.map((each) => `http://a${each}`), 'http://a\\metrics', '/metri\tcs'])
    expect(await answerTo(target), target).toMatch(/^HTTP\/1\.1 400 /)
  const plain = ['/', '/metrics', '/a/..b/.c/d.', '/a?b=/../c\\d', '//metrics', '/%5c..%5cmetrics']
  for (const target of plain) {
    expect(await answerTo(target), target).toContain(`\r\nhttp://localhost${target}\r\n`)
    expect(await answerTo(`http://a${target}`), target).toContain(`\r\nhttp://localhost${target}\r\n`)
  }
})
