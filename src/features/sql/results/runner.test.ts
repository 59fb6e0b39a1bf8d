import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/errors.ts'
import {
  EngineError,
  type LostThings,
  type ResultSet,
  type RunSummary,
  type ScriptStatement,
  type SessionTables,
  type SqlSession,
} from '../../../engine/client.ts'
import type { HistoryEntry } from '../types.ts'
import { Runner } from './runner.ts'
import { shownRows, type RunRequest } from './types.ts'

const TABLES: SessionTables = { published: [], local: [] }

/** Splits statements at semicolons; `$x` is a parameter. */
function split(script: string): ScriptStatement[] {
  let from = 0
  return script.split(';').flatMap((part) => {
    const start = from + (part.length - part.trimStart().length)
    from += part.length + 1
    const text = part.trim()
    if (text === '') return []
    return [
      {
        text,
        from: start,
        to: start + text.length,
        parameters: [...text.matchAll(/\$(\w+)/g)].map(([, name]) => name ?? ''),
      },
    ]
  })
}

class FakeResult implements ResultSet {
  readonly columns
  readonly bytes = 100
  status: ResultSet['status'] = 'running'
  disposed = false
  readonly statement: string
  rowCount: number
  private listener = (): void => undefined
  constructor(statement: string) {
    this.statement = statement
    const silent = /^(?:CREATE|BEGIN|COMMIT)/.test(statement)
    const rows = silent ? 0 : Number(/\d+/.exec(statement)?.[0] ?? 1)
    this.rowCount = rows
    this.columns = silent ? [] : [{ name: 'a', type: 'BIGINT' }]
  }
  text = (): string => '1'
  value = (): unknown => 1
  subscribe = (listener: () => void): (() => void) => {
    this.listener = listener
    return () => undefined
  }
  /** The first rows arrive. */
  fill(): void {
    this.rowCount = 1
    this.listener()
  }
  file = (): Promise<File> => Promise.resolve(new File([], 'a'))
  dispose = (): void => {
    this.disposed = true
  }
}

const madeBy = (sql: string): LostThings['statements'][number] => ({ kind: 'table', sql, parameters: {} })

/**
 * `fail`: rejects; `breaks`: rejects after the first rows; `unknown`: names a missing table; `slow`: runs until
 * cancelled; `held`: runs until `end`.
 */
