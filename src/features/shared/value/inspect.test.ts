import { describe, expect, test } from 'vitest'
import { bytesOf, hexDump, jsonOf, momentFacts, textFacts } from './inspect.ts'

describe('facts about a value', () => {
  test('bytes are shown as hex and ASCII', () => {
    expect(hexDump(bytesOf(btoa('Hello, wörld\u0000 and more')))).toBe(
      '00000000  48 65 6c 6c 6f 2c 20 77 f6 72 6c 64 00 20 61 6e  Hello, w·rld· an\n' +
        '00000010  64 20 6d 6f 72 65                                d more',
    )
    expect(hexDump(bytesOf(''))).toBe('')
  })

  test('only objects and lists are JSON', () => {
    expect(jsonOf(' {"a": [1]}')).toEqual({ a: [1] })
    expect([jsonOf('1'), jsonOf('{a}'), jsonOf('')]).toEqual([undefined, undefined, undefined])
  })

  test('dates have a weekday, whatever the local time zone', () => {
    expect(momentFacts('DATE', '2024-02-29')).toEqual([
      ['Weekday', 'Thursday'],
      ['ISO 8601', '2024-02-29'],
    ])
    expect(momentFacts('TIMESTAMP', '1970-01-01T00:00:01.500000')).toContainEqual(['Unix time, taken as UTC', '1.5'])
    expect(momentFacts('DATE', 'infinity')).toEqual([['ISO 8601', 'infinity']])
    expect(momentFacts('INTEGER', 5)).toEqual([])
  })

  test('the characters of a text are counted as people see them', () => {
    expect(textFacts('a\n🎈')).toEqual([['Length', '3 characters, 6 bytes, 2 lines']])
  })
})
