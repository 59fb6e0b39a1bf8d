import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { tries } from '../../../lib/testing.ts'
import { parseType, printType, type ColumnType } from '../../../tables/types.ts'
import type { ReadColumn } from '../column-builder.ts'
import { digits, edited, editOf, either, ends, mostly, pad, usualClock } from './fuzz-testing.ts'
import { bytesOf, columnsOf, expectRight, READABLE, type Tally, utf8 } from './json-testing.ts'

// Each file is read twice, and a test that went on after its end would change how the next one reads.
vi.setConfig({ testTimeout: 120_000 })

/* Rows of JSON of all kinds, valid and not. Whatever is text here is bytes, a character each. */

const dateOf = ([year, month, date]: readonly number[]): string => `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}`

const integer = mostly(
  fc.oneof(
    fc.integer({ min: 0, max: 127 }).map(String),
    either(...ends).map(String),
    fc.maxSafeInteger().map(String),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
  ),
  fc.oneof(either('-0', '00', '01', '-01', '+1', '-', '1.0', '1e0', '1E+5', '"1"', '1_0', '0x1'), digits(17, 25)),
)
const usualDouble = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toExponential(16).replace('e', 'E')),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value.toFixed(3)),
  fc.tuple(digits(1, 9), digits(1, 12)).map(([whole, rest]) => `${Number(whole)}.${rest}`),
  fc
    .tuple(either('', '-'), fc.nat(9), digits(0, 18), either('e', 'E', 'e+', 'e-', 'E-'), fc.nat(280))
    .map(([sign, first, rest, e, power]) => `${sign}${first}${rest ? `.${rest}` : ''}${e}${power}`),
  fc.integer().map(String),
)
const double = mostly(
  fc.oneof(usualDouble, integer),
  fc.oneof(
    either(
      '-0',
      '-0.0',
      '0e0',
      '-0e-5',
      '0E+400',
      '0e9999',
      '0e10000',
      '.5',
      '5.',
      '5.e1',
      '1e',
      '1e+',
      '1e400',
      '1e-400',
      '-1e309',
      '5e-324',
      '2e-324',
      '3e-324',
      '1.7976931348623157e308',
      '1.7976931348623159e308',
      '00.5',
      'NaN',
      '-Infinity',
      '"1.5"',
      '1E0005',
      '9007199254740993',
      '9007199254740992.5',
      '18446744073709551615',
      '0.30000000000000004',
      '1e00000000000000000001',
    ),
    fc.tuple(digits(1, 25), digits(1, 25)).map(([whole, rest]) => `${whole}.${rest}`),
    fc
      .tuple(fc.nat(400), digits(1, 21), fc.nat(400))
      .map(([zeros, rest, power]) => `0.${'0'.repeat(zeros)}${rest}e${power}`),
    fc
      .tuple(digits(1, 3), fc.nat(400), fc.nat(400))
      .map(([first, zeros, power]) => `${first}${'0'.repeat(zeros)}e-${power}`),
  ),
)

