import { z } from 'zod'
import { errorCodeSchema, type ErrorCode } from '../contract/errors.ts'
import { yieldToEvents } from '../lib/abort.ts'
import type { RateLimit } from './client.ts'
import { ApiError } from './errors.ts'

/** An answer, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

// Of `meta`, only the id to quote is of use, and a service may leave `meta` out of a success.
const meta = z.looseObject({ request_id: z.string() })
const successSchema = z.object({ success: z.literal(true), data: z.unknown(), meta: meta.optional().catch(undefined) })
const failureSchema = z.object({
  success: z.literal(false),
  error: z.object({ code: errorCodeSchema, message: z.string(), details: z.record(z.string(), z.json()).optional() }),
  meta: meta.optional().catch(undefined),
})

/** What a status means when no envelope says it: the answer of a gateway, or of an object store. */
const BY_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'UNAUTHORIZED'],
  [403, 'FORBIDDEN'],
  [413, 'PAYLOAD_TOO_LARGE'],
  [429, 'RATE_LIMITED'],
  [502, 'SERVICE_UNAVAILABLE'],
  [503, 'SERVICE_UNAVAILABLE'],
  [504, 'SERVICE_UNAVAILABLE'],
])

/** Characters beyond which taking an answer apart is work of several tasks: the page stays quick meanwhile. */
const LARGE = 200_000

/**
 * What an answer holds: its `data`, or without envelope the whole of it.
 * @throws {ApiError} the service's own, or `unexpected` when the answer isn't by the contract
 */
export async function readAnswer<S extends z.ZodType>(
  answer: Answer,
  expected: { readonly schema: S; readonly envelope: boolean },
  now: number,
): Promise<z.output<S>> {
  const rest = answer.text.length > LARGE ? yieldToEvents : () => undefined
  if (answer.status < 200 || answer.status > 299) throw failureOf(answer, now)
  await rest()
  const body = parseJson(answer)
  await rest()
  const requestId = requestIdOf(answer, body)
  let data = body
  if (expected.envelope) {
    const envelope = successSchema.safeParse(body)
    if (!envelope.success) throw unexpected(answer, requestId, envelope.error)
    data = envelope.data.data
  }
  const parsed = expected.schema.safeParse(data)
  if (!parsed.success) throw unexpected(answer, requestId, parsed.error)
  await rest()
  return parsed.data
}

/** The error that an answer is. */
export function failureOf(answer: Answer, now: number): ApiError {
  const body = tryJson(answer.text)
  const failure = failureSchema.safeParse(body)
  const requestId = requestIdOf(answer, body)
  const after = retryAfterOf(answer.headers, now)
  const waiting = after === null ? {} : { retry_after: after }
  if (failure.success) {
    const { code, message, details } = failure.data.error
    return new ApiError(code, message, { status: answer.status, requestId, details: { ...details, ...waiting } })
  }
  const code = BY_STATUS.get(answer.status)
  if (!code) return unexpected(answer, requestId, failure.error)
  return new ApiError(code, `The service answered ${answer.status} without saying why.`, {
    status: answer.status,
    requestId,
    details: waiting,
  })
}

/** Seconds that `Retry-After` asks for, rounded up; null without one that can be read. */
function retryAfterOf(headers: Headers, now: number): number | null {
  const value = headers.get('Retry-After')?.trim()
  if (!value) return null
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

/** Null when the answer says nothing of it, or a browser may not see it. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const number = (name: string): number | null => {
    const value = headers.get(`X-RateLimit-${name}`)
    return value !== null && /^\d+$/.test(value) ? Number(value) : null
  }
  const [limit, remaining, reset] = [number('Limit'), number('Remaining'), number('Reset')]
  if (limit === null || remaining === null || reset === null) return null
  return { limit, remaining, reset: new Date(reset * 1000) }
}

function parseJson(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text)
  } catch (cause) {
    throw unexpected(answer, requestIdOf(answer, null), cause)
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const withMeta = z.looseObject({ meta })

function requestIdOf(answer: Answer, body: unknown): string | null {
  const parsed = withMeta.safeParse(body)
  return parsed.success ? parsed.data.meta.request_id : answer.headers.get('X-Request-Id')
}

function unexpected(answer: Answer, requestId: string | null, cause: unknown): ApiError {
  return new ApiError(
    'unexpected',
    `The service gave an answer that Rowhouse doesn’t understand (status ${answer.status}). ` +
      'Check that the address is the service’s own, up to its version.',
    { status: answer.status, requestId, cause },
  )
}
