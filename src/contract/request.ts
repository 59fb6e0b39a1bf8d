import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { z } from './zod.ts'
import type { Issue } from './errors.ts'
import { issuePath, zodIssues } from './issues.ts'
import type { Operation } from './operations.ts'
import { foldCamelCase, foldDescription, formatOfContentType, serviceFormatOf } from './spelling.ts'

/** A valid body, or all issues of a refused one. Issues about unknown formats come first, and determine the code. */
type BodyResult<T> =
  | {
      readonly ok: true
      readonly body: T
      /** Whether the answer must have the camelCase names, too. */
      readonly camelCase: boolean
    }
  | {
      readonly ok: false
      readonly code: 'INVALID_REQUEST' | 'UNSUPPORTED_FORMAT'
      readonly issues: readonly Issue[]
    }

/** An operation's checked body: with defaults, trimmed names, and one spelling of each field. */
export type BodyOf<O extends Operation> = O['body'] extends z.ZodType ? z.output<O['body']> : null

/**
 * Checks a body that was parsed from JSON: converts all accepted spellings to one, resolves formats' aliases, and finds
 * all issues at once.
 * @param workspaceId the workspace that a body's `workspace_id` must be
 */
export function readBody<O extends Operation>(
  operation: O,
  json: unknown,
  workspaceId?: string,
): BodyResult<BodyOf<O>> {
  if (!operation.body) return { ok: true, body: null as BodyOf<O>, camelCase: false }
  if (!isJsonObject(json)) {
    return { ok: false, code: 'INVALID_REQUEST', issues: [{ path: '', message: 'must be a JSON object' }] }
  }
  const { shape } = operation.body
  const camel = operation.conversion ? foldCamelCase(json) : null
  const folded = camel ?? (Object.hasOwn(shape, 'short_description') ? foldDescription(json) : null)
  const { body, unsupported } = resolveFormats(folded?.body ?? json, operation.conversion, folded?.written)
  const parsed = operation.body.safeParse(body, { reportInput: true })
  const found = parsed.error ? zodIssues(parsed.error, folded?.written) : []
  const isFine = (path: string): boolean => found.every((issue) => issue.path !== path)
  if (Object.hasOwn(shape, 'files')) unsupported.push(...unknownTypes(body['files'], isFine))
  const elsewhere =
    Object.hasOwn(shape, 'workspace_id') && isFine('workspace_id') && isOther(body['workspace_id'], workspaceId)
      ? [{ path: 'workspace_id', message: 'must be the workspace of the API key' }]
      : []
  const named = new Set(unsupported.map(({ path }) => path))
  const others = [...(folded?.issues ?? []), ...elsewhere, ...found.filter(({ path }) => !named.has(path))]
  if (unsupported.length > 0) return { ok: false, code: 'UNSUPPORTED_FORMAT', issues: [...unsupported, ...others] }
  if (!parsed.success || others.length > 0) return { ok: false, code: 'INVALID_REQUEST', issues: others }
  return { ok: true, body: parsed.data as BodyOf<O>, camelCase: camel?.camelCase ?? false }
}

const isOther = (id: unknown, own: string | undefined): boolean =>
  own !== undefined && typeof id === 'string' && id.toLowerCase() !== own.toLowerCase()

const FORMAT_FIELDS = ['source_format', 'destination_format'] as const

function resolveFormats(
  body: JsonObject,
  conversion: boolean,
  written?: ReadonlyMap<string, string>,
): { readonly body: JsonObject; readonly unsupported: Issue[] } {
  if (!conversion) return { body, unsupported: [] }
  const resolved: Record<string, unknown> = {}
  const unsupported: Issue[] = []
  for (const name of FORMAT_FIELDS) {
    const word = Object.hasOwn(body, name) ? body[name] : undefined
    if (typeof word !== 'string') continue
    const format = serviceFormatOf(word)
    if (format) resolved[name] = format
    else unsupported.push({ path: written?.get(name) ?? name, message: 'must be a format that the service supports' })
  }
  return { body: { ...body, ...resolved }, unsupported }
}

/**
 * Issues of uploads' content types that are well-formed but unknown.
 * @param isFine whether the field with a path has no other issue
 */
function unknownTypes(files: unknown, isFine: (path: string) => boolean): Issue[] {
  return (Array.isArray(files) ? files : []).flatMap((file: unknown, i) => {
    const { filename, content_type: type } = isJsonObject(file) ? file : {}
    const path = issuePath(['files', i, 'content_type'])
    if (typeof type !== 'string' || !isFine(path)) return []
    // A file whose name is refused doesn't have its extension refused, too.
    const isNamed = typeof filename === 'string' && isFine(issuePath(['files', i, 'filename']))
    const format = formatOfContentType(type, isNamed ? filename : 'unknown.csv')
    return format ? [] : [{ path, message: 'must be a type that the service supports' }]
  })
}