const usualDay = fc
  .tuple(
    mostly(fc.integer({ min: 1900, max: 2100 }), fc.nat(9999)),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(dateOf)
const day = mostly(
  usualDay,
  fc.oneof(
    either(
      '2023-02-29',
      '2024-02-29',
      '1900-02-29',
      '2000-02-29',
      '0000-01-01',
      '0000-02-29',
      '0000-12-31',
      '0001-01-01',
      '9999-12-31',
      '1969-12-31',
      '2023-1-01',
      '02023-01-01',
      '-001-01-01',
      '2023/01/01',
      '20230101',
      '',
      '2023-01',
      '2023-01-01 ',
      '1582-10-10',
    ),
    fc.tuple(fc.nat(9999), fc.nat(14), fc.nat(33)).map(dateOf),
  ),
)
const clock = mostly(
  usualClock,
  fc.oneof(
    either(
      '24:00',
      '24:00:00',
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
      '-1:00',
    ),
    fc
      .tuple(fc.nat(25), fc.nat(61), fc.nat(61), digits(0, 9))
      .map(([h, m, s, rest]) => `${pad(h, 2)}:${pad(m, 2)}:${pad(s, 2)}.${rest}`),
  ),
)
const zone = either(
  '',
  'Z',
  '+01:00',
  '-00:30',
  '+00',
  '-11',
  '+23:59',
  '+01',
  '+0100',
  ' Z',
  'z',
  ' +01',
  '+1',
  '+24:00',
  '+14:60',
  '+01:0',
  '+01:',
  '+',
  'UTC',
  ' UTC',
  '+01:00:00',
  '-23:59',
)
const separator = mostly(either('T', ' '), either('t', '', '  ', '_'), 15)
const moment = mostly(
  fc
    .tuple(day, separator, clock, mostly(either('', 'Z', '+01:00', '-08', '-00:30'), zone))
    .map((parts) => parts.join('')),
  fc.oneof(
    day,
    fc.tuple(day, zone).map((parts) => parts.join('')),
    either(
      '0000-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      '1970-01-01T00:00Z',
      '1969-12-31 23:59:59.999999Z',
    ),
  ),
)
const quoted = (text: fc.Arbitrary<string>): fc.Arbitrary<string> => text.map((value) => `"${value}"`)

const ascii = fc
  .oneof(fc.nat(40), either(0, 1, 14, 15, 16, 17, 30, 31, 32, 33, 47, 48))
  .map((length) => 'the quick brown fox jumps over the lazy dog, then sleeps'.slice(0, length))
const usualPiece = fc.oneof(
  either(
    'é',
    '漢字',
    '🎈',
    '\u0080',
    '\ufffd',
    '\ufeff',
    '\uffff',
    '\u{10ffff}',
    '\u007f',
    "'",
    '{',
    '}',
    ':',
    ',',
    ' ',
  ).map(utf8),
  either(
    '\\"',
    '\\\\',
    '\\/',
    '\\b',
    '\\f',
    '\\n',
    '\\r',
    '\\t',
    '\\u0000',
    '\\u0041',
    '\\u00e9',
    '\\u6f22',
    '\\ufeFF',
    '\\uD83d\\uDE00',
  ),
)
const piece = mostly(
  fc.oneof(ascii, usualPiece),
  either(
    // Halves of pairs, escapes that are none, control characters, and bytes that aren't UTF-8.
    '\\ud83d',
    '\\ude00',
    '\\ud83d\\n',
    '\\ud83dx',
    '\\ud83d\\ud83d\\ude00',
    '\\ud83d\\u0041',
    '\\ude00\\ud83d',
    '\\ud83d\\u00',
    '\\u12',
    '\\u00g0',
    '\\x41',
    '\\a',
    '\\',
    '\\U0041',
    '\\0',
    '\t',
    '\r',
    '\0',
    '\x01',
    '\x1f',
    '\x7f',
    '\x80',
    '\xbf',
    '\xc0\xaf',
    '\xc1\x81',
    '\xc3',
    '\xe2\x82',
    '\xe0\x9f\xbf',
    '\xed\xa0\x80',
    '\xed\x9f\xbf',
    '\xef\xbf',
    '\xf0\x8f\xbf\xbf',
    '\xf4\x90\x80\x80',
    '\xf5\x80\x80\x80',
    '\xff',
    '\xfe',
    '\xf0\x9f\x98',
    '\xc3\\u00a9',
    '\xc3\\n\xa9',
    '"',
  ),
  25,
)
const text = fc.oneof(
  ascii,
  fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
  fc.tuple(ascii, piece, ascii).map((pieces) => pieces.join('')),
  fc.tuple(piece, fc.integer({ min: 1, max: 60 })).map(([one, times]) => one.repeat(times)),
)
const nested = either(
  '[]',
  '{}',
  '[1,[2,"]"]]',
  '{"a":{"b":[null]}, "c" : "}"}',
  '["\\ud83d"]',
  '[1,]',
  '{"a":1',
  '[{"a":"\\""}]',
)
const word = either('null', 'true', 'false')
const anything: fc.Arbitrary<string> = fc.oneof(
  integer,
  double,
  quoted(day),
  quoted(clock),
  quoted(moment),
  quoted(text),
  nested,
  word,
  either('nul', 'nulll', 'True', 'truefalse', 'NaN', '', "'a'", 'fals', 'tru"'),
)

const decimalOf = (width: number, scale: number): fc.Arbitrary<string> =>
  fc
    .tuple(either('', '-'), fc.bigInt(0n, 10n ** BigInt(width - scale) - 1n), digits(0, scale))
    .map(([sign, before, after]) => `${sign}${before}${after === '' ? '' : `.${after}`}`)
const oddDecimal = fc.oneof(
  either(
    '-0',
    '-0.0',
    '0.00',
    '0.005',
    '1e2',
    '1.5e1',
    '1.5E-1',
    '12345678.90',
    '123456789.12',
    '99999999.99',
    '99999999.999',
    '.5',
    '5.',
    '01.5',
  ),
  fc.tuple(digits(1, 25), digits(0, 20)).map(([before, after]) => `${before}.${after}`),
  integer,
  double,
)

/** Values of a type, and what looks like some; types that aren't named have integers. */
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  BOOLEAN: mostly(either('true', 'false'), either('"true"', '1', '0', '"f"', 'TRUE')),
  DOUBLE: double,
  VARCHAR: mostly(quoted(text), anything),
  DATE: quoted(day),
  TIME: quoted(
    mostly(
      clock,
      fc.tuple(clock, zone).map((parts) => parts.join('')),
      20,
    ),
  ),
  TIMESTAMP: quoted(
    mostly(
      moment.map((value) => value.replace(/(?<=:.*)(Z|[+-]\d\d(:\d\d)?)$/, '')),
      moment,
    ),
  ),
  'TIMESTAMP WITH TIME ZONE': quoted(moment),
}
const valueOf = (type: ColumnType): fc.Arbitrary<string> =>
  type.kind === 'decimal' ? oddDecimal : type.kind === 'scalar' ? (VALUES[type.name] ?? integer) : anything