function fakeSession() {
  const results: FakeResult[] = []
  const ran: { statement: string; parameters: unknown }[] = []
  const used: SessionTables[] = []
  let closed = false
  let lost: LostThings | null = null
  let made: LostThings | null = null
  let tell = (): void => undefined
  let end = (): void => undefined
  let transaction: 'open' | 'failed' | null = null
  const untilAborted = (signal?: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
  const session: SqlSession = {
    use: (tables) => void used.push(tables),
    split: (script) => Promise.resolve(split(script)),
    check: (text) => {
      const from = text.indexOf('w.d.t')
      return Promise.resolve(from < 0 ? [] : [{ from, to: from + 5, message: 'no such', suggestions: [] }])
    },
    describe: () => Promise.resolve(null),
    async run(statement, { signal, parameters } = {}) {
      ran.push({ statement, parameters })
      await Promise.resolve()
      if (statement.startsWith('CREATE')) made = { names: ['x'], statements: [madeBy(statement)], transaction: false }
      if (/^BEGIN|^COMMIT/.test(statement)) transaction = statement === 'BEGIN' ? 'open' : null
      else if (transaction && statement.includes('fail')) transaction = 'failed'
      if (statement.includes('fail')) throw new EngineError('sql-error', 'bad', { details: { line: 1, column: 8 } })
      if (statement.includes('unknown'))
        throw new EngineError('unknown-table', 'no such', { details: { table: 'w.d.t' } })
      if (statement.includes('lost')) throw new EngineError('worker-lost', 'gone')
      if (statement.includes('stuck')) await untilAborted(signal)
      const result = new FakeResult(statement)
      results.push(result)
      const summary: RunSummary = {
        rows: result.rowCount,
        bytes: 100,
        firstMs: 1,
        totalMs: 2,
        leftOut: false,
        message: result.columns.length === 0 ? 'Created.' : null,
      }
      if (statement.includes('breaks')) return { result, done: Promise.reject(new EngineError('sql-error', 'bad row')) }
      if (!statement.includes('slow')) result.status = 'complete'
      if (statement.includes('held')) return { result, done: new Promise((resolve) => (end = () => resolve(summary))) }
      const done = statement.includes('slow') ? untilAborted(signal) : Promise.resolve(summary)
      return { result, done }
    },
    async explain(statement, { signal }) {
      ran.push({ statement, parameters: undefined })
      if (statement.includes('stuck')) {
        await untilAborted(signal).catch((error: unknown) => {
          // A worker that doesn't react is terminated, with everything in it.
          transaction = null
          throw error
        })
      }
      if (transaction && statement.includes('fail')) transaction = 'failed'
      if (statement.includes('fail')) throw new EngineError('sql-error', 'bad')
      return { name: statement, details: [], estimatedRows: null, rows: null, milliseconds: null, children: [] }
    },
    temporary: () =>
      Promise.resolve({
        tables: [{ name: 'My t', reference: '"My t"', kind: 'table', columns: [] }],
        macros: [{ name: 'twice', kind: 'macro', signatures: ['(a)'], description: '' }],
      }),
    transaction: () => Promise.resolve(transaction),
    lost: () => lost,
    atStake: () => lost ?? made,
    inherit: (before) => {
      lost = before
    },
    forgetLost: () => {
      lost = null
    },
    onLost: (listener) => {
      tell = listener
    },
    dialect: () => Promise.resolve({ keywords: [], types: [], functions: [] }),
    close: () => {
      closed = true
    },
  }
  const lose = (statements: LostThings['statements']): void => {
    lost = { names: ['x'], statements, transaction: transaction !== null }
    transaction = null
    tell()
  }
  return { session, results, ran, used, lose, end: () => end(), isClosed: () => closed }
}

function setUp(query?: (sql: string) => Promise<unknown>, isHere = true, before: LostThings | null = null) {
  const sessions: ReturnType<typeof fakeSession>[] = []
  const history: Omit<HistoryEntry, 'id'>[] = []
  const arrivals = new Map<string, Promise<void>>()
  const elsewhere = new Set<string>()
  let stored = before
  const runner = new Runner({
    made: {
      read: () => stored,
      write: (made) => {
        stored = made
      },
    },
    createSession: () => {
      const made = fakeSession()
      sessions.push(made)
      return made.session
    },
    tables: () => Promise.resolve(TABLES),
    around: () => ({
      samples: (statement) => (statement.includes('sample') ? ['Of a sample.'] : []),
      service: query ? ({ api: { query }, isHere } as never) : null,
      arriving: (written) => (arrivals.has(written) ? { name: `${written}.csv`, over: arrivals.get(written)! } : null),
    }),
    mayBeElsewhere: (written) => elsewhere.has(written),
    onRan: (entry) => void history.push(entry),
    now: Date.now,
  })
  const run = (text: string, over: Partial<RunRequest> = {}): Promise<void> =>
    runner.run({ text, part: { kind: 'all' }, where: 'auto', parameters: {}, ...over })
  return { runner, run, history, sessions, arrivals, elsewhere, session: () => sessions[0]!, stored: () => stored }
}

describe('running', () => {
  test('shows rows, says where and why it ran, and records it', async () => {
    const { runner, run, history, session } = setUp()
    await run('SELECT 5')
    const state = runner.snapshot()
    expect(state).toMatchObject({ stage: 'idle', problem: null, steps: [] })
    expect(shownRows(state)).toMatchObject({ statement: 'SELECT 5', where: 'browser', why: 'all its tables are here' })
    expect(history).toMatchObject([{ text: 'SELECT 5', rows: 5, where: 'browser', outcome: 'done', error: null }])
    expect(session().used).toEqual([TABLES])
    await run('SELECT 6')
    expect(session().used).toHaveLength(1)
  })

  test('runs the statement under the cursor, or the selection', async () => {
    const { run, session } = setUp()
    const text = 'SELECT 1; SELECT 2; SELECT 3'
    await run(text, { part: { kind: 'cursor', at: 12 } })
    await run(text, { part: { kind: 'range', from: 10, to: 28 } })
    expect(session().ran.map(({ statement }) => statement)).toEqual(['SELECT 2', 'SELECT 2', 'SELECT 3'])
  })

  test('runs all statements up to the first that fails', async () => {
    const { runner, run, history } = setUp()
    await run('CREATE x; SELECT 2; SELECT fail; SELECT 4')
    const { steps, problem, problems, temporary, macros } = runner.snapshot()
    expect(steps.map(({ outcome, note }) => [outcome, note])).toEqual([
      ['done', 'Created.'],
      ['done', '2 rows'],
      ['failed', 'bad'],
      ['waiting', null],
    ])
    expect(problem).toMatchObject({ message: 'bad', range: { from: 27, to: 31 } })
    expect(problems).toEqual([{ from: 27, to: 31, message: 'bad', suggestions: [] }])
    expect(temporary).toMatchObject([{ name: 'My t', reference: '"My t"' }])
    expect(macros).toMatchObject([{ name: 'twice' }])
    expect(history.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'failed'])
    // The last rows stay.
    expect(shownRows(runner.snapshot())?.statement).toBe('SELECT 2')
  })

  test('shows a transaction until it ends, and whether one of its statements failed', async () => {
    const { runner, run } = setUp()
    const after = async (text: string) => {
      await run(text)
      return runner.snapshot().transaction
    }
    expect(await after('SELECT 1')).toBeNull()
    expect(await after('BEGIN')).toBe('open')
    expect(await after('SELECT 2')).toBe('open')
    expect(await after('SELECT fail')).toBe('failed')
    expect(await after('COMMIT')).toBeNull()
  })

  test('says so if there’s no statement', async () => {
    const { runner, run, sessions } = setUp()
    await run('  \n')
    expect(runner.snapshot().problem?.message).toMatch('no statement')
    expect(sessions).toHaveLength(0)
  })

  test('passes the parameters that the statement uses, and asks for missing ones', async () => {
    const { runner, run, session } = setUp()
    const x = { type: 'BIGINT', text: '1' } as const
    await run('SELECT $x, $y', { parameters: { X: x } })
    expect(runner.snapshot().problem?.message).toMatch(/\$y has no value/)
    await run('SELECT $x', { parameters: { X: x, y: x } })
    expect(session().ran).toEqual([{ statement: 'SELECT $x', parameters: { X: x } }])
  })
})

