import { formatCount } from '../lib/counts.ts'
import { ERRORS, STATUS_NAMES } from './documentation/errors.ts'
import { META } from './documentation/examples.ts'
import { GUIDE, TAGS, TITLE, VERSION } from './documentation/guide.ts'
import { documentation, type ErrorExample, type OperationDocumentation } from './documentation/operations.ts'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'
import { ENDPOINT_LIMITS, type RateLimits } from './limits.ts'
import {
  answerName,
  camelCaseRequestName,
  componentSchemas,
  errorName,
  inlineSchema,
  requestName,
  schemaRef,
} from './openapi-schemas.ts'
import type {
  ExampleObject,
  HeaderObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItem,
  Reference,
  RequestBodyObject,
  ResponseObject,
  SecurityRequirement,
} from './openapi-types.ts'
import { errorsOf, operations, type Operation, type OperationId } from './operations.ts'
import { z } from './zod.ts'

/* Headers of answers, with parsed values. */

/** On every answer: the window with the fewest requests left. */
export const rateLimitHeadersSchema = z.object({
  'X-RateLimit-Limit': z.int().min(1).describe('Requests allowed in the window.'),
  'X-RateLimit-Remaining': z.int().min(0).describe('Requests left in the window.'),
  'X-RateLimit-Reset': z.int().min(0).describe('When the next window begins, in seconds of Unix time.'),
})

/** On 429 and 503. */
export const retryAfterHeaderSchema = z.object({
  'Retry-After': z.int().min(0).describe('Seconds until a retry may succeed.'),
})

/** On 201. */
export const locationHeaderSchema = z.object({
  Location: z.string().min(1).describe('The dataset’s path or URL.'),
})

/** On 405. */
export const allowHeaderSchema = z.object({
  Allow: z
    .string()
    .regex(/^[A-Z]+(, [A-Z]+)*$/)
    .describe('The methods that the path supports.'),
})

/** A request has one of these, or both with the same key. */
export const credentialHeadersSchema = z.object({
  'X-API-Key': z.string().min(1).optional(),
  Authorization: z
    .string()
    .regex(/^Bearer .+$/i)
    .optional(),
})

/** All answers are JSON. */
const JSON_TYPE = 'application/json'

/** Absolute URLs up to and including the version. */
interface ServerUrls {
  /** `https://.../public/v1` */
  readonly base: string
  /** `https://.../api/public/v1`, only for conversion. */
  readonly alternate: string
}

/** @param place the URL under which the service's two prefixes are, or one of the prefixes */
export function serverUrls(place: string): ServerUrls {
  const root = place.replace(/\/+$/, '').replace(/(?:\/api)?\/public\/v1$/, '')
  return { base: `${root}/public/v1`, alternate: `${root}/api/public/v1` }
}

/** The interface as an OpenAPI 3.1 document in plain JSON, derived from the schemas that check requests and answers. */
export function openApiDocument(servers: ServerUrls): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: TITLE, version: VERSION, description: GUIDE },
    servers: [{ url: servers.base }],
    security: credentials(null),
    tags: TAGS,
    paths: paths(servers),
    components: {
      schemas: componentSchemas(),
      responses: Object.fromEntries(CODES.map((code) => [errorName(code), errorResponse([code], {})])),
      headers: HEADERS,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key.' },
        BearerToken: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
      },
    },
  }
}

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[]

const HEADER_SCHEMAS = {
  ...rateLimitHeadersSchema.shape,
  ...retryAfterHeaderSchema.shape,
  ...locationHeaderSchema.shape,
  ...allowHeaderSchema.shape,
}
type HeaderName = keyof typeof HEADER_SCHEMAS

const HEADER_EXAMPLES: Readonly<Record<HeaderName, unknown>> = {
  'X-RateLimit-Limit': 10,
  'X-RateLimit-Remaining': 7,
  'X-RateLimit-Reset': 1_795_253_460,
  'Retry-After': 42,
  Location: '/public/v1/datasets/01KG9Z3M5T8V2C4N6P7Q8R9SXA',
  Allow: 'GET, PATCH, DELETE',
}

const HEADERS = Object.fromEntries(
  Object.entries(HEADER_SCHEMAS).map(([name, field]): [string, HeaderObject] => {
    const { description = '', ...schema } = inlineSchema(field)
    return [name, { description, schema, example: HEADER_EXAMPLES[name as HeaderName] }]
  }),
)

