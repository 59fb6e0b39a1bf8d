import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inlineParameters, literal } from './execute.ts'

const X = { x: { type: 'BIGINT', text: '7' } } as const
const SEVEN = "CAST('7' AS BIGINT)"

describe('inlined parameters', () => {
  test.each([
    ['SELECT $x', `SELECT ${SEVEN}`],
    ['SELECT $x+$X, $xy', `SELECT ${SEVEN}+${SEVEN}, $xy`],
    ['SELECT ($x)', `SELECT (${SEVEN})`],
    ["SELECT '$x', $x", `SELECT '$x', ${SEVEN}`],
    ["SELECT 'it''s $x'", "SELECT 'it''s $x'"],
    ["SELECT E'\\' $x', $x", `SELECT E'\\' $x', ${SEVEN}`],
    ['SELECT "$x" FROM t', 'SELECT "$x" FROM t'],
    ['SELECT "a""$x"', 'SELECT "a""$x"'],
    ['SELECT 1 -- $x\n, $x', `SELECT 1 -- $x\n, ${SEVEN}`],
    ['SELECT /* $x /* $x */ $x */ $x', `SELECT /* $x /* $x */ $x */ ${SEVEN}`],
    ['SELECT $$ $x $$, $x', `SELECT $$ $x $$, ${SEVEN}`],
    ['SELECT $q$ $x $q$, $x', `SELECT $q$ $x $q$, ${SEVEN}`],
    ['SELECT a$x FROM t', 'SELECT a$x FROM t'],
    ["SELECT 'unclosed $x", "SELECT 'unclosed $x"],
    ['SELECT /* unclosed $x', 'SELECT /* unclosed $x'],
    ['SELECT 1', 'SELECT 1'],
    ['', ''],
  ])('%s', (sql, expected) => expect(inlineParameters(sql, X)).toBe(expected))

  test('may be numbered', () => {
    const values = { 1: { type: 'BIGINT', text: '7' }, 2: { type: 'BIGINT', text: '8' } } as const
    const filled = `SELECT ${SEVEN} + CAST('8' AS BIGINT), '?', $3`
    expect(inlineParameters("SELECT ? + ?, '?', $3", values)).toBe(filled)
    expect(inlineParameters("SELECT $1 + $2, '?', $3", values)).toBe(filled)
  })

  test('are quoted', () => {
    expect(literal({ type: 'VARCHAR', text: "O'Brien'; DROP" })).toBe("CAST('O''Brien''; DROP' AS VARCHAR)")
    expect(literal({ type: 'DATE', text: null })).toBe('CAST(NULL AS DATE)')
  })

  test('don’t change a text without parameters', () => {
    const unit = fc.constantFrom("'", '"', '$', '-', '/', '*', '\n', 'e', 'x', '$y', '$$', '\\')
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit })), (sql) => {
        if (!sql.toLowerCase().includes('$x')) expect(inlineParameters(sql, X)).toBe(sql)
        expect(inlineParameters(sql, {})).toBe(sql)
      }),
    )
  })
})
