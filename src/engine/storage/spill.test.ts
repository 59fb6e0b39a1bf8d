import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { Spill } from './spill.ts'

const BLOCK = 256 * 1024
const MB = 2 ** 20

/** A file in memory, on a disk with limited space. */
function memoryFile(room = Infinity) {
  let bytes = new Uint8Array(0)
  const grow = (size: number): void => {
    const grown = new Uint8Array(size)
    grown.set(bytes.subarray(0, size))
    bytes = grown
  }
  const handle = {
    read(buffer: Uint8Array, { at = 0 } = {}) {
      const part = bytes.subarray(at, at + buffer.length)
      buffer.set(part)
      return part.length
    },
    write(buffer: Uint8Array, { at = 0 } = {}) {
      if (at + buffer.length > room) throw new DOMException('no room', 'QuotaExceededError')
      if (at + buffer.length > bytes.length) grow(at + buffer.length)
      bytes.set(buffer, at)
      return buffer.length
    },
    truncate: grow,
  }
  return { handle: handle as Pick<FileSystemSyncAccessHandle, 'read' | 'write' | 'truncate'>, size: () => bytes.length }
}

function open(room?: number) {
  const disk = memoryFile(room)
  const spill = new Spill(disk.handle)
  const files = [...spill.filesIn('/x/spill').values()] as unknown as FileSystemSyncAccessHandle[]
  return { disk, spill, files }
}

const filled = (size: number, seed: number): Uint8Array => new Uint8Array(size).fill(seed)

describe('spilled files', () => {
  it('give each block as it was last written, whatever else comes and goes', () => {
    const step = fc.record({
      file: fc.nat(2),
      block: fc.nat(7),
      does: fc.constantFrom('write', 'write', 'write', 'truncate', 'give back'),
      seed: fc.nat(250),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { spill, files } = open()
        // Blocks of one kind have the same size, which needn't divide an extent.
        const sizes = [96 * 1024, 224 * 1024, BLOCK]
        const model = sizes.map(() => new Map<number, number>())
        for (const { file, block, does, seed } of steps) {
          const [handle, size, blocks] = [files[file], sizes[file] ?? 0, model[file]]
          if (!handle || !blocks) throw new Error('no such file')
          if (does === 'write') {
            handle.write(filled(size, seed), { at: block * size })
            blocks.set(block, seed)
          } else if (does === 'truncate') {
            handle.truncate(block * size)
            for (const each of blocks.keys()) if (each >= block) blocks.delete(each)
          } else spill.giveBack(() => true)
        }
        model.forEach((blocks, file) => {
          const size = sizes[file] ?? 0
          for (const [block, seed] of blocks) {
            const bytes = new Uint8Array(size)
            files[file]?.read(bytes, { at: block * size })
            expect(Buffer.from(bytes).equals(Buffer.from(filled(size, seed)))).toBe(true)
          }
        })
        expect(spill.takeFailure()).toBeNull()
      }),
      { numRuns: 40 },
    )
  })

  it('give the space back when nothing is needed, and what is after it when something is', () => {
    const { disk, spill, files } = open()
    files[0]?.write(filled(BLOCK, 1), { at: 0 })
    for (let i = 0; i < 8; i++) files[1]?.write(filled(BLOCK, i), { at: i * BLOCK })
    expect(disk.size()).toBe(3 * MB)
    files[1]?.truncate(0)
    expect(spill.giveBack(() => true)).toBe(3 * MB)
    expect(disk.size()).toBe(MB)
    expect(spill.giveBack(() => true)).toBe(0)
    expect(spill.giveBack(() => false)).toBe(0)
    expect(disk.size()).toBe(0)
  })

  it('are an error where a block isn’t as it was written, not wrong rows', () => {
    for (const spoil of [
      (file: FileSystemSyncAccessHandle) => file.truncate(0),
      (_file: FileSystemSyncAccessHandle, all: { truncate(size: number): void }) => all.truncate(10),
    ]) {
      const { disk, spill, files } = open()
      const [file] = files
      if (!file) throw new Error('no file')
      file.write(filled(BLOCK, 7), { at: 0 })
      spoil(file, disk.handle)
      expect(() => file.read(new Uint8Array(BLOCK), { at: 0 })).toThrow(EngineError)
      expect(spill.takeFailure()).toMatchObject({ code: 'internal' })
      expect(spill.takeFailure()).toBeNull()
    }
  })

  it('say that the disk is full, and leave nothing of the block', () => {
    const { spill, files } = open(BLOCK)
    const [file] = files
    file?.write(filled(BLOCK, 1), { at: 0 })
    expect(() => file?.write(filled(BLOCK, 2), { at: BLOCK })).toThrow(/full/)
    expect(spill.takeFailure()).toMatchObject({ code: 'out-of-space' })
    expect(() => file?.read(new Uint8Array(BLOCK), { at: BLOCK })).toThrow(EngineError)
  })

  it('are those alone that are registered', () => {
    const { spill } = open()
    expect(spill.allows('/x/t.db')).toBe(true)
    expect(spill.allows('/x/spill/duckdb_temp_storage_DEFAULT-0')).toBe(true)
    expect(spill.takeFailure()).toBeNull()
    expect(spill.allows('/x/spill/duckdb_temp_block-4611686018427388971.block')).toBe(false)
    expect(spill.takeFailure()).toMatchObject({ code: 'out-of-memory' })
  })
})
