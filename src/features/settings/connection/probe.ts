import { formatCount } from '../../../lib/counts.ts'
import * as z from 'zod/mini'

/* What works of a connection, found out step by step without changing anything at the service. */

export interface Target {
  /** Up to and including the version segment. */
  readonly baseUrl: string
  readonly key: string
  readonly workspaceId: string
}

export type StepState = 'ok' | 'warn' | 'bad' | 'skipped'

export interface Step {
  readonly id: StepId
  readonly state: StepState
  /** What was found. */
  readonly text: string
  /** What to do about it. */
  readonly remedy?: string
}

export const STEPS = {
  address: 'Address',
  security: 'Encryption',
  reach: 'Reachable',
  version: 'Version',
  key: 'API key',
  workspace: 'Workspace',
  read: 'Reading',
  query: 'Queries',
  write: 'Writing',
  files: 'Files',
  limit: 'Rate limit',
  clock: 'Clock',
} as const
export type StepId = keyof typeof STEPS

export interface Report {
  readonly steps: readonly Step[]
  /** Whether the app can work with it: nothing that it can't do without is wrong. */
  readonly usable: boolean
  /** Origins that the service's signed URLs are at, where they aren't its own. */
  readonly fileOrigins: readonly string[]
}

export interface ProbeEnvironment {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly now: () => number
  /** The page's. */
  readonly origin: string
  readonly online: boolean
}

/** Beyond it, signed URLs that last 15 minutes may seem to be over. */
const MAX_SKEW_MS = 5 * 60_000
const STEP_TIMEOUT_MS = 15_000

const answerSchema = z.object({
  success: z.optional(z.boolean()),
  data: z.optional(z.record(z.string(), z.json())),
  error: z.optional(z.object({ code: z.string(), message: z.string() })),
  meta: z.optional(z.object({ version: z.string(), timestamp: z.string() })),
})

/** An answer, as far as it's one of the service's. */
interface Answer {
  readonly status: number
  readonly body: z.infer<typeof answerSchema> | null
  readonly headers: Headers
}

/** The base URL without what is too much of it; null when it isn't one. */
export function normalizeBaseUrl(text: string): URL | null {
  try {
    const url = new URL(text.trim())
    if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return null
    url.pathname = url.pathname.replace(/\/+$/, '')
    return url
  } catch {
    return null
  }
}

/**
 * Tries a connection. Steps that hang on one that failed are skipped.
 * @param onStep called with each step as it's done
 * @throws the signal's reason
 */
export async function probe(
  target: Target,
  environment: ProbeEnvironment,
  signal: AbortSignal,
  onStep: (step: Step) => void,
): Promise<Report> {
  return new Probe(target, environment, signal, onStep).run()
}

class Probe {
  private readonly target: Target
  private readonly env: ProbeEnvironment
  private readonly signal: AbortSignal
  private readonly onStep: (step: Step) => void
  private readonly steps: Step[] = []
  private readonly fileOrigins: string[] = []
  private readonly base: URL | null
  private limit: Headers | null = null
  private meta: { version: string; timestamp: string; heard: number } | null = null

  constructor(target: Target, env: ProbeEnvironment, signal: AbortSignal, onStep: (step: Step) => void) {
    this.target = target
    this.env = env
    this.signal = signal
    this.onStep = onStep
    this.base = normalizeBaseUrl(target.baseUrl)
  }

  async run(): Promise<Report> {
    const base = this.base
    if (this.address(base) && base && this.security(base) && (await this.reach(base)) && (await this.access())) {
      await this.query()
      await this.write()
      await this.files(base)
      this.rateLimit()
      this.clock()
    }
    for (const id of Object.keys(STEPS) as StepId[]) {
      if (!this.steps.some((step) => step.id === id)) this.say(id, 'skipped', 'Not tried: something before it failed.')
    }
    return {
      steps: this.steps,
      usable: !this.steps.some(({ state }) => state === 'bad'),
      fileOrigins: this.fileOrigins,
    }
  }

  private say(id: StepId, state: StepState, text: string, remedy?: string): boolean {
    const step: Step = remedy === undefined ? { id, state, text } : { id, state, text, remedy }
    this.steps.push(step)
    this.onStep(step)
    return state !== 'bad'
  }

  private address(base: URL | null): boolean {
    if (!base) {
      return this.say(
        'address',
        'bad',
        'This isn’t the address of a service.',
        'It looks like “https://data.example.com/public/v1”: with “https://”, without “?” and “#”.',
      )
    }
    if (!/\/public\/v\d+$/.test(base.pathname)) {
      return this.say(
        'address',
        'warn',
        `“${base.href}” doesn’t end with “/public/v1”.`,
        'The base URL usually does: add it if nothing is found below.',
      )
    }
    return this.say('address', 'ok', base.href)
  }

