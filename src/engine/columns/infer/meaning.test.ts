import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CsvSettings, ValueFormat } from '../../../tables/plan.ts'
import { printType, type ColumnType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { makeColumnBuilder } from '../builder.ts'
import { ColumnInference } from './column-inference.ts'
import { inferTable } from './table.ts'

/* Values are printed as people write them, and read again: they're the same, whatever form they had. */

const encoder = new TextEncoder()

function readAs(texts: readonly string[], type: ColumnType, format: ValueFormat | undefined): (string | null)[] {
  const builder = makeColumnBuilder(type, format)
  for (const text of texts) {
    const bytes = encoder.encode(text)
    if (!builder.appendText(bytes, 0, bytes.length)) expect.fail(`${text} is no ${printType(type)}`)
  }
  const data = builder.finish()
  return texts.map((_, row) => cellToString(type, data, row))
}

function found(texts: readonly string[], settings: Pick<CsvSettings, 'delimiter' | 'numbers'> = { delimiter: ';' }) {
  const inference = new ColumnInference()
  for (const text of texts) {
    const bytes = encoder.encode(text)
    inference.observe(bytes, 0, bytes.length)
  }
  const [{ type, format }] = inferTable([inference], settings).columns
  return { type, format, values: readAs(texts, type, format) }
}

/** Hundredths, some of them beyond a million, of which the first shows all separators. */
const hundredths = fc
  .array(fc.oneof(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.integer({ min: -9999, max: 9999 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((rest) => [123_456_789, ...rest])
const plain = (cents: number): string => (cents / 100).toFixed(2)

interface Style {
  readonly name: string
  readonly print: (cents: number) => string
}

function grouped(digits: string, separator: string, indian = false): string {
  const pattern = indian ? /\B(?=(\d{2})+(?=\d{3}$)|\d{3}$)/g : /\B(?=(\d{3})+$)/g
  return digits.replace(pattern, separator)
}

function style(name: string, group: string, mark: string, around = (text: string, _negative: boolean) => text): Style {
  return {
    name,
    print: (cents) => {
      const [whole, rest] = Math.abs(cents / 100)
        .toFixed(2)
        .split('.')
      const number = grouped(whole, group, name === 'India') + mark + rest
      const negative = cents < 0
      return name.includes('negative') ? around(number, negative) : around(`${negative ? '-' : ''}${number}`, negative)
    },
  }
}

const STYLES = [
  style('Germany', '.', ','),
  style('United States', ',', '.'),
  style('France', '\u202f', ','),
  style('Poland', '\u00a0', ','),
  style('spaces', ' ', '.'),
  style('Switzerland', "'", '.'),
  style('Switzerland, typographic', '’', '.'),
  style('India', ',', '.'),
  style('euros', '.', ',', (text) => `${text} €`),
  style('dollars', ',', '.', (text) => text.replace(/^(-?)/, '$1$')),
  style('francs', "'", '.', (text) => `CHF ${text}`),
  style('kronor', '\u00a0', ',', (text) => `${text} kr`),
  style('lira', '.', ',', (text) => `${text} TL`),
  style('yen', ',', '.', (text) => `${text}円`),
  style('yuan', ',', '.', (text) => `${text}元`),
  style('rupees', ',', '.', (text) => text.replace(/^(-?)/, '$1Rs. ')),
  style('roubles', '\u00a0', ',', (text) => `${text} руб.`),
  style('kroner', '.', ',', (text) => `${text} kr.`),
  style('złoty', ' ', ',', (text) => `${text} zł`),
  style('negative in parentheses', ',', '.', (text, negative) => (negative ? `(${text})` : text)),
  style('negative after', '.', ',', (text, negative) => (negative ? `${text}-` : text)),
  style('negative, typographic', ',', '.', (text, negative) => (negative ? `\u2212${text}` : text)),
]

describe('numbers', () => {
  it.each(STYLES.map(({ name, print }) => [name, print] as const))('as in %s', (_, print) => {
    fc.assert(
      fc.property(hundredths, (cents) => {
        const { type, values } = found(cents.map(print))
        expect(printType(type)).toMatch(/^DECIMAL\(\d+,2\)$/)
        expect(values).toEqual(cents.map((each) => plain(each).replace(/^-0\.00$/, '0.00')))
      }),
      { numRuns: 200, endOnFailure: true },
    )
  })

  it('as percentages', () => {
    const { type, values } = found(['12,5 %', '100,0 %', '-0,5 %', '7,0 %'])
    expect([printType(type), values]).toEqual(['DECIMAL(4,3)', ['0.125', '1.000', '-0.005', '0.070']])
  })

  const scientific = fc.tuple(
    fc.integer({ min: -99_999, max: 99_999 }).filter((digits) => digits !== 0),
    fc.integer({ min: -90, max: 90 }),
    fc.constantFrom('E+', 'E', 'e'),
  )

  it('in scientific notation with a comma, as Excel writes them in most of Europe, among others', () => {
    fc.assert(
      fc.property(fc.array(scientific, { minLength: 1, maxLength: 6 }), (numbers) => {
        const print = ([digits, power, mark]: (typeof numbers)[number]): string =>
          `${(digits / 10_000).toFixed(4)}${mark.replace('+', power < 0 ? '' : '+')}${power}`
        const texts = numbers.map(print)
        const { type, format, values } = found([...texts.map((text) => text.replace('.', ',')), '12,5', '7'])
        expect([printType(type), format]).toEqual(['DOUBLE', { decimalMark: ',' }])
        expect(values.map(Number)).toEqual([...texts.map(Number), 12.5, 7])
        // Those without a fraction have no comma.
        const whole = numbers.map(([digits, power]) => `${digits}E${power < 0 ? '' : '+'}${power}`)
        const mixed = found([...whole, ...texts.map((text) => text.replace('.', ','))])
        expect([printType(mixed.type), mixed.format]).toEqual(['DOUBLE', { decimalMark: ',' }])
        expect(mixed.values.map(Number)).toEqual([...whole, ...texts].map(Number))
      }),
    )
  })

  it('in scientific notation have one decimal mark', () => {
    expect(printType(found(['1.5E+3', '1,5E+3']).type)).toBe('VARCHAR')
    expect(printType(found(['1E+14', '1.5E+3', '1,5']).type)).toBe('VARCHAR')
  })

  it.each(['1,5E', '1,5E+', '1,5F+3', '1,5E+3,0', '1,5E+3k', '1,500,000E+3', 'E+3', '1,E3'])(
    'is no number in scientific notation: %s',
    (text) => {
      expect(printType(found([text, '1,5E+3']).type)).toBe('VARCHAR')
    },
  )
})

const LOCALES = [
  'en-US',
  'en-GB',
  'de-DE',
  'fr-FR',
  'es-ES',
  'it-IT',
  'pt-BR',
  'nl-NL',
  'pl-PL',
  'ru-RU',
  'ja-JP',
  'zh-CN',
]
const days = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 2, maxLength: 10 }), fc.nat(2))
  // The 31st of May tells the day from the month.
  .map(([rest, at]) => rest.toSpliced(at, 0, 20_239).map((day) => new Date(day * 86_400_000)))

describe('dates', () => {
  it.each(LOCALES.flatMap((locale) => [[locale, 'short'] as const, [locale, 'long'] as const]))(
    'as in %s, %s',
    (locale, month) => {
      const printer = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', year: 'numeric', month, day: 'numeric' })
      fc.assert(
        fc.property(days, (dates) => {
          const { type, values } = found(dates.map((date) => printer.format(date)))
          expect(printType(type)).toBe('DATE')
          expect(values).toEqual(dates.map((date) => date.toISOString().slice(0, 10)))
        }),
        { numRuns: 100, endOnFailure: true },
      )
    },
  )

  it.each(LOCALES)('of numbers alone, as in %s, with times', (locale) => {
    const printer = new Intl.DateTimeFormat(locale, {
      timeZone: 'UTC',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    fc.assert(
      fc.property(days, (dates) => {
        const { type, values } = found(dates.map((date) => printer.format(date)))
        expect(printType(type)).toBe('TIMESTAMP')
        expect(values).toEqual(dates.map((date) => `${date.toISOString().slice(0, 10)} 00:00:00`))
      }),
      { numRuns: 50, endOnFailure: true },
    )
  })
})

/** The same three moments, in UTC, as programs and people write them. */
const WRITTEN = [
  ['31/Jan/2024:10:15:00 +0100', '01/Feb/2024:11:00:00 +0100', '05/Mar/2024:00:05:00 +0100'],
  ['20240131T091500Z', '20240201T100000Z', '20240304T230500Z'],
  ['20240131T101500+0100', '20240201T110000+0100', '20240305T000500+0100'],
  ['31JAN2024:09:15:00', '01FEB2024:10:00:00', '04MAR2024:23:05:00'],
  ['31-JAN-24 09.15.00.000000 AM', '01-FEB-24 10.00.00.000000 AM', '04-MAR-24 11.05.00.000000 PM'],
  ['Jan 31 2024  9:15AM', 'Feb  1 2024 10:00AM', 'Mar  4 2024 11:05PM'],
  ['Wed Jan 31 09:15:00 2024', 'Thu Feb  1 10:00:00 2024', 'Mon Mar  4 23:05:00 2024'],
  ['Wed Jan 31 09:15:00 UTC 2024', 'Thu Feb  1 10:00:00 UTC 2024', 'Mon Mar  4 23:05:00 UTC 2024'],
  ['Wed Jan 31 10:15:00 +0100 2024', 'Thu Feb 01 11:00:00 +0100 2024', 'Tue Mar 05 00:05:00 +0100 2024'],
  [
    'Wed Jan 31 2024 10:15:00 GMT+0100 (Central European Standard Time)',
    'Thu Feb 01 2024 12:00:00 GMT+0200 (Central European Summer Time)',
    'Mon Mar 04 2024 23:05:00 GMT+0000 (Greenwich Mean Time)',
  ],
  ['Wed, 31 Jan 2024 10:15:00 +0100 (CET)', 'Thu, 1 Feb 2024 11:00:00 +0100 (CET)', 'Tue, 5 Mar 2024 00:05:00 +0100'],
  ['January 31st, 2024 at 9:15 AM', 'February 1st, 2024 at 10:00 AM', 'March 4th, 2024 at 11:05 PM'],
  ['Jan 31, 2024 @ 09:15:00.000', 'Feb 1, 2024 @ 10:00:00.000', 'Mar 4, 2024 @ 23:05:00.000'],
  [
    'January 31, 2024, 10:15:00 (UTC+01:00)',
    'February 01, 2024, 10:00:00 (UTC)',
    'March 05, 2024, 00:05:00 (UTC+01:00)',
  ],
  ['31. Januar 2024, 09:15 Uhr', '1. Februar 2024, 10:00 Uhr', '4. März 2024, 23:05 Uhr'],
  ['31.1.2024 klo 9.15', '1.2.2024 klo 10.00', '4.3.2024 klo 23.05'],
  ['31/01/2024 09h15', '01/02/2024 10h00', '04/03/2024 23h05'],
  ['31 janvier 2024 à 09:15', '1 février 2024 à 10:00', '4 mars 2024 à 23:05'],
  ['31/01/2024 09:15 a. m.', '01/02/2024 10:00 a. m.', '04/03/2024 11:05 p. m.'],
  ['1/31/2024 9:15 a.m.', '2/1/2024 10:00 a.m.', '3/4/2024 11:05 p.m.'],
  ['2024-01-31T10:15:00+01:00[Europe/Berlin]', '2024-02-01T11:00:00+01:00[Europe/Berlin]', '2024-03-04T23:05:00Z[UTC]'],
  ['2024/1/31 9:15', '2024/2/1 10:00', '2024/3/4 23:05'],
  ['2024年1月31日 9:15', '2024年2月1日 10:00', '2024年3月4日 23:05'],
  ['2024. 1. 31. 오전 9:15', '2024. 2. 1. 오전 10:00', '2024. 3. 4. 오후 11:05'],
  ['2024/1/31 上午 9:15:00', '2024/2/1 上午 10:00:00', '2024/3/4 下午 11:05:00'],
  ['2024年1月31日 午前9:15', '2024年2月1日 午前10:00', '2024年3月4日 午後11:05'],
]

it.each(WRITTEN)('are dates with times: %s', (...texts) => {
  const { type, values } = found(texts)
  expect(printType(type)).toMatch(/^TIMESTAMP/)
  const moments = ['2024-01-31 09:15:00', '2024-02-01 10:00:00', '2024-03-04 23:05:00']
  expect(values.map((value) => value?.replace('+00', ''))).toEqual(moments)
})

it.each([
  '10.15',
  '10h15',
  '2024 10:15',
  '12:10:15:00',
  '31.01.2024 (10:15)',
  'Mar  4 13:05:09',
  '2024/1/31 下上 9:15',
])('is no date with a time: %s', (text) => {
  expect(printType(found([text, text]).type)).not.toMatch(/^TIME/)
})

describe('dates that are written with and without zeros', () => {
  it.each([
    ['DATE', ['2024-12-13', '2024-3-3', '2024-1-31'], ['2024-12-13', '2024-03-03', '2024-01-31']],
    [
      'TIMESTAMP',
      ['2024-03-01 10:11:12', '2024-03-03 8:01:02', '2024-03-04 23:59:59.5'],
      ['2024-03-01 10:11:12', '2024-03-03 08:01:02', '2024-03-04 23:59:59.5'],
    ],
    ['DATE', ['Mar 1, 2024', 'Feb 29, 2024'], ['2024-03-01', '2024-02-29']],
    ['DATE', ['mar 5 mars 2024', 'dim. 10 mars 2024'], ['2024-03-05', '2024-03-10']],
  ])('are a %s, whichever comes first: %j', (type, texts, values) => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ].map((each) => each.filter((at) => at < texts.length))) {
      const { type: name, values: read } = found(order.map((at) => texts[at]))
      expect([printType(name), read]).toEqual([type, order.map((at) => values[at])])
    }
  })
})

/** The proposals for the first of several columns. */
function proposedFor(...columns: readonly (readonly string[])[]): string[] {
  const inferences = columns.map((texts) => {
    const inference = new ColumnInference()
    for (const text of texts) {
      const bytes = encoder.encode(text)
      inference.observe(bytes, 0, bytes.length)
    }
    return inference
  })
  return (inferTable(inferences, { delimiter: ',' }).columns[0].proposals ?? []).map(({ message }) => message)
}

it('takes a “b” after a space for a flag, and no billions', () => {
  const proposed = (first: string): string[] => proposedFor([first, '8.1', '7.2'])
  for (const text of ['9.9bn', '9.9 bn', '9.9b', '9.9B', '9.9 B'])
    expect(proposed(text)).toEqual([`3 values would become numbers, such as “${text}”: 9900000000.0.`])
  expect(proposed('9.9 b').join('')).not.toContain('9900000000')
})

it('proposes whole numbers beside letters that may be a currency', () => {
  expect(proposedFor(['TL101', 'TL203'])).toEqual(['2 values would become whole numbers, such as “TL101”: 101.'])
  expect(proposedFor(['$ 1,200.50', '$ (3.00)', '$ -'])).toEqual([
    '“$ -” (1 value) would be null; the values are numbers then.',
  ])
})

it('takes /Date(…)/ for a time since 1970, if it has no offset', () => {
  const { type, format, values } = found(['/Date(1700000000000)/', '/Date(0)/', '/Date(1700000000250)/'])
  expect([printType(type), format, values]).toEqual([
    'TIMESTAMP',
    { dateFormat: '/Date(%Q)/' },
    ['2023-11-14 22:13:20', '1970-01-01 00:00:00', '2023-11-14 22:13:20.25'],
  ])
  expect(printType(found(['/Date(1700000000000+0100)/']).type)).toBe('VARCHAR')
})

it('proposes texts of JSON as JSON', () => {
  expect(proposedFor(['{"a":1}', '[1, {"b": "é"}]', '{}'])).toEqual([
    '3 values would be JSON: a JSON file then has them as objects and lists, not as text in quotes.',
  ])
  for (const other of ['{"a":1', '{a:1}', '[1,2],[3]', '"text"', '1', '{"a":"\\ud800"}', '[NaN]'])
    expect(proposedFor(['{"a":1}', other])).toEqual([])
})

it('proposes debits and credits as numbers, but not “Cr” alone, which may be ten million', () => {
  const [message] = proposedFor(['1,234.56 Dr', '99.00 Cr', '0.00'])
  expect(message).toBe('3 values would become numbers, such as “1,234.56 Dr”: -1234.56 (debits are negative).')
  expect(proposedFor(['1,234.56DR.', '99.00CR.'])).toHaveLength(1)
  expect(proposedFor(['1.5 Cr', '2.25 Cr'])).toEqual([])
  expect(proposedFor(['1,000.50 Cr', '2.25 Cr'], ['5.00 Dr', '1.00 Cr'])).toEqual([
    '2 values would become numbers, such as “1,000.50 Cr”: 1000.50 (debits are negative).',
  ])
  expect(proposedFor(['1.5 Dr', '(2.25)'])).toEqual([])
})
