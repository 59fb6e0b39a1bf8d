import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenize } from '../../../../lib/duckdb-sql/index.ts'
import { formatted } from './format.ts'
import { layout } from './layout.ts'

const format = (text: string): string => formatted(text, layout)
const tokens = (text: string): string[] => tokenize(text).map(({ from, to }) => text.slice(from, to))

describe('format', () => {
  const part = fc.constantFrom(
    ...`select from where group¬by order¬by with as ( ) , . ; join on union¬all a b t.x "c¬d" 'it''s' --x⏎ /*c*/ $$q$$ $p ? 1 2.5 1_0 + - * / || :: -> = <> and or not in case when then else end over count(*) {'a':1} [1,2] x[1] ü limit distinct #1 @> !`
      .split(' ')
      .map((word) => word.replaceAll('¬', ' ').replaceAll('⏎', '\n')),
  )
  test('changes no token, or nothing at all', () => {
    let laid = 0
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(part, { maxLength: 25 }).map((parts) => parts.join(' ')),
          fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
          fc.string(),
        ),
        (text) => {
          let after: string
          try {
            after = format(text)
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
            return
          }
          laid++
          expect(tokens(after)).toEqual(tokens(text))
        },
      ),
      { numRuns: 1500 },
    )
    expect(laid).toBeGreaterThan(300)
  })
})
