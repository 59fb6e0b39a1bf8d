import { pathWithin } from '../../lib/text.ts'
import type { Clock, Records } from '../../service/ports.ts'
import { failureResponse, ServiceError, toServiceError } from '../../service/failures.ts'
import type { Assets } from './assets.ts'
import type { Cors } from './cors.ts'
import type { Handler } from './listener.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { routeOf, type Part } from './routes.ts'
import { hasConsoleToken } from './token.ts'

interface HostParts {
  /** Public URL of the server: absolute, without a trailing slash. */
  readonly baseUrl: string
  /** Handles the public API and the console. */
  readonly service: Handler
  /** Handles signed URLs. */
  readonly storage: Handler
  readonly assets: Assets
  readonly records: Records
  /** What the server needs and can't reach now, in words for people; empty if it's ready. */
  readonly missing: () => Promise<readonly string[]>
  readonly cors: Cors
  readonly log: Log
  readonly metrics: Metrics
  /** Additional gauges. */
  readonly gauges: () => Parameters<Metrics['render']>[0]
  readonly clock: Clock
}

interface Stopping {
  /** Whether to refuse new requests (503). */
  readonly refuse: boolean
}

export interface Host {
  readonly handler: Handler
  /** From now on responses close their connections, and the server reports that it isn't ready. */
  stop(how: Stopping): void
  /** Resolves when all pending requests have been answered. */
  idle(): Promise<void>
}

/** Seconds until another server, or this one after a restart, may respond. */
const RETRY_AFTER = '5'

const NO_TOKEN = new ServiceError(
  'UNAUTHORIZED',
  'The console needs the operator’s token, as “Authorization: Bearer <token>”.',
  { headers: { 'WWW-Authenticate': 'Bearer realm="Rowhouse console"' } },
)

/** Routes all requests, refuses them while the server is stopping, and counts and logs them. */
export function createHost(parts: HostParts): Host {
  const { baseUrl, log, metrics, cors } = parts
  const folder = new URL(baseUrl).pathname.replace(/\/+$/, '')
  let running = 0
  let stopping: Stopping | null = null
  let allEnded = (): void => undefined

  const ended = (): void => {
    running--
    if (running === 0) allEnded()
  }

  const handler: Handler = async (request) => {
    const begun = performance.now()
    const { method } = request
    const path = pathWithin(folder, new URL(request.url).pathname)
    const { part, route } = routeOf(method, path)
    running++
    metrics.began()
    const response = await respond(parts, part, request, path, stopping).catch((error: unknown) => {
      log('error', 'a request failed', { route, method }, error)
      return failureResponse(toServiceError(error), parts.clock)
    })
    const headers = new Headers(response.headers)
    if (part === 'service' || part === 'storage' || part === 'console') cors.allow(request, headers)
    if (stopping) headers.set('Connection', 'close')
    const { status } = response
    const requestId = headers.get('X-Request-Id')
    return whenSent(response, headers, (whole, bytes) => {
      const seconds = (performance.now() - begun) / 1000
      metrics.ended({ method: METHODS.has(method) ? method : 'OTHER', route, status, seconds })
      ended()
      const fields = { method, route, status, ms: Math.round(seconds * 1000), bytes }
      const asked = { ...(requestId === null ? {} : { request_id: requestId }), ...fields }
      if (part === 'health' || part === 'ready' || part === 'metrics') return
      log(status >= 500 ? 'warn' : 'info', whole ? 'request' : 'request broke off', asked)
    })
  }

  return {
    handler,
    stop(how) {
      stopping = how
    },
    async idle() {
      if (running === 0) return
      await new Promise<void>((resolve) => {
        allEnded = resolve
      })
    },
  }
}

/** Methods with metrics of their own. Clients can send any text as a method. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

async function respond(
  parts: HostParts,
  part: Part,
  request: Request,
  path: string,
  stopping: Stopping | null,
): Promise<Response> {
  if (part === 'health') return text('ok\n')
  if (part === 'metrics')
    return text(parts.metrics.render(parts.gauges()), 200, 'text/plain; version=0.0.4; charset=utf-8')
  if (stopping?.refuse || (stopping && part === 'ready')) {
    const message = 'The server is stopping. Try again in a moment.'
    const stopped = new ServiceError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': RETRY_AFTER } })
    return failureResponse(stopped, parts.clock)
  }
  switch (part) {
    case 'ready':
      return readiness(await parts.missing())
    case 'storage':
      return parts.cors.preflight(request) ?? parts.storage(request)
    case 'service':
      return parts.cors.preflight(request) ?? parts.service(request)
    case 'console': {
      // Browsers send preflights without the token.
      const preflight = parts.cors.preflight(request)
      if (preflight) return preflight
      if (await hasConsoleToken(request, parts.records)) return parts.service(request)
      return failureResponse(NO_TOKEN, parts.clock)
    }
    case 'app':
      return parts.assets(request, decoded(path))
  }
}

function readiness(missing: readonly string[]): Response {
  return missing.length === 0 ? text('ready\n') : text(missing.map((name) => `${name} doesn’t answer\n`).join(''), 503)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function text(body: string, status = 200, type = 'text/plain; charset=utf-8'): Response {
  return new Response(body, {
    status,
    headers: { 'Cache-Control': 'no-store', 'Content-Type': type },
  })
}

/** The same response. Calls `sent` when its body has been read, has failed or was cancelled. */
function whenSent(response: Response, headers: Headers, sent: (whole: boolean, bytes: number) => void): Response {
  const { status, statusText, body } = response
  if (!body) {
    sent(true, 0)
    return new Response(null, { status, statusText, headers })
  }
  const reader = body.getReader()
  let bytes = 0
  let reported = false
  const tell = (whole: boolean): void => {
    if (!reported) sent(whole, bytes)
    reported = true
  }
  const counted = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            tell(true)
            controller.close()
          } else {
            bytes += value.byteLength
            controller.enqueue(value)
          }
        } catch (error) {
          tell(false)
          controller.error(error)
        }
      },
      cancel(reason) {
        tell(false)
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(counted, { status, statusText, headers })
}
