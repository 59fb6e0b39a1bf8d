import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { z } from './zod.ts'
import type { Issue } from './errors.ts'
import { zodIssues } from './issues.ts'
import type { Operation } from './operations.ts'
import { foldCamelCase, foldDescription, serviceFormatOf } from './spelling.ts'

/** A valid body, or why it's refused. */
type BodyResult<T> =
  | {
      readonly ok: true
      readonly body: T
      /** Whether the answer must have the camelCase names, too. */
      readonly camelCase: boolean
    }
  | { readonly ok: false; readonly code: 'INVALID_REQUEST'; readonly issues: readonly Issue[] }
  | {
      readonly ok: false
      readonly code: 'UNSUPPORTED_FORMAT'
      /** One for each field with an unknown format. */
      readonly issues: readonly Issue[]
    }

/** An operation's checked body: with defaults, trimmed names, and one spelling of each field. */
export type BodyOf<O extends Operation> = O['body'] extends z.ZodType ? z.output<O['body']> : null

/**
 * Checks a body that was parsed from JSON: converts all accepted spellings to one, resolves formats' aliases, and finds
 * all issues at once. Unknown formats take precedence over other issues.
 */
export function readBody<O extends Operation>(operation: O, json: unknown): BodyResult<BodyOf<O>> {
  if (!operation.body) return { ok: true, body: null as BodyOf<O>, camelCase: false }
  if (!isJsonObject(json)) {
    return { ok: false, code: 'INVALID_REQUEST', issues: [{ path: '', message: 'must be a JSON object' }] }
  }
  const camel = operation.conversion ? foldCamelCase(json) : null
  const folded = camel ?? (Object.hasOwn(operation.body.shape, 'short_description') ? foldDescription(json) : null)
  const { body, unsupported } = resolveFormats(folded?.body ?? json, operation.conversion)
  if (unsupported.length > 0) {
    const issues = unsupported.map((name) => ({
      path: folded?.written.get(name) ?? name,
      message: 'must be a format that the service supports',
    }))
    return { ok: false, code: 'UNSUPPORTED_FORMAT', issues }
  }
  const parsed = operation.body.safeParse(body, { reportInput: true })
  const issues = [...(folded?.issues ?? []), ...(parsed.error ? zodIssues(parsed.error, folded?.written) : [])]
  if (!parsed.success || issues.length > 0) return { ok: false, code: 'INVALID_REQUEST', issues }
  return { ok: true, body: parsed.data as BodyOf<O>, camelCase: camel?.camelCase ?? false }
}

const FORMAT_FIELDS = ['source_format', 'destination_format'] as const

function resolveFormats(
  body: JsonObject,
  conversion: boolean,
): { readonly body: JsonObject; readonly unsupported: readonly string[] } {
  if (!conversion) return { body, unsupported: [] }
  const resolved: Record<string, unknown> = {}
  const unsupported: string[] = []
  for (const name of FORMAT_FIELDS) {
    const word = Object.hasOwn(body, name) ? body[name] : undefined
    if (typeof word !== 'string') continue
    const format = serviceFormatOf(word)
    if (format) resolved[name] = format
    else unsupported.push(name)
  }
  return { body: { ...body, ...resolved }, unsupported }
}
