import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printType } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { makeColumnBuilder } from '../builder.ts'
import { cellToString } from '../../arrow/text.ts'
import { ColumnInference } from './column-inference.ts'
import type { InferredColumn } from './column-type.ts'
import { makeCellJson } from '../../arrow/json.ts'

const encoder = new TextEncoder()

function infer(values: readonly (string | null)[], typedSource = false): InferredColumn {
  const inference = new ColumnInference(typedSource ? 'json' : 'text')
  for (const value of values) {
    if (value === null) inference.observeNull()
    else {
      const bytes = encoder.encode(`x${value}x`)
      inference.observe(bytes, 1, bytes.length - 1)
    }
  }
  return inference.column()
}
const inferType = (...values: (string | null)[]): string => printType(infer(values).type)

describe('types', () => {
  it.each<[string, (string | null)[]]>([
    ['INTEGER', ['0', '-7', '2147483647', '-2147483648', null]],
    ['BIGINT', ['1', '2147483648']],
    ['BIGINT', ['-2147483649']],
    ['BIGINT', ['9223372036854775807', '-9223372036854775808']],
    ['UBIGINT', ['0', '9223372036854775808', '18446744073709551615']],
    ['HUGEINT', ['-1', '9223372036854775808']],
    ['HUGEINT', ['18446744073709551616']],
    ['HUGEINT', ['99999999999999999999999999999999999999']],
    ['VARCHAR', ['100000000000000000000000000000000000000']],
    ['VARCHAR', ['1', '-0']],
    ['VARCHAR', ['1', ' 2']],
    ['VARCHAR', ['1', '2 ']],
    ['VARCHAR', ['1', '']],
    ['VARCHAR', ['1,000', '2,000']],
    ['DECIMAL(4,2)', ['12.50', '-0.05', '3.00']],
    ['DECIMAL(2,1)', ['0.5']],
    ['DECIMAL(2,1)', ['.5', '-.5']],
    ['DECIMAL(38,1)', [`${'9'.repeat(37)}.9`]],
    ['DECIMAL(38,38)', [`0.${'9'.repeat(38)}`]],
    ['VARCHAR', [`0.${'9'.repeat(39)}`]],
    ['DOUBLE', ['1.5', '2.25']],
    ['DOUBLE', ['1', '2.5']],
    ['DOUBLE', ['0.30000000000000004', '0.1']],
    ['DECIMAL(19,18)', ['0.300000000000000041', '0.1']],
    ['DECIMAL(17,1)', ['9007199254740993', '0.5']],
    ['DOUBLE', ['-0.00', '1.25']],
    ['DOUBLE', ['1.5e-07', '2', '-0', '1e-5', '1.0E10', '5e+3']],
    ['DOUBLE', ['1.5', 'NaN', '-inf', 'Infinity']],
    ['VARCHAR', ['NaN', 'inf']],
    ['VARCHAR', ['1', 'NaN']],
    ['VARCHAR', ['1.5e-07', '0.123456789012345678']],
    ['VARCHAR', ['1.5e400']],
    ['VARCHAR', ['1.5e-400']],
    ['VARCHAR', ['5.']],
    ['VARCHAR', ['.', '-', '+', 'e', '1e', '1e+', '-.']],
    ['VARCHAR', ['0x1F']],
    ['BOOLEAN', ['true', 'FALSE', 'True', null]],
    ['VARCHAR', ['true', 'yes']],
    ['INTEGER', ['0', '1']],
    ['VARCHAR', ['t', 'f']],
    ['DATE', ['2024-02-29', '0001-01-01', '9999-12-31']],
    ['VARCHAR', ['2023-02-29']],
    ['DATE', ['2024-2-9']],
    ['VARCHAR', ['0000-01-01']],
    ['DATE', ['2024/02/29']],
    ['DATE', ['31.12.2024', '1.2.2024']],
    ['DATE', ['01.02.2024', '03.04.2024']],
    ['DATE', ['12/31/2024', '01/02/2024']],
    ['VARCHAR', ['01/02/2024', '03/04/2024']],
    ['VARCHAR', ['13/01/2024', '01/13/2024']],
    ['VARCHAR', ['13/01/2024', '13.01.2024']],
    ['VARCHAR', ['2024-01-01', '13.01.2024']],
    ['DATE', ['31/12/24']],
    ['VARCHAR', ['11/12/24']],
    ['VARCHAR', ['24-12-31', '25-01-01']],
    ['DATE', ['3.4.25', '31.12.24']],
    ['DATE', ['3 April 2025', '1 mai 2025']],
    ['DATE', ['3. Apr. 2025', '1. Mai 2025']],
    ['DATE', ['March 4, 2025', 'May 3rd, 2025']],
    ['DATE', ['1er avril 2025', '3 février 2025']],
    ['DATE', ['3 de abril de 2025']],
    ['DATE', ['2025年3月4日', '2025年12月31日']],
    ['DATE', ['3 stycznia 2025', '12 października 2025']],
    ['DATE', ['3 апреля 2025 г.', '5 мая 2025 г.']],
    ['DATE', ['den 3 mars 2025', 'den 31 maj 2025']],
    ['DATE', ['le 3 mars 2025', 'le 31 mai 2025']],
    ['DATE', ['2025. 3. 4.', '2025. 12. 31.']],
    ['DATE', ['2025. március 4.', '2025. december 31.']],
    ['DATE', ['3 Mart 2025', '31 Aralık 2025']],
    ['DATE', ['3. marts 2025', '31. december 2025']],
    ['DATE', ['3 augusti 2025', '31 maj 2025']],
    ['DATE', ['3. elokuuta 2025', '31. toukokuuta 2025']],
    ['DATE', ['3. března 2025', '31. května 2025']],
    ['DATE', ['3 Μαρτίου 2025', '31 Μαΐου 2025']],
    ['DATE', ['3 березня 2025', '31 травня 2025']],
    ['DATE', ['3 Agustus 2025', '31 Desember 2025']],
    ['DATE', ['3 iulie 2025', '31 mai 2025']],
    ['DATE', ['3 مارس 2025', '31 ديسمبر 2025']],
    ['TIMESTAMP', ['31.12.2024 10:30', '1.1.2025 9:05']],
    ['TIMESTAMP', ['12/31/2024 10:30:15 PM']],
    ['VARCHAR', ['Apr 2025']],
    ['VARCHAR', ['2024-01', 'Q1 2024']],
    ['TIME', ['09:30', '10:30']],
    ['VARCHAR', ['9:30', '10:30']],
    ['TIME', ['9:30 PM', '10:30 am']],
    ['VARCHAR', ['21:19', '15:25']],
    ['DECIMAL(6,2)', ['1.234,56', '12,50', '-0,05']],
    ['DOUBLE', ['1,5', '2,25', '3']],
    ['INTEGER', ['1,234,567', '12']],
    ['INTEGER', ['12,34,567', '1,00,000']],
    ['DECIMAL(6,2)', ["1'234.50", '12.50', '1’234.50']],
    ['DECIMAL(6,2)', ['1 234,50', '1\u00a0234,50', '1\u202f234,50', '1,50']],
    ['DECIMAL(6,2)', ['1,200.50', '(1,200.50)']],
    ['DECIMAL(6,2)', ['1,200.50', '1,200.50-']],
    ['DECIMAL(6,2)', ['1200.50', '\u22121200.50']],
    ['DECIMAL(6,2)', ['1.234,56 €', '-3,00 €']],
    ['DECIMAL(6,2)', ['￥1234.50', '￥99.00']],
    ['DECIMAL(6,2)', ['$1,234.56', '-$3.00', '$-3.00']],
    ['DECIMAL(6,2)', ["CHF 1'234.56", 'CHF 3.00']],
    ['DECIMAL(6,2)', ['$ 1,234.56', '$ (3.00)']],
    ['DECIMAL(6,2)', ['RM 1,234.56', 'RM3.00']],
    ['DECIMAL(6,2)', ['NT$1,234.56', 'NT$3.00']],
    ['INTEGER', ['1.234.567 ₫', '3.000 ₫']],
    ['INTEGER', ['5 EUR', '10 EUR']],
    ['INTEGER', ['€5', '€10']],
    ['DOUBLE', ['CHF5', 'CHF10.50']],
    // Whole numbers beside letters may be codes, attempts or feet.
    ['VARCHAR', ['TL101', 'TL203']],
    ['VARCHAR', ['5,4 mmol/l', '6,1 mmol/l']],
    ['VARCHAR', ['TRY 1', 'TRY 2']],
    ['VARCHAR', ['5Ft', '6Ft']],
    ['VARCHAR', ['1.234,56 €', '3.00 €']],
    ['VARCHAR', ['1.234,56 €', '$3,00']],
    ['VARCHAR', ['1.234,56 €', '3,00']],
    ['DECIMAL(4,3)', ['12,5 %', '99,0 %']],
    ['VARCHAR', ['1.5k', '3k']],
    ['VARCHAR', ['(1)', '(2)']],
    ['VARCHAR', ['123 456 789', '223 456 789']],
    ['VARCHAR', ['030 123 456']],
    ['VARCHAR', ['1,234', '2,345']],
    ['BOOLEAN', ['Yes', 'no', 'NO']],
    ['BOOLEAN', ['ja', 'nein']],
    ['BOOLEAN', ['Ja', 'Nej']],
    ['BOOLEAN', ['WAAR', 'ONWAAR']],
    ['BOOLEAN', ['是', '否']],
    ['BOOLEAN', ['VERDADERO', 'FALSO']],
    ['BOOLEAN', ['VERDADEIRO', 'FALSO']],
    ['BOOLEAN', ['ИСТИНА', 'ЛОЖЬ']],
    ['BOOLEAN', ['DOĞRU', 'YANLIŞ', 'doğru']],
    ['BOOLEAN', ['✅', '❌']],
    ['VARCHAR', ['VERDADERO', 'FALSO', 'VERO']],
    ['VARCHAR', ['VERDADERO', 'FALSCH']],
    ['BOOLEAN', ['sí', 'no']],
    ['VARCHAR', ['yes', 'yes']],
    ['VARCHAR', ['yes', 'no', 'maybe']],
    ['VARCHAR', ['x', null]],
    ['TIME', ['00:00:00', '23:59:59.999999']],
    ['VARCHAR', ['24:00:00']],
    ['VARCHAR', ['12:30']],
    ['VARCHAR', ['12:30:00.1234567']],
    ['TIMESTAMP', ['2024-02-29 12:00:00', '2024-02-29T12:00:00.123456']],
    ['TIMESTAMP_NS', ['2024-02-29 12:00:00', '2024-02-29T12:00:00.1234567']],
    ['VARCHAR', ['1500-02-28 12:00:00', '2024-02-29T12:00:00.123456789']],
    ['VARCHAR', ['1500-02-28 12:00:00.123456789']],
    [
      'TIMESTAMP WITH TIME ZONE',
      ['2024-02-29T12:00:00Z', '2024-02-29 12:00:00.5+02:00', '2024-02-29 12:00:00-0530', '2024-02-29 12:00:00+02'],
    ],
    ['VARCHAR', ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00']],
    ['VARCHAR', ['2024-02-29T12:00:00.1234567Z']],
    ['VARCHAR', ['2024-02-29', '2024-02-29 12:00:00']],
    ['VARCHAR', ['12 Main St', '221B Baker St']],
    ['VARCHAR', ['192.168.0.1', '1.2.3']],
    ['VARCHAR', [null, null]],
    ['VARCHAR', []],
  ])('%s: %j', (type, values) => {
    expect(inferType(...values)).toBe(type)
  })

  it('gives a format for dates that are not ISO', () => {
    expect(infer(['31.12.2024', '1.2.2024']).format).toEqual({ dateFormat: '%d.%m.%Y' })
    expect(infer(['12/31/2024']).format).toEqual({ dateFormat: '%m/%d/%Y' })
    expect(infer(['2024/12/31']).format).toEqual({ dateFormat: '%Y/%m/%d' })
    expect(infer(['2024-12-31']).format).toBeUndefined()
  })

  it('leaves out what the caller knows better', () => {
    expect(printType(infer(['1'], true).type)).toBe('VARCHAR')
    expect(printType(infer(['true'], true).type)).toBe('VARCHAR')
    expect(printType(infer(['2024-01-01'], true).type)).toBe('DATE')
    expect(infer(['007', '1'], true)).toMatchObject({ flags: [], reason: 'The values are text.' })
  })
})

describe('numbers of sources that tell them from texts', () => {
  it.each([
    [['1.50', '2.25'], 'DOUBLE', 'All 2 values are numbers that a double holds exactly.'],
    [['1e5', '-0'], 'DOUBLE', 'All 2 values are numbers, some in scientific notation, that a double holds exactly.'],
    [['-0', '1'], 'DOUBLE', 'All 2 values are numbers that a double holds exactly.'],
    [['1.5', '0.12345678901234567'], 'DECIMAL(18,17)', 'so the column is a decimal.'],
    [['1'.repeat(39)], 'JSON', 'so other formats than JSON get them as text.'],
    [['1e5', '0.12345678901234567'], 'JSON', 'so other formats than JSON get them as text.'],
  ])('%j are %s', (values, type, reason) => {
    const inference = new ColumnInference('json')
    for (const value of values) inference.observeNumber(encoder.encode(value), 0, value.length)
    const found = inference.column()
    expect([printType(found.type), found.reason]).toEqual([type, expect.stringContaining(reason)])
  })
})

describe('flags and reasons', () => {
  it.each<[string[], string[], string]>([
    [['12', '007'], ['leading-zeros'], '“007” in row 2 would lose its leading zeros as a number.'],
    [['+1', '2'], ['plus-sign'], '“+1” in row 1 would lose its plus sign as a number.'],
    [
      ['+49 30 1234', '+1 (555) 010-9999'],
      ['plus-sign'],
      '“+49 30 1234” in row 1 would lose its plus sign as a number.',
    ],
    [['12', '1e5', '2E10'], ['exponent-code'], '“1e5” in row 2 is more likely a code than a number.'],
    [
      ['9007199254740993'],
      ['beyond-2-53'],
      'The one value is a whole number of up to 16 digits, some beyond 2^53, where a double would round them.',
    ],
    [
      ['1/2/2024', '3/4/2024'],
      ['ambiguous-date'],
      'All 2 values are dates, but it’s unclear whether the day or the month comes first, as in “1/2/2024”. They stay text until you choose.',
    ],
    [
      ['1', '2', 'n/a'],
      ['mixed-types'],
      '1 of 3 values is not a whole number, the first is “n/a” in row 3. Read “n/a” as null and the rest fit.',
    ],
    [
      ['1,234.56', '-', '12.50', '-'],
      ['mixed-types'],
      '2 of 4 values are not numbers. Read “-” as null and the rest fit.',
    ],
    [['1', '2', '3', 'x', 'y'], ['mixed-types'], '2 of 5 values are not whole numbers, the first is “x” in row 4.'],
    [['a', 'b', '3'], [], 'The values are text.'],
    [
      ['2024-01', '2024-12'],
      [],
      'All 2 values are months, such as “2024-01”, which no type holds: the column stays text.',
    ],
    [['01/2024'], [], 'The one value is a month, such as “01/2024”, which no type holds: the column stays text.'],
    [
      ['Q1 2024', '2024-Q2', '2024q4'],
      [],
      'All 3 values are quarters, such as “Q1 2024”, which no type holds: the column stays text.',
    ],
    [
      ['Jan-24', 'März 2024', "Dec '23", 'September 2024'],
      [],
      'All 4 values are months, such as “Jan-24”, which no type holds: the column stays text.',
    ],
    [['Jan-24', 'Jam-24'], [], 'The values are text.'],
    [['1.5 Cr', '2.25 Cr'], [], 'The values are text.'],
    [['2024-01', 'Q1 2024'], [], 'The values are text.'],
    [['2024-01', '2024-13'], [], 'The values are text.'],
    [
      ['1.5', '2.5', ''],
      ['mixed-types'],
      '1 of 3 values is not a number, the first is empty text in row 3. Read empty text as null and the rest fit.',
    ],
    [['2024-01-01', '2024-02-30'], ['mixed-types'], '1 of 2 values is not a date, the first is “2024-02-30” in row 2.'],
    [['true', 'false', '1'], ['mixed-types'], '1 of 3 values is not true or false, the first is “1” in row 3.'],
  ])('%j', (values, flags, reason) => {
    expect(infer(values)).toMatchObject({ flags, reason })
  })

  it('counts nulls, and rows that are nobody’s', () => {
    const inference = new ColumnInference()
    const bytes = encoder.encode('12x')
    inference.observeNull()
    inference.seekRow(3)
    inference.observe(bytes, 0, 2)
    inference.observe(bytes, 0, 2)
    inference.observe(bytes, 0, 3)
    expect(inference.column()).toMatchObject({
      nulls: 1,
      reason: '1 of 3 values is not a whole number, the first is “12x” in row 5.',
    })
    expect(infer([null, null])).toMatchObject({ nulls: 2, flags: ['empty'] })
  })

  it('cuts long values between characters', () => {
    const { reason } = infer(['1', '2', `a${'é'.repeat(100)}`])
    expect(reason).toMatch(/“aé+…”/)
    expect(reason).not.toContain('\ufffd')
  })
})

describe('what is inferredColumn', () => {
  const digits = fc.stringMatching(/^[0-9]{1,20}$/)
  const year = fc.constantFrom('0001', '1500', '1677', '1678', '1970', '2024', '2261', '2262', '9999')
  const two = (max: number): fc.Arbitrary<string> => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))
  const date = fc.tuple(year, two(13), two(31)).map((parts) => parts.join('-'))
  const clock = fc
    .tuple(two(24), two(60), two(60), fc.stringMatching(/^(\.[0-9]{1,10})?$/))
    .map(([h, m, s, f]) => `${h}:${m}:${s}${f}`)
  const families = [
    digits.map((text) => text.replace(/^0+(?=.)/, '')),
    digits,
    fc.stringMatching(/^-?[0-9]{0,40}$/),
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})\.[0-9]{1,20}$/),
    fc.stringMatching(/^-?[0-9]\.[0-9]{2}$/),
    fc.double().map(String),
    fc.stringMatching(/^-?[0-9]{1,3}(\.[0-9]{1,17})?e[+-]?[0-9]{1,3}$/),
    fc.constantFrom('NaN', 'inf', '-Infinity', 'INF', '-0', '-0.0', '+1', '1e5', '.5', '-.5', '5.', '0.10'),
    fc.constantFrom('true', 'False', 'TRUE', 'yes', '0'),
    date,
    fc.tuple(year, fc.nat(13), fc.nat(31)).map((parts) => parts.join('-')),
    fc.tuple(date, fc.nat(23), two(60)).map(([day, hour, minute]) => `${day} ${hour}:${minute}:00`),
    fc.tuple(two(31), two(13), year).map((parts) => parts.join('/')),
    fc.tuple(fc.nat(31), fc.nat(13), year).map((parts) => parts.join('.')),
    clock,
    fc.tuple(date, fc.constantFrom(' ', 'T'), clock).map((parts) => parts.join('')),
    fc
      .tuple(date, fc.constantFrom(' ', 'T'), clock, fc.constantFrom('Z', '+02:00', '-0530', '+14', '+99'))
      .map((parts) => parts.join('')),
    fc.string({ maxLength: 5 }),
    fc.stringMatching(/^-?[1-9][0-9]{0,2}(\.[0-9]{3}){0,2},[0-9]{1,3}$/),
    fc.stringMatching(/^-?[1-9][0-9]{0,2}(,[0-9]{3}){0,3}(\.[0-9]{2})?$/),
    fc.stringMatching(/^[1-9][0-9]{0,2}([ \u00a0\u202f][0-9]{3}){0,2}(,[0-9]{2})?$/),
    fc.stringMatching(/^[1-9][0-9]{0,2}(['’][0-9]{3}){0,2}(\.[0-9]{2})?$/),
    fc.stringMatching(/^(-|−)?[1-9]?[0-9](,[0-9]{2}){0,2},[0-9]{3}(\.[0-9])?$/),
    fc.stringMatching(/^(\(|)[1-9][0-9]{0,2}(,[0-9]{3}){0,2}\.[0-9]{2}\)?-?$/),
    fc.stringMatching(/^-?(€|\$|CHF) ?-?[1-9][0-9]{0,2}(,[0-9]{3}){0,2}(\.[0-9]{2})?$/),
    fc.stringMatching(/^-?[1-9][0-9]{0,2}(\.[0-9]{3}){0,2}(,[0-9]{2})? ?(€|kr|USD|%)$/),
    fc.stringMatching(/^[0-3]?[0-9][./-][01]?[0-9][./-][0-9]{2}( [012][0-9]:[0-5][0-9])?$/),
    fc.stringMatching(/^[0-3]?[0-9](\. | |-)(Jan|March|mai|févr\.|Mai|oct)( |-)20[0-9]{2}$/),
    fc.stringMatching(/^(Jan|Mar|mar|May|sept\.) [0-3]?[0-9],? 20[0-9]{2}( 1?[0-9]:00 ?(AM|p\.m\.))?$/),
    fc.stringMatching(/^[012]?[0-9]:[0-5][0-9]( ?[ap]m)?$/),
    fc.constantFrom(
      'yes',
      'No',
      'ja',
      'nein',
      'x',
      'n/a',
      '-',
      ' 1',
      '2 ',
      'oui',
      'non',
      '{"a": 1}',
      '[1]',
      '5.00 Dr',
      '5 Cr',
    ),
  ]

  const column = fc
    .tuple(fc.subarray(families, { minLength: 1, maxLength: 2 }), fc.boolean())
    .chain(([chosen]) => fc.array(fc.option(fc.oneof(...chosen)), { minLength: 1, maxLength: 6 }))

  it('is accepted by the builder for every value', () => {
    const types = new Set<string>()
    fc.assert(
      fc.property(column, (values) => {
        const { type, format } = infer(values)
        types.add(printType(type).replace(/\(.*/, ''))
        const builder = makeColumnBuilder(type, format)
        for (const value of values) {
          const bytes = encoder.encode(value ?? '')
          if (value === null) builder.appendNull()
          else if (!builder.appendText(bytes, 0, bytes.length)) expect.fail(`${value} is no ${printType(type)}`)
        }
        expect(builder.finish().length).toBe(values.length)
      }),
      { numRuns: 8000, endOnFailure: true },
    )
    // Eleven as a rule; timestamps in nanoseconds are too rare to be among them each time.
    expect(types.size).toBeGreaterThan(8)
  })

  it('doesn’t depend on which of two times has seven digits', () => {
    const times = ['06:46:54.6485580', '07:50:00.53343']
    expect(infer(times.toReversed()).type).toEqual(infer(times).type)
    expect(inferType('06:46:54.6485580', '10:15:00.0000000')).toBe('TIME')
  })

  it('doesn’t depend on the order of the values', () => {
    fc.assert(
      fc.property(
        column.chain((values) =>
          fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })),
        ),
        ([values, shuffled]) => {
          const [{ type, format }, other] = [infer(values), infer(shuffled)]
          expect([printType(other.type), other.format]).toEqual([printType(type), format])
        },
      ),
      { numRuns: 4000, endOnFailure: true },
    )
  })

  it('counts the values whose text isn’t the one that is written of them, as text and as JSON', () => {
    let others = 0
    fc.assert(
      fc.property(column, (values) => {
        const { type, format, rewritten } = infer(values)
        const builder = makeColumnBuilder(type, format)
        const texts = values.filter((value) => value !== null)
        for (const text of texts) builder.appendText(encoder.encode(text), 0, encoder.encode(text).length)
        const data = builder.finish()
        const json = makeCellJson(type, data)
        const isJson = (text: string, row: number): boolean => {
          const out = new ByteWriter(64)
          json(out, row)
          return [text, JSON.stringify(text)].includes(Buffer.from(out.view()).toString())
        }
        expect(rewritten.text.count).toBe(texts.filter((text, row) => cellToString(type, data, row) !== text).length)
        expect(rewritten.json.count).toBe(texts.filter((text, row) => !isJson(text, row)).length)
        for (const { example } of [rewritten.text, rewritten.json]) {
          if (!example) continue
          const row = texts.findIndex((text) => text === example.from)
          expect(row).toBeGreaterThanOrEqual(0)
          expect(example.to).not.toBe(example.from)
          others++
        }
        expect(rewritten.text.example?.to).toBe(
          rewritten.text.example && cellToString(type, data, texts.indexOf(rewritten.text.example.from)),
        )
      }),
      {
        numRuns: 8000,
        endOnFailure: true,
        // Read by a pattern, which one of them has as JSON has it.
        examples: [
          [['2262-12-02T01:45:55.8568830', '1970-01-15T07:06:49.2']],
          [[null, '00:23:08.8051170', '06:34:04.9', '19:59:25.83757']],
          [['03:05:42', '24:55:34.14558', '01:45:56.70']],
        ],
      },
    )
    expect(others).toBeGreaterThan(500)
  })
})
