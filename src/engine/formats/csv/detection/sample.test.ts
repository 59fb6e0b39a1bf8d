import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readRows, Sample } from './sample.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

it('says what any whole characters of it are', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(), fc.nat(), (parts, one, other) => {
      const [from, to] = [one % (parts.length + 1), other % (parts.length + 1)].sort((a, b) => a - b)
      const lengthTo = (part: number): number => encoder.encode(parts.slice(0, part).join('')).length
      const sample = new Sample(encoder.encode(parts.join('')))
      expect(sample.slice(lengthTo(from), lengthTo(to))).toBe(parts.slice(from, to).join(''))
    }),
  )
})

it('says of bytes that aren’t text what each part says by itself', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(), fc.nat(), (bytes, one, other) => {
      const [from, to] = [one % (bytes.length + 1), other % (bytes.length + 1)].sort((a, b) => a - b)
      const sample = new Sample(bytes)
      fc.pre(sample.text.includes('\ufffd'))
      expect(sample.slice(from, to)).toBe(decoder.decode(bytes.subarray(from, to)))
    }),
  )
})

it('gives rows their cells, and their text, after characters of any length', () => {
  const text = 'naïve,😀 "x",\ufeff€\n"a ""ü""",ß,z\n'
  const rows = readRows(
    new Sample(encoder.encode(text)),
    { delimiter: ',', quote: '"', escape: '"', comment: null, skipLines: 0 },
    10,
  )
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['naïve', '😀 "x"', '\ufeff€'],
    ['a "ü"', 'ß', 'z'],
  ])
  expect(rows.map(({ raw }) => raw)).toEqual(text.trimEnd().split('\n'))
})
