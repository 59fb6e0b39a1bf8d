import { expect, test } from 'vitest'
import { namesIn, withExports } from './wasm-plugin.ts'

const numberOf = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...numberOf(value >> 7)])
const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const section = (id: number, body: readonly number[]): number[] => [id, ...numberOf(body.length), ...body]

/** A module with one function that returns 7, exported under each of the names. */
const moduleOf = (names: readonly string[]): Buffer<ArrayBuffer> =>
  Buffer.from([
    ...HEADER,
    ...section(1, [1, 0x60, 0, 1, 0x7f]),
    ...section(3, [1, 0]),
    ...section(7, [...numberOf(names.length), ...names.flatMap((name) => [name.length, ...Buffer.from(name), 0, 0])]),
    ...section(10, [1, 4, 0, 0x41, 7, 0x0b]),
  ])

test.each([2, 300])('of %d exports, those that are named stay, and what they do', async (count) => {
  const names = Array.from({ length: count }, (_, i) => `e${i}`)
  const wanted = names.filter((_, i) => i % 2 === 1)
  const { instance } = await WebAssembly.instantiate(new Uint8Array(withExports(moduleOf(names), new Set(wanted))))
  expect(Object.keys(instance.exports)).toEqual(wanted)
  expect((instance.exports['e1'] as () => number)()).toBe(7)
})

test('a file that ends in the middle of a section is refused', () => {
  const wasm = moduleOf(['a', 'b'])
  expect(() => withExports(wasm.subarray(0, -1), new Set())).toThrow('ends in the middle of a section')
})

test('what the glue names in any way is asked for', () => {
  const glue = `var _malloc = Module["_malloc"] = (a) => (_malloc = wasmExports.malloc)(a); call('_ZN6duckdbE'); $x()`
  const names = namesIn(glue, [{ name: 'imported' }])
  for (const name of ['malloc', '_malloc', '_ZN6duckdbE', '$x', 'imported']) expect(names).toContain(name)
  expect(names).not.toContain('ZN6')
})
