import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CsvSettings, ValueFormat } from '../../../tables/plan.ts'
import { parseType, printType } from '../../../tables/types.ts'
import { tries } from '../../../lib/testing.ts'
import type { ReadColumn } from '../column-builder.ts'
import { cutUp } from '../../testing/slices.ts'
import { byLine, readFile, requestFor, SETTINGS, watchKernel } from './csv-testing.ts'
import type { Told } from './testing.ts'
import { digits, edited, editOf, either, ends, mostly, pad, usualClock } from './fuzz-testing.ts'
import { bytesOf, expectSame, READABLE, utf8 } from './json-testing.ts'

/* Delimited text of all kinds, valid and not. Whatever is text here is bytes, a character each. */

const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(''))

const oddInteger = fc.oneof(
  either(...ends).map(String),
  either(
    '-0',
    '00',
    '01',
    '-01',
    '+1',
    '-',
    '--1',
    '1.0',
    '1e0',
    '1E+5',
    '1.',
    '1_0',
    '0x1',
    ' 1',
    '1 ',
    '1,000',
    '1-',
  ),
  digits(17, 25),
)
const usualDouble = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value.toFixed(3)),
  joined(either('', '-'), fc.nat(99).map(String), either('.'), digits(1, 17)),
)
const oddDouble = fc.oneof(
  either(
    'nan',
    'NaN',
    'inf',
    '-inf',
    'Infinity',
    '-Infinity',
    '+inf',
    '-0',
    '-0.0',
    '.5',
    '5.',
    '1e',
    '1e+',
    '1e400',
    '1e-400',
    '5e-324',
    '2e-324',
    '1.7976931348623157e308',
    '1.7976931348623159e308',
    '00.5',
    '1E0005',
    '1e00005',
    '+1.5',
    '1.5f',
    '1,5',
    ' 1.5',
    '1.5 ',
    '1..5',
    '1e5e5',
    '1-e5',
    '9007199254740993',
    '0.30000000000000004',
  ),
  joined(digits(1, 25), either('.'), digits(1, 25)),
  joined(digits(1, 20), either('e', 'E', 'e-', 'E+', 'e+'), fc.nat(400).map(String)),
  fc.double().map((value) => value.toExponential(16)),
)
const usualDay = fc
  .tuple(fc.integer({ min: 1900, max: 2100 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, day]) => `${year}-${pad(month, 2)}-${pad(day, 2)}`)
const oddDay = fc.oneof(
  either(
    '2023-02-29',
    '2024-02-29',
    '1900-02-29',
    '0000-01-01',
    '0000-02-29',
    '9999-12-31',
    '2023-1-01',
    '02023-01-01',
    '2023/01/01',
    '20230101',
    '2023-01',
    '2023-01-01 ',
    ' 2023-01-01',
    '-001-01-01',
    '10000-01-01',
  ),
  fc.tuple(fc.nat(9999), fc.nat(14), fc.nat(33)).map(([y, m, d]) => `${pad(y, 4)}-${pad(m, 2)}-${pad(d, 2)}`),
)
const oddClock = fc.oneof(
  either(
    '24:00',
    '23:60',
    '23:59:60',
    '1:00',
    '12',
    '12:0',
    '1200',
    '12:00:',
    '12:00:0',
    '12:00:00.',
    '12:00:00,5',
    '12:00:00.1234567',
    '12:00Z',
    '12:00:00+01',
    '12:00 PM',
  ),
  fc.tuple(fc.nat(25), fc.nat(61), fc.nat(61)).map(([h, m, s]) => `${pad(h, 2)}:${pad(m, 2)}:${pad(s, 2)}`),
)
const usualMoment = joined(usualDay, either('T', ' '), usualClock)
const zone = either('', 'Z', '+01:00', '-00:30', '+00', '-11', '+23:59')
const oddZone = either('+0100', ' Z', 'z', ' +01', '+1', '+24:00', '+14:60', '+01:0', '+01:', '+', 'UTC', '+01:00:00')
const oddMoment = fc.oneof(
  usualDay,
  joined(mostly(usualDay, oddDay, 1), either('T', ' ', 't', '', '  ', '_'), mostly(usualClock, oddClock, 1)),
  joined(usualMoment, fc.oneof(zone, oddZone)),
  joined(usualDay, zone),
)

