import { isJsonObject } from '../../lib/json.ts'
import type { Issue } from '../../contract/errors.ts'
import { concatBytes } from '../../lib/bytes.ts'
import { bodyOf, chunksOf } from '../../lib/streams.ts'
import { ServiceError } from '../failures.ts'
import { isEncoded } from '../http.ts'
import { jsonMistake } from './json-mistake.ts'

/** Largest JSON body. A statement of 1 MB can be six times as long if every character is escaped. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024
/** Longer arrays are truncated to this. The contract allows at most 100 items, so they are still refused. */
const MAX_ITEMS = 1_000

/** Content types that clients send for JSON. */
const JSON_TYPES = /^(?:application\/(?:[\w.+-]+\+)?json|text\/plain)[ \t]*(?:;|$)/i

/**
 * A request's body as JSON; undefined if there's none.
 * @throws {ServiceError} 400 if it isn't JSON in UTF-8, 413 as soon as it exceeds the limit
 */
export async function readJson(request: Request): Promise<unknown> {
  const declared = Number(request.headers.get('Content-Length') ?? 0)
  if (declared > MAX_BODY_BYTES) {
    await request.body?.cancel()
    throw tooLarge()
  }
  const bytes = await readBounded(request)
  if (bytes.length === 0) return undefined
  const type = request.headers.get('Content-Type')
  if (type !== null && !JSON_TYPES.test(type)) throw notJson('must be sent as application/json')
  if (isEncoded(request.headers)) throw notJson('must be sent uncompressed, without “Content-Encoding”')
  return bounded(parse(decode(bytes)))
}

async function readBounded(request: Request): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  const body = await bodyOf(request)
  for await (const chunk of body ? chunksOf(body) : []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw tooLarge()
    parts.push(chunk)
  }
  return concatBytes(parts)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw notJson('must be UTF-8', cause)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const mistake = jsonMistake(text)
    throw notJson(mistake === null ? 'must be JSON' : `must be JSON, and isn’t at ${mistake}`, cause)
  }
}

/** Truncates long arrays, which are invalid anyway, so that validation doesn't report a million issues. */
function bounded(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, Array.isArray(field) ? field.slice(0, MAX_ITEMS) : field]),
  )
}

function notJson(message: string, cause?: unknown): ServiceError {
  const issues: readonly Issue[] = [{ path: '', message }]
  return new ServiceError('INVALID_REQUEST', `The body ${message}.`, { details: { issues }, cause })
}

function tooLarge(): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', 'The body is larger than 8 MB.', {
    details: { max_bytes: MAX_BODY_BYTES },
  })
}
