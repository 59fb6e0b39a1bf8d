import { pathWithin, listOf } from '../lib/text.ts'
import { Hono, type Context } from 'hono'
import { consoleOperations, type ConsoleOperationId } from '../contract/console-operations.ts'
import { operations, type Operation, type OperationId } from '../contract/operations.ts'
import { readBody } from '../contract/request.ts'
import type { Issue } from '../contract/errors.ts'
import { zodIssues } from '../contract/issues.ts'
import type { Handlers, ConsoleHandlers } from './call.ts'
import { answerTo, newRequestId, ServiceError } from './failures.ts'
import type { Env } from './http.ts'
import { createAdmitter, nobodysWindow, rateLimitHeaders, requireScope, type Admitter } from './middleware/admission.ts'
import { readJson } from './middleware/body.ts'
import type { Ports } from './ports.ts'
import { invalidRequest, unsupportedFormat } from './routes/refusals.ts'

interface AppParts {
  readonly ports: Ports
  /** Absolute, without a trailing slash. Requests may or may not have the path before `/public/v1`. */
  readonly baseUrl: string
  readonly handlers: Handlers
  readonly console: ConsoleHandlers
  /** Issues of the uploads that a dataset's creation refers to, whatever else is wrong with its body. */
  readonly uploadIssues: (workspaceId: string, json: unknown) => Promise<readonly Issue[]>
  /** The OpenAPI document, which is public. */
  readonly openApi: () => Promise<object>
}

/** Dependencies of the routes. */
interface Parts extends AppParts {
  readonly admitter: Admitter
}

const PUBLIC = '/public/v1'
const PUBLIC_API = '/api/public/v1'
const CONSOLE = '/console/v1'

interface Route {
  readonly method: string
  /** In Hono's notation: `/datasets/:datasetId`. */
  readonly path: string
  readonly answer: (context: Context<Env>) => Promise<Response>
}

/**
 * Routes requests through the checks in the contract's order: route, key, rate limits, the operation's scope, and the
 * form of query and body. Handlers check what depends on the requested object.
 */
export function createApp(appParts: AppParts): Hono<Env> {
  const { ports, baseUrl } = appParts
  const parts: Parts = { ...appParts, admitter: createAdmitter(ports.records) }
  const folder = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const app = new Hono<Env>({ getPath: ({ url }) => pathWithin(folder, new URL(url).pathname) })

  const failure = (context: Context<Env>, thrown: unknown): Response =>
    answerTo(thrown, context.req.raw, ports, { requestId: context.get('requestId') })
  app.use(async (context, next) => {
    context.set('requestId', newRequestId(ports.clock))
    try {
      await next()
    } catch (error) {
      // `onError` doesn't get values other than `Error`, nor what the handler of unknown paths throws.
      context.res = failure(context, error)
    }
    const window = context.get('window')
    const headers = {
      'X-Request-Id': context.get('requestId'),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(window ? rateLimitHeaders(window) : {}),
    }
    // `context.header` would create another response, and a stream of its body, for each header.
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value)
  })
  app.onError((error, context) => failure(context, error))

  const routes = [...publicRoutes(parts), ...consoleRoutes(parts)]
  for (const { method, path, answer } of routes) app.on(method, path, answer)
  for (const [path, methods] of methodsByPath(routes)) {
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    app.options(path, async (context) => {
      await tellWindow(context, parts)
      return context.body(null, 204, { Allow: allow })
    })
    app.all(path, async (context) => {
      await tellWindow(context, parts)
      const message = `${context.req.method} isn’t possible here; ${listOf(methods)} ${methods.length > 1 ? 'are' : 'is'}.`
      throw new ServiceError('METHOD_NOT_ALLOWED', message, { headers: { Allow: allow } })
    })
  }
  app.notFound(async (context) => {
    await tellWindow(context, parts)
    return failure(context, new ServiceError('NOT_FOUND', 'There is nothing at this address.'))
  })
  return app
}

function publicRoutes(parts: Parts): Route[] {
  const ids = Object.keys(operations) as OperationId[]
  const described = [PUBLIC, PUBLIC_API].map((prefix) => ({
    method: 'GET',
    path: `${prefix}/openapi.json`,
    answer: async (context: Context<Env>) => {
      await tellWindow(context, parts)
      return context.json(await parts.openApi())
    },
  }))
  return [
    ...ids.flatMap((id) => {
      const operation: Operation = operations[id]
      const prefixes = operation.conversion ? [PUBLIC, PUBLIC_API] : [PUBLIC]
      return prefixes.map((prefix) => routeOf(prefix, operation, (context) => answerPublic(parts, id, context)))
    }),
    ...described,
  ]
}

