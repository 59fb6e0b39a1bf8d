import { z } from './zod.ts'
import {
  jsonValueSchema,
  metaSchema,
  serviceFormatSchema,
  summarySchema,
  tableResultSchema,
  windowNameSchema,
} from './schemas.ts'
import { ERROR_STATUS, type ErrorCode } from './statuses.ts'

export { ERROR_STATUS, type ErrorCode }
const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]
export const errorCodeSchema = z.enum(CODES)

export const issueSchema = z.object({
  path: z.string().describe('The field: `files[0].filename`; empty for the body itself.'),
  message: z.string().describe('Follows the field’s name.'),
})
/** A problem with a field of the body. `path` is such as `files[0].filename`; empty for the body itself. */
export type Issue = z.infer<typeof issueSchema>

export const rateLimitDetailsSchema = z.object({
  limit: z.int().describe('The limit that was reached.'),
  window: windowNameSchema,
  retry_after: z.int().min(0).describe('Seconds to wait.'),
})

/** Details of `INVALID_REQUEST`: `issues` if fields are wrong, `kind` and the position if a statement is, and so on. */
export const invalidRequestDetailsSchema = z.looseObject({
  issues: z.array(issueSchema).optional().describe('Everything that’s wrong with the request’s fields.'),
  kind: z.string().optional().describe('For a query: `sql` if the statement is invalid or the engine refused it.'),
  line: z.int().min(1).optional().describe('The error’s line in the statement.'),
  column: z.int().min(1).optional(),
  summary: summarySchema.optional().describe('If no table of a dataset was loaded.'),
  tables: z.array(tableResultSchema).optional(),
})

export const unsupportedFormatDetailsSchema = z.looseObject({
  supported: z.array(serviceFormatSchema),
  issues: z.array(issueSchema).optional().describe('The fields with an unknown format.'),
})

export const failureSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: errorCodeSchema,
    message: z.string().describe('For people.'),
    details: z.record(z.string(), jsonValueSchema).optional(),
  }),
  meta: metaSchema,
})
export type Failure = z.infer<typeof failureSchema>
