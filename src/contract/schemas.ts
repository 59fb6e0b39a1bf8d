import { z } from './zod.ts'
import { MAX_SQL_BYTES, MAX_TABLES, SERVICE_FORMATS } from './limits.ts'

/* The service's wire format: the schemas and types of everything in requests and answers. */

export const visibilitySchema = z
  .enum(['private', 'public'])
  .describe('Who may read a dataset: only keys of its workspace with the scope, or any valid key.')
export type Visibility = z.infer<typeof visibilitySchema>

export const planSchema = z.enum(['free', 'pro', 'business'])
export type Plan = z.infer<typeof planSchema>

export const serviceFormatSchema = z.enum(SERVICE_FORMATS).describe('A file format that the service converts.')
export type ServiceFormat = z.infer<typeof serviceFormatSchema>

/** `datasets:*:read`, `datasets:<dataset_id>:write`. */
export const scopeSchema = z
  .string()
  .regex(/^datasets:(?:\*|[A-Za-z0-9_-]{1,64}):(?:read|write)$/, 'must be a scope, like "datasets:*:read"')
export type Scope = z.infer<typeof scopeSchema>

const instant = z.iso.datetime()
const uuid = z.uuid()
const workspaceId = uuid.describe('The workspace, which must be that of the API key.')
const count = z.int().min(0)
/** Any JSON value. */
export const jsonValueSchema = z.json()

// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const noControl = /^[^\u0000-\u001f\u007f-\u009f]*$/
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const fileNameCharacters = /^[^\u0000-\u001f\u007f-\u009f/\\]*$/

/** A name in a backup, which may be older than the last rule of new names. */
export const storedNameSchema = z.string().trim().min(1).max(128).regex(noControl, 'must not hold control characters')
/**
 * The name of a dataset or a table: trimmed, 1 to 128 characters, without control characters. Half a character (a lone
 * surrogate) would be another one in UTF-8, so that statements couldn't name it.
 */
export const nameSchema = storedNameSchema.refine((name) => name.isWellFormed(), 'must be valid Unicode')
export const descriptionSchema = z.string().max(2000)
const description = descriptionSchema.optional().describe('What it contains, in at most 2,000 characters.')
const shortDescription = descriptionSchema
  .optional()
  .describe('Another name of `description`. Different values for both are refused.')
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
  workspace_id: workspaceId,
  files: z
    .array(
      z.object({
        filename: uploadFilenameSchema.describe(
          'The file’s name with its extension. No `/`, `\\` or control characters.',
        ),
        content_type: z
          .string()
          .min(1)
          .max(255)
          .describe(
            'The MIME type of a supported format; a `; charset=` parameter is allowed. For `application/octet-stream`, the file’s extension determines the format. The upload must be sent with exactly this type.',
          ),
      }),
    )
    .min(1)
    .max(100)
    .describe('The files that will be uploaded: 1 to 100, at most 50 MB each.'),
})

export const createTableSchema = z.object({
  table_name: nameSchema.describe('Unique within the dataset, ignoring case.'),
  signed_url: z.string().min(1).describe('The URL that the file was uploaded to.'),
  description,
})

/** `short_description` is another name of `description`; different values for both are refused. */
export const createDatasetRequestSchema = z.object({
  dataset_name: nameSchema.describe('1 to 128 characters, unique in the workspace, ignoring case.'),
  description,
  short_description: shortDescription,
  visibility: visibilitySchema.default('private'),
  tags: tagsSchema.default([]).describe('At most 32, each with 1 to 64 characters; duplicates are dropped.'),
  workspace_id: workspaceId,
  tables: z.array(createTableSchema).min(1).max(MAX_TABLES).describe('1 to 100, each from one uploaded file.'),
})
export type CreateDatasetRequest = z.input<typeof createDatasetRequestSchema>

export const addTableSchema = createTableSchema.extend({
  append: z
    .boolean()
    .default(false)
    .describe(
      'Whether to add the file’s rows to the existing table with that name. Its columns must have the same names, in any case and order. By default, the table is new.',
    ),
})

export const updateDatasetRequestSchema = z.object({
  name: nameSchema.optional().describe('1 to 128 characters, unique in the workspace, ignoring case.'),
  description,
  short_description: shortDescription,
  visibility: visibilitySchema.optional(),
  tags: tagsSchema.optional().describe('Replaces all tags.'),
  add_tables: z
    .array(addTableSchema)
    .max(MAX_TABLES)
    .default([])
    .describe('Tables or rows to add, each from one uploaded file. Either all of them are added, or none.'),
})
export type UpdateDatasetRequest = z.input<typeof updateDatasetRequestSchema>

export const queryRequestSchema = z.object({
  sql: z
    .string()
    .min(1)
    .refine((sql) => new TextEncoder().encode(sql).length <= MAX_SQL_BYTES, 'must be at most 1 MB')
    .describe('One statement that only reads. Tables are named `workspace.dataset.table`, with the workspace’s slug.'),
  timeout_seconds: z
    .int()
    .min(1)
    .max(300)
    .default(30)
    .describe('The query is stopped after this time: 1 to 300 seconds.'),
})

/* Conversion: requests in snake_case, to which camelCase is converted before parsing */

const sourceFormat = serviceFormatSchema.describe(
  'The source’s format, ignoring case. `excel` is another name of `xlsx`.',
)
const destinationFormat = serviceFormatSchema.describe(
  'The result’s format, ignoring case. `excel` is another name of `xlsx`.',
)
const resultFilename = conversionFilenameSchema
  .optional()
  .describe('The result’s name without extension. No `/`, `\\` or control characters.')

