import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countLines } from './lines.ts'

it('counts the line ends between two bytes', async () => {
  const text = fc.array(fc.constantFrom('\n', '\n', '\r\n', '\r', 'a', 'é', '\u2028'), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(text, fc.nat(50), fc.nat(50), async (parts, one, other) => {
      const bytes = new TextEncoder().encode(parts.join(''))
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const expected = bytes.subarray(from, to).filter((byte) => byte === 10).length
      expect(await countLines(new Blob([bytes]), from, Math.min(to, bytes.length))).toBe(expected)
    }),
  )
})

it('counts each once where it takes the file in slices', async () => {
  const bytes = new Uint8Array(9 * 1024 * 1024).fill(0x61)
  for (let at = 0; at < bytes.length; at += 1024) bytes[at] = 10
  bytes.fill(10, 4 * 1024 * 1024 - 2, 4 * 1024 * 1024 + 2)
  const file = new Blob([bytes])
  expect(await countLines(file, 0, bytes.length)).toBe(9 * 1024 + 3)
  expect(await countLines(file, 1, bytes.length - 1024)).toBe(9 * 1024 + 3 - 2)
  expect(await countLines(file, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1)).toBe(1)
})
