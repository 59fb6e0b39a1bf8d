import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'

/** Handles a request. Never rejects. */
export type Handler = (request: Request) => Promise<Response>

/** For how long, and how many bytes of, an unwanted body is read, so that the client gets to read the response. */
interface Linger {
  readonly ms: number
  readonly bytes: number
}

/** Path segments that URL parsing removes. */
const DOTS = /^(?:\.|%2e){1,2}$/i

const LINGER: Linger = { ms: 30_000, bytes: 256 * 2 ** 20 }

/**
 * Adapts a handler of web requests to Node's HTTP server. Bodies are streamed both ways; the request's signal is
 * aborted when the client disconnects. “Expect: 100-continue” is answered when the body is first read, so a refused
 * body isn't sent.
 * @param origin origin of the requests' URLs
 */
export function listenWith(http: Server, handler: Handler, origin: string, lingering = LINGER): void {
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // The connection was announced as closed, so what follows an unwanted body isn't a request.
    if (incoming.socket.writableEnded) return
    void answer(handler, origin, lingering, incoming, outgoing).catch(() => {
      // The client has disconnected, or the body failed: nothing more can be sent.
      outgoing.destroy()
    })
  }
  http.on('request', listener)
  http.on('checkContinue', listener)
}

async function answer(
  handler: Handler,
  origin: string,
  lingering: Linger,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  // Readers of the body get the error. Without a listener it would end the process.
  incoming.on('error', () => undefined)
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new DOMException('The connection was closed.', 'AbortError'))
  })
  const request = requestOf(incoming, origin, gone.signal, () => {
    if (incoming.headers.expect !== undefined) outgoing.writeContinue()
  })
  const response = request ? await handler(request) : unreadable()
  // The rest of the body still comes over this connection, so it can't be reused.
  if (!incoming.complete) {
    outgoing.setHeader('Connection', 'close')
    linger(incoming, outgoing, lingering)
  }
  await send(response, incoming, outgoing)
}

/**
 * Null for what can't be a web request, and for paths that URL parsing would change: `\` to `/`, `..` to the parent,
 * `#` to the end. A proxy that protects some paths decides by the original one.
 * @param onRead called when its body is first read
 */
function requestOf(incoming: IncomingMessage, origin: string, signal: AbortSignal, onRead: () => void): Request | null {
  const { method = 'GET', url = '/', headers: given, rawHeaders } = incoming
  const headers = new Headers()
  const hasBody =
    method !== 'GET' &&
    method !== 'HEAD' &&
    (given['transfer-encoding'] !== undefined || given['content-length'] !== undefined)
  try {
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i], rawHeaders[i + 1])
    // Proxies may send the absolute URL.
    const [, target, path] = /^(?:https?:\/\/[^/?#\\]+)?((\/[^?]*).*)$/is.exec(url) ?? []
    if (target === undefined || path === undefined) return null
    if (/[\\#]/.test(path) || path.split('/').some((part) => DOTS.test(part))) return null
    const init = { method, headers, signal, ...(hasBody ? { body: bodyOf(incoming, onRead), duplex: 'half' } : {}) }
    return new Request(new URL(origin + target), init)
  } catch {
    return null
  }
}

function unreadable(): Response {
  const text = 'This request can’t be answered: its method, its address or a header isn’t one that the service knows.\n'
  return new Response(text, { status: 400, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

/** The body, read on demand. Cancelling it keeps the connection open for the response. */
function bodyOf(incoming: IncomingMessage, onRead: () => void): ReadableStream<Uint8Array> {
  let isRead = false
  const chunks = incoming.iterator({ destroyOnReturn: false })
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isRead) onRead()
        isRead = true
        const { done, value } = (await chunks.next()) as IteratorResult<Uint8Array>
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

async function send(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value)
  const body = incoming.method === 'HEAD' ? null : response.body
  if (body) await pipeline(Readable.fromWeb(body as NodeStream), outgoing)
  else {
    await response.body?.cancel()
    outgoing.end()
  }
}

/**
 * Closes a connection in stages (RFC 9112, 9.6): first this side after the response, then the rest, when the client has
 * sent everything or a limit is reached. If both were closed at once, as Node does, data that still arrives would make
 * the system discard the response before the client has read it.
 */
function linger(incoming: IncomingMessage, outgoing: ServerResponse, { ms, bytes }: Linger): void {
  const { socket } = incoming
  socket.destroySoon = () => socket.end()
  const enough = socket.bytesRead + bytes
  incoming.on('data', () => {
    if (socket.bytesRead > enough) socket.destroy()
  })
  // Start reading now: Node silently drops connections whose body nobody has begun to read when the response is sent.
  incoming.read(0)
  outgoing.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), ms)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  })
}
