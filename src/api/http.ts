import type { z } from 'zod'
import type { Operation } from '../contract/operations.ts'
import { Store } from '../lib/store.ts'
import { readAnswer, rateLimitOf, type Answer } from './answer.ts'
import type { CallOptions, RateLimit } from './client.ts'
import { sleep, withRetries, type RetryClock } from './retry.ts'
import { cutOff, endWhenStalled, readText, unreachable } from './transfer.ts'

/** What calls depend on. Everything has a default. */
export interface HttpOptions extends Partial<RetryClock> {
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Called when the key is no longer valid. */
  readonly onUnauthorized?: () => void
}

interface JsonRequest<S extends z.ZodType> {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly schema: S
  readonly envelope?: boolean
  /** Whether sending it twice has the same effect as sending it once. */
  readonly repeatable: boolean
  /** Milliseconds that the answer may stall; two minutes by default. */
  readonly patience?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** An operation's path parameters, query and body. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
}

/** Creates the request for an operation. @param baseUrl without a slash at its end */
export function requestFor<O extends Operation>(
  baseUrl: string,
  { method, path, answer, envelope }: O,
  { params = {}, query = '', body }: Parts,
  call: CallOptions | undefined,
): Omit<JsonRequest<O['answer']>, 'repeatable'> {
  return {
    method: method.toUpperCase(),
    url: baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) + query,
    body,
    schema: answer,
    envelope,
    signal: call?.signal,
  }
}

/** Sends requests with retries, checks answers, and keeps their rate limits. */
export class Http {
  readonly clock: RetryClock
  readonly now: () => number
  private readonly fetch: typeof fetch
  private readonly onUnauthorized: () => void
  /** From the last answer; null before the first. */
  readonly rateLimit = new Store<RateLimit | null>(null)

  constructor(options: HttpOptions) {
    this.fetch = options.fetch ?? ((input, init) => fetch(input, init))
    this.now = options.now ?? (() => Date.now())
    this.onUnauthorized = options.onUnauthorized ?? (() => undefined)
    this.clock = { sleep: options.sleep ?? sleep, random: options.random ?? Math.random }
  }

  /** @throws {ApiError}; the signal's reason */
  json<S extends z.ZodType>(request: JsonRequest<S>): Promise<z.output<S>> {
    return withRetries(() => this.jsonOnce(request), request, this.clock)
  }

  /** One attempt. @throws {ApiError}; the signal's reason */
  async jsonOnce<S extends z.ZodType>(request: JsonRequest<S>): Promise<z.output<S>> {
    const { method, url, body, signal, patience } = request
    const ask = async (own: AbortSignal, heard: () => void): Promise<Answer> => {
      const response = await this.request(url, {
        method,
        headers: { ...request.headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: own,
      })
      return this.read(response, url, own, heard)
    }
    const answer = await endWhenStalled(url, signal, ask, patience)
    if (answer.status === 401) this.onUnauthorized()
    return readAnswer(answer, { schema: request.schema, envelope: request.envelope ?? true }, this.now())
  }

  /** Resolves with the answer's headers. @throws {ApiError} `unreachable`; the signal's reason */
  async request(url: string, init: RequestInit): Promise<Response> {
    try {
      const response = await this.fetch(url, { cache: 'no-store', credentials: 'omit', ...init })
      this.note(response.headers)
      return response
    } catch (cause) {
      init.signal?.throwIfAborted()
      throw unreachable(url, cause)
    }
  }

  /** Reads the whole answer. @throws {ApiError} `unreachable` if it breaks off; the signal's reason */
  async read(response: Response, url: string, signal: AbortSignal, heard: () => void): Promise<Answer> {
    try {
      return { status: response.status, headers: response.headers, text: await readText(response, heard) }
    } catch (cause) {
      signal.throwIfAborted()
      throw cutOff(url, cause)
    }
  }

  private note(headers: Headers): void {
    const said = rateLimitOf(headers)
    if (said) this.rateLimit.set(said)
  }
}
