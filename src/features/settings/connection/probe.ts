import * as z from 'zod/mini'
import { consoleUrlOf } from '../../../api/console-url.ts'
import * as found from './findings.ts'
import type { Answer, Finding, Meta } from './findings.ts'

/* What works of a connection, found out step by step without changing anything at the service. */

export interface Target {
  /** Up to and including the version segment. */
  readonly baseUrl: string
  readonly key: string
  readonly workspaceId: string
  /** The operator's, for the console; empty without one. */
  readonly token?: string
}

export interface Step extends Finding {
  readonly id: StepId
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
  token: 'Operator’s token',
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

/** A service that is slower can be used, but nobody wants to wait for all steps of it. */
const STEP_SECONDS = 30

const answerSchema = z.object({
  success: z.optional(z.boolean()),
  data: z.optional(z.record(z.string(), z.json())),
  error: z.optional(z.object({ code: z.string(), message: z.string() })),
  meta: z.optional(z.object({ version: z.string(), timestamp: z.string() })),
})

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
  private meta: Meta | null = null
  /** The last request that failed wasn't answered in time. */
  private late = false

  constructor(target: Target, env: ProbeEnvironment, signal: AbortSignal, onStep: (step: Step) => void) {
    this.target = target
    this.env = env
    this.signal = signal
    this.onStep = onStep
    this.base = normalizeBaseUrl(target.baseUrl)
  }

  async run(): Promise<Report> {
    const { base } = this
    if (this.say('address', found.ofAddress(base)) && base && (await this.isUsable(base))) {
      this.say(
        'query',
        found.ofQuery(await this.attempt('POST', '/query', { sql: 'SELECT 1 AS one', timeout_seconds: 10 })),
      )
      // Checks of a request come in a set order, scopes before its body: an empty body changes nothing and tells.
      this.say('write', found.ofWriting(await this.attempt('POST', '/datasets', {})))
      await this.files(base)
      await this.token(base)
      this.say('limit', found.ofRateLimit(this.limit))
      this.say('clock', found.ofClock(this.meta))
    }
    for (const id of Object.keys(STEPS) as StepId[]) {
      if (id === 'token' && !this.target.token) continue
      if (!this.isSaid(id)) this.say(id, found.skipped('Not tried: something before it failed.'))
    }
    return {
      steps: this.steps,
      usable: !this.steps.some(({ state }) => state === 'bad'),
      fileOrigins: this.fileOrigins,
    }
  }

  /** @returns whether what hangs on it is worth a try */
  private say(id: StepId, finding: Finding): boolean {
    const step: Step = { id, ...finding }
    this.steps.push(step)
    this.onStep(step)
    return step.state !== 'bad'
  }

  private isSaid(id: StepId): boolean {
    return this.steps.some((step) => step.id === id)
  }

  private async isUsable(base: URL): Promise<boolean> {
    return (
      this.say('security', found.ofSecurity(base, this.env.origin)) && (await this.reach(base)) && this.access(base)
    )
  }

  private async reach(base: URL): Promise<boolean> {
    const url = `${base.href}/openapi.json`
    let answer: Response
    try {
      answer = await this.send(url, {})
    } catch (error) {
      this.signal.throwIfAborted()
      if (isLate(error)) return this.say('reach', found.answersLate(base, STEP_SECONDS))
      return this.unreachable(base, url)
    }
    this.say('reach', found.answers(base))
    const info = z.object({ info: z.object({ version: z.string() }) }).safeParse(await json(answer))
    if (info.success) this.say('version', found.ofInterface(info.data.info.version))
    return true
  }

  /** A page isn't told why there's no answer; that there is one at all, it can find out. */
  private async unreachable(base: URL, url: string): Promise<boolean> {
    try {
      await this.send(url, { mode: 'no-cors' })
    } catch (error) {
      this.signal.throwIfAborted()
      if (isLate(error)) return this.say('reach', found.answersLate(base, STEP_SECONDS))
      return this.say('reach', found.answersNothing(base, this.env.online))
    }
    return this.say('reach', found.answersOthers(base, this.env.origin))
  }

  /** The list of datasets tells of key, workspace and reading at once. */
  private async access(base: URL): Promise<boolean> {
    if (this.target.key.trim() === '') return this.say('key', found.NO_KEY)
    const answer = await this.attempt('GET', `/workspaces/${encodeURIComponent(this.target.workspaceId)}/datasets`)
    if (!answer) return this.say('key', this.late ? found.answersLate(base, STEP_SECONDS) : found.KEY_NOT_SENT)
    const version = found.ofVersion(answer, this.meta)
    // The document may have said it, which a good answer only repeats.
    if ((version.state === 'bad' || !this.isSaid('version')) && !this.say('version', version)) return false
    if (!this.say('key', found.ofKey(answer)) || !this.say('workspace', found.ofWorkspace(answer))) return false
    return this.say('read', found.ofReading(answer))
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
      this.say('files', found.noPlace(answer))
      return
    }
    const origins = [urls.data.source.upload_url, urls.data.destination.download_url].map((url) => new URL(url).origin)
    this.fileOrigins.push(...new Set(origins.filter((origin) => origin !== base.origin)))
    this.say('files', found.ofFiles(this.fileOrigins))
  }

  private async token(base: URL): Promise<void> {
    const { token } = this.target
    if (!token) return
    const headers = { Authorization: `Bearer ${token}` }
    this.say('token', found.ofToken(await this.read(`${consoleUrlOf(base.href)}/workspaces`, { headers })))
  }

  private attempt(method: string, path: string, body?: unknown): Promise<Answer | null> {
    const headers: Record<string, string> = { 'X-API-Key': this.target.key.trim() }
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    return this.read(`${this.base?.href ?? ''}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** Null: no answer that this page may read. */
  private async read(url: string, init: RequestInit): Promise<Answer | null> {
    try {
      return await this.call(url, init)
    } catch (error) {
      this.signal.throwIfAborted()
      this.late = isLate(error)
      return null
    }
  }

  private async call(url: string, init: RequestInit): Promise<Answer> {
    const response = await this.send(url, init)
    const parsed = answerSchema.safeParse(await json(response))
    const answer = parsed.success ? parsed.data : null
    if (answer?.meta) this.meta = { ...answer.meta, heard: this.env.now() }
    if (response.headers.has('X-RateLimit-Limit')) this.limit = response.headers
    return { status: response.status, body: answer, retryAfter: Number(response.headers.get('Retry-After')) || null }
  }

  private send(url: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(STEP_SECONDS * 1000)])
    return this.env.fetch(url, { ...init, signal, credentials: 'omit', cache: 'no-store', redirect: 'follow' })
  }
}

const isLate = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

async function json(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return null
  }
}
