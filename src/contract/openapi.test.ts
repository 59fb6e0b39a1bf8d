import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerSchema, failureSchemaOf } from './openapi-schemas.ts'
import { ERROR_STATUS, failureSchema, type ErrorCode } from './errors.ts'
import { ENDPOINT_LIMITS } from './limits.ts'
import {
  allowHeaderSchema,
  credentialHeadersSchema,
  locationHeaderSchema,
  openApiDocument,
  rateLimitHeadersSchema,
  retryAfterHeaderSchema,
  serverUrls,
} from './openapi.ts'
import {
  METHODS,
  type HeaderObject,
  type MediaType,
  type OperationObject,
  type Reference,
  type ResponseObject,
} from './openapi-types.ts'
import { errorsOf, operations, type Operation } from './operations.ts'
import { readBody } from './request.ts'
import { camelCaseName } from './spelling.ts'
import type { z } from './zod.ts'

const document = openApiDocument(serverUrls('https://api.example.com'))
const table: Readonly<Record<string, Operation>> = operations

interface Documented {
  readonly name: string
  readonly path: string
  readonly method: string
  readonly object: OperationObject
  readonly operation: Operation
}

const documented = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method): Documented[] => {
    const object = item[method]
    const operation = table[object?.operationId ?? '']
    return object && operation ? [{ name: `${method} ${path}`, path, method, object, operation }] : []
  }),
)

function resolve<T extends object>(value: T | Reference): T {
  if (!('$ref' in value)) return value
  const found = value.$ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document)
  expect(found, value.$ref).toBeTypeOf('object')
  return found as T
}

function responseOf(object: OperationObject, status: number | string): ResponseObject {
  const response = object.responses[status]
  if (!response) throw new Error(`${object.operationId} says nothing of ${status}`)
  return resolve(response)
}

const bodyOf = ({ requestBody }: OperationObject): MediaType | undefined =>
  requestBody && resolve(requestBody).content['application/json']

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
beforeAll(() => {
  // OpenAPI's own keywords are outside of the schemas, so they can be ignored.
  for (const word of Object.keys(document)) ajv.addVocabulary([word])
  ajv.addSchema({ ...document }, 'document')
})

function expectValid(schema: object | undefined, value: unknown): void {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))
  const validate = ajv.compile(absolute)
  validate(value)
  expect(validate.errors ?? []).toEqual([])
}

describe('the OpenAPI document', () => {
  it('passes an independent validator', async () => {
    const result = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>)
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })

  it('is plain JSON, deterministic, and equal to the fixture', async () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    expect(JSON.stringify(openApiDocument(serverUrls('https://api.example.com/')))).toBe(JSON.stringify(document))
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('fixtures/openapi.json')
  })

  it('has exactly the contract’s operations', () => {
    expect(documented.map(({ name }) => name).sort()).toEqual(
      Object.values(table)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    )
    expect(new Set(documented.map(({ object }) => object.operationId)).size).toBe(documented.length)
  })

  it('has no unresolved references and no unused definitions', () => {
    const text = JSON.stringify(document)
    const refs = new Set(Array.from(text.matchAll(/"\$ref":"([^"]+)"/g), ([, ref]) => ref ?? ''))
    for (const $ref of refs) resolve({ $ref })
    const used = (kind: string, name: string): boolean => refs.has(`#/components/${kind}/${name}`)
    const { schemas = {}, headers = {} } = document.components ?? {}
    expect(Object.keys(schemas).filter((name) => !used('schemas', name) && name !== 'Failure')).toEqual([])
    expect(Object.keys(headers).filter((name) => !used('headers', name))).toEqual([])
  })

  it('has one schema for what requests and answers share', () => {
    const { schemas = {} } = document.components ?? {}
    expect(schemas['Visibility']).toMatchObject({ enum: ['private', 'public'] })
    expect(JSON.stringify(schemas)).not.toContain('$defs')
    expect(JSON.stringify(schemas)).not.toContain('__shared')
  })

  it('allows both ways to send the key', () => {
    expect(document.components?.securitySchemes).toMatchObject({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      BearerToken: { type: 'http', scheme: 'bearer' },
    })
    expect(credentialHeadersSchema.safeParse({ Authorization: 'Bearer k' }).success).toBe(true)
    expect(credentialHeadersSchema.safeParse({ Authorization: 'Basic k' }).success).toBe(false)
  })

  it.each([
    ['https://h', 'https://h'],
    ['https://h/app/', 'https://h/app'],
    ['https://h/app/public/v1', 'https://h/app'],
    ['https://h/api/public/v1/', 'https://h'],
  ])('is served for %s below %s', (place, root) => {
    expect(serverUrls(place)).toEqual({ base: `${root}/public/v1`, alternate: `${root}/api/public/v1` })
  })

  it('has schemas that refuse invalid values', () => {
    const ref = (name: string): object => ({ $ref: `document#/components/schemas/${name}` })
    expect(ajv.validate(ref('QueryRequest'), { sql: '' })).toBe(false)
    expect(ajv.validate(ref('QueryAnswer'), { success: true, data: { columns: [] } })).toBe(false)
    expect(ajv.validate(ref('RateLimited'), { success: false, error: { code: 'RATE_LIMITED', message: '' } })).toBe(
      false,
    )
    expect(ajv.validate(ref('ConvertRequestCamelCase'), { source_url: 'x' })).toBe(false)
  })
})

