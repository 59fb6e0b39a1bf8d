import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { quoteText } from '../../../../lib/duckdb-sql/names.ts'
import { Session } from '../../../testing/session.ts'

/** Values as they may be written: in the form that DuckDB prints, in others, and in none that JSON has. */
const SCALARS =
  '0 -0 7 -12 18446744073709551616 1.5 -0.5 0.0 -0.0 10.0 1.50 1.00 -2.0500 0.0000000 100.10 0.0000012 0.00000012 1.5e3 1e3 1E-7 '
    .concat(
      '2.5e400 123456789012.345 0.1234567890123456 00 01 1. - null true false nul "x" "" "é😀" "a\\nb" "unfinished ',
    )
    .concat('"\\u00e9\\"\\/" "\\ud83d\\ude00" "\\ud800"')
    .split(' ')
    .concat('"a b  c"', '"a\tb"', `"${'long '.repeat(20)}"`)
const KEYS = ['"a"', '"b"', '"a b"', '"\\u0061"', '""', '"a longer key than sixteen bytes"', 'a']
const PATHS = '$ a $.a $.a.b $.b.a $.a.a.a $[0] $.a[1] $[1].b $[0][0].a $[-1] /a $.c'
  .split(' ')
  .concat('', '$."a b"', '$."a longer key than sixteen bytes"')

const space = fc.constantFrom('', '', '', ' ', '\n', '\t ')
const rare = <T>(usual: readonly T[], all: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...all) })
const joined = (open: string, items: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(items, { maxLength: 4 }), space, space)
    .map(([all, before, after]) => `${open}${before}${all.join(`${after},${before}`)}${close}`)
const documents = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    rare(
      SCALARS.filter((text) => isJson(text)),
      SCALARS,
    ),
    tie('list'),
    tie('object'),
  ),
  list: joined('[', tie('value'), ']'),
  object: joined(
    '{',
    fc
      .tuple(rare(KEYS.slice(0, 3), KEYS), space, tie('value'))
      .map(([key, between, value]) => `${key}${between}:${between}${value}`),
    '}',
  ),
}))
const document = fc
  .tuple(space, documents.value, fc.constantFrom('', '', '', '', ' ', ' x', ','))
  .map(([before, value, after]) => `${before}${value}${after}`)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    // Half of a surrogate pair is no character.
    return !text.includes('"\\ud800"')
  } catch {
    return false
  }
}

let session: Session
beforeAll(async () => {
  session = await Session.open()
}, 120_000)

describe('DocumentKernel', () => {
  it('gives what JavaScript gives, and leaves the documents as they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(document), { minLength: 1, maxLength: 300, size: 'max' }),
        fc.tuple(fc.constantFrom(...PATHS), fc.constantFrom(...PATHS)),
        async (texts, [path, another]) => {
          const rows = texts.map((text, i) => `(${i}, ${text === null ? 'NULL' : quoteText(text)})`)
          const [p, q] = [quoteText(path), `if(i % 9 = 8, ${quoteText(another)}, ${quoteText(path)})`]
          await session.change(
            `CREATE OR REPLACE TEMP TABLE made AS SELECT i, j::VARCHAR AS j, ${p} AS p, ${q} AS q FROM (VALUES ${rows.join(', ')}) v(i, j)`,
          )
          await session.change(`CREATE OR REPLACE TEMP TABLE docs AS FROM made WHERE j IS NULL OR json_valid(j)`)
          const read = async (where: string): Promise<(string | null)[][]> =>
            (await session.run(`SELECT j ->> ${where}, j -> ${where}, j ->> q, j -> q, j FROM docs ORDER BY i`)).cells
          const ahead = await read(p)
          // The kernel reads no rows whose paths may be NULL.
          await session.change(`INSERT INTO docs VALUES (-1, '{}', NULL, NULL)`)
          expect(ahead).toEqual((await read('p')).slice(1))
          const valid = (await session.run('SELECT j, json_valid(j)::VARCHAR FROM made ORDER BY i')).cells
          expect(valid).toEqual(texts.map((text) => [text, text === null ? null : String(isJson(text))]))
          expect(ahead.map((cells) => cells.at(-1))).toEqual(texts.filter((text) => text === null || isJson(text)))
        },
      ),
      { numRuns: 25 },
    )
  }, 120_000)
})