describe('memory', () => {
  test('is freed when another result arrives, when the statement fails, and with the tab', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { runner, run, session } = setUp()
    await run('SELECT 1')
    await run('SELECT 2')
    await run('SELECT fail')
    await run('SELECT 3')
    vi.runAllTimers()
    vi.useRealTimers()
    expect(session().results.map(({ disposed }) => disposed)).toEqual([true, true, false])
    runner.close()
    expect([session().results[2]?.disposed, session().isClosed()]).toEqual([true, true])
  })

  test('is kept while it’s pinned, and freed when it’s unpinned, and with the tab', async () => {
    vi.useFakeTimers()
    const { runner, run, session } = setUp()
    const disposed = () => session().results.map((result) => result.disposed)
    const pinned = () => runner.snapshot().pinned.map(({ statement }) => statement)
    const unpin = (at: number) => {
      const found = runner.snapshot().pinned[at]
      if (found) runner.unpin(found)
    }
    await run('SELECT 1')
    runner.pin()
    await run('SELECT 2')
    await run('SELECT fail')
    await vi.runAllTimersAsync()
    expect(pinned()).toEqual(['SELECT 1'])
    expect(disposed()).toEqual([false, true])
    await run('SELECT 3')
    unpin(0)
    await vi.runAllTimersAsync()
    expect(pinned()).toEqual([])
    expect(disposed()).toEqual([true, true, false])

    // An unpinned result that's still shown stays; once another one replaces it, it's freed.
    runner.pin()
    unpin(0)
    await vi.runAllTimersAsync()
    expect(disposed()[2]).toBe(false)
    runner.pin()
    expect(runner.canPin).toBe(false)
    await run('SELECT 4')
    runner.pin()
    await run('SELECT 5')
    await vi.runAllTimersAsync()
    expect(pinned()).toEqual(['SELECT 3', 'SELECT 4'])
    expect(disposed()).toEqual([true, true, false, false, false])
    unpin(0)
    await vi.runAllTimersAsync()
    expect(pinned()).toEqual(['SELECT 4'])
    expect(disposed()).toEqual([true, true, true, false, false])
    runner.close()
    expect(disposed()).not.toContain(false)
    vi.useRealTimers()
  })

  test('is pinned beside at most three others', async () => {
    const { runner, run } = setUp()
    for (const n of [1, 2, 3, 4]) {
      await run(`SELECT ${n}`)
      expect(runner.canPin).toBe(true)
      runner.pin()
    }
    await run('SELECT 5')
    expect(runner.canPin).toBe(false)
    runner.pin()
    expect(runner.snapshot().pinned).toHaveLength(4)
  })

  test('is freed if one run overtakes another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { runner, run, session } = setUp()
    await run('SELECT 1')
    const slow = run('SELECT 2 slow')
    await vi.waitFor(() => expect(runner.snapshot().run?.result?.rowCount).toBe(2))
    const stuck = run('SELECT 3 stuck')
    await vi.waitFor(() => expect(session().ran).toHaveLength(3))
    await run('SELECT 4')
    await Promise.all([slow, stuck])
    vi.runAllTimers()
    vi.useRealTimers()
    expect(session().results.map(({ statement, disposed }) => [statement, disposed])).toEqual([
      ['SELECT 1', true],
      ['SELECT 2 slow', true],
      ['SELECT 4', false],
    ])
    expect(runner.snapshot()).toMatchObject({ stage: 'idle', earlier: null })
  })
})

