import { asError } from '../../../lib/errors.ts'
import { type RequestParts, requestUrl } from '../../../contract/snippets/index.ts'
import type { ReferenceOperation } from './document.ts'

/** The person's input for an operation. */
export interface Draft {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** JSON text; null without a body. */
  readonly body: string | null
}

/** What is known about the person's workspace, to fill in forms. */
export interface Known {
  readonly workspaceId: string
  /** A statement that can be run. */
  readonly sql: string
}

/**
 * A form filled in with the operation's own example, adapted to this workspace. If the operation changes datasets, no
 * dataset is filled in.
 */
export function firstDraft(operation: ReferenceOperation, known: Known): Draft {
  const of = (place: 'path' | 'query', value: (name: string) => string): Record<string, string> =>
    Object.fromEntries(operation.parameters.filter((one) => one.place === place).map(({ name }) => [name, value(name)]))
  return {
    params: of('path', (name) => (name === 'workspaceId' ? known.workspaceId : '')),
    query: of('query', () => ''),
    body: operation.body ? JSON.stringify(fill(operation.body.examples[0]?.value ?? {}, known), null, 2) : null,
  }
}

/** An example with the workspace's own values. */
export function fill(value: unknown, known: Known): unknown {
  if (Array.isArray(value)) return value.map((one) => fill(one, known))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => {
      if (name === 'workspace_id') return [name, known.workspaceId]
      if (name === 'sql') return [name, known.sql]
      return [name, fill(inner, known)]
    }),
  )
}

/** A statement for the first table, or one without a table if there's none. */
export function exampleSql(
  slug: string,
  datasets: readonly { readonly name: string; readonly tables: readonly { readonly name: string }[] | null }[],
): string {
  const dataset = datasets.find(({ tables }) => tables && tables.length > 0)
  const table = dataset?.tables?.[0]
  if (!dataset || !table || slug === '') return "SELECT 42 AS answer, DATE '2026-11-21' AS today"
  return `SELECT *\nFROM ${[slug, dataset.name, table.name].map(identifier).join('.')}\nLIMIT 10`
}

const identifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`

export function requestOf(operation: ReferenceOperation, draft: Draft, baseUrl: string): RequestParts {
  return {
    method: operation.method,
    url: requestUrl(baseUrl, operation.path, draft),
    body: draft.body,
  }
}

/** Why it can't be sent; null if it can. */
export function missing(operation: ReferenceOperation, draft: Draft): string | null {
  const empty = operation.parameters.find((one) => one.required && !{ ...draft.query, ...draft.params }[one.name])
  if (empty) return `Fill in “${empty.name}” first.`
  if (draft.body === null) return null
  try {
    JSON.parse(draft.body)
    return null
  } catch (error) {
    return `The body isn’t JSON: ${asError(error).message}`
  }
}

/** Changes fields of a JSON body. Other bodies are returned unchanged. */
export function withFields(body: string | null, change: (fields: Record<string, unknown>) => unknown): string | null {
  if (body === null) return null
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null) return body
    return JSON.stringify(change(value as Record<string, unknown>), null, 2)
  } catch {
    return body
  }
}
