import { expect, test } from 'vitest'
import { serializeError } from './errors.ts'

test.each(['The allocation of 3.05 MB for values failed.', 'Array buffer allocation failed', 'Invalid array length'])(
  'memory that there isn’t is told as such: %s',
  (message) => {
    const { code, remedy, causes } = serializeError(new RangeError(message, { cause: new RangeError('the first one') }))
    expect(code).toBe('out-of-memory')
    expect(remedy).toMatch(/^Split the file/)
    expect(causes.join('\n')).toContain('the first one')
  },
)

test('any other error is ours', () => {
  expect(serializeError(new RangeError('Maximum call stack size exceeded'))).toMatchObject({ code: 'internal' })
})