const usualText = fc.array(fc.oneof(ascii, usualPiece), { maxLength: 3 }).map((pieces) => `"${pieces.join('')}"`)
const usualMoment = fc.tuple(usualDay, either('T', ' '), usualClock).map((parts) => `"${parts.join('')}`)
/** Values that the kernel reads. */
const USUAL: Readonly<Record<string, fc.Arbitrary<string>>> = {
  BOOLEAN: either('true', 'false'),
  TINYINT: fc.integer({ min: -128, max: 127 }).map(String),
  SMALLINT: fc.integer({ min: -32_768, max: 32_767 }).map(String),
  INTEGER: fc.integer().map(String),
  BIGINT: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
  UTINYINT: fc.nat(255).map(String),
  USMALLINT: fc.nat(65_535).map(String),
  UINTEGER: fc.nat(2 ** 31 - 1).map((value) => String(value * 2)),
  DOUBLE: usualDouble,
  VARCHAR: usualText,
  DATE: quoted(usualDay),
  TIME: quoted(usualClock),
  TIMESTAMP: usualMoment.map((value) => `${value}"`),
  'TIMESTAMP WITH TIME ZONE': fc
    .tuple(usualMoment, either('Z"', '+01:00"', '-08"', '"'))
    .map((parts) => parts.join('')),
  'DECIMAL(10,2)': decimalOf(10, 2),
  'DECIMAL(18,6)': decimalOf(18, 6),
  'DECIMAL(18,0)': decimalOf(18, 0),
  'DECIMAL(18,18)': decimalOf(18, 18),
  'DECIMAL(3,3)': decimalOf(3, 3),
}

/** White space, seldom any. */
const gap = mostly(either(''), either(' ', '\t', '\r', '  ', '\r\t \t'), 20)

interface Source {
  readonly columns: readonly ReadColumn[]
  readonly line: fc.Arbitrary<string>
}

