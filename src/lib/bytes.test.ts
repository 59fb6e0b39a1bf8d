import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteWriter, concatBytes, formatBytes } from './bytes.ts'

type Step =
  | { readonly byte: number }
  | { readonly text: string }
  | { readonly bytes: Uint8Array; readonly from: number }

describe('ByteWriter', () => {
  test('contains what was written, whatever its initial capacity', () => {
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ byte: fc.integer({ min: 0, max: 255 }) }),
      fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 40 }) }),
      fc.record({ bytes: fc.uint8Array({ maxLength: 60 }), from: fc.nat(60) }),
    )
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 0, max: 100 }), (steps, capacity) => {
        const writer = new ByteWriter(capacity)
        const expected: number[] = []
        for (const part of steps) {
          if ('byte' in part) {
            writer.byte(part.byte)
            expected.push(part.byte)
          } else if ('text' in part) {
            writer.text(part.text)
            expected.push(...Buffer.from(part.text))
          } else {
            const from = Math.min(part.from, part.bytes.length)
            writer.append(part.bytes, from)
            expected.push(...part.bytes.subarray(from))
          }
        }
        expect([...writer.view()]).toEqual(expected)
        expect(writer.length).toBe(expected.length)
      }),
    )
  })

  test('appends a range', () => {
    const writer = new ByteWriter(1)
    const source = Uint8Array.from({ length: 100 }, (_, i) => i)
    writer.append(source, 10, 20)
    writer.append(source, 30, 90)
    writer.append(source, 5, 5)
    expect([...writer.view()]).toEqual([...source.subarray(10, 20), ...source.subarray(30, 90)])
  })

  test('reserves space that can be written directly', () => {
    const writer = new ByteWriter(2)
    writer.text('ab')
    writer.reserve(3)
    writer.bytes.set([99, 100, 101], writer.length)
    writer.length += 3
    expect(new TextDecoder().decode(writer.view())).toBe('abcde')
  })

  test('writes the characters with the longest encoding', () => {
    const writer = new ByteWriter(0)
    writer.text('￿'.repeat(1000))
    expect(writer.length).toBe(3000)
  })

  test('take returns a copy of the exact length, and starts again', () => {
    const writer = new ByteWriter(64)
    writer.text('one')
    const one = writer.take()
    writer.text('two')
    expect(one.buffer.byteLength).toBe(3)
    expect(new TextDecoder().decode(one)).toBe('one')
    expect(new TextDecoder().decode(writer.view())).toBe('two')
    writer.clear()
    expect(writer.view()).toHaveLength(0)
  })
})

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [532, '532 bytes'],
  [999, '999 bytes'],
  [1000, '1.00 kB'],
  [1234, '1.23 kB'],
  [12_345, '12.3 kB'],
  [123_456, '123 kB'],
  [999_499, '999 kB'],
  [999_500, '1.00 MB'],
  [50_000_000, '50.0 MB'],
  [2_270_000_000, '2.27 GB'],
  [3e15, '3000 TB'],
])('%d bytes are “%s”', (size, text) => expect(formatBytes(size)).toBe(text))

describe('concatBytes', () => {
  test('joins parts in a new array', () => {
    const part = new Uint8Array([1, 2])
    const all = concatBytes([part, new Uint8Array(0), new Uint8Array([3]), part])
    part[0] = 9
    expect([...all]).toEqual([1, 2, 3, 1, 2])
    expect([...concatBytes([])]).toEqual([])
  })
})
