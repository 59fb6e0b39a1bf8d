import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonMistake } from './json-mistake.ts'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const PIECES = [
  ...Array.from('{}[],:"\\/u0-.eE+ \n\r\t\u0000é😀\ud800\u2028'),
  'null',
  '01',
  '1e',
  '\\u12',
  '\\uD83D',
  '{"a":',
  '[1,',
]

test('a mistake is found exactly if JSON.parse refuses the text', () => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((marks) => marks.join(''))
  const damaged = fc.tuple(fc.json(), fc.nat(), pieces, fc.nat(3)).map(([text, at, piece, lost]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + piece + text.slice(place + lost)
  })
  fc.assert(
    fc.property(fc.oneof(fc.json(), pieces, damaged), (text) => {
      expect(jsonMistake(text) === null).toBe(parses(text))
    }),
    { numRuns: 3_000 },
  )
})

test.each([
  ['sql=SELECT', 'line 1, column 1: there is “s” instead of a value'],
  [' \n', 'line 2, column 1: it ends before it is complete'],
  ['{"sql": "SELECT 1"', 'line 1, column 19: it ends before it is complete'],
  ['{"sql": "SELECT 1', 'line 1, column 18: a string isn’t closed'],
  ['{"sql": "SELECT 1"} x', 'line 1, column 21: there is “x” instead of the end'],
  ["{'sql': 'SELECT 1'}", "line 1, column 2: there is “'” instead of a key in double quotes"],
  ['{"sql" "SELECT 1"}', 'line 1, column 8: there is “"” instead of a colon'],
  ['{"a": [1 2]}', 'line 1, column 10: there is “2” instead of a comma or “]”'],
  ['{"sql": "SELECT\n1"}', 'line 1, column 16: a string holds U+000A, which must be escaped'],
  ['{"sql": "a\\d"}', 'line 1, column 11: “\\d” in a string isn’t an escape of JSON'],
  [
    '{\r\n  "sql": "é😀", "timeout_seconds": 5,\r\n}',
    'line 3, column 1: there is “}” instead of a key in double quotes',
  ],
  ['{\n"x": "é😀", y: 1}', 'line 2, column 12: there is “y” instead of a key in double quotes'],
])('%j', (text, mistake) => {
  expect(jsonMistake(text)).toBe(mistake)
})

test('megabytes of escapes and nesting are handled', () => {
  expect(jsonMistake(`["${'\\u0041'.repeat(1_000_000)}`)).toBe('line 1, column 6,000,003: a string isn’t closed')
  expect(jsonMistake(`["${'A'.repeat(8_000_000)}`)).toBe('line 1, column 8,000,003: a string isn’t closed')
  expect(jsonMistake('['.repeat(1_000_000))).toBe('line 1, column 1,000,001: it ends before it is complete')
})