  private security(base: URL): boolean {
    const local = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(base.hostname)
    if (base.protocol === 'https:') return this.say('security', 'ok', 'The connection is encrypted.')
    if (local) return this.say('security', 'ok', 'It’s on this machine, so it needs no encryption.')
    if (this.env.origin.startsWith('https:')) {
      return this.say(
        'security',
        'bad',
        'Browsers let a page of an “https://” address talk to “https://” addresses only.',
        'Use the service’s “https://” address.',
      )
    }
    return this.say(
      'security',
      'warn',
      'The connection isn’t encrypted: whoever is on the way can read your key and your data.',
      'Use an “https://” address if the service has one.',
    )
  }

  private async reach(base: URL): Promise<boolean> {
    const url = `${base.href}/openapi.json`
    let answer: Response
    try {
      answer = await this.send(url, {})
    } catch {
      this.signal.throwIfAborted()
      return this.unreachable(base, url)
    }
    this.say('reach', 'ok', `${base.host} answers, and lets this page read its answers.`)
    const info = z.object({ info: z.object({ version: z.string() }) }).safeParse(await json(answer))
    if (info.success) this.say('version', 'ok', `The interface is ${info.data.info.version}.`)
    return true
  }

  /** A page isn't told why there's no answer; that there is one at all, it can find out. */
  private async unreachable(base: URL, url: string): Promise<boolean> {
    try {
      await this.send(url, { mode: 'no-cors' })
    } catch {
      this.signal.throwIfAborted()
      if (!this.env.online) {
        return this.say('reach', 'bad', 'This machine is offline.', 'Connect it to a network, and test again.')
      }
      return this.say(
        'reach',
        'bad',
        `No answer from ${base.host}. The name may be mistyped, the server down or behind a firewall, or its certificate not trusted: browsers don’t tell pages which.`,
        `Open ${base.href}/openapi.json in a new tab: what the browser shows there tells more.`,
      )
    }
    return this.say(
      'reach',
      'bad',
      `${base.host} answers, but doesn’t let pages of ${this.env.origin} read its answers (CORS).`,
      `Ask whoever runs it to allow the origin ${this.env.origin}, with the headers X-API-Key and Content-Type.`,
    )
  }

  /** The list of datasets tells of key, workspace and reading at once. */
  private async access(): Promise<boolean> {
    if (this.target.key.trim() === '') {
      return this.say('key', 'bad', 'There’s no key.', 'Create one at the service, in its settings under API keys.')
    }
    let answer: Answer
    try {
      answer = await this.call('GET', `/workspaces/${encodeURIComponent(this.target.workspaceId)}/datasets`)
    } catch {
      this.signal.throwIfAborted()
      return this.say(
        'key',
        'bad',
        'The service answers without a key, but not with one: it doesn’t let pages send the header X-API-Key (CORS).',
        'Ask whoever runs it to allow the headers X-API-Key and Content-Type, and the methods PATCH and DELETE.',
      )
    }
    if (!this.checkVersion(answer)) return false
    return this.checkKey(answer) && this.checkWorkspace(answer)
  }

  private checkVersion({ status, body }: Answer): boolean {
    const known = this.steps.some(({ id }) => id === 'version')
    if (this.meta) {
      const { version } = this.meta
      if (version !== 'v1') {
        const text = `The service speaks ${version}; Rowhouse knows v1.`
        return this.say('version', 'bad', text, 'Use the address that ends with “/public/v1”.')
      }
      return known || this.say('version', 'ok', 'The service speaks v1.')
    }
    if (body?.success !== undefined) return known || this.say('version', 'warn', 'The service doesn’t say its version.')
    return this.say(
      'version',
      'bad',
      `What answers there (with ${status}) isn’t such a service.`,
      'Check the address: it’s the service’s base URL, up to and including “/public/v1”.',
    )
  }

  private checkKey({ status, body }: Answer): boolean {
    if (status === 401) {
      return this.say(
        'key',
        'bad',
        'The key isn’t accepted: it’s mistyped, expired or revoked.',
        'Copy it again, or create a new one at the service.',
      )
    }
    if (status === 429) {
      const after = 'Wait a minute, and test again.'
      return this.say('key', 'bad', 'The key’s rate limit is used up.', after)
    }
    if (status >= 500) {
      const text = `The service has a problem of its own: ${body?.error?.message ?? `it answered with ${status}`}.`
      return this.say('key', 'bad', text, 'Test again in a while; if it stays so, tell whoever runs the service.')
    }
    return this.say('key', 'ok', 'The key is accepted.')
  }

