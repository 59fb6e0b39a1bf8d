import { describe, expect, test } from 'vitest'
import { ApiError, type ApiErrorCode } from '../../api/errors.ts'
import { EngineError } from '../../engine/client.ts'
import { explain, inWords, isDiskFull, waitWords } from './problem.ts'

const refused = (code: ApiErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}): ApiError =>
  new ApiError(code, message, { status: 400, requestId: 'req_1', details })

describe('a problem', () => {
  test('of the service has what failed, why, what to do, and the request’s id', () => {
    expect(explain(refused('unreachable', 'fetch failed'), 'The list wasn’t loaded')).toEqual({
      message: 'The list wasn’t loaded: the service doesn’t answer.',
      remedy: 'Check the connection, then try again.',
      requestId: 'req_1',
    })
    const words = 'The database can’t be reached right now. Try again in a moment.'
    const away = explain(refused('SERVICE_UNAVAILABLE', words), null, { again: 'Run it again' })
    expect([away.message, away.remedy]).toEqual([
      'The database can’t be reached right now.',
      'Run it again in a moment.',
    ])
    const refusing = explain(refused('SERVICE_UNAVAILABLE', 'The store refuses. Try again once that’s seen to.'), null)
    expect(refusing).toMatchObject({ message: 'The store refuses. Try again once that’s seen to.', remedy: null })
  })

  test('of a broken connection says how it broke', () => {
    const of = (reason: string) => explain(refused('unreachable', 'x', { reason }), 'It wasn’t uploaded')
    expect(of('cut-off')).toMatchObject({
      message: 'It wasn’t uploaded: the connection broke off.',
      remedy: 'Check the connection, then try again.',
    })
    expect(of('stalled').message).toBe('It wasn’t uploaded: nothing has been sent or received for minutes.')
  })

  test('of a proxy says so, and doesn’t ask to quote an id that doesn’t exist', () => {
    const of = (code: ApiErrorCode, status: number, requestId: string | null = null) =>
      explain(new ApiError(code, 'x', { status, requestId }), 'The list wasn’t loaded')
    expect(of('SERVICE_UNAVAILABLE', 502)).toMatchObject({
      message: 'The list wasn’t loaded: the service is away: a proxy before it answered instead (502).',
      remedy: 'Try again in a moment.',
    })
    expect(of('SERVICE_UNAVAILABLE', 504).message).toContain('gave up waiting (504)')
    expect(of('unexpected', 200).message).toContain('what answered isn’t the service')
    expect(of('unexpected', 200).remedy).toContain('check the base URL in Settings')
    expect(of('INTERNAL_ERROR', 500).remedy).toBe('Try again. If it comes back, tell whoever runs the service.')
    for (const code of ['INTERNAL_ERROR', 'unexpected'] as const) {
      expect(of(code, 500, 'req_1').remedy).toContain('quote the request id')
    }
  })

  test('of a missing scope is solved by another key, but not of other refusals', () => {
    expect(explain(refused('FORBIDDEN', 'x', { scope: 'datasets:write' }), null)).toMatchObject({
      message: 'The API key isn’t allowed to do this.',
      remedy: 'Use a key with the scope for it, in Settings.',
    })
    expect(
      explain(refused('FORBIDDEN', 'This URL has expired. Ask for a new one.'), 'The upload failed'),
    ).toMatchObject({
      message: 'The upload failed: This URL has expired. Ask for a new one.',
      remedy: null,
    })
  })

  test('of our own code has its own explanation; for others, what failed is named', () => {
    class Tagged extends Error {
      readonly tag = 'Tagged'
    }
    expect(explain(new Tagged('The backup is damaged.'), null)).toEqual({
      message: 'The backup is damaged.',
      remedy: null,
      requestId: null,
    })
    expect(explain(new Error('x is undefined'), 'The test failed').message).toBe('The test failed: x is undefined.')
  })

  test('can be one text', () => {
    expect(inWords(null)).toBeNull()
    expect(inWords(explain(refused('unreachable', 'fetch failed'), null))).toBe(
      'The service doesn’t answer. Check the connection, then try again. Request id: req_1.',
    )
  })

  test('with a request’s fields names them, otherwise passes on the service’s message', () => {
    const issues = [
      { path: 'name', message: 'is too long' },
      { path: '', message: 'is empty' },
    ]
    expect(explain(refused('INVALID_REQUEST', 'No.', { issues }), 'It wasn’t saved').message).toBe(
      'It wasn’t saved: name is too long; is empty.',
    )
    expect(explain(refused('INVALID_REQUEST', 'No.'), 'It wasn’t saved').message).toBe('It wasn’t saved: No.')
    expect(explain(refused('CONFLICT', 'near line 2'), null).message).toBe('near line 2')
    const full = refused('SERVICE_UNAVAILABLE', 'No space left', { reason: 'out_of_space' })
    expect(explain(full, 'It wasn’t saved')).toMatchObject({ message: 'It wasn’t saved: No space left.', remedy: null })
  })

  test('of the engine has the engine’s message and place', () => {
    const error = new EngineError('corrupt-file', 'Cut short.', { place: 'line 3', remedy: 'Save it again.' })
    expect(explain(error, 'It wasn’t read')).toMatchObject({
      message: 'Cut short.',
      place: 'line 3',
      remedy: 'Save it again.',
    })
  })

  test('that’s unexpected has what is known', () => {
    expect(explain(new Error('Broken'), 'It wasn’t read').message).toBe('It wasn’t read: Broken.')
    expect(explain('?', 'It wasn’t read', { again: 'Add it again' })).toMatchObject({
      message: 'It wasn’t read.',
      remedy: 'Add it again. If it comes back, reload the page.',
    })
  })

  test('of too many requests says how long to wait', () => {
    expect(waitWords(0.2)).toBe('Try again in 1 s.')
    expect(waitWords(null)).toBe('Try again later.')
    expect(waitWords(600, { again: 'Run it again', instead: ', or in this browser' })).toBe(
      'Run it again in 10 min, or in this browser.',
    )
  })
})

test.each([
  [true, new EngineError('out-of-space', 'full')],
  [true, new DOMException('no room', 'QuotaExceededError')],
  // Chromium’s IndexedDB on a disk that other programs filled.
  [true, new DOMException('Connection is closing because of: IO error: …: FILE_ERROR_NO_SPACE', 'UnknownError')],
  [false, new EngineError('corrupt-file', 'no space')],
  [false, new DOMException('gone', 'NotFoundError')],
  [false, 'full'],
])('whether the disk is full is %s for %s', (full, error) => expect(isDiskFull(error)).toBe(full))
