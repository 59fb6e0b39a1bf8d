import { z } from './zod.ts'

/* Headers of answers: names as they're written, values as they read once parsed. */

/** On every answer: of the window that has the fewest requests left. */
export const rateLimitHeadersSchema = z.object({
  'X-RateLimit-Limit': z.int().min(1).describe('Requests that the window allows.'),
  'X-RateLimit-Remaining': z.int().min(0).describe('Requests that are left in it.'),
  'X-RateLimit-Reset': z.int().min(0).describe('When the window starts over, in seconds of Unix time.'),
})

/** On 429 and 503. */
export const retryAfterHeaderSchema = z.object({
  'Retry-After': z.int().min(0).describe('Seconds until another try may succeed.'),
})

/** On 201. */
export const locationHeaderSchema = z.object({
  Location: z.string().min(1).describe('Where the dataset is: its path, or its URL.'),
})

/** On 405. */
export const allowHeaderSchema = z.object({
  Allow: z
    .string()
    .regex(/^[A-Z]+(, [A-Z]+)*$/)
    .describe('The methods that the path knows.'),
})

/** What authenticates a request: one of them, or both with the same key. */
export const credentialHeadersSchema = z.object({
  'X-API-Key': z.string().min(1).optional(),
  Authorization: z
    .string()
    .regex(/^Bearer .+$/i)
    .optional(),
})

/** Of answers that are JSON: all of them. */
export const JSON_TYPE = 'application/json'