function headersOf(...more: readonly HeaderName[]): Readonly<Record<string, Reference>> {
  const names = [...Object.keys(rateLimitHeadersSchema.shape), ...more]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function credentials(scope: string | null): readonly SecurityRequirement[] {
  const scopes = scope === null ? [] : [scope]
  return [{ ApiKey: scopes }, { BearerToken: scopes }]
}

function paths(servers: ServerUrls): Readonly<Record<string, PathItem>> {
  const items: Record<string, PathItem> = {}
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    const alternate = operation.conversion
      ? { servers: [{ url: servers.base }, { url: servers.alternate, description: 'The same operation.' }] }
      : {}
    items[operation.path] = {
      ...items[operation.path],
      ...alternate,
      [operation.method]: operationObject(id, operation, documentation[id]),
    }
  }
  return items
}

function operationObject(id: OperationId, operation: Operation, docs: OperationDocumentation): OperationObject {
  const parameters = parametersOf(operation, docs)
  const limits = ENDPOINT_LIMITS[`${operation.method.toUpperCase()} ${operation.path}`]
  const description = [docs.description, `**Needs:** ${docs.access}`, ...(limits ? [limitsText(limits)] : [])]
  return {
    operationId: id,
    tags: [docs.tag],
    summary: docs.summary,
    description: description.join('\n\n'),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: requestBody(id, operation, docs) } : {}),
    responses: { [operation.status]: answer(id, operation, docs), ...errorResponses(operation, docs) },
    security: credentials(operation.scope),
  }
}

function limitsText(limits: RateLimits): string {
  const parts = Object.entries(limits).map(([window, count]) => `${formatCount(count)} a ${window}`)
  return `**Limits:** ${parts.join(', ').replace('a hour', 'an hour')}, beside the plan’s.`
}

function parametersOf({ params, query }: Operation, docs: OperationDocumentation): readonly ParameterObject[] {
  const inPath = params.map((name): ParameterObject => ({
    name,
    in: 'path',
    required: true,
    description: docs.params?.[name]?.description ?? '',
    schema: { type: 'string', minLength: 1 },
    example: docs.params?.[name]?.example,
  }))
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, field]): ParameterObject => {
    const { description = '', ...schema } = inlineSchema(field)
    return { name, in: 'query', required: false, description, schema, example: schema.const }
  })
  return [...inPath, ...inQuery]
}

function requestBody(id: OperationId, operation: Operation, docs: OperationDocumentation): RequestBodyObject {
  const schema = schemaRef(requestName(id))
  return {
    required: true,
    content: {
      [JSON_TYPE]: {
        schema: operation.conversion ? { anyOf: [schema, schemaRef(camelCaseRequestName(id))] } : schema,
        examples: docs.request ?? {},
      },
    },
  }
}

function answer(id: OperationId, operation: Operation, docs: OperationDocumentation): ResponseObject {
  const examples = Object.entries(docs.answer.examples).map(([name, { summary, value }]): [string, ExampleObject] => [
    name,
    { summary, value: operation.envelope ? { success: true, data: value, meta: META } : value },
  ])
  return {
    description: docs.answer.description,
    headers: operation.status === 201 ? headersOf('Location') : headersOf(),
    content: { [JSON_TYPE]: { schema: schemaRef(answerName(id)), examples: Object.fromEntries(examples) } },
  }
}

function errorResponses(
  operation: Operation,
  docs: OperationDocumentation,
): Readonly<Record<string, ResponseObject | Reference>> {
  const all = errorsOf(operation)
  const statuses = new Set(all.map((code) => ERROR_STATUS[code]))
  return Object.fromEntries(
    Array.from(statuses, (status): [string, ResponseObject | Reference] => {
      const codes = all.filter((code) => ERROR_STATUS[code] === status)
      const [only] = codes
      const common = codes.length === 1 && only !== undefined && docs.errors?.[only] === undefined
      if (common) return [String(status), { $ref: `#/components/responses/${errorName(only)}` }]
      return [String(status), errorResponse(codes, docs.errors ?? {})]
    }),
  )
}

/** The answer with one status, for all of its codes. Each code has its own details. */
function errorResponse(
  codes: readonly ErrorCode[],
  own: Partial<Readonly<Record<ErrorCode, ErrorExample>>>,
): ResponseObject {
  const words = codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`)
  const refs = codes.map((code) => schemaRef(errorName(code)))
  const headers: HeaderName[] = []
  if (codes.includes('RATE_LIMITED') || codes.includes('SERVICE_UNAVAILABLE')) headers.push('Retry-After')
  if (codes.includes('METHOD_NOT_ALLOWED')) headers.push('Allow')
  const examples = codes.map((code): [string, ExampleObject] => {
    const error = { code, ...(own[code] ?? ERRORS[code].example) }
    return [code, { summary: STATUS_NAMES[ERROR_STATUS[code]], value: { success: false, error, meta: META } }]
  })
  return {
    description: words.join('\n\n'),
    headers: headersOf(...headers),
    content: {
      [JSON_TYPE]: {
        schema: refs.length === 1 && refs[0] ? refs[0] : { oneOf: refs },
        examples: Object.fromEntries(examples),
      },
    },
  }
}