/** Rows of such columns: members in the columns' order in the main. */
function linesFor(columns: readonly ReadColumn[], oddity: number): fc.Arbitrary<string> {
  const wanted = columns.map(({ source, type }) => {
    const name = utf8(source)
    // The first character as an escape.
    const escaped = either(`\\u${(source.charCodeAt(0) || 0).toString(16).padStart(4, '0')}${utf8(source.slice(1))}`)
    const key = mostly(either(name), escaped, oddity * 4)
    const usual = USUAL[printType(type)] ?? valueOf(type)
    const value = mostly(mostly(usual, either('null')), valueOf(type), oddity)
    return fc.tuple(key, gap, gap, mostly(value, anything, oddity * 4))
  })
  const names = columns.map(({ source }) => utf8(source))
  const otherKey = fc.oneof(
    either('', 'x', 'other', 'k'.repeat(40), ...names.map((name) => `${name}x`)),
    either(...names.map((name) => name.slice(0, -1)), ...names.map((name) => name.toUpperCase())),
    either(...names.map((name) => `x${name.slice(1)}`)),
  )
  const oddKey = either('caf\xc3\xa9', '\\n', 'a\\"', 'id\0', 'a\xff', ...names.map((one) => `${one}":`))
  const other = fc.tuple(
    mostly(otherKey, oddKey, oddity),
    gap,
    gap,
    mostly(fc.oneof(fc.integer().map(String), usualDouble, word, usualText), anything, oddity),
  )
  return fc
    .record({
      members: fc.tuple(...wanted),
      present: fc.array(fc.nat(5), { minLength: columns.length, maxLength: columns.length }),
      swaps: mostly(either<number[]>([]), fc.array(fc.nat(columns.length), { maxLength: 6 }), 2),
      others: mostly(either<never[]>([]), fc.array(fc.tuple(fc.nat(columns.length), other), { maxLength: 3 }), 3),
      again: mostly(either(-1), fc.nat(columns.length - 1), oddity),
      gaps: fc.tuple(gap, gap, gap, gap),
      end: mostly(either('', '', ' ', '\r'), either(',', '{}', '\0', 'x'), oddity),
    })
    .map(({ members, present, swaps, others, again, gaps, end }) => {
      const used = members.filter((_, i) => present[i] > 0)
      for (const [i, to] of swaps.entries()) used.splice(to, 0, ...used.splice(i, 1))
      for (const [place, member] of others) used.splice(place, 0, member)
      if (again >= 0) used.push(members[again])
      const [before, first, last, after] = gaps
      const inner = used.map(([key, a, b, value]) => `"${key}"${a}:${b}${value}`).join(`${last},${first}`)
      return `${before}{${first}${inner}${last}}${after}${end}`
    })
}

