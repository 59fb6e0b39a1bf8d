import { expect, test } from 'vitest'

test('bytes are equal if each is, and the types are the same', () => {
  const large = Uint8Array.from({ length: 3_000 }, (_, i) => i)
  expect({ of: [large] }).toEqual({ of: [large.slice()] })
  const changed = large.slice()
  changed.set([1], 2_999)
  expect({ of: [large] }).not.toEqual({ of: [changed] })
  expect(large).not.toStrictEqual(Buffer.from(large))
  expect(large.subarray(0, 2)).not.toEqual(large.subarray(0, 3))
  expect(Float64Array.of(Number.NaN, 1)).toEqual(Float64Array.of(Number.NaN, 1))
  expect(Float64Array.of(0)).not.toEqual(Float64Array.of(-0))
  expect(large.buffer).toEqual(large.slice().buffer)
  expect(large.buffer).not.toEqual(changed.buffer)
  structuredClone(changed.buffer, { transfer: [changed.buffer] })
  expect(changed).toEqual(new Uint8Array(0))
  expect(new ArrayBuffer(2)).not.toEqual(new ArrayBuffer(3))
})
