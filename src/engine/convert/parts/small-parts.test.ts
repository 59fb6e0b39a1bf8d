import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type * as split from './split.ts'
import { expectAlike, paced, pausesOf, places, planOf, sampleOf, TARGETS } from './testing.ts'

/* As `carry.test.ts`, with parts of a few kilobytes, so that there are many. */

const part = vi.hoisted(() => ({ size: 0 }))

vi.mock('./split.ts', async (importOriginal) => {
  const { splitFile } = await importOriginal<typeof split>()
  const small: typeof splitFile = (file, cut, { signal }) => splitFile(file, cut, { signal, size: part.size })
  return { splitFile: small }
})

describe.each(Object.entries(TARGETS))('lines of JSON, in many parts, to %s', (_, [target, how]) => {
  it('are the same', async () => {
    let taken = 0
    const samples = fc.oneof(...(['objects', 'arrays'] as const).map((rows) => sampleOf(rows, 300_000, 3000)))
    const sizes = fc.integer({ min: 1000, max: 40_000 })
    const slow = pausesOf(0, 0, 0, 1, 3)
    await fc.assert(
      fc.asyncProperty(samples, sizes, how, places, slow, async ({ file, settings }, size, options, wanted, pauses) => {
        part.size = size
        const beforePart = paced(pauses)
        await expectAlike(file, { target, options, plan: planOf(settings, wanted) }, beforePart)
        taken += beforePart.mock.calls.length
      }),
      { numRuns: 8 },
    )
    expect(taken).toBeGreaterThan(0)
  })
})
