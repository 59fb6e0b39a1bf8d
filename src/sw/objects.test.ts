import { expect, test } from 'vitest'
import { createObjectCalls } from './objects.ts'
import { CALL_HEADER } from './protocol.ts'

test.each(['before it comes', 'while it runs'])(
  'a call that is cancelled %s is aborted, and no other',
  async (when) => {
    const aborted: boolean[] = []
    const calls = createObjectCalls(
      async (_, { signal } = {}) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        aborted.push(signal?.aborted ?? false)
        return new Response()
      },
      { get: () => Promise.resolve(undefined) },
    )
    const call = (id: string): Promise<Response> =>
      calls.answer(new Request('https://rowhouse.test/storage/a', { headers: { [CALL_HEADER]: id } }), '')
    if (when === 'before it comes') calls.cancel('a')
    const answers = [call('a'), call('b')]
    if (when === 'while it runs') calls.cancel('a')
    await Promise.all(answers)
    expect(aborted).toEqual([true, false])
  },
)
