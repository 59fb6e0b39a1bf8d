import { once } from 'node:events'
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { Ports } from '../../service/ports.ts'
import type { Doors } from '../../service/testing/connect.ts'
import { createCors } from '../http/cors.ts'
import { createHost } from '../http/host.ts'
import { listenWith, type Handler } from '../http/listener.ts'
import { createMetrics } from '../http/metrics.ts'
import { makeConsoleToken } from '../http/token.ts'

/* Puts real HTTP between the service's tests and the service: the server's listener and host, on a port. */

/** One request and its answer. */
interface Exchange {
  readonly handler: Handler
  /** Called with the response before it's sent. */
  readonly tell: (answer: Answered) => void
}

interface Answered {
  readonly status: number
  readonly headers: [string, string][]
  readonly body: Uint8Array<ArrayBuffer> | null
}

/** Headers that HTTP/1.1 adds. */
const OF_HTTP: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])
/** A header by which the server's side finds the exchange. */
const EXCHANGE = 'x-test-exchange'

const exchanges = new Map<string, Exchange>()
let listening: Promise<number> | null = null
let last = 0

function listen(): Promise<number> {
  // On a busy machine, a connection may be idle for long. If the server closed it, the next request could be lost.
  const http: Server = createServer({ keepAliveTimeout: 0 })
  return new Promise((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const { port } = http.address() as AddressInfo
      const handler: Handler = async (request) => {
        const exchange = exchanges.get(request.headers.get(EXCHANGE) ?? '')
        return exchange ? exchange.handler(request) : new Response(null, { status: 500 })
      }
      listenWith(http, handler, `http://localhost:${port}`)
      http.unref()
      resolve(port)
    })
  })
}

/** The doors of a server behind a proxy with `baseUrl`. */
export function overHttp(doors: Doors, { ports, baseUrl }: { readonly ports: Ports; readonly baseUrl: string }): Doors {
  const host = createHost({
    baseUrl,
    service: noticed(doors.service),
    storage: noticed(doors.storage),
    // Unknown routes go to the app. There's none here, so the service refuses them.
    assets: noticed(doors.service),
    missing: async () => [],
    records: ports.records,
    cors: createCors([]),
    log: () => undefined,
    metrics: createMetrics(),
    gauges: () => ({}),
    clock: ports.clock,
  })
  let token: string | null = null
  /** Adds the operator's token, which the console requires. */
  const authorized = async (request: Request): Promise<Headers> => {
    const headers = new Headers(request.headers)
    if (!new URL(request.url).pathname.includes('/console/v1')) return headers
    token ??= await makeConsoleToken(ports.records).catch(() => null)
    headers.set('Authorization', `Bearer ${token ?? `rhc_${'x'.repeat(43)}`}`)
    return headers
  }
  return {
    service: async (request) => exchangeOf(request, await authorized(request), host.handler),
    storage: (request, options) =>
      options ? doors.storage(request, options) : exchangeOf(request, new Headers(request.headers), host.handler),
  }
}

/** Records a response, to compare it with what arrives. */
function noticed(answer: Handler): Handler {
  return async (request) => {
    const { status, headers, body } = await answer(request).then(async (response) => ({
      status: response.status,
      headers: new Headers(response.headers),
      body: response.body && new Uint8Array(await response.arrayBuffer()),
    }))
    exchanges.get(request.headers.get(EXCHANGE) ?? '')?.tell({ status, headers: [...headers], body })
    return new Response(body, { status, headers })
  }
}

