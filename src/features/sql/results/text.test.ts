import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findAgain, findStatement, lineOf, offsetOf, onlyReads, shifted, statementAt, wordAt } from './text.ts'

const statement = (text: string, from: number) => ({ text, from, to: from + text.length, parameters: [] })

describe('the statement under the cursor', () => {
  // SELECT 1; SELECT 2
  const both = [statement('SELECT 1', 0), statement('SELECT 2', 10)]
  test.each([
    [0, 'SELECT 1'],
    [8, 'SELECT 1'],
    [9, 'SELECT 1'],
    [10, 'SELECT 2'],
    [99, 'SELECT 2'],
  ])('at %d', (cursor, text) => expect(statementAt(both, cursor)?.text).toBe(text))

  test('is the first one if the cursor is before all of them', () =>
    expect(statementAt(shifted(both, 5), 0)?.text).toBe('SELECT 1'))
  test('may not exist', () => expect(statementAt([], 3)).toBeNull())
})

test('lines and columns are converted to offsets and back', () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', '🦆', ' ', '\r', 'é') }), { minLength: 1 })
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), (parts, a, b) => {
      const text = parts.join('\n')
      const line = (a % parts.length) + 1
      const column = (b % ((parts[line - 1] ?? '').length + 1)) + 1
      const offset = offsetOf(text, line, column)
      expect(offset).not.toBeNull()
      expect(lineOf(text, offset ?? -1)).toBe(line)
      expect(
        text
          .slice(0, offset ?? 0)
          .split('\n')
          .at(-1)?.length,
      ).toBe(column - 1)
    }),
  )
  expect(offsetOf('a\nb', 3, 1)).toBeNull()
  expect(offsetOf('a', 1, 9)).toBeNull()
  expect(offsetOf('a', 0, 1)).toBeNull()
})

test.each([
  ['SELECT größe FROM x', 7, 'größe'],
  ['SELECT "a ""b" FROM', 7, '"a ""b"'],
  ['SELECT * FROM', 7, '*'],
  ['SELECT', 6, 'T'],
])('the word in %j at %d', (text, offset, word) => {
  const { from, to } = wordAt(text, offset)
  expect(text.slice(from, to)).toBe(word)
})

test('an empty text has no word', () => expect(wordAt('', 0)).toEqual({ from: 0, to: 0 }))

describe('a part of an edited text', () => {
  test('is found at its former position', () =>
    expect(findAgain('SELECT 1; SELECT 1', 'SELECT 1', 10)).toEqual({ from: 10, to: 18 }))
  test('is found where it has moved', () =>
    expect(findAgain('-- x\nSELECT 1', 'SELECT 1', 0)).toEqual({ from: 5, to: 13 }))
  test('isn’t guessed', () => expect(findAgain('  SELECT 1; SELECT 1', 'SELECT 1', 1)).toBeNull())
  test('may be gone', () => expect(findAgain('SELECT 2', 'SELECT 1', 0)).toBeNull())
  test('isn’t found at the beginning of something longer', () => {
    expect(findAgain('SELECT 10', 'SELECT 1', 0)).toBeNull()
    expect(findAgain('-- x\nSELECT 10', 'SELECT 1', 0)).toBeNull()
    expect(findAgain('SELECT 1;', 'SELECT 1', 0)).toEqual({ from: 0, to: 8 })
  })
})

describe('the statement of a run', () => {
  const found = (text: string, part: string, selected = false) =>
    findStatement(text, { statement: part, from: 0, selected })
  test('is found among others, comments and characters that end it', () => {
    const text = '-- a;b\nSELECT 1 /* c */ -- d\n;\nSELECT 2'
    expect(found(text, 'SELECT 1')).toEqual({ from: 7, to: 15 })
    expect(found(text, 'SELECT 2')).toEqual({ from: 31, to: 39 })
  })
  test.each(['SELECT 1 ORDER BY 1', 'EXPLAIN SELECT 1', 'SELECT 1\n-- x\nLIMIT 2', 'FROM (SELECT 1)'])(
    'was changed where something stands before or after it: %j',
    (text) => {
      expect(found(text, 'SELECT 1')).toBeNull()
      expect(found(text, 'SELECT 1', true)).not.toBeNull()
    },
  )
})

describe('what is sure to change nothing', () => {
  test.each([
    'SELECT 1; FROM x;',
    '-- insert\n(SELECT "update" FROM t)',
    'WITH a AS (SELECT 1) FROM a',
    'PIVOT t ON a USING sum(b)',
    '',
  ])('%j', (text) => expect(onlyReads(text)).toBe(true))
  test.each([
    'SELECT 1; DELETE FROM x',
    'WITH a AS (SELECT 1) INSERT INTO t FROM a',
    'CREATE TABLE a AS SELECT 1',
    "SELECT nextval('s')",
    'COPY t TO 1',
    'BEGIN',
    '"select" 1',
  ])('isn’t %j', (text) => expect(onlyReads(text)).toBe(false))
})
