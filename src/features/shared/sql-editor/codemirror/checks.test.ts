import { describe, expect, test, vi } from 'vitest'
import type { SqlProblem, SqlSession } from '../../../../engine/client.ts'
import { findBoundaries, statementsIn, type Source } from '../../../../lib/duckdb-sql/index.ts'
import { lacksArgument, StatementChecks, type CheckedStatement } from './checks.ts'

function statements(text: string): CheckedStatement[] {
  const source: Source = { length: text.length, slice: (from, to) => text.slice(from, to) }
  return statementsIn(source, findBoundaries(source)).map((place) => ({
    ...place,
    text: text.slice(place.from, place.to),
  }))
}

/** Reports each occurrence of a name as missing. */
const lacking = (name: string) =>
  vi.fn<SqlSession['check']>((text) => {
    const from = text.indexOf(name)
    const problem: SqlProblem = {
      from,
      to: from + name.length,
      message: `Table with name ${name} does not exist!`,
      suggestions: [],
    }
    return Promise.resolve(from === -1 ? [] : [problem])
  })
const session = (check: SqlSession['check']) => ({ check }) as SqlSession
const never = new AbortController().signal

describe('checks', () => {
  test('have positions in the text, and run once for each statement', async () => {
    const check = lacking('nope')
    const checks = new StatementChecks()
    const text = 'select 1; select * from nope;'
    const found = await checks.check(session(check), statements(text), never)
    expect(found.map(({ from, to }) => text.slice(from, to))).toEqual(['nope'])
    await checks.check(session(check), statements(` ${text}\nselect 2`), never)
    expect(check.mock.calls.map(([statement]) => statement)).toEqual(['select 1', 'select * from nope', 'select 2'])
    checks.forgetProblems()
    await checks.check(session(check), statements(text), never)
    expect(check).toHaveBeenCalledTimes(4)
  })

  test.each([
    'create temp table nope as select 1; select * from nope',
    'CREATE OR REPLACE TEMPORARY VIEW "nope" AS SELECT 1; from nope',
    'create table if not exists nope (a int); select * from nope',
  ])('ignore what an earlier statement creates: %s', async (text) => {
    const check: SqlSession['check'] = (statement) =>
      /^create/i.test(statement) ? Promise.resolve([]) : lacking('nope')(statement)
    expect(await new StatementChecks().check(session(check), statements(text), never)).toEqual([])
    const [, later] = statements(text)
    expect(await new StatementChecks().check(session(check), later ? [later] : [], never)).toHaveLength(1)
  })

  test('stop with the signal, which reaches the engine', async () => {
    const abort = new AbortController()
    let reached: AbortSignal | undefined
    const check: SqlSession['check'] = (_, options) => {
      reached = options?.signal
      return new Promise((_resolve, reject) => reached?.addEventListener('abort', () => reject(reached?.reason)))
    }
    const asked = vi.fn(check)
    const checking = new StatementChecks().check(session(asked), statements('select 1; select 2'), abort.signal)
    abort.abort()
    expect(await checking).toEqual([])
    expect(reached).toBe(abort.signal)
    expect(asked).toHaveBeenCalledTimes(1)
  })

  test('are skipped if the engine can’t', async () => {
    const check: SqlSession['check'] = () => Promise.reject(new Error('gone'))
    expect(await new StatementChecks().check(session(check), statements('select 1'), never)).toEqual([])
  })
})

test.each([
  ['select round(', ')', true],
  ['select round(1, ', ') from t', true],
  ['select round(1', ')', false],
  ['select a, ', 'from t', false],
])('an argument is missing at the cursor: %s¦%s', (before, after, missing) => {
  expect(lacksArgument(before, after)).toBe(missing)
})
