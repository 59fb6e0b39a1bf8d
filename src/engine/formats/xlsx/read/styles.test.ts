import { expect, test } from 'vitest'
import { codeFormat, showCode } from './text/code-format.ts'
import {
  AS_DATE,
  AS_DATETIME,
  AS_DURATION,
  AS_NUMBER,
  AS_TIME,
  builtInKind,
  formatKind,
  type FormatKind,
} from './styles.ts'

test.each<[string, FormatKind]>([
  ['General', AS_NUMBER],
  ['0.00', AS_NUMBER],
  ['#,##0.00 "days"', AS_NUMBER],
  ['0.00E+00', AS_NUMBER],
  ['##0.0E+0', AS_NUMBER],
  ['@', AS_NUMBER],
  ['', AS_NUMBER],
  ['[Red]0;[Blue]-0', AS_NUMBER],
  ['[$€-407] #,##0.00', AS_NUMBER],
  ['[$USD] 0', AS_NUMBER],
  ['\\d0', AS_NUMBER],
  ['_-* #,##0.00\\ _D_M_-', AS_NUMBER],
  ['0 "h:mm"', AS_NUMBER],
  ['[>=1000]0,"k";0', AS_NUMBER],
  ['# ?/?', AS_NUMBER],
  ['yyyy-mm-dd', AS_DATE],
  ['d/m/yy', AS_DATE],
  ['mmm', AS_DATE],
  ['[$-409]d. mmm yyyy;@', AS_DATE],
  ['dddd', AS_DATE],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', AS_DATE],
  ['yyyy"年"m"月"d"日"', AS_DATE],
  ['ggge"年"', AS_DATE],
  ['TT.MM.JJJJ d', AS_DATE],
  ['yyyy\\-mm\\-dd\\ hh:mm:ss.000', AS_DATETIME],
  ['m/d/yy h:mm AM/PM', AS_DATETIME],
  ['dd.mm.yyyy"T"hh:mm', AS_DATETIME],
  ['h:mm', AS_TIME],
  ['h:mm AM/PM', AS_TIME],
  ['mm:ss.0', AS_TIME],
  ['[$-409]h:mm:ss A/P;@', AS_TIME],
  ['hh:mm:ss.000', AS_TIME],
  ['[h]:mm:ss', AS_DURATION],
  ['[hh]:mm', AS_DURATION],
  ['[mm]:ss', AS_DURATION],
  ['[s]', AS_DURATION],
  ['[Red][h]:mm;@', AS_DURATION],
])('%s', (code, kind) => expect(formatKind(code)).toBe(kind))

test('built-in formats', () => {
  const of = (kind: FormatKind): number[] =>
    Array.from({ length: 60 }, (_, i) => i).filter((id) => builtInKind(id) === kind)
  expect(of(AS_DATE)).toEqual([14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58])
  expect(of(AS_DATETIME)).toEqual([22])
  expect(of(AS_TIME)).toEqual([18, 19, 20, 21, 32, 33, 45, 47])
  expect(of(AS_DURATION)).toEqual([46])
})

test.each<[string, readonly (readonly [digits: string, shown: string])[]]>([
  [
    '00000',
    [
      ['0', '00000'],
      ['501', '00501'],
      ['1234567', '1234567'],
    ],
  ],
  ['[$-409]00000;@', [['501', '00501']]],
  ['[Red]000_)', [['5', '005']]],
  ['0##', [['5', '005']]],
  [
    '000\\-00\\-0000',
    [
      ['1234567', '001-23-4567'],
      ['12345678901', '12345-67-8901'],
    ],
  ],
  [
    '[<=9999999]###\\-####;\\(###\\)\\ ###\\-####',
    [
      ['5551234', '555-1234'],
      ['2125551234', '(212) 555-1234'],
      ['12', '-12'],
    ],
  ],
  [
    '00000;-00000;"-"',
    [
      ['501', '00501'],
      ['0', '-'],
    ],
  ],
  ['"INV-"00000', [['42', 'INV-00042']]],
  ['"ISBN"\\ 0\\-000\\-00000\\-0', [['123456789', 'ISBN 0-123-45678-9']]],
  ['0000 0000 0000 0000', [['4111111111111111', '4111 1111 1111 1111']]],
  ['??-??', [['123', ' 1-23']]],
])('%s shows codes', (code, cases) => {
  const format = codeFormat(code)
  expect(cases.map(([digits]) => format && showCode(format, digits))).toEqual(cases.map(([, shown]) => shown))
})

test.each([
  'General',
  '0',
  '#',
  '@',
  '',
  '0.00',
  '00.0',
  '#,##0',
  '00,000',
  '0,',
  '0" kg"',
  '00" min"',
  '00\\ °',
  '00%',
  '# ?/?',
  '0E+00',
  '[$€-407] 00',
  '$00',
  '0_)',
  '"x"',
  '"no. "0',
  '0;-0;"-"',
])('%s shows quantities', (code) => expect(codeFormat(code)).toBeNull())