describe.each(documented)('$name', ({ path, object, operation }) => {
  it('is described', () => {
    expect(object.summary).toMatch(/\S/)
    expect(object.description).toMatch(/\*\*Needs:\*\*/)
    expect(document.tags?.map(({ name }) => name)).toContain(object.tags?.[0])
    const limited = `${operation.method.toUpperCase()} ${path}` in ENDPOINT_LIMITS
    expect(object.description?.includes('**Limits:**')).toBe(limited)
  })

  it('is under both prefixes if it converts', () => {
    const servers = document.paths[path]?.servers ?? document.servers
    const prefixes = servers?.map(({ url }) => new URL(url).pathname)
    expect(prefixes).toEqual(operation.conversion ? ['/public/v1', '/api/public/v1'] : ['/public/v1'])
  })

  it('has its scope in both security schemes', () => {
    const scopes = operation.scope ? [operation.scope] : []
    expect(object.security).toEqual([{ ApiKey: scopes }, { BearerToken: scopes }])
  })

  it('describes its parameters, with valid examples', () => {
    const parameters = (object.parameters ?? []).map(resolve)
    expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(operation.params)
    expect(parameters.filter((one) => one.in === 'query').map(({ name }) => name)).toEqual(
      Object.keys(operation.query?.shape ?? {}),
    )
    for (const { name, in: place, description, schema, example } of parameters) {
      expect(description, name).toMatch(/\S/)
      expectValid(schema, example)
      if (place === 'query') expect(operation.query?.safeParse({ [name]: example }).success).toBe(true)
    }
  })

  it('has valid request examples', () => {
    const body = bodyOf(object)
    expect(body !== undefined).toBe(operation.body !== null)
    if (!body) return
    const examples = Object.values(body.examples ?? {})
    expect(examples.length).toBeGreaterThan(0)
    for (const { value } of examples) {
      expectValid(body.schema, value)
      expect(readBody(operation, value)).toMatchObject({ ok: true, camelCase: false })
    }
  })

  it('has valid example answers', () => {
    const response = responseOf(object, operation.status)
    const body = response.content?.['application/json']
    const examples = Object.values(body?.examples ?? {})
    expect(examples.length).toBeGreaterThan(0)
    for (const { value } of examples) {
      expectValid(body?.schema, value)
      expect(answerSchema(operation).safeParse(value).error).toBeUndefined()
    }
  })

  it('has examples of exactly its errors', () => {
    const codes = errorsOf(operation)
    const statuses = Array.from(new Set(codes.map((code) => String(ERROR_STATUS[code])))).sort()
    expect(Object.keys(object.responses).sort()).toEqual([String(operation.status), ...statuses].sort())
    for (const code of codes) {
      const body = responseOf(object, ERROR_STATUS[code]).content?.['application/json']
      const value = body?.examples?.[code]?.value
      expectValid(body?.schema, value)
      expect(failureSchema.safeParse(value).error).toBeUndefined()
      expect(failureSchemaOf(code).safeParse(value).error).toBeUndefined()
    }
    const shown = statuses.flatMap((status) =>
      Object.keys(responseOf(object, status).content?.['application/json']?.examples ?? {}),
    )
    expect(shown.sort()).toEqual([...codes].sort())
  })

  it('has its headers on every answer', () => {
    const limit = Object.keys(rateLimitHeadersSchema.shape)
    const more: Readonly<Record<string, string>> = {
      '429': 'Retry-After',
      '503': 'Retry-After',
      '405': 'Allow',
      '201': 'Location',
    }
    for (const status of Object.keys(object.responses)) {
      const { headers = {} } = responseOf(object, status)
      const extra = more[status]
      expect(Object.keys(headers)).toEqual([...limit, ...(extra ? [extra] : [])])
    }
  })

  it('shows no field in camelCase alone', () => {
    const examples = [
      bodyOf(object),
      ...Object.keys(object.responses).map((status) => responseOf(object, status).content?.['application/json']),
    ]
    const camel = new Set<string>()
    JSON.stringify(
      examples.map((body) => body?.examples),
      (key, value: unknown) => {
        if (/^[a-z]+[A-Z]/.test(key)) camel.add(key)
        return value
      },
    )
    expect([...camel]).toEqual([])
  })
})

