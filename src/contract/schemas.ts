import { z } from './zod.ts'
import { MAX_SQL_BYTES, SERVICE_FORMATS } from './limits.ts'

/* The service's wire format: one schema for each thing that a request or an answer holds. Types come from here. */

export const visibilitySchema = z.enum(['private', 'public'])
export type Visibility = z.infer<typeof visibilitySchema>

export const planSchema = z.enum(['free', 'pro', 'business'])
export type Plan = z.infer<typeof planSchema>

export const serviceFormatSchema = z.enum(SERVICE_FORMATS)
export type ServiceFormat = z.infer<typeof serviceFormatSchema>

/** `datasets:*:read`, `datasets:<dataset_id>:write`. */
export const scopeSchema = z.string().regex(/^datasets:(?:\*|[A-Za-z0-9_-]{1,64}):(?:read|write)$/)
export type Scope = z.infer<typeof scopeSchema>

const instant = z.iso.datetime()
const uuid = z.uuid()

// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const noControl = /^[^\u0000-\u001f\u007f-\u009f]*$/
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const fileNameCharacters = /^[^\u0000-\u001f\u007f-\u009f/\\]*$/

/** A dataset's or a table's name: trimmed, 1 to 128 characters, none of them a control character. */
export const nameSchema = z.string().trim().min(1).max(128).regex(noControl, 'must not hold control characters')
export const descriptionSchema = z.string().max(2000)
export const tagsSchema = z
  .array(z.string().trim().min(1).max(64))
  .max(32)
  .transform((tags) => Array.from(new Set(tags)))
export const uploadFilenameSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(fileNameCharacters, 'must not hold "/", "\\" or control characters')
export const conversionFilenameSchema = uploadFilenameSchema.max(200)

/* Storage and datasets: requests */

export const signedUrlsRequestSchema = z.object({
  workspace_id: uuid,
  files: z
    .array(z.object({ filename: uploadFilenameSchema, content_type: z.string().min(1).max(255) }))
    .min(1)
    .max(100),
})
export type SignedUrlsRequest = z.infer<typeof signedUrlsRequestSchema>

export const createTableSchema = z.object({
  table_name: nameSchema,
  signed_url: z.string().min(1),
  description: descriptionSchema.optional(),
})

/** `short_description` is the same property as `description`; both with different values are refused. */
export const createDatasetRequestSchema = z.object({
  dataset_name: nameSchema,
  description: descriptionSchema.optional(),
  short_description: descriptionSchema.optional(),
  visibility: visibilitySchema.default('private'),
  tags: tagsSchema.default([]),
  workspace_id: uuid,
  tables: z.array(createTableSchema).min(1).max(100),
})
export type CreateDatasetRequest = z.input<typeof createDatasetRequestSchema>

export const updateDatasetRequestSchema = z.object({
  name: nameSchema.optional(),
  description: descriptionSchema.optional(),
  short_description: descriptionSchema.optional(),
  visibility: visibilitySchema.optional(),
  tags: tagsSchema.optional(),
})
export type UpdateDatasetRequest = z.input<typeof updateDatasetRequestSchema>

export const queryRequestSchema = z.object({
  sql: z
    .string()
    .min(1)
    .refine((sql) => new TextEncoder().encode(sql).length <= MAX_SQL_BYTES, 'must be at most 1 MB'),
  timeout_seconds: z.int().min(1).max(300).default(30),
})
export type QueryRequest = z.input<typeof queryRequestSchema>

/* Conversion: requests, in snake_case; camelCase is folded into it before they're parsed */

export const uploadUrlsRequestSchema = z.object({
  source_format: serviceFormatSchema,
  destination_format: serviceFormatSchema,
  filename: conversionFilenameSchema.optional(),
})
export type UploadUrlsRequest = z.input<typeof uploadUrlsRequestSchema>

export const convertRequestSchema = z.object({
  source_url: z.string().min(1).max(2048),
  source_format: serviceFormatSchema,
  destination_format: serviceFormatSchema,
  filename: conversionFilenameSchema.optional(),
})
export type ConvertRequest = z.input<typeof convertRequestSchema>

/* Answers */

export const metaSchema = z.object({
  request_id: z.string().regex(/^req_[0-9A-HJKMNP-TV-Z]{26}$/),
  timestamp: instant,
  version: z.literal('v1'),
})
export type Meta = z.infer<typeof metaSchema>

export const columnSchema = z.object({ name: z.string(), type: z.string() })
export type Column = z.infer<typeof columnSchema>

export const signedUrlSchema = z.object({ filename: z.string(), signed_url: z.url(), expires_at: instant })
export const signedUrlsAnswerSchema = z.object({ urls: z.array(signedUrlSchema) })
export type SignedUrl = z.infer<typeof signedUrlSchema>

/** A table of a dataset, as its details and `expand=tables` show it. */
export const tableSchema = z.object({
  name: z.string(),
  description: z.string(),
  row_count: z.int().min(0),
  byte_size: z.int().min(0),
  schema: z.array(columnSchema),
})
export type Table = z.infer<typeof tableSchema>

export const createdDatasetSchema = z.object({
  id: z.string(),
  name: z.string(),
  workspace_id: uuid,
  visibility: visibilitySchema,
  created_at: instant,
})