async function exchangeOf(request: Request, headers: Headers, handler: Handler): Promise<Response> {
  if (request.signal.aborted) {
    await request.body?.cancel()
    return Response.error()
  }
  listening ??= listen()
  const port = await listening
  const id = String(++last)
  let tell: Exchange['tell'] = () => undefined
  let known: Answered | null = null
  const answered = new Promise<Answered>((resolve) => {
    tell = (answer) => {
      known = answer
      resolve(answer)
    }
  })
  exchanges.set(id, { handler, tell })
  headers.set(EXCHANGE, id)
  try {
    const arrived = await send(request, headers, port)
    // If the client left or broke off, nothing arrives. Return what would have been sent.
    if (arrived === null) return responseOf(await answered)
    const message = withoutHttp(arrived, known)
    if (known) expectSame(request, message, known)
    return responseOf(message)
  } finally {
    exchanges.delete(id)
  }
}

/** Removes headers that HTTP adds, such as the length of an empty body. */
function withoutHttp(arrived: Answered, known: Answered | null): Answered {
  const saysLength = known === null || known.headers.some(([name]) => name === 'content-length')
  const isAdded = ([name, value]: [string, string]): boolean =>
    OF_HTTP.has(name) || (name === 'content-length' && value === '0' && !saysLength)
  return { ...arrived, headers: arrived.headers.filter((header) => !isAdded(header)) }
}

function expectSame({ method }: Request, { status, headers, body }: Answered, known: Answered): void {
  expect({ status, headers }).toEqual({ status: known.status, headers: known.headers })
  expect(Buffer.from(body ?? [])).toEqual(Buffer.from((method === 'HEAD' ? null : known.body) ?? []))
}

function responseOf({ status, headers, body }: Answered): Response {
  return new Response(status === 204 || status === 304 ? null : body, { status, headers })
}

/** Sends a request unchanged. Null if the connection ended without a response. */
async function send(request: Request, headers: Headers, port: number): Promise<Answered | null> {
  const { pathname, search } = new URL(request.url)
  const declared = headers.get('Content-Length')
  // Like clients that send large bodies.
  if (declared !== null && request.body) headers.set('Expect', '100-continue')
  // Some methods have no body unless a header announces one.
  else if (request.body) headers.set('Transfer-Encoding', 'chunked')
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port,
    method: request.method,
    path: pathname + search,
    headers: Object.fromEntries(headers),
  })
  request.signal.addEventListener('abort', () => outgoing.destroy())
  const arriving = new Promise<IncomingMessage | null>((resolve) => {
    outgoing.once('response', resolve)
    outgoing.once('close', () => resolve(null))
    outgoing.on('error', () => resolve(null))
  })
  const stopped = new AbortController()
  const sending = sendBody(outgoing, request.body, declared === null ? null : Number(declared), stopped.signal)
  const incoming = await arriving
  stopped.abort()
  await sending
  return incoming && read(incoming, request.method)
}

async function sendBody(
  outgoing: ClientRequest,
  body: ReadableStream<Uint8Array> | null,
  declared: number | null,
  stopped: AbortSignal,
): Promise<void> {
  if (!body) {
    outgoing.end()
    return
  }
  const reader = body.getReader()
  const stop = (): void => void reader.cancel(stopped.reason).catch(() => undefined)
  stopped.addEventListener('abort', stop)
  try {
    if (declared !== null) await once(outgoing, 'continue', { signal: stopped })
    let sent = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (stopped.aborted) return
      sent += value?.byteLength ?? 0
      // If the body hasn't the declared length, clients break off.
      if (declared !== null && (sent > declared || (done && sent < declared))) throw new TypeError('another length')
      if (done) break
      if (!outgoing.write(value)) await once(outgoing, 'drain', { signal: stopped })
    }
    outgoing.end()
  } catch {
    if (!stopped.aborted) outgoing.destroy()
  } finally {
    stopped.removeEventListener('abort', stop)
  }
}

async function read(incoming: IncomingMessage, method: string): Promise<Answered> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = new Headers()
  const { rawHeaders, statusCode = 0 } = incoming
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i], rawHeaders[i + 1])
  return {
    status: statusCode,
    headers: [...headers],
    body: method === 'HEAD' ? null : new Uint8Array(Buffer.concat(chunks)),
  }
}
