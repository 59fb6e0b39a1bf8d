import { formatCount, formatDuration } from '../../../ui/format.ts'

/* Results of a connection's test in words, and what to do about them. */

export type StepState = 'ok' | 'warn' | 'bad' | 'skipped'

export interface Finding {
  readonly state: StepState
  /** What was found. */
  readonly text: string
  /** What to do about it. */
  readonly remedy?: string
}

const ok = (text: string): Finding => ({ state: 'ok', text })
const warn = (text: string, remedy?: string): Finding => ({ state: 'warn', text, ...(remedy ? { remedy } : {}) })
const bad = (text: string, remedy: string): Finding => ({ state: 'bad', text, remedy })
export const skipped = (text: string): Finding => ({ state: 'skipped', text })

/** An answer, as far as it's in the service's form. */
export interface Answer {
  readonly status: number
  /** Seconds until a retry makes sense; null if the answer doesn't say. */
  readonly retryAfter: number | null
  readonly body: {
    readonly success?: boolean | undefined
    readonly data?: Readonly<Record<string, unknown>> | undefined
    readonly error?: { readonly message: string } | undefined
  } | null
}

/** The service's information about itself, and when it was received. */
export interface Meta {
  readonly version: string
  readonly timestamp: string
  readonly heard: number
}

/** With a larger difference, signed URLs that last 15 minutes may seem to have expired. */
const MAX_SKEW_MS = 5 * 60_000

/** Whether a URL ends like base URLs do. */
const isWhole = (base: URL): boolean => /\/public\/v\d+$/.test(base.pathname)

/** @param base null if it isn't a URL */
export function ofAddress(base: URL | null): Finding {
  if (!base) {
    return bad(
      'This isn’t the address of a service.',
      'It looks like “https://data.example.com/public/v1”: with “https://”, without “?” and “#”.',
    )
  }
  if (isWhole(base)) return ok(base.href)
  return warn(
    `“${base.href}” doesn’t end with “/public/v1”.`,
    'The base URL usually does: add it if nothing is found below.',
  )
}

/** @param origin the page's origin */
export function ofSecurity(base: URL, origin: string): Finding {
  const local = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(base.hostname)
  if (base.protocol === 'https:') return ok('The connection is encrypted.')
  if (local) return ok('It’s on this machine, so it needs no encryption.')
  if (origin.startsWith('https:')) {
    return bad(
      'Browsers let a page of an “https://” address talk to “https://” addresses only.',
      'Use the service’s “https://” address.',
    )
  }
  return warn(
    'The connection isn’t encrypted: anyone between you and the service can read your key and your data.',
    'Use an “https://” address if the service has one.',
  )
}

export const answers = (base: URL): Finding => ok(`${base.host} answers, and lets this page read its answers.`)

export function answersNothing(base: URL, online: boolean): Finding {
  if (!online) return bad('This machine is offline.', 'Connect it to a network, and test again.')
  return bad(
    `No answer from ${base.host}. The name may be mistyped, the server down or behind a firewall, or its certificate not trusted: browsers don’t tell pages which.`,
    `Open ${base.href}/openapi.json in a new tab: what the browser shows there says more.`,
  )
}

export const answersLate = (base: URL, seconds: number): Finding =>
  bad(
    `${base.host} hasn’t answered within ${seconds} s: it’s very slow, or something in between, such as a firewall, keeps requests from it.`,
    'Test again in a while; if that doesn’t change, tell whoever runs the service.',
  )

export function answersOthers(base: URL, origin: string): Finding {
  const allow = `Ask whoever runs it to allow the origin ${origin}, with the headers X-API-Key and Content-Type.`
  return bad(
    `${base.host} answers, but doesn’t let pages of ${origin} read its answers (CORS).`,
    // A service often allows pages to read only what is below its base URL.
    isWhole(base) ? allow : `Add “/public/v1” to the address, and test again. Where that doesn’t help: ${allow}`,
  )
}

export const ofInterface = (version: string): Finding => ok(`The interface is ${version}.`)

export function ofVersion({ status, body }: Answer, meta: Meta | null): Finding {
  if (meta?.version === 'v1') return ok('The service speaks v1.')
  if (meta) {
    return bad(`The service speaks ${meta.version}; Rowhouse knows v1.`, 'Use the address that ends with “/public/v1”.')
  }
  if (body?.success !== undefined) return warn('The service doesn’t say its version.')
  if (status >= 500) {
    return bad(
      `The service is away: what answers in its place, such as a proxy, says ${status}.`,
      'Test again in a while; if that doesn’t change, tell whoever runs the service.',
    )
  }
  return bad(
    `What answers there (with ${status}) isn’t such a service.`,
    'Check the address: it’s the service’s base URL, up to and including “/public/v1”.',
  )
}

export const NO_KEY = bad('There’s no key.', 'Create one at the service, in its settings under API keys.')

export const KEY_NOT_SENT = bad(
  'The service answers without a key, but not with one: it doesn’t let pages send the header X-API-Key (CORS).',
  'Ask whoever runs it to allow the headers X-API-Key and Content-Type, and the methods PATCH and DELETE.',
)