const ascii = fc
  .oneof(fc.nat(40), either(0, 1, 14, 15, 16, 17, 30, 31, 32, 33, 47, 48))
  .map((length) => 'the quick brown fox jumps over the lazy dog and then sleeps a while'.slice(0, length))
const piece = mostly(
  fc.oneof(
    ascii,
    either(
      ' ',
      '  ',
      '"',
      '""',
      "'",
      "''",
      ',',
      ';',
      '\t',
      '|',
      '#',
      '\\',
      '\n',
      '\r\n',
      'NA',
      'NULL',
      'é',
      '漢字',
      '🎈',
      '\ufeff',
      '\u0080',
      '\uffff',
      '\u{10ffff}',
    ).map(utf8),
  ),
  either(
    '\r',
    '\0',
    '\x01',
    '\x7f',
    '\x80',
    '\xbf',
    '\xc0\xaf',
    '\xc3',
    '\xe2\x82',
    '\xed\xa0\x80',
    '\xf0\x9f\x98',
    '\xf4\x90\x80\x80',
    '\xff',
    '\xfe',
    '\n\n',
  ),
  30,
)
const text = fc.oneof(
  ascii,
  joined(ascii, piece, ascii),
  fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
  mostly(
    ascii,
    fc.tuple(piece, fc.integer({ min: 1, max: 1500 })).map(([one, times]) => one.repeat(times)),
    15,
  ),
)

const integer = (low: bigint, high: bigint): fc.Arbitrary<string> =>
  fc.oneof(fc.integer({ min: 0, max: 127 }).map(String), fc.bigInt(low, high).map(String))
const decimal = (before: number, after: number): fc.Arbitrary<string> =>
  joined(either('', '-'), fc.bigInt(0n, 10n ** BigInt(before) - 1n).map(String), either('', '.'), digits(1, after))
const oddDecimal = fc.oneof(
  either('-0', '-0.0', '0.005', '1e2', '1.5E-1', '123456789.12', '99999999.999', '.5', '5.', '01.5', '+1.5'),
  joined(digits(1, 20), either('.'), digits(0, 20)),
  oddInteger,
)
const bool = either('true', 'false', 'TRUE', 'False', 'tRuE')
const oddBool = either('t', 'f', 'yes', 'no', '1', '0', 'on', 'truer', 'fals', 'false ', ' true', 'tru', 'falsee')

/** Values of each type, and what looks like some. */
const VALUES: Readonly<Record<string, readonly [usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>]>> = {
  BOOLEAN: [bool, oddBool],
  TINYINT: [integer(-128n, 127n), oddInteger],
  SMALLINT: [integer(-32_768n, 32_767n), oddInteger],
  INTEGER: [integer(-(2n ** 31n), 2n ** 31n - 1n), oddInteger],
  BIGINT: [integer(-(2n ** 63n), 2n ** 63n - 1n), oddInteger],
  UTINYINT: [integer(0n, 255n), oddInteger],
  USMALLINT: [integer(0n, 65_535n), oddInteger],
  UINTEGER: [integer(0n, 2n ** 32n - 1n), oddInteger],
  DOUBLE: [fc.oneof(usualDouble, integer(-(2n ** 40n), 2n ** 70n)), fc.oneof(oddDouble, oddInteger)],
  VARCHAR: [text, fc.oneof(text, usualDouble, oddBool)],
  DATE: [usualDay, oddDay],
  TIME: [usualClock, oddClock],
  TIMESTAMP: [usualMoment, oddMoment],
  'TIMESTAMP WITH TIME ZONE': [joined(usualMoment, zone), oddMoment],
  'DECIMAL(10,2)': [decimal(8, 2), oddDecimal],
  'DECIMAL(18,6)': [decimal(12, 6), oddDecimal],
  'DECIMAL(18,18)': [joined(either('', '-'), either('0.'), digits(1, 18)), oddDecimal],
}
/** Values in formats of their own, with what looks like some. */
const digit3 = fc.nat(999).map((value) => pad(value, 3))
const grouped = (mark: string): fc.Arbitrary<string> =>
  joined(
    either('', '-'),
    fc.nat(999).map(String),
    fc.array(digit3, { maxLength: 4 }).map((all) => all.map((each) => mark + each).join('')),
  )
