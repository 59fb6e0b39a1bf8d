import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteWriter } from '../../../../../lib/bytes.ts'
import { tries } from '../../../../../lib/testing.ts'
import { appendDate, appendDuration, appendTime, plainNumber, Serial } from './serial.ts'
import { dayFraction } from '../../write/serial.ts'
import { CellTarget } from '../../write/target.ts'

const serial = new Serial()

function parse(text: string): boolean {
  const bytes = new TextEncoder().encode(text)
  return serial.parse(bytes, 0, bytes.length)
}

function made(append: (out: ByteWriter) => void): string {
  const out = new ByteWriter()
  append(out)
  return new TextDecoder().decode(out.view())
}

function moment(text: string, date1904 = false): string {
  if (!parse(text)) return 'no number'
  const days = serial.epochDays(date1904)
  if (Number.isNaN(days)) return 'out of range'
  return made((out) => {
    appendDate(out, days)
    out.byte(32)
    appendTime(out, serial.timeOfDay)
  })
}

describe('moments', () => {
  test.each([
    ['44197.333333333336', '2021-01-01 08:00:00'],
    ['44197.3333333333', '2021-01-01 08:00:00'],
    ['44197.33333333334', '2021-01-01 08:00:00'],
    ['44197.3333', '2021-01-01 07:59:57.12'],
    ['44197', '2021-01-01 00:00:00'],
    ['4.4197E4', '2021-01-01 00:00:00'],
    ['4.4197333333333336E+04', '2021-01-01 08:00:00'],
    ['44197.999999999999', '2021-01-02 00:00:00'],
    ['44197.99999999999999999', '2021-01-02 00:00:00'],
    ['0', '1899-12-31 00:00:00'],
    ['1', '1900-01-01 00:00:00'],
    ['59', '1900-02-28 00:00:00'],
    ['60', '1900-02-29 00:00:00'],
    ['61', '1900-03-01 00:00:00'],
    ['-18227', '1850-02-03 00:00:00'],
    ['-18227.25', '1850-02-02 18:00:00'],
    ['2958465.5', '9999-12-31 12:00:00'],
    ['2958466', 'out of range'],
    ['-700000', 'out of range'],
    ['99999999999', 'no number'],
    ['', 'no number'],
    ['.', 'no number'],
    ['-', 'no number'],
    ['1.2.3', 'no number'],
    ['12x', 'no number'],
    ['1e5x', 'no number'],
  ])('%s', (text, expected) => expect(moment(text)).toBe(expected))

  test.each([
    ['0', '1904-01-01 00:00:00'],
    ['42735.333333333336', '2021-01-01 08:00:00'],
    ['60', '1904-03-01 00:00:00'],
    ['-1', '1903-12-31 00:00:00'],
  ])('%s since 1904', (text, expected) => expect(moment(text, true)).toBe(expected))

  /** A serial number in our writer's notation. */
  function written(day: number, micros: number): string {
    const parts: [number, number] = [0, 0]
    dayFraction(micros, parts)
    const target = new CellTarget(new ByteWriter())
    target.integer(day)
    target.fraction(parts[0], parts[1])
    return new TextDecoder().decode(target.out.view())
  }

  test('every microsecond that our writer wrote', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 61, max: 2_958_465 }),
        fc.integer({ min: 0, max: 86_399_999_999 }),
        (day, micros) => {
          parse(written(day, micros))
          expect([serial.days, serial.micros]).toEqual([day, micros])
        },
      ),
      { numRuns: tries(5000) },
    )
  })

  test('the microseconds next to whole milliseconds', () => {
    for (let second = 0; second < 86_400; second += 61) {
      for (let near = -6; near <= 6; near++) {
        const micros = second * 1e6 + 5000 + near
        parse(written(45_000, micros))
        expect(serial.micros).toBe(micros)
      }
    }
  })

  test.each([
    ['Excel and openpyxl, 17 digits', (value: number) => String(value)],
    ['LibreOffice, 15 digits', (value: number) => String(Number(value.toPrecision(15)))],
    ['Gnumeric, of 15 digits again', (value: number) => Number(value.toPrecision(15)).toFixed(16)],
    ['computed, some units off', (value: number) => String(value + 2 ** -37 * 2)],
  ])('every millisecond as a double: %s', (_, print) => {
    fc.assert(
      fc.property(fc.integer({ min: 20_000, max: 80_000 }), fc.integer({ min: 0, max: 86_399_999 }), (day, millis) => {
        parse(print(day + millis / 86_400_000))
        expect([serial.days, serial.micros]).toEqual([day, millis * 1000])
      }),
      { numRuns: tries(3000) },
    )
  })
})

describe('durations', () => {
  test.each([
    ['1.1041666666666667', '26:30:00'],
    ['1.10416666666667', '26:30:00'],
    ['0', '00:00:00'],
    ['-0.5', '-12:00:00'],
    ['416.66666666666669', '10000:00:00'],
    ['1.1574074074074074E-5', '00:00:01'],
    ['5.7870370370370373E-6', '00:00:00.5'],
  ])('%s', (text, expected) => {
    expect(parse(text)).toBe(true)
    expect(made((out) => appendDuration(out, serial))).toBe(expected)
  })
})

test.each([
  ['1E+21', '1000000000000000000000'],
  ['1.5e-4', '0.00015'],
  ['-1.50', '-1.5'],
  ['+7', '7'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['007', '7'],
  ['12.34e1', '123.4'],
  ['abc', null],
  ['.', null],
  ['', null],
  ['0x10', null],
  ['Infinity', null],
])('plain notation of %s', (text, expected) => expect(plainNumber(text)).toBe(expected))
