import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../engine/storage/database.ts'
import { openDatabase } from '../../engine/storage/open-database.ts'
import { tries } from '../../lib/testing.ts'
import { tokensOf } from './tokens.ts'

let db: Database
let keywords: ReadonlySet<string>
beforeAll(async () => {
  db = await openDatabase()
  const batches = db.run('SELECT keyword_name FROM duckdb_keywords()')
  keywords = new Set(batches.flatMap((batch) => Array.from(batch.getChildAt(0) ?? [], String)))
})

function expectSame(text: string): void {
  const { offsets, types } = db.bindings.tokenize(text)
  expect(tokensOf(text, keywords), text).toEqual({ offsets: Array.from(offsets), types: Array.from(types) })
}

/** Pieces of text that the scanner distinguishes, or treats as spaces, letters or ends. */
const PIECES =
  `select a from interval current_date lambda é 🦆 x X b n N U& u _ e E 0x 0b _1 9e e+ 0o7 1 5 0 F " ' '' "" e' x' \\' $ $$ $a$ . ; , ( ) [ ] { } : :: -> ->> * / + - < > = ! ~ @ # % ^ & | \` ? \\ /* */ --`
    .split(' ')
    .concat(
      '\n',
      '\r',
      ' ',
      '\t',
      '\v',
      '\f',
      '\0',
      '\u0001',
      '\u007f',
      '\u0080',
      '\u0085',
      '\u00a0',
      '\u1680',
      '\u180e',
    )
    .concat('\u200b', '\u2028', '\u3000', '\ufeff', '\ud800')

describe('tokensOf', () => {
  it.each([
    'select a, b from t where x::int >= 1 -- c\n; x',
    "'a' \n 'b' 'c' -- x\n 'd'",
    "n'abc' U&'abc'",
    'select "" from x',
    "x'00'' $1_0 ?2 #2 $name $$ x $$ 0x1F 1__0",
    'x->y->>z->-- \n w',
    'a\u00a0b\u3000c',
    'a\0b',
    "e''\n'\\'' x",
    "E'a' \n '\\'' -- b\n '\\' c' d",
    "e''\n'\\' x",
    "x''\n'00''11' a",
    "B'1'\n'''' a",
    "x e'\\0' y",
    "e'\\1\\x41\\177\\xg' x",
    "e'\\x80' x",
    "e'a'\n'\\400' x",
    "e'\\u0041' x",
    "e'a' -- \\u0041\n 'b' x",
    "e'\\\\u' x",
    "e'\\é' x",
  ])('returns the same as DuckDB’s tokenizer: %j', expectSame)

  it('returns the same as DuckDB’s tokenizer for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => expectSame(pieces.join(''))),
      { numRuns: tries(5000) },
    )
    const strings = `e' E' x' b' n' ' '' \\' \\\\ a 0 \\x \\1 \\u 77 8 X é 🦆`.split(' ').concat('\n', ' ', '--\n')
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...strings), { maxLength: 10 }), (pieces) => expectSame(pieces.join(''))),
      { numRuns: tries(5000) },
    )
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 20 }), expectSame), { numRuns: tries(2000) })
  })
})
