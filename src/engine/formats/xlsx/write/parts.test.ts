import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteWriter } from '../../../../lib/bytes.ts'
import { legalSheetName, SheetNames } from './names.ts'
import { dayFraction, daySerial, MICROSECONDS, MILLISECONDS, SECONDS, splitDays } from './serial.ts'
import { SharedStrings } from './strings.ts'
import { appendXmlText, utf16Length } from './text.ts'
import { columnLetters } from './target.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function xmlText(text: string): string {
  const bytes = encoder.encode(text)
  const out = new ByteWriter(1)
  appendXmlText(out, bytes, 0, bytes.length)
  return decoder.decode(out.view())
}

/** Reverses the escapes like a reader. */
function undo(xml: string, escapes: RegExp): string {
  return xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(escapes, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

describe('text in XML', () => {
  test.each([
    ['a<b>&"c\'', 'a&lt;b&gt;&amp;"c\''],
    ['tab\tline\nend', 'tab\tline\nend'],
    ['\r\n', '_x000D_\n'],
    ['\u0000\u001f\u007f', '_x0000__x001F_\u007f'],
    ['_x000D_', '_x005F_x000D_'],
    ['_x0041_x0042_', '_x005F_x0041_x005F_x0042_'],
    ['_x0041\u0001', '_x005F_x0041_x0001_'],
    ['_X00e9_ _x00e_ _xyz__ _x', '_x005F_X00e9_ _x00e_ _xyz__ _x'],
    ['\ufffe\uffff\uffef\ufffd', '_xFFFE__xFFFF_\uffef\ufffd'],
    ['퟿\ud7ff\ue000', '퟿\ud7ff\ue000'],
    ['日本 😀', '日本 😀'],
  ])('%j', (text, xml) => expect(xmlText(text)).toBe(xml))

  test('a lone surrogate that came as three bytes is escaped', () => {
    const out = new ByteWriter()
    appendXmlText(out, Uint8Array.of(0x61, 0xed, 0xa0, 0xbd, 0x62), 0, 5)
    expect(decoder.decode(out.view())).toBe('a_xD83D_b')
  })

  test('any text comes back, whether or not `_X` counts', () => {
    const unit = fc.constantFrom(
      '_',
      'x',
      'X',
      '0',
      '00',
      '4',
      'A',
      'f',
      '\u0001',
      '\r',
      '<',
      '&',
      'é',
      '￿',
      '😀',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
        const text = units.join('')
        const xml = xmlText(text)
        // oxlint-disable-next-line no-control-regex
        expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/)
        expect(undo(xml, /_x([0-9A-F]{4})_/gi)).toBe(text)
        expect(undo(xml, /_x([0-9A-Fa-f]{4})_/g)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  test('length is counted as Excel counts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = encoder.encode(text)
        expect(utf16Length(bytes, 0, bytes.length)).toBe(text.length)
      }),
    )
  })
})

describe('serial numbers', () => {
  test.each([
    ['1899-12-31', null],
    ['1900-01-01', 1],
    ['1900-02-28', 59],
    ['1900-03-01', 61],
    ['1970-01-01', 25_569],
    ['2024-02-29', 45_351],
    ['9999-12-31', 2_958_465],
    ['+010000-01-01', null],
  ])('%s', (date, serial) => expect(daySerial(Date.parse(`${date}T00:00Z`) / 86_400_000)).toBe(serial))

  test('the fraction is the next of 13 digits, never below the time, and gives the microsecond back', () => {
    const into: [number, number] = [0, 0]
    const micro = fc.oneof(
      fc.integer({ min: 0, max: 86_399_999_999 }),
      fc.constantFrom(0, 1, 43_200_000_000, 86_399_999_999),
    )
    fc.assert(
      fc.property(micro, (micros) => {
        dayFraction(micros, into)
        const digits = BigInt(into[0]) * 100_000_000n + BigInt(into[1])
        expect(digits).toBe((BigInt(micros) * 10n ** 13n + 86_400_000_000n - 1n) / 86_400_000_000n)
        expect((digits * 86_400_000_000n + 5n * 10n ** 12n) / 10n ** 13n).toBe(BigInt(micros))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['seconds', SECONDS],
    ['milliseconds', MILLISECONDS],
    ['microseconds', MICROSECONDS],
  ])('%s split into days and rest as BigInt does it', (_, units) => {
    const perDay = BigInt(units.perDay)
    const into: [number, number] = [0, 0]
    const day = fc.bigInt({ min: -799_990n, max: 2_999_990n })
    const rest = fc.oneof(fc.bigInt({ min: 0n, max: perDay - 1n }), fc.constantFrom(0n, 1n, perDay - 1n))
    fc.assert(
      fc.property(day, rest, (d, r) => {
        const words = new Int32Array(BigInt64Array.of(d * perDay + r).buffer)
        expect(splitDays(words[0] >>> 0, words[1], units, into)).toBe(true)
        expect(into).toEqual([Number(d), Number(r)])
      }),
      { numRuns: 2000 },
    )
    for (const far of [2n ** 63n - 1n, -(2n ** 63n), 4_000_000n * perDay]) {
      const words = new Int32Array(BigInt64Array.of(far).buffer)
      expect(splitDays(words[0] >>> 0, words[1], units, into)).toBe(false)
    }
  })
})

describe('sheet names', () => {
  test.each([
    ['Sales', 'Sales'],
    ['a[b]:c*d?e/f\\g', 'a_b__c_d_e_f_g'],
    ["'quoted'", 'quoted'],
    ["''", 'Sheet1'],
    ['', 'Sheet1'],
    ['  ', 'Sheet1'],
    ['History', 'History_'],
    ['line\nbreak', 'line_break'],
    ['x'.repeat(40), 'x'.repeat(31)],
    [`${'x'.repeat(30)}😀`, 'x'.repeat(30)],
    ['\ud800', '\ufffd'],
    ['__proto__', '__proto__'],
    ['日本語', '日本語'],
  ])('%j', (name, legal) => expect(legalSheetName(name)).toBe(legal))

  test('are given out once, case aside, and numbered', () => {
    const names = new SheetNames()
    expect(['A', 'a', 'A (2)', 'x'.repeat(40), 'X'.repeat(31)].map((name) => names.take(name))).toEqual([
      'A',
      'a (2)',
      'A (2) (2)',
      'x'.repeat(31),
      `${'X'.repeat(27)} (2)`,
    ])
    expect(names.take('B')).toBe('B')
    expect(names.take('B', 2)).toBe('B (2)')
    expect(names.take('B', 3)).toBe('B (3)')
  })
})

test('column letters', () => {
  expect([0, 25, 26, 701, 702, 16_383].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD'])
})

describe('shared strings', () => {
  test('give each text one number, and every text back', () => {
    const strings = new SharedStrings()
    const texts = Array.from({ length: 50_000 }, (_, i) => `text ${i % 20_000}`)
    const numbers = texts.map((text) => {
      const bytes = encoder.encode(`>${text}<`)
      return strings.find(bytes, 1, bytes.length - 1)
    })
    expect(numbers).toEqual(texts.map((_, i) => i % 20_000))
    expect([strings.count, strings.uses]).toEqual([20_000, 50_000])
    const found: string[] = []
    strings.forEach((bytes, start, end) => found.push(decoder.decode(bytes.subarray(start, end))))
    expect(found).toEqual(texts.slice(0, 20_000))
  })

  test('are bounded', () => {
    const strings = new SharedStrings()
    const number = (text: string): number => {
      const bytes = encoder.encode(text)
      return strings.find(bytes, 0, bytes.length)
    }
    expect(number('x'.repeat(1000))).toBe(-1)
    for (let i = 0; i < 70_000; i++) number(`${i}`)
    expect(strings.count).toBe(65_536)
    expect(number('new')).toBe(-1)
    expect(number('65535')).toBe(65_535)
  })
})