export const uploadUrlsRequestSchema = z.object({
  source_format: sourceFormat,
  destination_format: destinationFormat,
  filename: resultFilename,
})

export const convertRequestSchema = z.object({
  source_url: z
    .string()
    .min(1)
    .max(2048)
    .describe('The source’s `file_path` from the answer of `POST /convert/upload-urls`.'),
  source_format: sourceFormat,
  destination_format: destinationFormat,
  filename: resultFilename,
})

/* Answers */

export const metaSchema = z.object({
  request_id: z
    .string()
    .regex(/^req_[0-9A-HJKMNP-TV-Z]{26}$/)
    .describe('Quote it when you ask for help.'),
  timestamp: instant.describe('When the service answered.'),
  version: z.literal('v1'),
})

export const columnSchema = z.object({
  name: z.string(),
  type: z
    .string()
    .describe('The type’s name in DuckDB: `INTEGER`, `VARCHAR`, `DECIMAL(18,3)`, `TIMESTAMP`, `VARCHAR[]`, ...'),
})
export type Column = z.infer<typeof columnSchema>

export const signedUrlSchema = z.object({
  filename: z.string().describe('As in the request.'),
  signed_url: z.url().describe('Upload the file to it with PUT.'),
  expires_at: instant.describe('When the URL expires.'),
})
export const signedUrlsAnswerSchema = z.object({ urls: z.array(signedUrlSchema) })
export type SignedUrl = z.infer<typeof signedUrlSchema>

/** A table of a dataset, in its details and with `expand=tables`. */
export const tableSchema = z.object({
  name: z.string(),
  description: z.string(),
  row_count: count,
  byte_size: z.int().min(0).describe('The storage that it takes up.'),
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
  tables: z.array(tableSchema).optional().describe('Only with `expand=tables`.'),
})
/** An entry of the list, with `tables` only for `expand=tables`. */
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
  rows_ingested: count.describe('0 if it failed.'),
  schema: z.array(columnSchema).describe('Empty if it failed.'),
  error: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .describe('Why it failed, with the row and column if known.'),
})
export type TableResult = z.infer<typeof tableResultSchema>

export const summarySchema = z.object({
  total: count.describe('Number of tables in the request.'),
  successful: count,
  failed: count,
})

export const createDatasetDataSchema = z.object({
  dataset: createdDatasetSchema,
  summary: summarySchema,
  tables: z.array(tableResultSchema),
})
export type CreateDatasetData = z.infer<typeof createDatasetDataSchema>

export const listDatasetsDataSchema = z.object({ datasets: z.array(datasetSchema), count })
export const datasetDataSchema = z.object({ dataset: datasetDetailsSchema })
export const updatedDataSchema = z.object({
  dataset: z.union([
    datasetDetailsSchema,
    z.object({ id: z.string(), updated_at: instant }).describe('For a key that may write the dataset but not read it.'),
  ]),
  tables: z.array(tableResultSchema).optional().describe('Only with `add_tables`: what was added, in the same order.'),
})
export const deletedDataSchema = z.object({ id: z.string(), deleted: z.literal(true) })

export const queryDataSchema = z.object({
  columns: z.array(z.string()).describe('In the statement’s order. Duplicates get `_1`, `_2`.'),
  rows: z
    .array(z.record(z.string(), jsonValueSchema))
    .describe(
      'At most 10,000. Integers beyond ±2^53-1 and decimals are strings, dates `YYYY-MM-DD`, timestamps ISO 8601 with microseconds, BLOBs base64, maps arrays of `{key, value}`.',
    ),
  count: count.describe('Rows in this answer.'),
  execution_time: z
    .string()
    .regex(/^\d+(\.\d+)?ms$/)
    .describe('The duration in milliseconds.'),
  truncated: z.boolean().optional().describe('True if there were more rows than an answer may have.'),
})
export type QueryData = z.infer<typeof queryDataSchema>

export const uploadUrlsDataSchema = z.object({
  source: z.object({
    upload_url: z.url().describe('Upload the file to it with PUT, within 15 minutes.'),
    file_path: z.string().describe('The value for `source_url` of `POST /convert`.'),
    content_type: z.string().describe('The `Content-Type` to upload it with.'),
  }),
  destination: z.object({
    download_url: z.url().describe('The URL of the result once it’s converted.'),
    file_path: z.string(),
    content_type: z.string(),
  }),
})
export type UploadUrlsData = z.infer<typeof uploadUrlsDataSchema>

export const convertDataSchema = z.object({
  download_url: z.url().describe('The URL of the result; it needs no key.'),
  file_path: z.string().describe('The result’s path.'),
  expires_at: instant.describe('When the URL expires.'),
})
export type ConvertData = z.infer<typeof convertDataSchema>

export const formatEntrySchema = z.object({
  format: serviceFormatSchema,
  display_name: z.string(),
  mime_type: z.string(),
  can_read: z.boolean().describe('Can be a source.'),
  can_write: z.boolean().describe('Can be a destination.'),
})
export const formatsDataSchema = z.object({ formats: z.array(formatEntrySchema) })
export type FormatEntry = z.infer<typeof formatEntrySchema>

/* Console: for the settings screen, not part of the public interface */

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

/** A rate limit window of a key. `endpoint` is null for the plan's windows, which count every request. */
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
    /** Bytes of the workspace's tables and uploads. */
    used_bytes: z.int().min(0),
    dataset_count: z.int().min(0),
    table_count: z.int().min(0),
  }),
})
export type UsageData = z.infer<typeof usageDataSchema>
