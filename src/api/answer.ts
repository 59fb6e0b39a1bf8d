import { z } from 'zod'
import { errorCodeSchema, type ErrorCode } from '../contract/errors.ts'
import type { RateLimit } from './client.ts'
import { ApiError } from './errors.ts'
import { yieldToEvents } from '../lib/yielding.ts'

/** An answer, read completely. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

// Only the request id in `meta` is of use, and a service may omit `meta` from a success.
const meta = z.looseObject({ request_id: z.string() })
const successSchema = z.object({ success: z.literal(true), data: z.unknown(), meta: meta.optional().catch(undefined) })
const failureSchema = z.object({
  success: z.literal(false),
  error: z.object({ code: errorCodeSchema, message: z.string(), details: z.record(z.string(), z.json()).optional() }),
  meta: meta.optional().catch(undefined),
})

/** The meaning of a status without an envelope: the answer comes from a gateway or an object store. */
const BY_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'UNAUTHORIZED'],
  [403, 'FORBIDDEN'],
  [413, 'PAYLOAD_TOO_LARGE'],
  [429, 'RATE_LIMITED'],
  [502, 'SERVICE_UNAVAILABLE'],
  [503, 'SERVICE_UNAVAILABLE'],
  [504, 'SERVICE_UNAVAILABLE'],
])

/** Answers with more characters are parsed in several tasks, so that the page stays responsive. */
const LARGE = 200_000

/**
 * The `data` of an answer or, without an envelope, all of it.
 * @throws {ApiError} the service's own, or `unexpected` if the answer breaks the contract
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

/** Converts an answer to the error that it reports. */
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

/** Seconds to wait according to `Retry-After`, rounded up; null if it's missing or invalid. */
function retryAfterOf(headers: Headers, now: number): number | null {
  const value = headers.get('Retry-After')?.trim()
  if (!value) return null
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

/** Null if the answer doesn't state a limit, or a browser can't see it. */
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
