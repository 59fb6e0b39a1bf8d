import {
  ERROR_STATUS,
  failureSchema,
  issueSchema,
  type ErrorCode,
  invalidRequestDetailsSchema,
  rateLimitDetailsSchema,
  unsupportedFormatDetailsSchema,
} from './errors.ts'
import type { JsonSchema } from './openapi-types.ts'
import { operations, type Operation, type OperationId } from './operations.ts'
import * as schemas from './schemas.ts'
import { metaSchema } from './schemas.ts'
import { camelCaseName } from './spelling.ts'
import { z } from './zod.ts'
import { capitalized } from '../lib/text.ts'

const REF = '#/components/schemas/'

/** A reference to a schema in the document's components. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: REF + name })

/** `INVALID_REQUEST` → `InvalidRequest` */
export function errorName(code: ErrorCode): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export const requestName = (id: OperationId): string => `${capitalized(id)}Request`
export const answerName = (id: OperationId): string => `${capitalized(id)}Answer`
/** The name of a request's schema with camelCase fields. */
export const camelCaseRequestName = (id: OperationId): string => `${requestName(id)}CamelCase`

const SHARED = {
  Visibility: schemas.visibilitySchema,
  Format: schemas.serviceFormatSchema,
}

const REQUEST_PARTS = { ...SHARED, CreateTable: schemas.createTableSchema }

const ANSWER_PARTS = {
  ...SHARED,
  Meta: schemas.metaSchema,
  JsonValue: schemas.jsonValueSchema,
  Column: schemas.columnSchema,
  SignedUrl: schemas.signedUrlSchema,
  Table: schemas.tableSchema,
  CreatedDataset: schemas.createdDatasetSchema,
  Dataset: schemas.datasetSchema,
  DatasetDetails: schemas.datasetDetailsSchema,
  TableResult: schemas.tableResultSchema,
  Summary: schemas.summarySchema,
  FormatEntry: schemas.formatEntrySchema,
  Issue: issueSchema,
  Window: schemas.windowNameSchema,
  Failure: failureSchema,
}

/** All schemas of the document by name, derived from those that check requests and answers. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  const requests = new Map<string, z.ZodType>(Object.entries(REQUEST_PARTS))
  const answers = new Map<string, z.ZodType>(Object.entries(ANSWER_PARTS))
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    if (operation.body) requests.set(requestName(id), operation.body)
    if (operation.body && operation.conversion) requests.set(camelCaseRequestName(id), camelCaseOf(operation.body))
    const camel = operation.body && operation.conversion && operation.answer instanceof z.ZodObject
    answers.set(answerName(id), camel ? successSchema(bothSpellings(operation.answer)) : answerSchema(operation))
  }
  for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) answers.set(errorName(code), failureSchemaOf(code))
  return { ...convert(requests, 'input'), ...convert(answers, 'output') }
}

/** A schema for use outside the components. */
export function inlineSchema(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'input', override: tidy }))
}

const OF_ZOD = new Set(['$schema', '$id', '~standard'])

/** Removes keywords that zod adds to standalone schemas. */
function plain(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !OF_ZOD.has(keyword)))
}

function convert(named: ReadonlyMap<string, z.ZodType>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const { schemas: made } = z.toJSONSchema(registry, { io, uri: (id) => REF + id, override: tidy })
  return Object.fromEntries(
    Object.entries(made)
      // zod's recursive definition of any JSON value, which isn't needed.
      .filter(([name]) => name !== '__shared')
      .map(([name, schema]): [string, JsonSchema] => [
        name,
        name === 'JsonValue' ? { description: 'Any JSON value.' } : plain(schema),
      ]),
  )
}

/** Removes redundant keywords, and allows answers to have further fields. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern
  const { additionalProperties: more } = jsonSchema
  if (more === false || (typeof more === 'object' && Object.keys(more).length === 0)) {
    delete jsonSchema.additionalProperties
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  delete jsonSchema.propertyNames
}

function camelCaseOf({ shape }: z.ZodObject): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(shape).map(([name, field]) => [camelCaseName(name), field])))
}

/** An answer with the additional camelCase names that it has if the request used one. */
function bothSpellings({ shape }: z.ZodObject): z.ZodObject {
  const fields = Object.entries(shape).flatMap(([name, field]): [string, z.ZodType][] => {
    const both = field instanceof z.ZodObject ? bothSpellings(field) : (field as z.ZodType)
    const other = camelCaseName(name)
    if (other === name) return [[name, both]]
    const words = `The same as \`${name}\`: when the request used a camelCase name.`
    return [
      [name, both],
      [other, both.optional().describe(words)],
    ]
  })
  return z.object(Object.fromEntries(fields))
}

/** `{success: true, data, meta}` */
function successSchema<T extends z.ZodType>(data: T) {
  return z.object({ success: z.literal(true), data, meta: metaSchema })
}

/** The whole body of a successful answer. */
export function answerSchema(operation: Operation): z.ZodType {
  return operation.envelope ? successSchema(operation.answer) : operation.answer
}

const DETAILS: Partial<Readonly<Record<ErrorCode, z.ZodType>>> = {
  INVALID_REQUEST: invalidRequestDetailsSchema.optional(),
  UNSUPPORTED_FORMAT: unsupportedFormatDetailsSchema,
  RATE_LIMITED: rateLimitDetailsSchema,
}

/** The whole body of a failure with one code: `failureSchema` with the code's details. */
export function failureSchemaOf(code: ErrorCode): z.ZodType {
  const { error } = failureSchema.shape
  const details = DETAILS[code] ?? error.shape.details
  return failureSchema.extend({ error: error.extend({ code: z.literal(code), details }) })
}
