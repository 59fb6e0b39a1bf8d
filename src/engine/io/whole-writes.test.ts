import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AccessHandleSink, WholeWrites } from './access-handle-sink.ts'

/** A file on a disk with limited space; `full` is the result of a write that doesn't fit. */
function smallDisk(room: number, full: (fits: number) => number) {
  const bytes = new Uint8Array(room)
  let size = 0
  const write = (buffer: AllowSharedBufferSource, { at = 0 }: FileSystemReadWriteOptions = {}): number => {
    const source = buffer as Uint8Array
    const fits = Math.max(0, Math.min(source.length, room - at))
    if (fits > 0) bytes.set(source.subarray(0, fits), at)
    size = Math.max(size, fits > 0 ? at + fits : 0)
    return fits === source.length ? fits : full(fits)
  }
  const handle = { write, flush: () => undefined, truncate: () => undefined, getSize: () => size } as unknown
  return { handle: handle as FileSystemSyncAccessHandle, contents: () => bytes.subarray(0, size) }
}

/** How browsers report a full disk: with a smaller count, an error number, or an exception. */
const manners: [string, (fits: number) => number][] = [
  ['writes less', (fits) => fits],
  ['gives an error’s number', () => 2 ** 32 - 8],
  [
    'throws',
    () => {
      throw new DOMException('no room', 'QuotaExceededError')
    },
  ],
]

const pieces = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 10 })

describe.each(manners)('a full disk that %s', (_, full) => {
  it('is noticed by whoever writes through it, and stays noticed', () => {
    fc.assert(
      fc.property(pieces, fc.nat(1500), (sizes, room) => {
        const { handle, contents } = smallDisk(room, full)
        const file = new WholeWrites(handle)
        let at = 0
        for (const [i, size] of sizes.entries()) {
          const fits = at + size <= room
          const write = (): number => file.write(new Uint8Array(size).fill(i + 1), { at })
          if (fits) expect(write()).toBe(size)
          else expect(write).toThrow(expect.objectContaining({ name: 'QuotaExceededError' }))
          at += size
        }
        expect(file.failure !== undefined).toBe(at > room)
        if (at <= room) expect(contents().length).toBe(at)
        file.flush()
        expect(file.failure !== undefined).toBe(at > room)
      }),
    )
  })

  it('is noticed by an output that is written in order, at the latest when it’s flushed', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(1500), async (sizes, room) => {
        const { handle, contents } = smallDisk(room, full)
        const sink = new AccessHandleSink(handle)
        const total = sizes.reduce((sum, size) => sum + size, 0)
        const writing = (async () => {
          for (const size of sizes) await sink.write(new Uint8Array(size).fill(7))
          sink.flush()
        })()
        if (total > room) await expect(writing).rejects.toMatchObject({ name: 'QuotaExceededError' })
        else {
          await writing
          expect(contents().length).toBe(total)
        }
      }),
    )
  })
})
