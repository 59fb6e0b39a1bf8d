import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { Issue } from './errors.ts'
import { FORMATS, type FormatId } from './formats.ts'
import { SERVICE_FORMATS } from './limits.ts'
import type { ServiceFormat } from './schemas.ts'

/* One thing may be spelled in several ways on the wire. Here they become one. */

/** `source_format` → `sourceFormat` */
export function camelCaseName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

interface Folded {
  /** With one spelling of each field: the first of `spellings`. */
  readonly body: JsonObject
  /** Issues name both spellings where they disagree. */
  readonly issues: readonly Issue[]
  /** From the field's name to the spelling that the caller used, where that's another. */
  readonly written: ReadonlyMap<string, string>
}

/** Moves what stands under `other` to `name`, for each pair. Both with different values are an issue. */
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

/** Folds the camelCase names of conversion requests into snake_case; `camelCase` says whether there was one. */
export function foldCamelCase(body: JsonObject): Folded & { readonly camelCase: boolean } {
  const spellings = CONVERSION_FIELDS.map((name) => [name, camelCaseName(name)] as const)
  return {
    ...foldSpellings(body, spellings),
    camelCase: spellings.some(([, other]) => Object.hasOwn(body, other)),
  }
}

/** `short_description` and `description` are one property. */
export function foldDescription(body: JsonObject): Folded {
  return foldSpellings(body, [['description', 'short_description']])
}

/** An answer with the camelCase names as well: `{upload_url}` → `{upload_url, uploadUrl}`, all the way down. */
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

/** The format that a word means, in any case; null when it means none. `excel` is `xlsx`. */
export function serviceFormatOf(word: string): ServiceFormat | null {
  return ALIASES.get(word.toLowerCase()) ?? null
}

const isServiceFormat = (id: FormatId): id is ServiceFormat => ALIASES.has(id)

const BY_MIME_TYPE = new Map<string, ServiceFormat>()
const BY_EXTENSION = new Map<string, ServiceFormat>()
for (const { id, mimeType, extensions } of FORMATS) {
  if (!isServiceFormat(id)) continue
  BY_MIME_TYPE.set(mimeType, id)
  for (const extension of extensions) BY_EXTENSION.set(extension, id)
}

/** The format of a file by what stands after the last dot of its name; null when that says nothing. */
export function formatOfFilename(filename: string): ServiceFormat | null {
  const [, extension] = /\.([^.]+)$/.exec(filename) ?? []
  return extension === undefined ? null : (BY_EXTENSION.get(extension.toLowerCase()) ?? null)
}

const CONTENT_TYPE = /^([^\s;]+)[ \t]*(?:;[ \t]*charset=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*")[ \t]*)?$/i

/**
 * The format of a file by its content type, with or without `; charset=`. `application/octet-stream` goes by the
 * file's extension. Null when it's none that the service knows.
 */
export function formatOfContentType(contentType: string, filename: string): ServiceFormat | null {
  const type = CONTENT_TYPE.exec(contentType.trim())?.[1]?.toLowerCase()
  if (type === undefined) return null
  return type === 'application/octet-stream' ? formatOfFilename(filename) : (BY_MIME_TYPE.get(type) ?? null)
}
