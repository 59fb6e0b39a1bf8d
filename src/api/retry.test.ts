import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ApiError, type ApiErrorCode } from './errors.ts'
import { pauseBefore, RETRIES, sleep } from './retry.ts'

const errorOf = (code: ApiErrorCode, retryAfter?: number): ApiError =>
  new ApiError(code, code, {
    status: 0,
    requestId: null,
    ...(retryAfter === undefined ? {} : { details: { retry_after: retryAfter } }),
  })
const state = (over: Partial<Parameters<typeof pauseBefore>[1]> = {}) => ({
  tries: 1,
  waited: 0,
  repeatable: true,
  random: () => 1,
  ...over,
})

test('a 429 is always retried, a 503 only if a repetition has no further effect', () => {
  expect(pauseBefore(errorOf('RATE_LIMITED'), state({ repeatable: false }))).toBe(500)
  expect(pauseBefore(errorOf('SERVICE_UNAVAILABLE'), state())).toBe(500)
  expect(pauseBefore(errorOf('SERVICE_UNAVAILABLE'), state({ repeatable: false }))).toBeNull()
})

test.each<ApiErrorCode>([
  'INVALID_REQUEST',
  'UNSUPPORTED_FORMAT',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'QUERY_TIMEOUT',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'INTERNAL_ERROR',
  'unreachable',
  'unexpected',
])('%s is never tried again', (code) => expect(pauseBefore(errorOf(code, 1), state())).toBeNull())

test('limits of pauses grow, and jitter chooses anything below', () => {
  const pauses = [1, 2, 3].map((tries) => pauseBefore(errorOf('SERVICE_UNAVAILABLE'), state({ tries })))
  expect(pauses).toEqual([500, 1000, 2000])
  expect(pauseBefore(errorOf('SERVICE_UNAVAILABLE'), state({ random: () => 0 }))).toBe(0)
})

test('the number of attempts and the total time are limited', () => {
  expect(pauseBefore(errorOf('RATE_LIMITED'), state({ tries: RETRIES.attempts }))).toBeNull()
  expect(pauseBefore(errorOf('RATE_LIMITED', 20), state({ waited: 45_000 }))).toBeNull()
})

test('the requested time is waited, up to half a minute', () => {
  expect(pauseBefore(errorOf('RATE_LIMITED', 30), state({ random: () => 0 }))).toBe(30_000)
  expect(pauseBefore(errorOf('RATE_LIMITED', 31), state())).toBeNull()
})

test('no pause is shorter than requested or longer than allowed', () => {
  fc.assert(
    fc.property(
      fc.option(fc.nat(100)),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 6 }),
      fc.nat(70_000),
      (asked, jitter, tries, waited) => {
        const pause = pauseBefore(
          errorOf('RATE_LIMITED', asked ?? undefined),
          state({ tries, waited, random: () => jitter }),
        )
        if (pause === null) return
        expect(pause).toBeGreaterThanOrEqual((asked ?? 0) * 1000)
        expect(pause).toBeLessThanOrEqual(asked === null ? RETRIES.longest : asked * 1000 + RETRIES.longest / 4)
        expect(waited + pause).toBeLessThanOrEqual(RETRIES.total)
      },
    ),
  )
})

test('a pause ends at once when it’s cancelled, and leaves no timer', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  const slept = sleep(60_000, controller.signal)
  controller.abort(new Error('enough'))
  await expect(slept).rejects.toThrow('enough')
  expect(vi.getTimerCount()).toBe(0)
  await expect(sleep(1, controller.signal)).rejects.toThrow('enough')
  const whole = sleep(1000)
  await vi.advanceTimersByTimeAsync(1000)
  await whole
  vi.useRealTimers()
})
