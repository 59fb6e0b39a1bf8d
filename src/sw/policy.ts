import { withConnectSources } from '../lib/connect-sources.ts'

/** In the headers of an answer; a page has it in a `<meta>` too, for hosts that send none. */
export const POLICY_HEADER = 'Content-Security-Policy'

interface Sources {
  /** Scripts within the page, as hashes or as what lets them run. */
  readonly scripts: readonly string[]
  /** Whom it may talk to beside its own origin. */
  readonly connect?: readonly string[]
}

/** What the app may load and whom it may talk to: its own origin, and nothing else. Workers have the same. */
export function contentSecurityPolicy({ scripts, connect = [] }: Sources): string {
  return [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...scripts].join(' '),
    "worker-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "img-src 'self' data: blob:",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
  ].join('; ')
}

/** The test of a connection: a worker that tries a service before the person connects to it. */
export const CONNECTION_TEST = /\/probe-worker[^/]*$/

/** The policy of what is at an address: the test of a connection alone may talk to any service. */
export function policyFor(address: string, policy: string): string {
  const { pathname } = new URL(address, 'http://localhost')
  return CONNECTION_TEST.test(pathname) ? withConnectSources(policy, ['http:', 'https:']) : policy
}

/** The policy as a header, where it can also say that no page may frame this one. */
export function policyHeader(policy: string): string {
  return `${policy}; frame-ancestors 'none'`
}

/** The same answer under a policy: the script of a worker, dedicated or not, takes its own from there. */
export function withPolicy(answer: Response, header: string): Response {
  if (answer.status === 0 || answer.headers.get(POLICY_HEADER) === header) return answer
  const headers = new Headers(answer.headers)
  headers.set(POLICY_HEADER, header)
  const { status, statusText } = answer
  return new Response(answer.body, { status, statusText, headers })
}