function consoleRoutes(parts: Parts): Route[] {
  const ids = Object.keys(consoleOperations) as ConsoleOperationId[]
  return ids.map((id) => routeOf(CONSOLE, consoleOperations[id], (context) => answerConsole(parts, id, context)))
}

function routeOf(prefix: string, { method, path }: Operation, answer: Route['answer']): Route {
  return { method: method.toUpperCase(), path: prefix + path.replace(/\{(\w+)\}/g, ':$1'), answer }
}

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

async function answerPublic(
  { ports, baseUrl, handlers, uploadIssues, admitter }: Parts,
  id: OperationId,
  context: Context<Env>,
): Promise<Response> {
  const operation: Operation = operations[id]
  const arrived = ports.clock.now()
  context.set('window', nobodysWindow(operation, arrived))
  const admission = await admitter.admit(context.req.raw.headers, operation, arrived)
  context.set('window', admission.window)
  if ('refusal' in admission) throw admission.refusal
  const { principal, now } = admission
  const workspaceId = principal.workspace.id
  context.set('principal', principal)
  requireScope(principal, operation)
  const call = {
    context,
    principal,
    now,
    baseUrl,
    signal: context.req.raw.signal,
    ...(await readCall(context, operation, {
      workspaceId,
      further: async (json) => (id === 'createDataset' ? uploadIssues(workspaceId, json) : []),
    })),
  }
  // The types match, since both come from the schemas of the same operation.
  return (handlers[id] as (call: unknown) => Promise<Response>)(call)
}

async function answerConsole(
  { ports, console }: Parts,
  id: ConsoleOperationId,
  context: Context<Env>,
): Promise<Response> {
  const call = { context, now: ports.clock.now(), ...(await readCall(context, consoleOperations[id])) }
  return (console[id] as (call: unknown) => Promise<Response>)(call)
}

/**
 * Parses a request with the operation's schemas.
 * @param own the key's workspace, and what finds further issues of a body that is refused
 * @throws {ServiceError} 400 with all issues
 */
async function readCall(
  context: Context<Env>,
  operation: Operation,
  own?: { readonly workspaceId: string; readonly further: (json: unknown) => Promise<readonly Issue[]> },
): Promise<{ readonly params: object; readonly query: unknown; readonly body: unknown; readonly camelCase: boolean }> {
  const query = readQuery(context, operation)
  const json = operation.body ? await readJson(context.req.raw) : null
  const read = readBody(operation, json === undefined ? absentBody(operation) : json, own?.workspaceId)
  if (!read.ok) {
    const { code, issues } = read
    // If an item isn't an object, its fields have no issues of their own.
    const isRefused = (path: string): boolean => issues.some((issue) => `${path}.`.startsWith(`${issue.path}.`))
    const further = (await own?.further(json)) ?? []
    const all = [...issues, ...further.filter(({ path }) => !isRefused(path))]
    throw code === 'UNSUPPORTED_FORMAT' ? unsupportedFormat(all) : invalidRequest(all)
  }
  return { params: context.req.param(), query, body: read.body, camelCase: read.camelCase }
}

/** A POST without required fields may omit the body. */
function absentBody({ method, body }: Operation): unknown {
  return method === 'post' && body?.safeParse({}).success ? {} : undefined
}

function readQuery(context: Context<Env>, { query }: Operation): unknown {
  if (!query) return null
  const entries = Object.entries(context.req.queries()).map(([name, all]) => [name, all.length > 1 ? all : all[0]])
  const parsed = query.safeParse(Object.fromEntries(entries))
  if (!parsed.success) throw invalidRequest(zodIssues(parsed.error))
  return parsed.data
}

/** The console has no rate limits. */
async function tellWindow(context: Context<Env>, { admitter, ports: { clock } }: Parts): Promise<void> {
  if (context.req.path.startsWith(CONSOLE)) return
  const now = clock.now()
  context.set('window', nobodysWindow(null, now))
  context.set('window', await admitter.peek(context.req.raw.headers, now))
}
