import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellText } from './Cell.tsx'

test('a cell has one line, without characters that affect others', () => {
  expect(cellText('a\r\nb\tc\0d\u001be\u007f\u202e')).toBe('a⏎b⇥c␀d␛e␡·')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      // oxlint-disable-next-line no-control-regex -- see above
      expect(cellText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})

test('long text is cut between characters', () => {
  expect(cellText('🎈'.repeat(400))).toBe(`${'🎈'.repeat(150)}…`)
  expect(cellText(`x${'🎈'.repeat(400)}`).isWellFormed()).toBe(true)
})
