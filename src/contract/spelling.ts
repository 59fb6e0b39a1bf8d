import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { Issue } from './errors.ts'
import { FORMATS } from './formats.ts'
import { isServiceFormat, SERVICE_FORMATS } from './limits.ts'
import type { ServiceFormat } from './schemas.ts'

/* Converts all accepted spellings of a field or value to one. */

/** `source_format` → `sourceFormat` */
export function camelCaseName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

interface Folded {
  /** With one spelling of each field: the first of `spellings`. */
  readonly body: JsonObject
  /** One for each field whose spellings have different values; it names both. */
  readonly issues: readonly Issue[]
  /** The spelling that the caller used, by the field's name, if it's another. */
  readonly written: ReadonlyMap<string, string>
}

/** Moves values from `other` to `name`, for each pair. If both have different values, that's an issue. */
export function foldSpellings(
  body: JsonObject,
  spellings: readonly (readonly [name: string, other: string])[],
): Folded {
  const fields = new Map(Object.entries(body))
  const issues: Issue[] = []
  const written = new Map<string, string>()
  for (const [name, other] of spellings) {
    if (!fields.has(other)) continue
    const value = fields.get(other)
    fields.delete(other)
    if (!fields.has(name)) {
      fields.set(name, value)
      written.set(name, other)
    } else if (fields.get(name) !== value) {
      issues.push({ path: other, message: `says something else than "${name}", which is the same field` })
    }
  }
  return { body: Object.fromEntries(fields), issues, written }
}

const CONVERSION_FIELDS = ['source_url', 'source_format', 'destination_format'] as const

/** Converts camelCase names in conversion requests to snake_case. `camelCase` says whether there were any. */
export function foldCamelCase(body: JsonObject): Folded & { readonly camelCase: boolean } {
  const spellings = CONVERSION_FIELDS.map((name) => [name, camelCaseName(name)] as const)
  return {
    ...foldSpellings(body, spellings),
    camelCase: spellings.some(([, other]) => Object.hasOwn(body, other)),
  }
}

/** Converts `short_description` to `description`. */
export function foldDescription(body: JsonObject): Folded {
  return foldSpellings(body, [['description', 'short_description']])
}

/** Adds camelCase names to an answer at all levels: `{upload_url}` → `{upload_url, uploadUrl}`. */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const both = toCamelCase(inner)
      const other = camelCaseName(name)
      return other === name
        ? [[name, both]]
        : [
            [name, both],
            [other, both],
          ]
    }),
  )
}

const ALIASES: ReadonlyMap<string, ServiceFormat> = new Map<string, ServiceFormat>([
  ...SERVICE_FORMATS.map((format) => [format, format] as const),
  ['excel', 'xlsx'],
])

/** The format with a name, ignoring case; null if there's none. `excel` is another name of `xlsx`. */
export function serviceFormatOf(word: string): ServiceFormat | null {
  return ALIASES.get(word.toLowerCase()) ?? null
}

const BY_MIME_TYPE = new Map<string, ServiceFormat>()
const BY_EXTENSION = new Map<string, ServiceFormat>()
for (const { id, mimeType, extensions } of FORMATS) {
  if (!isServiceFormat(id)) continue
  BY_MIME_TYPE.set(mimeType, id)
  for (const extension of extensions) BY_EXTENSION.set(extension, id)
}

/** The format of a file by its extension; null if that's unknown. */
export function formatOfFilename(filename: string): ServiceFormat | null {
  const [, extension] = /\.([^.]+)$/.exec(filename) ?? []
  return extension === undefined ? null : (BY_EXTENSION.get(extension.toLowerCase()) ?? null)
}

const CONTENT_TYPE = /^([^\s;]+)[ \t]*(?:;[ \t]*charset=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*")[ \t]*)?$/i

/**
 * The format of a file by its content type, with or without `; charset=`; for `application/octet-stream`, by its
 * extension. Null if the service doesn't know it.
 */
export function formatOfContentType(contentType: string, filename: string): ServiceFormat | null {
  const type = CONTENT_TYPE.exec(contentType.trim())?.[1]?.toLowerCase()
  if (type === undefined) return null
  return type === 'application/octet-stream' ? formatOfFilename(filename) : (BY_MIME_TYPE.get(type) ?? null)
}
