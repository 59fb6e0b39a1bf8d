import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tries } from '../../../lib/testing.ts'
import { expectPassedAlike } from '../../columns/cells/testing.ts'
import { inspectRest } from './pass.ts'
import { fileOf, inspect } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'

afterEach(() => vi.restoreAllMocks())

const of = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)
const padded = (most: number, digits: number): fc.Arbitrary<string> =>
  fc.nat(most).map((value) => String(value).padStart(digits, '0'))
const decimal = (digits: number, scale: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min: -(10 ** digits), max: 10 ** digits }), padded(10 ** scale - 1, scale))
    .map(([whole, fraction]) => `${whole}.${fraction}`)
const day = fc
  .tuple(fc.integer({ min: 1600, max: 2300 }), padded(13, 2), padded(32, 2))
  .map(([year, month, date]) => `${year}-${month}-${date}`)
const time = fc.tuple(padded(24, 2), padded(60, 2), padded(60, 2)).map((parts) => parts.join(':'))
const moment = fc.tuple(day, of(' ', ' ', ' ', 'T', '  '), time).map((parts) => parts.join(''))

/** The usual values of a column, and the odd ones among them. */
const columns: readonly (readonly [usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>])[] = [
  [
    fc.nat(3000).map(String),
    of('0', '1', '-0', '007', '-12', '+1', '1.0', '2147483648', '20240331', '19991301', '99999999', '-999'),
  ],
  [fc.integer({ min: -1e9, max: 1e9 }).map(String), of('1234567890', '-999999999', '1e5', '1 000', '1_0', '12a', 'x')],
  [
    decimal(4, 2),
    of('0.05', '-0.00', '-0.50', '.5', '5.', '00.5', '1.5', '1.2345', '12.50', '1e-7', '1.234', '12.3.4', '-999.00'),
  ],
  [
    fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(String),
    of('1.0', '-0.0', '0.1000000000000000055', '0.00010', '3'),
  ],
  [
    decimal(12, 3),
    of('1.234', '12.345', '123.450', '1234.567', '0.100', '123456789012345.6', '1234567890123456.7', 'NaN'),
  ],
  [
    day,
    of('2024-02-30', '0000-01-01', '2024-1-05', '2024-01-05 ', '2024-01-05T', '20240105', '31.12.2024', '0000-00-00'),
  ],
  [
    moment,
    of(
      '1500-01-01 00:00:00',
      '2024-01-01 00:00',
      '2024-01-01 00:00:00.5',
      '2024-01-01 00:00:00Z',
      '2024-01-01 24:00:00',
    ),
  ],
  [of('true', 'false'), of('TRUE', 'False', 'truex', 'tru', 'falsy', '1', 'yes')],
  [
    fc
      .stringMatching(/^[A-Za-zäé][a-z "é]{0,20}$/)
      .map((text) => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text)),
    of(
      'Inf',
      'infinity',
      'true',
      'False',
      'nan',
      'null',
      'n/a',
      'N.A.',
      'none',
      'nothing',
      'no',
      't',
      'The',
      'ᴺᵁᴸᴸ',
      ' x',
      'x ',
      'x\u00a0',
      '\u2003x',
      'x\u2029',
      '-',
      '12 May',
      '""',
      '"a,b"',
      '"""t"""',
      '"n""a"',
      '"The ""Hague"""',
    ),
  ],
]

const cell = ([usual, odd]: (typeof columns)[number], often: number): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: usual, weight: often },
    { arbitrary: usual.filter((text) => !text.startsWith('"')).map((text) => `"${text}"`), weight: 2 },
    { arbitrary: odd, weight: 2 },
    { arbitrary: of('', '""'), weight: 1 },
  )

/** Some rows are short or long and so rejected, but they have row numbers, too. */
const tables = fc
  .tuple(fc.subarray([...columns], { minLength: 2 }), fc.constantFrom(5, 40, 400), fc.boolean())
  .chain(([some, often, ragged]) =>
    fc.array(
      fc
        .tuple(fc.tuple(...some.map((column) => cell(column, often))), fc.nat(30))
        .map(([cells, chance]) => (ragged && chance === 0 ? [...cells, 'more', 'than that'] : cells).join(',')),
      { minLength: 5, maxLength: 120 },
    ),
  )
  .map((rows) => rows.join('\n'))

/** Each column's statistics, except what is kept only of the last number. */
async function statsOf(content: string): Promise<unknown> {
  const { settings } = await inspect(content, { header: false })
  const found = await inspectRest(fileOf(content), settings, 0, QUIET)
  return found?.columns.map(({ numbers, ...stats }) => ({ ...stats, numbers: { ...numbers, scale: 0, exact: true } }))
}

describe('values that the kernel passes over', () => {
  it('come to what they come to when they’re looked at one by one', async () => {
    await expectPassedAlike(tables, statsOf, tries(250))
  }, 120_000)

  it('are counted where they’re the null that ClickHouse draws', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `${i},${i % 5 === 4 ? 'ᴺᵁᴸᴸ' : `Person ${i}`}`)
    const found = await inspect(['id,name', ...rows].join('\n'))
    expect(found.tables[0].columns[1].proposals).toMatchObject([{ code: 'null-words', count: 200 }])
  })
})
