import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { decompressLz4Frame, Lz4Error } from './lz4.ts'

/** Compresses with the lz4 program. */
function lz4(bytes: Uint8Array, ...options: string[]): Uint8Array {
  return execFileSync('lz4', ['-q', '-c', '-z', ...options], { input: bytes, maxBuffer: 1 << 28 })
}

function pattern(length: number, kind: 'zeros' | 'text' | 'noise'): Uint8Array {
  let seed = 1
  return Uint8Array.from({ length }, (_, i) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    if (kind === 'zeros') return 0
    return kind === 'text' ? 97 + ((i * i + (i % 7)) % 23) : seed >> 16
  })
}

describe('LZ4 frames', () => {
  for (const kind of ['zeros', 'text', 'noise'] as const) {
    for (const options of [[], ['-BD'], ['-9'], ['-B4', '-BD', '-BX'], ['--no-frame-crc'], ['--content-size']]) {
      it(`${kind} made with ${options.join(' ') || 'defaults'}`, () => {
        for (const length of [1, 5, 13, 300, 70_000, 500_000]) {
          const bytes = pattern(length, kind)
          expect(Buffer.compare(decompressLz4Frame(lz4(bytes, ...options), length), bytes)).toBe(0)
        }
      })
    }
  }

  it('joins frames, and skips those that are to be skipped', () => {
    const skipped = new Uint8Array([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9])
    const [a, b] = [pattern(1000, 'text'), pattern(500, 'noise')]
    const joined = new Uint8Array([...lz4(a), ...skipped, ...lz4(b)])
    expect([...decompressLz4Frame(joined, 1500)]).toEqual([...a, ...b])
  })

  it('refuses what is damaged, cut, or of another size', () => {
    const frame = lz4(pattern(5000, 'text'), '--no-frame-crc')
    expect(() => decompressLz4Frame(frame, 4999)).toThrow(Lz4Error)
    expect(() => decompressLz4Frame(frame, 5001)).toThrow(Lz4Error)
    for (let at = 0; at < frame.length; at++) {
      expect(() => decompressLz4Frame(frame.subarray(0, at), 5000), `cut at ${at}`).toThrow(Lz4Error)
      const damaged = new Uint8Array(frame)
      damaged[at] ^= 0x41
      try {
        expect(decompressLz4Frame(damaged, 5000)).toHaveLength(5000)
      } catch (error) {
        expect(error).toBeInstanceOf(Lz4Error)
      }
    }
  })
})