describe('the previous rows', () => {
  test('stay until there are new ones', async () => {
    const { runner, run, session } = setUp()
    await run('SELECT 5')
    const slow = run('SELECT 0 slow')
    await vi.waitFor(() => expect(runner.snapshot().run?.result?.rowCount).toBe(0))
    expect(shownRows(runner.snapshot())?.statement).toBe('SELECT 5')
    session().results[1]?.fill()
    expect(shownRows(runner.snapshot())?.statement).toBe('SELECT 0 slow')
    runner.cancel()
    await slow
    expect(shownRows(runner.snapshot())?.statement).toBe('SELECT 0 slow')
    await run('SELECT 0')
    expect(shownRows(runner.snapshot())?.statement).toBe('SELECT 0')
  })

  test('return when a run is cancelled before it has any, and disappear with an error', async () => {
    const { runner, run } = setUp()
    await run('SELECT 5')
    for (const text of ['SELECT 0 slow', 'SELECT 0 stuck']) {
      const slow = run(text)
      const begun = text.endsWith('slow') ? { result: { rowCount: 0 } } : { statement: text }
      await vi.waitFor(() => expect(runner.snapshot().run).toMatchObject(begun))
      runner.cancel()
      await slow
      expect(runner.snapshot()).toMatchObject({ stage: 'idle', run: { cancelled: true, statement: text } })
      expect(shownRows(runner.snapshot())?.statement).toBe('SELECT 5')
    }
    await run('SELECT fail')
    expect(shownRows(runner.snapshot())).toBeNull()
  })
})

describe('cancelling', () => {
  test('keeps the rows that have arrived, and says that it was cancelled', async () => {
    const { runner, run, history } = setUp()
    const done = run('SELECT 7 slow; SELECT 8')
    await vi.waitFor(() => expect(runner.snapshot().run?.result ?? null).not.toBeNull())
    runner.cancel()
    await done
    const state = runner.snapshot()
    expect(state).toMatchObject({ stage: 'idle', problem: null, run: { cancelled: true, error: null } })
    expect(state.steps.map(({ outcome }) => outcome)).toEqual(['cancelled', 'waiting'])
    expect(history).toMatchObject([{ outcome: 'cancelled' }])
  })

  test('happens when a tab is closed', async () => {
    const { runner, run, history } = setUp()
    const done = run('SELECT stuck')
    await vi.waitFor(() => expect(runner.snapshot().stage).toBe('running'))
    runner.close()
    await done
    expect(history).toMatchObject([{ outcome: 'cancelled' }])
  })
})