const OR_WITHOUT = 'or leave the field empty: all but keys, workspaces and usage works without it.'

/** @param answer the console's, to a request with the operator's token; null if this page can't read one */
export function ofToken(answer: Answer | null): Finding {
  const status = answer?.status
  if (status === 200 && answer?.body?.success)
    return ok('It’s accepted: keys, workspaces and usage can be managed here.')
  if (status === 401) {
    return warn('The operator’s token isn’t accepted.', `Copy it again, as the server printed it, ${OR_WITHOUT}`)
  }
  if (status === 404 || status === 200) {
    return warn(
      'This service has no console that a token would open: it manages its keys on its own pages.',
      'Leave the field empty.',
    )
  }
  if (answer)
    return warn(`The console doesn’t answer as it should: ${why(answer)}.`, `Test again in a while, ${OR_WITHOUT}`)
  return warn(
    'This page gets no answer from a console there: the service has none, or it doesn’t let pages of this origin use it.',
    `Ask whoever runs it, ${OR_WITHOUT}`,
  )
}

export function ofKey({ status, body, retryAfter }: Answer): Finding {
  if (status === 401) {
    return bad(
      'The key isn’t accepted: it’s mistyped, expired or revoked.',
      'Copy it again, or create a new one at the service.',
    )
  }
  if (status === 429) {
    const when = retryAfter === null ? 'later' : `in ${formatDuration(retryAfter * 1000)}`
    return bad('The key’s rate limit is used up.', `Test again ${when}.`)
  }
  if (status >= 500) {
    return bad(
      `The service has a problem of its own: ${body?.error?.message ?? `it answered with ${status}`}.`,
      'Test again in a while; if that doesn’t change, tell whoever runs the service.',
    )
  }
  return ok('The key is accepted.')
}

export function ofWorkspace({ status }: Answer): Finding {
  if (status === 200) return ok('The key is of this workspace.')
  if (status === 403) return bad('The key may not list this workspace’s datasets.', 'Use a key that may.')
  return bad(
    'There’s no such workspace for this key.',
    'Copy the workspace’s id (a UUID) from the settings of the service; the key has to be of the same workspace.',
  )
}

export function ofReading({ body }: Answer): Finding {
  const datasets = body?.data?.['datasets']
  const count = Array.isArray(datasets) ? datasets.length : 0
  if (count === 0) return ok('There’s no dataset that the key may read, yet.')
  return ok(`May read ${count === 1 ? '1 dataset' : `${formatCount(count)} datasets`}.`)
}

export function ofQuery(answer: Answer | null): Finding {
  if (answer?.status === 200) return ok('Runs SQL.')
  return warn(`Couldn’t run SQL: ${why(answer)}.`, 'Queries will run in this browser only.')
}

/** @param answer to a request with an empty body */
export function ofWriting(answer: Answer | null): Finding {
  if (answer?.status === 400) return ok('May create, change and delete datasets.')
  if (answer?.status !== 403) return warn(`Couldn’t tell whether the key may write: ${why(answer)}.`)
  return warn(
    'May not write: datasets can be read, not created or changed.',
    'To publish, use a key with the scope datasets:*:write.',
  )
}

export const noPlace = (answer: Answer | null): Finding => warn(`The service gave no place for a file: ${why(answer)}.`)

/** @param origins of the files, if they aren't at the service */
export const ofFiles = (origins: readonly string[]): Finding =>
  ok(`Files go to, and come from, ${origins.length === 0 ? 'the service itself' : origins.join(' and ')}.`)

/** @param headers of the last answer that had rate limits */
export function ofRateLimit(headers: Headers | null): Finding {
  const limit = headers?.get('X-RateLimit-Limit')
  const left = headers?.get('X-RateLimit-Remaining')
  if (!limit || !left) {
    return warn('The service doesn’t let this page read its rate-limit headers, so it can’t warn ahead.')
  }
  const text = `${formatCount(Number(left))} of ${formatCount(Number(limit))} requests left in this window.`
  return Number(left) * 10 < Number(limit) ? warn(text) : ok(text)
}

export function ofClock(meta: Meta | null): Finding {
  if (!meta) return skipped('The service doesn’t say its time.')
  const skew = Date.parse(meta.timestamp) - meta.heard
  if (!Number.isFinite(skew) || Math.abs(skew) <= MAX_SKEW_MS) {
    return ok('This machine’s clock and the service’s agree.')
  }
  const minutes = formatCount(Math.round(Math.abs(skew) / 60_000))
  return warn(
    `This machine’s clock is ${minutes} minutes ${skew > 0 ? 'behind' : 'ahead of'} the service’s.`,
    'Set the clock: expiry times and countdowns are wrong by as much.',
  )
}

function why(answer: Answer | null): string {
  if (!answer) return 'no answer'
  return answer.body?.error?.message.replace(/\.$/, '') ?? `it answered with ${answer.status}`
}
