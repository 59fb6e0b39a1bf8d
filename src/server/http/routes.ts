import { consoleOperations } from '../../contract/console-operations.ts'
import { operations } from '../../contract/operations.ts'

/** The part of the server that handles a route. */
export type Part = 'health' | 'ready' | 'metrics' | 'storage' | 'service' | 'console' | 'app'

interface Route {
  readonly part: Part
  /** Pattern for logs and metrics, without anything specific to the request. */
  readonly route: string
}

interface Pattern {
  readonly method: string
  readonly path: RegExp
  readonly route: string
}

const SERVICE = /^\/(?:api\/)?public\/v1(?=\/|$)/
const CONSOLE = /^\/console\/v1(?=\/|$)/

const patternsOf = (all: Readonly<Record<string, { readonly method: string; readonly path: string }>>): Pattern[] =>
  Object.values(all).map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    route: path,
  }))

const PUBLIC_PATTERNS: readonly Pattern[] = [
  ...patternsOf(operations),
  { method: 'GET', path: /^\/openapi\.json$/, route: '/openapi.json' },
]
const CONSOLE_PATTERNS = patternsOf(consoleOperations)

const OWN: Readonly<Record<string, Part>> = { '/healthz': 'health', '/readyz': 'ready', '/metrics': 'metrics' }

/** @param path relative to the server's base path, with a leading slash */
export function routeOf(method: string, path: string): Route {
  const own = OWN[path]
  if (own) return { part: own, route: path }
  if (path.startsWith('/storage/')) return { part: 'storage', route: '/storage' }
  const [service] = SERVICE.exec(path) ?? []
  if (service !== undefined) {
    return { part: 'service', route: named('/public/v1', PUBLIC_PATTERNS, method, path.slice(service.length)) }
  }
  const [console] = CONSOLE.exec(path) ?? []
  if (console !== undefined) {
    return { part: 'console', route: named('/console/v1', CONSOLE_PATTERNS, method, path.slice(console.length)) }
  }
  return { part: 'app', route: 'app' }
}

function named(prefix: string, patterns: readonly Pattern[], method: string, rest: string): string {
  const found = patterns.find(
    (pattern) => pattern.path.test(rest) && (pattern.method === method || method === 'OPTIONS'),
  )
  return found ? prefix + found.route : `${prefix}/*`
}
