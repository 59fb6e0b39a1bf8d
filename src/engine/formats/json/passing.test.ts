import fc from 'fast-check'
import { afterEach, describe, it, vi } from 'vitest'
import { tries } from '../../../lib/testing.ts'
import { SETTINGS } from '../../columns/cells/json-testing.ts'
import { expectPassedAlike } from '../../columns/cells/testing.ts'
import type { ColumnInference } from '../../columns/infer/column-inference.ts'
import { inspectRest } from './second-half.ts'
import { QUIET } from '../../testing/quiet.ts'

afterEach(() => vi.restoreAllMocks())

const of = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)

/** The usual strings of a column, and the odd ones among them, as between quotes. */
const STRINGS: readonly (readonly [usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>])[] = [
  [
    fc.stringMatching(/^[A-Za-zäé][a-z é\\/]{0,20}$/).map((text) => text.replaceAll('\\', String.raw`\"`)),
    of(
      '',
      'x ',
      ' x',
      'x\u00a0',
      '\u2003x',
      'ᴺᵁᴸᴸ',
      '-',
      '12 May',
      '2024-01-31',
      '12',
      'Infinity',
      'NaN',
      'tRUE',
      'null',
      'n/a',
      'N.A.',
      'nil',
      'none',
      'false',
      'The',
      'no',
      't',
      'Inf',
      'tr',
      'Ναι',
      'été',
    ),
  ],
  [
    of(String.raw`The \"Hague\"`, String.raw`a\\`, String.raw`path\/to`, String.raw`caf\u00e9 au lait`, 'plain'),
    of(
      String.raw`x\n`,
      String.raw`x\u0020`,
      String.raw`x\u00a0`,
      String.raw`x\u2003`,
      String.raw`x\\n`,
      String.raw`n\u0075ll`,
      String.raw`\u006eull`,
      String.raw`n\u0075\u006c\u006c`,
      String.raw`n\/a`,
      'x\\ud83d\\ude00',
      String.raw`tr\u0075e`,
      String.raw`f\u0061lse and more`,
      String.raw`t\u0072ee`,
      String.raw`\"n`,
      String.raw`N\/\u0041 `,
    ),
  ],
  [
    fc.integer({ min: 1600, max: 2300 }).map((year) => `${year}-02-28`),
    of('2024-02-30', '0000-01-01', '2024-1-05', '20240105', '31.12.2024', String.raw`2024-02\u002d28`, ''),
  ],
  [
    fc.integer({ min: 1600, max: 2300 }).map((year) => `${year}-02-28 10:20:30`),
    of('2024-01-01 24:00:00', '2024-01-01 00:00:00.5', '2024-01-01 00:00', '2024-01-01T00:00:00Z', '2024-01-01'),
  ],
  [fc.nat(3000).map(String), of('007', '-0', '1e5', '+1', '20240331', '1.5', 'x', String.raw`1\u0032`)],
  [
    fc.tuple(fc.nat(9999), fc.nat(99)).map(([whole, part]) => `${whole}.${String(part).padStart(2, '0')}`),
    of('1.234', '.5', '5.', '1.50', '12.3.4', '1'),
  ],
]

const value = ([usual, odd]: (typeof STRINGS)[number], often: number): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: usual.map((text) => `"${text}"`), weight: often },
    { arbitrary: odd.map((text) => `"${text}"`), weight: 2 },
    { arbitrary: of('null', 'true', '12', '-1.5', '{"a":1}', '["x"]'), weight: 1 },
  )

/** A line has some of the columns. */
const lines = fc
  .tuple(fc.subarray([...STRINGS], { minLength: 1 }), fc.constantFrom(5, 40, 400))
  .chain(([some, often]) =>
    fc.array(
      fc.tuple(
        ...some.map((column, i) =>
          fc.option(value(column, often), { freq: 30, nil: '' }).map((text) => (text === '' ? '' : `"c${i}":${text}`)),
        ),
      ),
      { minLength: 5, maxLength: 100 },
    ),
  )
  .map((rows) => rows.map((members) => `{${members.filter((member) => member !== '').join(',')}}`).join('\n'))

/** Each column's statistics, except what is kept only of the last number. */
async function statsOf(content: string): Promise<unknown> {
  const found = await inspectRest(new File([content], 'a.ndjson'), SETTINGS, 0, QUIET)
  const same = (stats: ReturnType<ColumnInference['stats']> | null) =>
    stats && { ...stats, numbers: { ...stats.numbers, scale: 0, exact: true } }
  return {
    ...found,
    columns: found?.columns.map((c) => ({ ...c, numbers: same(c.numbers), strings: same(c.strings) })),
  }
}

describe('strings that the kernel passes over', () => {
  it('come to what they come to when they’re looked at one by one', async () => {
    await expectPassedAlike(lines, statsOf, tries(300))
  }, 120_000)
})
