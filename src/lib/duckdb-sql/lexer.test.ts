// oxlint-disable-next-line no-restricted-imports -- native DuckDB is the judge of where statements end
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { tokenize } from './lexer.ts'
import { statementsIn, findBoundaries, statementAt, updateBoundaries, type Source } from './statements.ts'

const read = (text: string): string[] =>
  tokenize(text).map(({ kind, from, to, closed }) => `${kind}${closed ? '' : '?'} ${text.slice(from, to)}`)

const source = (text: string): Source => ({ length: text.length, slice: (from, to) => text.slice(from, to) })

describe('tokens', () => {
  test.each([
    [
      'select 1_000, 0x1F, .5, 1.5e-3',
      [
        'word select',
        'number 1_000',
        'punctuation ,',
        'number 0x1F',
        'punctuation ,',
        'number .5',
        'punctuation ,',
        'number 1.5e-3',
      ],
    ],
    ['/* a /* b */ c */ x', ['comment /* a /* b */ c */', 'word x']],
    ['a -- b\nc', ['word a', 'comment -- b', 'word c']],
    ['2*/*c*/3--x', ['number 2', 'operator *', 'comment /*c*/', 'number 3', 'comment --x']],
    ["e'a\\'b' 'it''s' x'00'", ["string e'a\\'b'", "string 'it''s'", "string x'00'"]],
    [
      '$t$ $$ ; $t$ $name $1 ? #2',
      ['string $t$ $$ ; $t$', 'parameter $name', 'parameter $1', 'parameter ?', 'parameter #2'],
    ],
    ['"a""b".ü🦆', ['quoted "a""b"', 'punctuation .', 'word ü🦆']],
    ['x->y::INT', ['word x', 'operator ->', 'word y', 'operator ::', 'word INT']],
    ['a=-1 a||-b', ['word a', 'operator =', 'operator -', 'number 1', 'word a', 'operator ||-', 'word b']],
    [
      '1..2 x[1:2] f(a := 1)',
      [
        'number 1',
        'operator ..',
        'number 2',
        'word x',
        'punctuation [',
        'number 1',
        'punctuation :',
        'number 2',
        'punctuation ]',
        'word f',
        'punctuation (',
        'word a',
        'operator :=',
        'number 1',
        'punctuation )',
      ],
    ],
    ["'open", ["string? 'open"]],
    ['"open', ['quoted? "open']],
    ['/* open', ['comment? /* open']],
    ['$$ open', ['string? $$ open']],
    ['a\u00a0b\u3000c', ['word a', 'word b', 'word c']],
  ])('%s', (text, tokens) => expect(read(text)).toEqual(tokens))

  test('cover any text in order, with only spaces between them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let at = 0
        for (const { from, to } of tokenize(text)) {
          expect(text.slice(at, from)).toMatch(/^[\s\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]*$/)
          expect(to).toBeGreaterThan(from)
          at = to
        }
        expect(text.slice(at)).toMatch(/^[\s\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]*$/)
      }),
      { numRuns: 2000 },
    )
  })
})

const PART = fc.constantFrom(
  'select 1',
  ';',
  ' ',
  '\n',
  "'a;b'",
  "e'\\';'",
  '"x;y"',
  '-- c;\n',
  '/* ; /* ; */ */',
  '$$ ; $$',
  '$t$;$$;$t$',
  ' a',
  '+',
  '-',
  '/',
  '*',
  "'",
  '"',
  '$',
  '$t$',
  '/*',
  '*/',
  '--',
  '.',
  '1',
  'e5',
  ' as "q""r"',
)
const script = fc.array(PART, { maxLength: 30 }).map((parts) => parts.join(''))

describe('statements', () => {
  test('an update after an edit equals reading everything again', () => {
    fc.assert(
      fc.property(
        fc.array(script, { maxLength: 12 }).map((some) => some.join('padding that is longer than any margin ')),
        script,
        fc.nat(),
        fc.nat(400),
        (old, put, at, cut) => {
          const fromA = at % (old.length + 1)
          const toA = Math.min(old.length, fromA + cut)
          const text = old.slice(0, fromA) + put + old.slice(toA)
          const updated = updateBoundaries(findBoundaries(source(old)), source(text), {
            fromA,
            toA,
            toB: fromA + put.length,
          })
          expect(updated.ends).toEqual(findBoundaries(source(text)).ends)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('updates are right for long texts, strings across chunks, and edits at their ends', () => {
    const text = `select '${'x'.repeat(50_000)}'; ${'select 1;\n'.repeat(5000)}`
    const known = findBoundaries(source(text))
    expect(known.ends.length).toBe(5001)
    const after = text.slice(0, 20) + "'" + text.slice(20)
    expect(updateBoundaries(known, source(after), { fromA: 20, toA: 20, toB: 21 })).toEqual(
      expect.objectContaining({ ends: findBoundaries(source(after)).ends }),
    )
  })

  test('the statement at the cursor is found', () => {
    const text = ' select 1 ; -- c\n select 2;\n'
    const at = (cursor: number): string | null => {
      const place = statementAt(source(text), findBoundaries(source(text)), cursor)
      return place && text.slice(place.from, place.to)
    }
    expect([0, 5, 11, 17, 18, 27, 28].map(at)).toEqual([
      'select 1',
      'select 1',
      'select 1',
      'select 1',
      'select 2',
      'select 2',
      'select 2',
    ])
    expect(statementAt(source(' -- x'), findBoundaries(source(' -- x')), 3)).toBeNull()
    expect(statementsIn(source(text), findBoundaries(source(text))).length).toBe(2)
  })
})

describe('compared with DuckDB', () => {
  let db: DuckDBConnection
  beforeAll(async () => {
    db = await (await DuckDBInstance.create(':memory:')).connect()
  })

  test('the number of statements is equal', async () => {
    const item = fc.constantFrom(
      '1',
      "'a;b'",
      "e'\\';'",
      '1 as "x;y"',
      '1 -- c;\n',
      '/* ; /* ; */ */ 1',
      '$$ ; $$',
      '$t$;$$;$t$',
      '1 + 1',
      "'a' || $p",
      '1 - -1',
      '1 --\r',
      '1_0 as é',
    )
    const statements = fc.array(
      fc.array(item, { minLength: 1, maxLength: 6 }).map((parts) => `select ${parts.join(' , ')}`),
      { minLength: 1, maxLength: 4 },
    )
    let compared = 0
    await fc.assert(
      fc.asyncProperty(statements, async (some) => {
        const text = some.join(' ; ')
        const native = await db.extractStatements(text).catch(() => null)
        if (!native) return
        compared++
        expect(statementsIn(source(text), findBoundaries(source(text))).length).toBe(native.count)
      }),
      { numRuns: 400 },
    )
    expect(compared).toBeGreaterThan(300)
  })
})
