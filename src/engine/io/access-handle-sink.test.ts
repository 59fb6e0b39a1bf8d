import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AccessHandleSink } from './access-handle-sink.ts'

/** A file in memory; `accept` returns how many of the offered bytes it writes. */
function file(accept = (offered: number): number => offered) {
  let bytes = new Uint8Array(0)
  let length = 0
  const offers: number[] = []
  const write = (buffer: AllowSharedBufferSource, options?: FileSystemReadWriteOptions): number => {
    const source = buffer as Uint8Array
    offers.push(source.length)
    const count = accept(source.length)
    if (count > source.length) return count
    const at = options?.at ?? 0
    length = Math.max(length, at + count)
    if (length > bytes.length) {
      // Doubled, because copying all bytes at each write would take longer than the writes.
      const grown = new Uint8Array(2 * length)
      grown.set(bytes)
      bytes = grown
    }
    bytes.set(source.subarray(0, count), at)
    return count
  }
  return { handle: { write }, offers, contents: () => bytes.subarray(0, length) }
}

const MB = 1024 * 1024

it('writes what it was given, in order, whatever the pieces', async () => {
  const pieces = fc.array(fc.oneof(fc.nat(2000), fc.constantFrom(MB - 1, MB, MB + 1)), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(pieces, async (sizes) => {
      const { handle, contents } = file((offered) => Math.ceil(offered / 2))
      const sink = new AccessHandleSink(handle)
      const all: number[] = []
      for (const [i, size] of sizes.entries()) {
        const piece = new Uint8Array(size).fill(i + 1)
        await sink.write(piece)
        // The caller may reuse its buffer.
        piece.fill(0)
        all.push(size)
        expect(sink.size).toBe(all.reduce((sum, n) => sum + n, 0))
      }
      sink.flush()
      const expected = new Uint8Array(sink.size)
      let at = 0
      for (const [i, size] of all.entries()) expected.fill(i + 1, at, (at += size))
      expect(Buffer.compare(contents(), expected)).toBe(0)
    }),
    { numRuns: 30 },
  )
})

it('gathers small pieces', async () => {
  const { handle, offers } = file()
  const sink = new AccessHandleSink(handle)
  for (let i = 0; i < 100; i++) await sink.write(new Uint8Array(64 * 1024))
  sink.flush()
  expect(offers.length).toBe(7)
})

it.each([0, 2 ** 32 - 8])('takes a count of %i for a full disk', async (count) => {
  const sink = new AccessHandleSink(file(() => count).handle)
  await sink.write(new Uint8Array(10))
  expect(() => sink.flush()).toThrow(expect.objectContaining({ name: 'QuotaExceededError' }))
  await expect(sink.write(new Uint8Array(2 * MB))).rejects.toMatchObject({ name: 'QuotaExceededError' })
})
