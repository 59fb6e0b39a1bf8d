import type { ErrorCode } from './errors.ts'
import {
  failureSchema,
  invalidRequestDetailsSchema,
  rateLimitDetailsSchema,
  unsupportedFormatDetailsSchema,
} from './errors.ts'
import type { Operation } from './operations.ts'
import { metaSchema } from './schemas.ts'
import { z } from './zod.ts'

/** `{success: true, data, meta}` */
export function successSchema<T extends z.ZodType>(data: T) {
  return z.object({ success: z.literal(true), data, meta: metaSchema })
}

/** The whole body of an operation's success. */
export function answerSchema(operation: Operation): z.ZodType {
  return operation.envelope ? successSchema(operation.answer) : operation.answer
}

const DETAILS: Partial<Readonly<Record<ErrorCode, z.ZodType>>> = {
  INVALID_REQUEST: invalidRequestDetailsSchema.optional(),
  UNSUPPORTED_FORMAT: unsupportedFormatDetailsSchema,
  RATE_LIMITED: rateLimitDetailsSchema,
}

/** The whole body of a failure with one code: what `failureSchema` says, and what its details hold. */
export function failureSchemaOf(code: ErrorCode): z.ZodType {
  const { error } = failureSchema.shape
  const details = DETAILS[code] ?? error.shape.details
  return failureSchema.extend({ error: error.extend({ code: z.literal(code), details }) })
}
