import { createHash, randomFillSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Sha256, sha256Of } from './sha256.ts'

const judge = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const context = { signal: new AbortController().signal, progress: () => undefined }

it('is what Node says, however the bytes come in parts', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), (parts) => {
      const hash = new Sha256()
      for (const part of parts) hash.update(part)
      expect(hash.finish()).toBe(judge(Buffer.concat(parts)))
    }),
  )
})

it('holds around the ends of blocks, and of what is taken in at once', () => {
  for (const size of [0, 55, 56, 63, 64, 65, 119, 120, 65_535, 65_536, 65_537, 200_001]) {
    const bytes = randomFillSync(new Uint8Array(size))
    const hash = new Sha256()
    hash.update(bytes)
    expect(hash.finish(), String(size)).toBe(judge(bytes))
  }
})

it('streams a file, tells how far it is, and stops when it’s cancelled', async () => {
  const bytes = randomFillSync(new Uint8Array(300_000))
  const told: number[] = []
  expect(await sha256Of(new Blob([bytes]), { ...context, progress: (at) => told.push(at) })).toBe(judge(bytes))
  expect(told.at(-1)).toBe(300_000)
  const reason = new Error('enough')
  await expect(sha256Of(new Blob([bytes]), { ...context, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