  private checkWorkspace({ status, body }: Answer): boolean {
    if (status === 200) {
      const count = Array.isArray(body?.data?.['datasets']) ? body.data['datasets'].length : 0
      this.say('workspace', 'ok', 'The key is of this workspace.')
      const datasets = count === 1 ? '1 dataset' : `${formatCount(count)} datasets`
      return this.say(
        'read',
        'ok',
        count === 0 ? 'There’s no dataset that the key may read, yet.' : `May read ${datasets}.`,
      )
    }
    if (status === 403) {
      return this.say('workspace', 'bad', 'The key may not list this workspace’s datasets.', 'Use a key that may.')
    }
    return this.say(
      'workspace',
      'bad',
      'There’s no such workspace for this key.',
      'Copy the workspace’s id (a UUID) from the settings of the service; the key has to be of the same workspace.',
    )
  }

  private async query(): Promise<void> {
    const answer = await this.attempt('POST', '/query', { sql: 'SELECT 1 AS one', timeout_seconds: 10 })
    if (answer?.status === 200) this.say('query', 'ok', 'Runs SQL.')
    else this.say('query', 'warn', `Couldn’t run SQL: ${why(answer)}.`, 'Queries will run in this browser only.')
  }

  /** Checks of a request come in a set order, scopes before its body: an empty body changes nothing and tells. */
  private async write(): Promise<void> {
    const answer = await this.attempt('POST', '/datasets', {})
    if (answer?.status === 400) this.say('write', 'ok', 'May create, change and delete datasets.')
    else if (answer?.status === 403) {
      const remedy = 'To publish, use a key with the scope datasets:*:write.'
      this.say('write', 'warn', 'May not write: datasets can be read, not created or changed.', remedy)
    } else this.say('write', 'warn', `Couldn’t tell whether the key may write: ${why(answer)}.`)
  }

  private async files(base: URL): Promise<void> {
    const answer = await this.attempt('POST', '/convert/upload-urls', {
      source_format: 'csv',
      destination_format: 'json',
    })
    const schema = z.object({
      source: z.object({ upload_url: z.url() }),
      destination: z.object({ download_url: z.url() }),
    })
    const urls = schema.safeParse(answer?.body?.data)
    if (!urls.success) {
      this.say('files', 'warn', `The service gave no place for a file: ${why(answer)}.`)
      return
    }
    const origins = [urls.data.source.upload_url, urls.data.destination.download_url].map((url) => new URL(url).origin)
    this.fileOrigins.push(...new Set(origins.filter((origin) => origin !== base.origin)))
    const where = this.fileOrigins.length === 0 ? 'the service itself' : this.fileOrigins.join(' and ')
    this.say('files', 'ok', `Files go to, and come from, ${where}.`)
  }

  private rateLimit(): void {
    const limit = this.limit?.get('X-RateLimit-Limit')
    const left = this.limit?.get('X-RateLimit-Remaining')
    if (limit && left) {
      const state = Number(left) * 10 < Number(limit) ? 'warn' : 'ok'
      this.say(
        'limit',
        state,
        `${formatCount(Number(left))} of ${formatCount(Number(limit))} requests left in this window.`,
      )
    } else {
      this.say(
        'limit',
        'warn',
        'The service doesn’t let this page read its rate-limit headers, so it can’t warn ahead.',
      )
    }
  }

  private clock(): void {
    if (!this.meta) {
      this.say('clock', 'skipped', 'The service doesn’t tell its time.')
      return
    }
    const skew = Date.parse(this.meta.timestamp) - this.meta.heard
    if (!Number.isFinite(skew) || Math.abs(skew) <= MAX_SKEW_MS) {
      this.say('clock', 'ok', 'This machine’s clock and the service’s agree.')
      return
    }
    const minutes = formatCount(Math.round(Math.abs(skew) / 60_000))
    const text = `This machine’s clock is ${minutes} minutes ${skew > 0 ? 'behind' : 'ahead of'} the service’s.`
    this.say('clock', 'warn', text, 'Set the clock: expiry times and countdowns are wrong by as much.')
  }

  private async attempt(method: string, path: string, body: unknown): Promise<Answer | null> {
    try {
      return await this.call(method, path, body)
    } catch {
      this.signal.throwIfAborted()
      return null
    }
  }

  private async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = { 'X-API-Key': this.target.key.trim() }
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    const response = await this.send(`${this.base?.href ?? ''}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const parsed = answerSchema.safeParse(await json(response))
    const answer = parsed.success ? parsed.data : null
    if (answer?.meta) this.meta = { ...answer.meta, heard: this.env.now() }
    if (response.headers.has('X-RateLimit-Limit')) this.limit = response.headers
    return { status: response.status, body: answer, headers: response.headers }
  }

  private send(url: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(STEP_TIMEOUT_MS)])
    return this.env.fetch(url, { ...init, signal, credentials: 'omit', cache: 'no-store', redirect: 'follow' })
  }
}

function why(answer: Answer | null): string {
  if (!answer) return 'no answer'
  return answer.body?.error?.message.replace(/\.$/, '') ?? `it answered with ${answer.status}`
}

async function json(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return null
  }
}
