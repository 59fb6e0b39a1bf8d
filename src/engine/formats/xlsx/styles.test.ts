import { expect, test } from 'vitest'
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