export const datasetSchema = createdDatasetSchema.extend({
  tags: z.array(z.string()),
  tables: z.array(tableSchema).optional(),
})
/** An entry of the list; `tables` only with `expand=tables`. */
export type Dataset = z.infer<typeof datasetSchema>

export const datasetDetailsSchema = datasetSchema.extend({
  description: z.string(),
  updated_at: instant,
  tables: z.array(tableSchema),
})
export type DatasetDetails = z.infer<typeof datasetDetailsSchema>

export const tableResultSchema = z.object({
  table_name: z.string(),
  status: z.enum(['success', 'failed']),
  rows_ingested: z.int().min(0),
  schema: z.array(columnSchema),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})
export type TableResult = z.infer<typeof tableResultSchema>

export const summarySchema = z.object({
  total: z.int().min(0),
  successful: z.int().min(0),
  failed: z.int().min(0),
})
export type Summary = z.infer<typeof summarySchema>

export const createDatasetDataSchema = z.object({
  dataset: createdDatasetSchema,
  summary: summarySchema,
  tables: z.array(tableResultSchema),
})
export type CreateDatasetData = z.infer<typeof createDatasetDataSchema>

export const listDatasetsDataSchema = z.object({ datasets: z.array(datasetSchema), count: z.int().min(0) })
export const datasetDataSchema = z.object({ dataset: datasetDetailsSchema })
export const deletedDataSchema = z.object({ id: z.string(), deleted: z.literal(true) })

export const queryDataSchema = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.json())),
  count: z.int().min(0),
  execution_time: z.string().regex(/^\d+(\.\d+)?ms$/),
  /** There were more rows than an answer holds. */
  truncated: z.boolean().optional(),
})
export type QueryData = z.infer<typeof queryDataSchema>

export const uploadUrlsDataSchema = z.object({
  source: z.object({ upload_url: z.url(), file_path: z.string(), content_type: z.string() }),
  destination: z.object({ download_url: z.url(), file_path: z.string(), content_type: z.string() }),
})
export type UploadUrlsData = z.infer<typeof uploadUrlsDataSchema>

export const convertDataSchema = z.object({ download_url: z.url(), file_path: z.string(), expires_at: instant })
export type ConvertData = z.infer<typeof convertDataSchema>

export const formatEntrySchema = z.object({
  format: serviceFormatSchema,
  display_name: z.string(),
  mime_type: z.string(),
  can_read: z.boolean(),
  can_write: z.boolean(),
})
export const formatsDataSchema = z.object({ formats: z.array(formatEntrySchema) })
export type FormatEntry = z.infer<typeof formatEntrySchema>

/* Console: what the settings screen does; no part of the public interface */

export const slugSchema = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be lower-case letters, digits and "_"')

export const workspaceSchema = z.object({
  id: uuid,
  name: z.string(),
  slug: z.string(),
  plan: planSchema,
  created_at: instant,
})
export type Workspace = z.infer<typeof workspaceSchema>

export const workspacesDataSchema = z.object({ workspaces: z.array(workspaceSchema) })
export const workspaceDataSchema = z.object({ workspace: workspaceSchema })

export const createWorkspaceRequestSchema = z.object({
  name: nameSchema,
  slug: slugSchema.optional(),
  plan: planSchema.default('business'),
})
export const updateWorkspaceRequestSchema = z.object({
  name: nameSchema.optional(),
  slug: slugSchema.optional(),
  plan: planSchema.optional(),
})

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema),
  last4: z.string().length(4),
  created_at: instant,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
})
export type ApiKey = z.infer<typeof apiKeySchema>

export const apiKeysDataSchema = z.object({ api_keys: z.array(apiKeySchema) })
export const revokedDataSchema = z.object({ id: z.string(), revoked: z.literal(true) })

export const createApiKeyRequestSchema = z.object({
  name: nameSchema,
  scopes: z.array(scopeSchema).min(1).max(100),
  expires_at: instant.nullish(),
})
export const rotateApiKeyRequestSchema = z.object({
  grace_seconds: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(0),
})
export const newApiKeyDataSchema = z.object({ api_key: apiKeySchema, key: z.string() })
export type NewApiKeyData = z.infer<typeof newApiKeyDataSchema>

export const windowNameSchema = z.enum(['minute', 'hour', 'day'])
export type WindowName = z.infer<typeof windowNameSchema>

/** One rate-limit window of a key: `endpoint` is null for the plan's, which counts every request. */
export const usageWindowSchema = z.object({
  endpoint: z.string().nullable(),
  window: windowNameSchema,
  limit: z.int(),
  remaining: z.int().min(0),
  /** Unix time in seconds. */
  reset: z.int(),
})
export type UsageWindow = z.infer<typeof usageWindowSchema>

export const usageDataSchema = z.object({
  keys: z.array(z.object({ id: z.string(), name: z.string(), windows: z.array(usageWindowSchema) })),
  storage: z.object({
    /** Bytes of the workspace's tables and of its uploads. */
    used_bytes: z.int().min(0),
    dataset_count: z.int().min(0),
    table_count: z.int().min(0),
  }),
})
export type UsageData = z.infer<typeof usageDataSchema>