test('a statement that fails halfway has the rows until then, or none', async () => {
  const { runner, run } = setUp()
  await run('SELECT 0 breaks')
  expect(runner.snapshot().problem?.message).toBe('bad row')
  expect(shownRows(runner.snapshot())).toBeNull()
  await run('SELECT 7 breaks')
  expect(shownRows(runner.snapshot())).toMatchObject({ statement: 'SELECT 7 breaks', error: { message: 'bad row' } })
})

describe('a statement runs on the service', () => {
  const answer = { columns: ['a'], rows: [{ a: 1 }], count: 1, execution_time: '1ms', truncated: true }

  test('if a table isn’t here', async () => {
    const sent: string[] = []
    const { runner, run, history } = setUp((sql) => (sent.push(sql), Promise.resolve(answer)), false)
    await run('SELECT * FROM unknown WHERE a = $x', { parameters: { x: { type: 'DATE', text: '2024-01-31' } } })
    expect(sent).toEqual(["SELECT * FROM unknown WHERE a = CAST('2024-01-31' AS DATE)"])
    expect(shownRows(runner.snapshot())).toMatchObject({
      where: 'service',
      why: '“w.d.t” isn’t in this browser',
      summary: { leftOut: true, rows: 1 },
    })
    expect(history).toMatchObject([{ where: 'service', outcome: 'done', rows: 1 }])
  })

  test('with values read like the engine’s', async () => {
    const rows = [
      { n: 1, mixed: 1, text: '007', nested: { a: [1] } },
      { n: null, mixed: 2.5, text: '', nested: null },
    ]
    const { runner, run } = setUp(() => Promise.resolve({ ...answer, columns: Object.keys(rows[0] ?? {}), rows }))
    await run('SELECT 1', { where: 'service' })
    const { result } = shownRows(runner.snapshot()) ?? {}
    expect(result?.columns.map(({ type }) => type)).toEqual(['BIGINT', 'DOUBLE', 'VARCHAR', 'VARCHAR'])
    const texts = [0, 1].map((row) => [0, 1, 2, 3].map((column) => result?.text(row, column)))
    expect(texts).toEqual([
      ['1', '1.0', '007', '{"a":[1]}'],
      [null, '2.5', '', null],
    ])
  })

  test('unless its tables are here, or the person chose this browser', async () => {
    const query = vi.fn(() => Promise.resolve(answer))
    for (const [isHere, where] of [
      [true, 'auto'],
      [false, 'browser'],
    ] as const) {
      const { runner, run } = setUp(query, isHere)
      await run('SELECT * FROM unknown', { where })
      expect(runner.snapshot().problem?.message).toBe('no such')
    }
    expect(query).not.toHaveBeenCalled()
  })

  test('if the person chose it, and its errors are explained', async () => {
    const { runner, run, session } = setUp(() =>
      Promise.reject(new ApiError('RATE_LIMITED', '', { status: 429, requestId: 'r', details: { retry_after: 5 } })),
    )
    await run('SELECT 1', { where: 'service' })
    expect(session().ran).toEqual([])
    expect(runner.snapshot().problem).toMatchObject({ remedy: 'Run it again in 5 s, or in this browser.' })
  })
})

