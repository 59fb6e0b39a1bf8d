import { METHODS, type JsonSchema } from '../../../contract/openapi-types.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json.ts'

/* An OpenAPI document as used by the screen. It may come from another service, so nothing in it is trusted. */

export interface ReferenceDocument {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly operations: readonly ReferenceOperation[]
  /** Follows a `$ref` within this document. */
  readonly resolve: (schema: JsonSchema) => JsonSchema
}

export interface ReferenceOperation {
  /** Its id in the address: the `operationId`, or else method and path. */
  readonly id: string
  /** Upper case. */
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly ReferenceParameter[]
  readonly body: ReferenceContent | null
  readonly responses: readonly ReferenceResponse[]
  /** Scopes that it always needs; null if it needs no key. */
  readonly scopes: readonly string[] | null
  /** The paths of its servers, if there are several: `/public/v1`. */
  readonly prefixes: readonly string[]
}

export interface ReferenceParameter {
  readonly name: string
  readonly place: 'path' | 'query'
  readonly required: boolean
  readonly description: string
  readonly example: string
  /** The only allowed values, if known. */
  readonly values: readonly string[]
}

interface ReferenceContent {
  readonly schema: JsonSchema | null
  readonly examples: readonly { readonly name: string; readonly summary: string; readonly value: unknown }[]
}

export interface ReferenceResponse {
  readonly status: string
  readonly description: string
  readonly headers: readonly { readonly name: string; readonly description: string }[]
  readonly content: ReferenceContent | null
}

export const fields = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Null if it isn't an OpenAPI document, or has no operations. */
export function readDocument(source: unknown): ReferenceDocument | null {
  const root = fields(source)
  const info = fields(root['info'])
  const follow = follower(root)
  const operations = Object.entries(fields(root['paths'])).flatMap(([path, item]) => {
    const at = follow(item)
    return METHODS.flatMap((method): ReferenceOperation[] =>
      method in at ? [readOperation(root, follow, path, method, at)] : [],
    )
  })
  if (!text(root['openapi']).startsWith('3.') || operations.length === 0) return null
  return {
    title: text(info['title']) || 'API',
    version: text(info['version']),
    description: text(info['description']),
    operations,
    resolve: follow,
  }
}

type Follow = (value: unknown) => JsonObject

/** Follows references within the document; the result is empty if one leads nowhere. */
function follower(root: JsonObject): Follow {
  return (value) => {
    let at = fields(value)
    for (let steps = 0; typeof at['$ref'] === 'string' && steps < 20; steps++) {
      const { $ref, ...beside } = at
      if (!text($ref).startsWith('#/')) return beside
      const parts = text($ref)
        .slice(2)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      at = { ...fields(parts.reduce<unknown>((found, part) => own(found, part), root)), ...beside }
    }
    return at
  }
}

function own(value: unknown, name: string): unknown {
  const at = fields(value)
  return Object.hasOwn(at, name) ? at[name] : undefined
}

function readOperation(
  root: JsonObject,
  follow: Follow,
  path: string,
  method: string,
  item: JsonObject,
): ReferenceOperation {
  const operation = fields(item[method])
  const servers = list(operation['servers'] ?? item['servers'])
  const body = follow(operation['requestBody'])
  return {
    id: text(operation['operationId']) || `${method}${path.replace(/\W+/g, '-')}`,
    method: method.toUpperCase(),
    path,
    tag: text(list(operation['tags'])[0]) || 'Operations',
    summary: text(operation['summary']) || `${method.toUpperCase()} ${path}`,
    description: text(operation['description']),
    parameters: [...list(item['parameters']), ...list(operation['parameters'])].flatMap((one) =>
      readParameter(follow, one),
    ),
    body: 'requestBody' in operation ? readContent(body) : null,
    responses: Object.entries(fields(operation['responses'])).map(([status, one]) => readResponse(follow, status, one)),
    scopes: readScopes(list(operation['security'] ?? root['security'])),
    prefixes: servers.length > 1 ? servers.map((server) => pathOf(text(fields(server)['url']))) : [],
  }
}

function readParameter(follow: Follow, source: unknown): ReferenceParameter[] {
  const parameter = follow(source)
  const place = parameter['in']
  if (place !== 'path' && place !== 'query') return []
  const schema = follow(parameter['schema'])
  const values = 'const' in schema ? [schema['const']] : list(schema['enum'])
  const example = parameter['example'] ?? schema['example'] ?? ''
  return [
    {
      name: text(parameter['name']),
      place,
      required: place === 'path' || parameter['required'] === true,
      description: text(parameter['description']),
      example: typeof example === 'string' ? example : JSON.stringify(example),
      values: values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    },
  ]
}

function readContent(source: JsonObject): ReferenceContent | null {
  const content = fields(source['content'])
  const media = fields(content['application/json'] ?? Object.values(content)[0])
  if (!('schema' in media) && !('example' in media) && !('examples' in media)) return null
  const named = Object.entries(fields(media['examples'])).map(([name, example]) => ({
    name,
    summary: text(fields(example)['summary']) || name,
    value: fields(example)['value'],
  }))
  const only = 'example' in media ? [{ name: 'example', summary: 'Example', value: media['example'] }] : []
  return { schema: 'schema' in media ? fields(media['schema']) : null, examples: [...named, ...only] }
}

function readResponse(follow: Follow, status: string, source: unknown): ReferenceResponse {
  const response = follow(source)
  return {
    status,
    description: text(response['description']),
    headers: Object.entries(fields(response['headers'])).map(([name, header]) => ({
      name,
      description: text(follow(header)['description']),
    })),
    content: readContent(response),
  }
}

function readScopes(security: readonly unknown[]): readonly string[] | null {
  if (security.length === 0) return null
  const scopes = security.flatMap((one) => Object.values(fields(one)).flatMap(list)).map(text)
  return Array.from(new Set(scopes)).filter((scope) => scope !== '')
}

function pathOf(url: string): string {
  return URL.canParse(url, 'https://host') ? new URL(url, 'https://host').pathname.replace(/\/+$/, '') : url
}
