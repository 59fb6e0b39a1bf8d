import fc from 'fast-check'
import { expect, it } from 'vitest'
import { partEnd, typedInto } from './LongText.tsx'

const shown = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

it('typing keeps line breaks unchanged outside what was typed', () => {
  expect(typedInto('a\r\nb\rc\nd', 'a\nb\nC\nd')).toBe('a\r\nb\rC\nd')
  expect(typedInto('a\r\nb', 'ab')).toBe('ab')
  expect(typedInto('a\r\n\r\nb', 'a\nb')).toBe('a\r\nb')
  expect(typedInto('a\r\nb', 'a\nb')).toBe('a\r\nb')
  expect(typedInto('a', '')).toBe('')
})

it('the field shows what was typed, and the text is unchanged if nothing was typed', () => {
  const text = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a', 'b')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text.map(shown), (before, typed) => {
      expect(shown(typedInto(before, typed))).toBe(typed)
      expect(typedInto(before, shown(before))).toBe(before)
    }),
  )
})

it('a text is split between characters and between lines', () => {
  expect(['a\r\nb', 'a😀b', 'a\n\rb', 'ab'].map((text) => partEnd(text, 2))).toEqual([3, 3, 2, 2])
})
