import { z } from '../../contract/zod.ts'
import { isJsonObject } from '../../lib/json.ts'

/* Recipes and receipts as JSON files, whose schemas the app publishes. */

type FileKind = 'recipe' | 'receipt'

/** Version of both, for writing and reading. */
const VERSION = 1

/** Path of a schema in the app. */
export const schemaPath = (kind: FileKind): string => `/schemas/${kind}-${VERSION}.json`

/** @param origin the app's */
export const schemaUrl = (kind: FileKind, origin: string): string => `${origin}${schemaPath(kind)}`

/** An invalid file, with a message for people about what is wrong and where. */
export class FileRefused extends Error {
  readonly tag = 'FileRefused'
}

/**
 * Parses a file.
 * @throws {FileRefused}
 */
export function parseFile<T>(
  content: string,
  schemaOf: (value: Readonly<Record<string, unknown>>) => z.ZodType<T>,
  kind: FileKind,
): T {
  const value = jsonOf(content)
  const version = isJsonObject(value) ? value['version'] : undefined
  if (typeof version === 'number' && version > VERSION) {
    throw new FileRefused(
      `It’s a ${kind} of version ${version}, made by a newer Rowhouse. This one reads version ${VERSION}: update it.`,
    )
  }
  const parsed = schemaOf(isJsonObject(value) ? value : {}).safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue && issue.path.length > 0 ? `${z.core.toDotPath(issue.path)}: ` : ''
  throw new FileRefused(`It isn’t a ${kind} of version ${VERSION}. ${at}${issue?.message ?? ''}.`)
}

/** @throws {FileRefused} */
export function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (cause) {
    throw new FileRefused('It isn’t JSON, or it’s cut short.', { cause })
  }
}