test('what was lost with a worker is listed, and created again by its statements, up to one that fails', async () => {
  const { runner, run, session, history } = setUp()
  await run('CREATE x')
  session().lose([
    { kind: 'table', sql: 'CREATE x AS SELECT $a', parameters: { a: { type: 'BIGINT', text: '7' } } },
    { kind: 'table', sql: 'INSERT fail', parameters: {} },
    { kind: 'table', sql: 'CREATE z', parameters: {} },
  ])
  await run('SELECT lost')
  expect(runner.snapshot()).toMatchObject({ lost: { names: ['x'] }, temporary: [] })
  await runner.makeAgain()
  expect(runner.snapshot().steps.map(({ outcome }) => outcome)).toEqual(['done', 'failed', 'waiting'])
  expect(runner.snapshot().problem).toMatchObject({ message: expect.any(String) as unknown, range: null })
  expect(session().ran.slice(-2)).toEqual([
    { statement: 'CREATE x AS SELECT $a', parameters: { a: { type: 'BIGINT', text: '7' } } },
    { statement: 'INSERT fail', parameters: undefined },
  ])
  expect(history.slice(-2).map(({ text, where }) => [text, where])).toEqual([
    ['CREATE x AS SELECT $a', 'browser'],
    ['INSERT fail', 'browser'],
  ])
  runner.forgetLost()
  expect(runner.snapshot().lost).toBeNull()
  await run('SELECT 1')
  expect(runner.snapshot().lost).toBeNull()
})

test('a statement run while lost objects are created again comes after that; of several, only the last', async () => {
  const { runner, run, session } = setUp()
  await run('SELECT 0')
  session().lose([madeBy('CREATE x'), madeBy('CREATE held y')])
  const making = runner.makeAgain()
  await vi.waitFor(() => expect(session().ran.at(-1)?.statement).toBe('CREATE held y'))
  const asked = [run('SELECT 1'), run('FROM x')]
  expect(runner.snapshot()).toMatchObject({ waits: true, stage: 'running' })
  session().end()
  await Promise.all([making, ...asked])
  expect(session().ran.map(({ statement }) => statement)).toEqual(['SELECT 0', 'CREATE x', 'CREATE held y', 'FROM x'])
  expect(runner.snapshot()).toMatchObject({ waits: false, stage: 'idle', problem: null, run: { statement: 'FROM x' } })
})

test.each([
  ['fail', /What you asked for next wasn’t run\.$/],
  ['slow', null],
])('it isn’t run if lost objects couldn’t be created, or that was cancelled: %s', async (how, remedy) => {
  const { runner, run, session } = setUp()
  await run('SELECT 0')
  session().lose([madeBy(`CREATE ${how}`), madeBy('CREATE z')])
  const making = runner.makeAgain()
  const asked = run('FROM x')
  await vi.waitFor(() => expect(session().ran.at(-1)?.statement).toBe(`CREATE ${how}`))
  if (how === 'slow') runner.cancel()
  await Promise.all([making, asked])
  expect(session().ran).toHaveLength(2)
  const { problem, ...state } = runner.snapshot()
  expect(state).toMatchObject({ waits: false, stage: 'idle' })
  if (remedy) expect(problem?.remedy).toMatch(remedy)
  else expect(problem).toBeNull()
})

test('what a tab had created is listed after a reload, until it’s dismissed or created again', async () => {
  const first = setUp()
  await first.run('SELECT 1')
  expect(first.stored()).toBeNull()
  await first.run('CREATE x')
  const before = { ...first.stored(), left: true } as LostThings
  first.runner.close()
  expect(first.stored()).toMatchObject({ names: ['x'], statements: [{ sql: 'CREATE x' }] })

  const second = setUp(undefined, true, before)
  expect(second.runner.snapshot()).toMatchObject({ lost: before, stage: 'idle' })
  expect(second.sessions).toHaveLength(0)
  await second.runner.makeAgain()
  expect(second.session().ran).toEqual([{ statement: 'CREATE x', parameters: undefined }])
  second.runner.forgetLost()
  expect(second.runner.snapshot().lost).toBeNull()
  expect(second.stored()).toMatchObject({ names: ['x'] })

  const third = setUp(undefined, true, before)
  third.runner.forgetLost()
  expect(third.stored()).toBeNull()
})

test('what is lost with an idle worker is listed at once', async () => {
  const { runner, run, session } = setUp()
  await run('BEGIN')
  expect(runner.snapshot()).toMatchObject({ transaction: 'open', lost: null })
  session().lose([])
  await vi.waitFor(() => expect(runner.snapshot().lost).toMatchObject({ transaction: true }))
  expect(runner.snapshot()).toMatchObject({ transaction: null, stage: 'idle' })
})

