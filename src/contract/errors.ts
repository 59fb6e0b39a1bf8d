import { z } from './zod.ts'
import { jsonValueSchema, metaSchema, windowNameSchema } from './schemas.ts'

/** Every error code of the service with the status that it's answered with. */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  UNSUPPORTED_FORMAT: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  QUERY_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]
export const errorCodeSchema = z.enum(CODES)

export const issueSchema = z.object({ path: z.string(), message: z.string() })
/** What's wrong with a field of the body. `path` as in `files[0].filename`; empty for the body itself. */
export type Issue = z.infer<typeof issueSchema>

export const rateLimitDetailsSchema = z.object({
  limit: z.int(),
  window: windowNameSchema,
  /** Seconds. */
  retry_after: z.int().min(0),
})

export const failureSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: errorCodeSchema,
    message: z.string(),
    details: z.record(z.string(), jsonValueSchema).optional(),
  }),
  meta: metaSchema,
})
export type Failure = z.infer<typeof failureSchema>