const styled = (form: (y: string, m: string, d: string) => string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.integer({ min: 1900, max: 2100 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
      fc.boolean(),
    )
    .map(([y, m, d, short]) => form(String(y), short ? String(m) : pad(m, 2), short ? String(d) : pad(d, 2)))
const oddNumber = fc.oneof(
  either(
    '1.5',
    '1,5',
    '1,234.5',
    '1.234,5',
    '12,34,567',
    '1,23',
    ',123',
    '123,',
    '1,,000',
    '1.000.00',
    '-1,000',
    '1,0e3',
    '1 000',
    "1'000",
    '+1,5',
    '1,5,5',
    '.5',
    ',5',
    '5,',
    '1e5',
    '1,000e2',
    '1234,567',
    '01,5',
    '0,005',
    '-',
    '-,5',
  ),
  joined(digits(1, 5), either('.', ',', ' ', "'"), digits(1, 5), either('', '.', ','), digits(0, 4)),
)
const oddStyled = fc.oneof(
  oddDay,
  either(
    '31.02.2024',
    '29.02.2024',
    '29.02.2023',
    '1.1.2024',
    '01.01.24',
    '32.01.2024',
    '01.13.2024',
    '00.01.2024',
    '01.01.02024',
    '1.1.2024 ',
    '01/02/2024',
    '12/31/99',
    '12/31/68',
    '01.01.2024 24:00',
    '01.01.2024 7:5:3',
    '01.01.0000',
    'infinity',
    '01.01.2024 10:00:00.1234567',
  ),
  joined(
    fc.nat(40).map(String),
    either('.', '/', '-'),
    fc.nat(15).map(String),
    either('.', '/', '-'),
    fc.nat(2100).map(String),
  ),
)
const FORMATTED: Readonly<
  Record<string, readonly [ValueFormat, usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>]>
> = {
  'DOUBLE with ,': [{ decimalMark: ',' }, usualDouble.map((value) => value.replace('.', ',')), oddNumber],
  'DECIMAL(12,3) with .,': [
    { decimalMark: ',', grouping: '.' },
    joined(grouped('.'), either('', ',5', ',25', ',125')),
    oddNumber,
  ],
  'DECIMAL(18,2) with ,.': [{ grouping: ',' }, joined(grouped(','), either('', '.5', '.25')), oddNumber],
  'DOUBLE with blanks': [
    { decimalMark: ',', grouping: ' ' },
    joined(grouped(' '), either('', ',5', ',0625')),
    oddNumber,
  ],
  "BIGINT with '": [{ grouping: "'" }, grouped("'"), oddNumber],
  'INTEGER with ,': [{ decimalMark: ',' }, integer(-(2n ** 31n), 2n ** 31n - 1n), oddNumber],
  'DATE with %d.%m.%Y': [{ dateFormat: '%d.%m.%Y' }, styled((y, m, d) => `${d}.${m}.${y}`), oddStyled],
  'DATE with %m/%d/%y': [{ dateFormat: '%m/%d/%y' }, styled((y, m, d) => `${m}/${d}/${y.slice(2)}`), oddStyled],
  'DATE with %Y%m%d': [{ dateFormat: '%Y%m%d' }, styled((y, m, d) => `${y}${m}${d}`), oddStyled],
  'TIMESTAMP with %d.%m.%Y %H:%M:%S': [
    { dateFormat: '%d.%m.%Y %H:%M:%S' },
    joined(
      styled((y, m, d) => `${d}.${m}.${y}`),
      either(' 10:00:07', ' 7:05:3', '  7:05:03', ' 23:59:59'),
    ),
    oddStyled,
  ],
  'TIMESTAMP WITH TIME ZONE with %Y/%m/%d %H:%M:%S.%f': [
    { dateFormat: '%Y/%m/%d %H:%M:%S.%f' },
    joined(
      styled((y, m, d) => `${y}/${m}/${d}`),
      either(' 10:00:07.5', ' 23:59:59.123456', ' 00:00:00.1234567'),
    ),
    oddStyled,
  ],
  'DATE with %d %b %Y': [{ dateFormat: '%d %b %Y' }, styled((y, _, d) => `${d} Mar ${y}`), oddStyled],
}
const formatOf = (type: string): ValueFormat | undefined => FORMATTED[type]?.[0]
const typeOf = (type: string) => parseType(type.replace(/ with .*/, ''))
const OTHERS = ['UBIGINT', 'HUGEINT', 'FLOAT', 'DECIMAL(20,2)', 'TIMESTAMP_S', 'INTEGER[]', 'UUID']
const anything = fc.oneof(...Object.values(VALUES).flat())

/* How a field is written. */

type Written = Pick<CsvSettings, 'delimiter' | 'quote'>
const STYLES = [
  'blank before',
  'blank after',
  'text after',
  'unclosed',
  'raw',
  'quote within',
  'null',
  'empty',
] as const
type Style = 'needed' | 'quoted' | (typeof STYLES)[number]

function write(value: string, style: Style, { delimiter, quote }: Written): string {
  if (!quote) return style === 'raw' ? value : value.replaceAll(/[\r\n]/g, ' ').replaceAll(delimiter, '_')
  const closed = `${quote}${value.replaceAll(quote, quote + quote)}${quote}`
  switch (style) {
    case 'needed':
      return /[\r\n]|^ *["']/.test(value) || value.includes(delimiter) ? closed : value
    case 'quoted':
      return closed
    case 'blank before':
      return ` ${closed}`
    case 'blank after':
      return `${closed}${delimiter === '\t' ? ' ' : '\t'}`
    case 'text after':
      return `${closed}x`
    case 'unclosed':
      return closed.slice(0, -1)
    case 'raw':
      return value
    case 'quote within':
      return `${value.slice(0, 2)}${quote}${value.slice(2)}`
    case 'null':
      return 'NA'
    case 'empty':
      return ''
  }
}

const oddStyle = fc.oneof(either<Style>(...STYLES), either<Style>('empty', 'null', 'quote within'))

/** Records of such fields. */
function recordsOf(types: readonly string[], how: Written, oddity: number, all: boolean): fc.Arbitrary<string> {
  const fields = types.map((type) => {
    const [usual, odd] = VALUES[type] ?? FORMATTED[type]?.slice(1) ?? VALUES.INTEGER
    const value = mostly(usual, mostly(odd, anything, 4), oddity * 2)
    const style = mostly(
      either<Style>(...(all ? ['quoted' as const] : (['needed', 'needed', 'quoted'] as const))),
      mostly(either<Style>('empty'), oddStyle, Math.max(1, oddity / 20)),
      Math.min(oddity * 2, 25),
    )
    return fc.tuple(value, style).map(([one, as]) => write(one, as, how))
  })
  const change = mostly(either('none'), either('few', 'many', 'after', 'blank'), oddity * 2)
  return fc.tuple(fc.tuple(...fields), change).map(([texts, what]) => {
    const record = (what === 'few' ? texts.slice(0, -1) : texts).join(how.delimiter)
    if (what === 'many') return `${record}${how.delimiter}1`
    return what === 'after' ? `${record} ` : what === 'blank' ? ` ${record}` : record
  })
}

const lineEnds = either(['\n'], ['\r\n'], ['\n', '\r\n'], ['\n', '\r\n', '\r'], ['\r'], ['\n'], ['\r\n'])

function textOf(line: fc.Arbitrary<string>, most: number, oddity = 20): fc.Arbitrary<string> {
  const one = mostly(line, either('', '', ' ', '\t', '#', '# a,b', '""', ',', '\0', '\xef\xbb\xbf', '"'), oddity)
  const lines = fc.array(fc.tuple(one, fc.nat(11)), { minLength: 1, maxLength: most, size: 'max' })
  return fc
    .tuple(lines, lineEnds, fc.boolean())
    .map(([all, use, ended]) =>
      all.map(([record, end], i) => record + (i < all.length - 1 || ended ? use[end % use.length] : '')).join(''),
    )
}

interface Source {
  readonly columns: readonly ReadColumn[]
  readonly settings: CsvSettings
  readonly content: string
}

const settingsOf: fc.Arbitrary<CsvSettings> = fc
  .record({
    delimiter: mostly(
      either(',', ';', '\t', '|', ',', '!', '~', '\\'),
      either(' ', ':', '-', '||', '§', '.', '0', 'e'),
    ),
    quote: either('"', '"', '"', "'", null, ''),
    backslash: mostly(either(false), either(true), 20),
    skipLines: mostly(either(0), fc.nat(4)),
    header: fc.boolean(),
    comment: mostly(either(null, ''), either('#', '//'), 10),
    nullStrings: mostly(
      either<string[]>([''], ['']),
      either<string[]>([], ['NA'], ['', 'NULL'], ['', ''], ['1', '', 'true']),
      2,
    ),
    shortRows: either<'pad' | 'reject'>('pad', 'reject'),
  })
  .map(({ backslash, ...settings }) => ({
    ...SETTINGS,
    ...settings,
    escape: settings.quote && (backslash ? '\\' : settings.quote),
  }))

/** @param whole whether all fields are columns, in their order */
const sourceOf = (whole: boolean): fc.Arbitrary<Source> =>
  fc
    .record({
      settings: settingsOf,
      types: fc.array(mostly(either(...Object.keys(VALUES), ...Object.keys(FORMATTED)), either(...OTHERS), 60), {
        minLength: 1,
        maxLength: 8,
      }),
      picked: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
      inOrder: whole ? fc.constant(true) : fc.boolean(),
      oddity: either(4, 20, 200),
      all: fc.boolean(),
    })
    .chain(({ settings, types, picked, inOrder, oddity, all }) => {
      const wanted = inOrder ? types.map((_, i) => i) : picked.filter((i) => i < types.length)
      const indexes = wanted.length > 0 ? wanted : [0]
      const columns = indexes.map((index) => ({
        index,
        source: `c${index}`,
        type: typeOf(types[index]),
        format: formatOf(types[index]),
      }))
      const head = types.map((_, i) => `c${i}`).join(utf8(settings.delimiter))
      const how = { delimiter: utf8(settings.delimiter), quote: settings.quote }
      return textOf(recordsOf(types, how, oddity, all), 25).map((content) => ({
        columns,
        settings,
        content: settings.header ? `${'x\n'.repeat(settings.skipLines)}${head}\n${content}` : content,
      }))
    })

const cuts = fc.array(fc.nat(100_000), { maxLength: 6 })

function expectTold(columns: readonly ReadColumn[], ours: Told, theirs: Told): void {
  expect(ours.failure).toBe(theirs.failure)
  expect(ours.names).toEqual(theirs.names.slice(0, 1))
  if (theirs.failure === null) expectSame(columns, ours.found, theirs.found)
}

describe('tables of random columns', () => {
  it('are read as JavaScript alone reads them', async () => {
    let total = 0
    const property = fc.asyncProperty(sourceOf(false), cuts, async ({ columns, settings, content }, places) => {
      const bytes = bytesOf(content)
      const request = requestFor(columns, settings)
      const whole = await readFile(request, [bytes], true)
      total += whole.found.rows
      expectTold(columns, await readFile(request, byLine(bytes)), whole)
      if (places.length > 0) expectTold(columns, await readFile(request, cutUp(bytes, places)), whole)
    })
    const { records, values } = await watchKernel(() => fc.assert(property, { numRuns: tries(150) }))
    // Else this would compare JavaScript with itself.
    expect(records).toBeGreaterThan(total / 2)
    expect(values).toBeGreaterThan(total * 2)
  })
})

/* Changes of a text's bytes. */

const edit = editOf('"",,\n\n\r\'; \t-+.eE09:TZ\0\x80\xa0\xbf\xc3\xe2\xed\xf0\xf4\xff/abftruFALS')

describe('text of which some bytes have changed', () => {
  const FEW = ['VARCHAR', 'INTEGER', 'VARCHAR', 'DOUBLE', 'BOOLEAN']
  const kinds: [string, readonly string[], number[], Partial<CsvSettings>, number][] = [
    ['all columns', READABLE, READABLE.map((_, i) => i), {}, tries(400)],
    ['few columns', FEW, [0, 1, 2, 3, 4], { shortRows: 'pad' }, tries(400)],
    [
      'columns in formats of their own',
      Object.keys(FORMATTED),
      Object.keys(FORMATTED).map((_, i) => i),
      { delimiter: ';' },
      tries(400),
    ],
    ['some columns in another order', FEW, [4, 2, 1], { nullStrings: [], delimiter: ';' }, tries(400)],
    ['texts alone', ['VARCHAR', 'VARCHAR'], [1, 0], { quote: "'", escape: "'", delimiter: '\t' }, tries(400)],
    ['no quotes', FEW, [0, 1, 2, 3], { quote: null, escape: null, delimiter: '|' }, tries(300)],
  ]
  it.each(kinds)('is read as JavaScript alone reads it, with %s', async (_, types, wanted, more, numRuns) => {
    const settings = { ...SETTINGS, ...more, header: false }
    const columns = wanted.map((index) => ({
      index,
      source: `c${index}`,
      type: typeOf(types[index]),
      format: formatOf(types[index]),
    }))
    const request = requestFor(columns, settings)
    const valid = fc.sample(recordsOf(types, settings, 1000, false), 300)
    const lines = (most: number): fc.Arbitrary<string> =>
      fc
        .tuple(textOf(either(...valid), most, 200), fc.array(edit, { minLength: 1, maxLength: 4 }))
        .map(([content, edits]) => edits.reduce(edited, content))
    const [first] = fc.sample(
      recordsOf(
        types.map((type) => (type === 'VARCHAR' ? 'DATE' : type)),
        settings,
        1e6,
        false,
      ),
    )
    const { records, values } = await watchKernel(async () => {
      const few = async (content: string): Promise<void> => {
        const bytes = bytesOf(content)
        expectTold(columns, await readFile(request, [bytes]), await readFile(request, [bytes], true))
      }
      await fc.assert(fc.asyncProperty(lines(5), few), { numRuns })
      await fc.assert(
        fc.asyncProperty(lines(30), cuts, async (content, places) => {
          const bytes = bytesOf(`${first}\n${content}`)
          const whole = await readFile(request, [bytes], true)
          expectTold(columns, await readFile(request, byLine(bytes)), whole)
          if (places.length > 4) expectTold(columns, await readFile(request, cutUp(bytes, places)), whole)
        }),
        { numRuns: numRuns / 4 },
      )
    })
    expect(records, columns.map(({ type }) => printType(type)).join()).toBeGreaterThan(numRuns)
    expect(values).toBeGreaterThan(numRuns)
  })
})