const sample = (line: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
  fc
    .record({
      lines: fc.array(
        mostly(line, either('', ' ', '\t\r', '\r', 'null', '[1]', '{}', '{', '\0', '\xef\xbb\xbf{}'), 12),
        {
          minLength: 1,
          maxLength: most,
          size: 'max',
        },
      ),
      end: either('\n', '\n', '\r\n'),
      ended: fc.boolean(),
    })
    .map(({ lines, end, ended }) => lines.join(end) + (ended ? end : ''))

const name = fc.oneof(
  either(
    'id',
    'name',
    'a',
    'b c',
    '',
    '0',
    '__proto__',
    'ünï',
    '漢字',
    '🎈',
    "it's",
    'x:y',
    'A',
    'a,b',
    '\ufeffa',
    '{',
    '\ufffd',
  ),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }).filter((value) => !/["\\]/.test(value)),
  either(13, 14, 15, 16, 17, 29, 30, 31, 32, 33, 40).map((length) => 'k'.repeat(length)),
)
const OTHERS = ['UBIGINT', 'HUGEINT', 'FLOAT', 'DECIMAL(20,2)', 'TIMESTAMP_S', 'TIMESTAMP_NS', 'INTEGER[]', 'UUID']
const source: fc.Arbitrary<Source> = fc
  .record({
    names: fc.uniqueArray(name, { minLength: 1, maxLength: 8 }),
    types: fc.array(mostly(either(...Object.keys(USUAL)), either(...OTHERS), 60), { minLength: 8, maxLength: 8 }),
    oddity: either(4, 20, 200),
  })
  .map(({ names, types, oddity }) => {
    const columns = names.map((key, index) => ({ index, source: key, type: parseType(types[index]) }))
    return { columns, line: linesFor(columns, oddity) }
  })

/** Adds what the kernel had of a file to what it had of others. */
function add(to: Tally, { split, left, columns, others }: Tally): void {
  to.split += split
  to.left += left
  to.columns += columns
  to.others += others
}

describe('tables of random columns', () => {
  it('are read as JavaScript alone reads them', async () => {
    const tally = { split: 0, left: 0, columns: 0, others: 0 }
    const table = source.chain(({ columns, line }) =>
      fc.record({ columns: fc.constant(columns), text: sample(line, 30) }),
    )
    await fc.assert(
      fc.asyncProperty(table, async ({ columns, text: content }) => {
        const bytes = bytesOf(content)
        add(tally, await expectRight(columns, bytes))
      }),
      { numRuns: tries(150) },
    )
    // Else this would compare JavaScript with itself.
    expect(tally.split).toBeGreaterThan(tally.left / 2)
    expect(tally.left).toBeGreaterThan(0)
    expect(tally.columns).toBeGreaterThan(tally.others)
    expect(tally.others).toBeGreaterThan(0)
  })

  it.each([
    ['in an array', ['[', ']'], [',', ',\n', ' ,\n  ', '\n, ']],
    ['one after another', ['', ''], ['', ' ', '\n', '\r\n\t']],
  ] as const)('are read as JavaScript alone reads them %s', async (_, [start, end], between) => {
    const tally = { split: 0, left: 0, columns: 0, others: 0 }
    const table = source.chain(({ columns, line }) => {
      const row = mostly(line, either('null', '[1]', '{}', '{', '1'), 100)
      return fc.record({
        columns: fc.constant(columns),
        rows: fc.array(row, { maxLength: 30, size: 'max' }),
        comma: either(...between),
      })
    })
    await fc.assert(
      fc.asyncProperty(table, async ({ columns, rows, comma }) => {
        add(tally, await expectRight(columns, bytesOf(`${start}${rows.join(comma)}${end}`), 'array'))
      }),
      { numRuns: tries(150) },
    )
    expect(tally.split).toBeGreaterThan(tally.left / 2)
    expect(tally.left).toBeGreaterThan(0)
  })
})

/* Changes of a line's bytes. */

const edit = editOf('"\\{}[],:-+.eE09 \t\r\n\0\x01\x1funtZT\x7f\x80\xa0\xbf\xc3\xe2\xed\xf0\xf4\xff/abf')

describe('lines of which some bytes have changed', () => {
  const columns = columnsOf(
    Object.fromEntries(
      READABLE.map((type, i) => [
        i === 3 ? 'größe' : i === 5 ? 'k'.repeat(14) : i === 7 ? 'k'.repeat(33) : `c${i}`,
        type,
      ]),
    ),
  )
  const few = [columns[9], columns[8], columns[13], columns[3]]

  const both = [
    ['all', columns],
    ['few', few],
  ] as const
  it.each(both)('are read as JavaScript alone reads them, with %s columns', async (_, wanted) => {
    const tally = { split: 0, left: 0, columns: 0, others: 0 }
    const line = fc
      .tuple(
        linesFor(wanted, 1000),
        mostly(
          edit.map((one) => [one]),
          fc.array(edit, { maxLength: 4 }),
          3,
        ),
      )
      .map(([valid, edits]) => edits.reduce(edited, valid))
    await fc.assert(
      fc.asyncProperty(sample(line, 60), async (content) => {
        const bytes = bytesOf(content)
        add(tally, await expectRight(wanted, bytes))
      }),
      { numRuns: tries(150) },
    )
    expect(tally.split).toBeGreaterThan(tries(300))
    expect(tally.left).toBeGreaterThan(tries(300))
  })

  it.each(both)('are read so from an array, with %s columns', async (_, wanted) => {
    const tally = { split: 0, left: 0, columns: 0, others: 0 }
    const array = fc
      .tuple(fc.array(linesFor(wanted, 1000), { minLength: 1, maxLength: 20 }), fc.array(edit, { maxLength: 2 }))
      .map(([rows, edits]) => edits.reduce(edited, `[${rows.join(',\n')}]`))
    await fc.assert(
      fc.asyncProperty(array, async (content) => {
        add(tally, await expectRight(wanted, bytesOf(content), 'array'))
      }),
      { numRuns: tries(150) },
    )
    expect(tally.split).toBeGreaterThan(tries(300))
    expect(tally.left).toBeGreaterThan(tries(40))
  })
})
