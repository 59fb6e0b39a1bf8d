import * as z from 'zod/mini'
import { consoleUrlOf } from '../../../api/console-url.ts'
import * as found from './findings.ts'
import type { Answer, Finding, Meta } from './findings.ts'

/* Tests a connection step by step without changing anything at the service. */

export interface Target {
  /** Up to and including the version segment. */
  readonly baseUrl: string
  readonly key: string
  readonly workspaceId: string
  /** The operator's token for the console; empty if there's none. */
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
  /** Whether the app can work with it: nothing essential is wrong. */
  readonly usable: boolean
  /** Origins of the service's signed URLs, if they differ from its own. */
  readonly fileOrigins: readonly string[]
}

export interface ProbeEnvironment {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly now: () => number
  /** The page's origin. */
  readonly origin: string
  readonly online: boolean
}

/** Timeout per step: a slower service can be used, but nobody would want to wait for all steps. */
const STEP_SECONDS = 30

const answerSchema = z.object({
  success: z.optional(z.boolean()),
  data: z.optional(z.record(z.string(), z.json())),
  error: z.optional(z.object({ code: z.string(), message: z.string() })),
  meta: z.optional(z.object({ version: z.string(), timestamp: z.string() })),
})

/** The base URL without superfluous parts; null if it isn't a URL. */
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
 * Tests a connection. Steps that depend on a failed one are skipped.
 * @param onStep called after each step
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
  /** Whether the last request failed because of the timeout. */
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
      // The service checks scopes before the body, so an empty body shows whether writing is allowed without changing
      // anything.
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

  /** @returns whether steps that depend on it are worth trying */
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

  /** Pages aren't told why there's no answer, but they can find out whether there's one at all. */
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

  /** Listing datasets tests key, workspace and reading at once. */
  private async access(base: URL): Promise<boolean> {
    if (this.target.key.trim() === '') return this.say('key', found.NO_KEY)
    const answer = await this.attempt('GET', `/workspaces/${encodeURIComponent(this.target.workspaceId)}/datasets`)
    if (!answer) return this.say('key', this.late ? found.answersLate(base, STEP_SECONDS) : found.KEY_NOT_SENT)
    const version = found.ofVersion(answer, this.meta)
    // A success would only repeat what the document already showed.
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

  /** Null if there's no answer that this page can read. */
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
