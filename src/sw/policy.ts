import { withConnectSources } from '../lib/connect-sources.ts'

/** In the headers of an answer. A page also has it in a `<meta>`, for hosts that don't send it. */
export const POLICY_HEADER = 'Content-Security-Policy'

interface Sources {
  /** Sources of scripts in the page, as hashes or keywords. */
  readonly scripts: readonly string[]
  /** Origins that it may connect to, in addition to its own. */
  readonly connect?: readonly string[]
}

/** Allows the app to load from and connect to its own origin only. Workers have the same policy. */
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

/** The connection test: a worker that tries a service before the person connects to it. */
export const CONNECTION_TEST = /\/probe-worker[^/]*$/

/** The policy for an address: only the connection test may connect to any service. */
export function policyFor(address: string, policy: string): string {
  const { pathname } = new URL(address, 'http://localhost')
  return CONNECTION_TEST.test(pathname) ? withConnectSources(policy, ['http:', 'https:']) : policy
}

/** The policy as a header, which can also forbid other pages to frame this one. */
export function policyHeader(policy: string): string {
  return `${policy}; frame-ancestors 'none'`
}

/** Returns the answer with a policy: a worker takes its policy from its script's headers. */
export function withPolicy(answer: Response, header: string): Response {
  if (answer.status === 0 || answer.headers.get(POLICY_HEADER) === header) return answer
  const headers = new Headers(answer.headers)
  headers.set(POLICY_HEADER, header)
  const { status, statusText } = answer
  return new Response(answer.body, { status, statusText, headers })
}
