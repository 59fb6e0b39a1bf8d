import { z } from './zod.ts'
import type { ErrorCode } from './errors.ts'
import * as schemas from './schemas.ts'

/**
 * An operation of the public interface, from which routes, validation, rate limits, the client's paths and the OpenAPI
 * document are derived.
 */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** The path after the prefix, with parameters in braces: `/datasets/{datasetId}`. */
  readonly path: string
  /** Whether it's part of conversion, which also has the prefix `/api/public/v1`. */
  readonly conversion: boolean
  /** The scope that it always needs; null if that depends on the dataset, or if any valid key will do. */
  readonly scope: schemas.Scope | null
  readonly params: readonly string[]
  readonly query: z.ZodObject | null
  readonly body: z.ZodObject | null
  readonly status: 200 | 201
  /** The schema of `data`, or of the whole answer if there's no envelope. */
  readonly answer: z.ZodType
  readonly envelope: boolean
  /** Its errors in addition to those of every operation. */
  readonly errors: readonly ErrorCode[]
}

/** What most operations have in common. */
export const base = {
  conversion: false,
  scope: null,
  params: [],
  query: null,
  body: null,
  status: 200,
  envelope: true,
  errors: [],
} as const

/** Errors that every operation can return. */
const COMMON_ERRORS = [
  'UNAUTHORIZED',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

/** All errors that an operation can return: its own, the common ones, and 413 if it has a body. */
export function errorsOf({ errors, body }: Operation): readonly ErrorCode[] {
  return [...errors, ...(body ? (['PAYLOAD_TOO_LARGE'] as const) : []), ...COMMON_ERRORS]
}

export const operations = {
  signUploads: {
    ...base,
    method: 'post',
    path: '/storage/signed-urls',
    scope: 'datasets:*:write',
    body: schemas.signedUrlsRequestSchema,
    answer: schemas.signedUrlsAnswerSchema,
    envelope: false,
    errors: ['INVALID_REQUEST', 'UNSUPPORTED_FORMAT', 'FORBIDDEN'],
  },
  createDataset: {
    ...base,
    method: 'post',
    path: '/datasets',
    scope: 'datasets:*:write',
    body: schemas.createDatasetRequestSchema,
    status: 201,
    answer: schemas.createDatasetDataSchema,
    errors: ['INVALID_REQUEST', 'FORBIDDEN', 'CONFLICT'],
  },
  query: {
    ...base,
    method: 'post',
    path: '/query',
    body: schemas.queryRequestSchema,
    answer: schemas.queryDataSchema,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'QUERY_TIMEOUT'],
  },
  listDatasets: {
    ...base,
    method: 'get',
    path: '/workspaces/{workspaceId}/datasets',
    params: ['workspaceId'],
    query: z.object({
      expand: z.literal('tables').optional().describe('`tables` adds each dataset’s tables with their schemas.'),
    }),
    answer: schemas.listDatasetsDataSchema,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  getDataset: {
    ...base,
    method: 'get',
    path: '/datasets/{datasetId}',
    params: ['datasetId'],
    answer: schemas.datasetDataSchema,
    errors: ['NOT_FOUND'],
  },
  updateDataset: {
    ...base,
    method: 'patch',
    path: '/datasets/{datasetId}',
    params: ['datasetId'],
    body: schemas.updateDatasetRequestSchema,
    answer: schemas.updatedDataSchema,
    errors: ['INVALID_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteDataset: {
    ...base,
    method: 'delete',
    path: '/datasets/{datasetId}',
    params: ['datasetId'],
    answer: schemas.deletedDataSchema,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  conversionUrls: {
    ...base,
    method: 'post',
    path: '/convert/upload-urls',
    conversion: true,
    body: schemas.uploadUrlsRequestSchema,
    answer: schemas.uploadUrlsDataSchema,
    errors: ['INVALID_REQUEST', 'UNSUPPORTED_FORMAT'],
  },
  convert: {
    ...base,
    method: 'post',
    path: '/convert',
    conversion: true,
    body: schemas.convertRequestSchema,
    answer: schemas.convertDataSchema,
    errors: ['INVALID_REQUEST', 'UNSUPPORTED_FORMAT', 'NOT_FOUND'],
  },
  formats: {
    ...base,
    method: 'get',
    path: '/convert/formats',
    conversion: true,
    answer: schemas.formatsDataSchema,
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationId = keyof typeof operations
