import { expect, it } from 'vitest'
import python from './fixtures/python.json'
import { codePage } from './code-pages.ts'
import { makeTranscoder } from './transcode.ts'

it.each(Object.entries(python.pages))('%s is what Python has', (label, chars) => {
  const page = codePage(label)
    ?.slice(128)
    .map((code) => String.fromCodePoint(code))
  // Bytes that Python doesn't define are controls in browsers, or undefined as well.
  for (const [i, char] of chars.entries()) if (char !== null) expect(page?.[i], `byte ${i + 128}`).toBe(char)
})

it.each(Object.entries(python.texts))('%s is read as Python wrote it, however it is cut', (label, { text, bytes }) => {
  const all = Uint8Array.from(Buffer.from(bytes, 'hex'))
  for (const size of [1, 3, all.length]) {
    const transcoder = makeTranscoder(label)
    const parts: Uint8Array[] = []
    // The returned buffer may be reused.
    for (let at = 0; at < all.length; at += size) parts.push(transcoder.push(all.subarray(at, at + size)).slice())
    parts.push(transcoder.end())
    expect(Buffer.concat(parts).toString()).toBe(text)
  }
})

it('UTF-32 rejects what is no character, and a cut one', () => {
  const transcoder = makeTranscoder('utf-32le')
  const bytes = Uint8Array.of(0x61, 0, 0, 0, 0, 0xd8, 0, 0, 0, 0, 0x11, 0, 0x62, 0)
  expect([...transcoder.push(bytes), ...transcoder.end()]).toEqual([0x61, 0xff, 0xff, 0xff])
})