test('a statement about a file being imported waits for all of it, and can be cancelled meanwhile', async () => {
  const { runner, run, session, arrivals } = setUp()
  let arrive = (): void => undefined
  arrivals.set('w.d.t', new Promise<void>((resolve) => (arrive = resolve)))
  const ran = run('SELECT unknown')
  await vi.waitFor(() => expect(runner.snapshot().run?.waitsFor).toBe('w.d.t.csv'))
  arrive()
  await ran
  // The statement is run once more, and fails if the table is still missing.
  expect(session().ran).toHaveLength(2)
  expect(runner.snapshot()).toMatchObject({ run: { waitsFor: null }, problem: { message: 'no such' } })
  arrivals.set('w.d.t', new Promise<void>(() => undefined))
  const waiting = run('SELECT unknown')
  await vi.waitFor(() => expect(runner.snapshot().run?.waitsFor).toBe('w.d.t.csv'))
  runner.cancel()
  await waiting
  expect(runner.snapshot().run?.cancelled).toBe(true)
  expect(session().ran).toHaveLength(3)
})

test('while a file is being imported, the editor doesn’t report its table as missing', async () => {
  const { runner, arrivals } = setUp()
  const problems = () => runner.editing().check('FROM w.d.t')
  arrivals.set('w.d.t', Promise.resolve())
  expect(await problems()).toEqual([])
  arrivals.clear()
  expect(await problems()).toMatchObject([{ message: 'no such' }])
})

test('the editor doesn’t report a table as missing that a remote service may have', async () => {
  const { runner, elsewhere } = setUp(vi.fn(), false)
  expect(await runner.editing().check('FROM w.d.t')).toMatchObject([{ message: 'no such' }])
  elsewhere.add('w.d.t')
  expect(await runner.editing().check('FROM w.d.t')).toEqual([])
  const here = setUp(vi.fn())
  here.elsewhere.add('w.d.t')
  expect(await here.runner.editing().check('FROM w.d.t')).toMatchObject([{ message: 'no such' }])
})

test('if a worker is lost, its statement fails, and the next one runs', async () => {
  const { runner, run, sessions } = setUp()
  await run('SELECT lost')
  expect(runner.snapshot().problem).not.toBeNull()
  await run('SELECT 1')
  expect([sessions.length, shownRows(runner.snapshot())?.summary?.rows]).toEqual([1, 1])
})

test('only one statement can be explained at a time', async () => {
  const { runner } = setUp()
  const request = { text: 'SELECT 1; SELECT 2', where: 'auto', parameters: {} } as const
  expect(await runner.explain({ ...request, part: { kind: 'all' } }, false)).toBe(false)
  expect(runner.snapshot().problem?.message).toMatch('one statement')
  expect(await runner.explain({ ...request, part: { kind: 'cursor', at: 11 } }, true)).toBe(true)
  expect(runner.snapshot().plan).toMatchObject({ analyzed: true, statement: 'SELECT 2' })
})

test('after a failed or cancelled plan, the state of the transaction is right', async () => {
  const { runner, run, session } = setUp()
  const explain = (text: string) =>
    runner.explain({ text, where: 'auto', parameters: {}, part: { kind: 'all' } } as const, true)
  await run('BEGIN')
  expect(await explain('SELECT fail')).toBe(false)
  expect(runner.snapshot().transaction).toBe('failed')
  await run('COMMIT')
  await run('BEGIN')
  const explaining = explain('SELECT stuck')
  await vi.waitFor(() => expect(session().ran.at(-1)?.statement).toBe('SELECT stuck'))
  runner.cancel()
  expect(await explaining).toBe(false)
  expect(runner.snapshot()).toMatchObject({ transaction: null, stage: 'idle', problem: null })
})

test('rows of a sample are marked from the start, and no others', async () => {
  const { runner, run } = setUp()
  await run('SELECT sample')
  expect(runner.snapshot().run).toMatchObject({ samples: ['Of a sample.'] })
  await run('SELECT 1')
  expect(runner.snapshot().run).toMatchObject({ samples: [] })
})