describe('headers', () => {
  const HEADERS: Readonly<Record<string, z.ZodType>> = {
    ...rateLimitHeadersSchema.shape,
    ...retryAfterHeaderSchema.shape,
    ...locationHeaderSchema.shape,
    ...allowHeaderSchema.shape,
  }

  it.each(Object.entries(document.components?.headers ?? {}))(
    '%s has an example that fits',
    (name, header: HeaderObject) => {
      expect(header.description).toMatch(/\S/)
      expectValid(header.schema, header.example)
      expect(HEADERS[name]?.safeParse(header.example).error).toBeUndefined()
    },
  )
})

describe('shared responses', () => {
  it.each(Object.keys(ERROR_STATUS) as ErrorCode[])('%s has one with a valid example', (code) => {
    const name = Object.keys(document.components?.responses ?? {}).find(
      (one) => one.toLowerCase() === code.replaceAll('_', '').toLowerCase(),
    )
    const body = document.components?.responses?.[name ?? '']?.content?.['application/json']
    expectValid(body?.schema, body?.examples?.[code]?.value)
    expect(failureSchemaOf(code).safeParse(body?.examples?.[code]?.value).error).toBeUndefined()
  })
})

describe('camelCase', () => {
  it.each(documented.filter(({ operation }) => operation.conversion && operation.body))(
    'is documented for the request and the answer of $name',
    ({ object, operation }) => {
      const body = bodyOf(object)
      const [example] = Object.values(body?.examples ?? {})
      const fields = Object.entries(example?.value as Record<string, unknown>)
      const camel = Object.fromEntries(fields.map(([name, value]) => [camelCaseName(name), value]))
      expectValid(body?.schema, camel)
      expect(readBody(operation, camel)).toMatchObject({ ok: true, camelCase: true })
      const schema = JSON.stringify(
        document.components?.schemas?.[`${object.operationId === 'convert' ? 'Convert' : 'ConversionUrls'}Answer`],
      )
      expect(schema).toContain('"downloadUrl"')
      expect(schema).toContain('"filePath"')
    },
  )
})
