import { NEVER } from '../lib/abort.ts'
import { expect, test, vi } from 'vitest'
import { column, inspection, inspectResult, table } from '../tables/testing.ts'
import { createTables, type ConvertingEngine, type EngineStore } from './engine-tables.ts'
import { TablesError, UnavailableError } from './ports.ts'

const FILE = new Blob(['id\n1\n'])
const OUTPUT = { id: 'job/out', name: 'out.json', size: 3 }

/** Like an engine's own errors. */
class EngineError extends Error {
  readonly code: string
  readonly place: string | undefined
  readonly remedy: string | undefined
  readonly details: unknown
  constructor(
    code: string,
    message: string,
    fields: { readonly place?: string; readonly remedy?: string; readonly details?: unknown } = {},
  ) {
    super(message)
    this.code = code
    this.place = fields.place
    this.remedy = fields.remedy
    this.details = fields.details
  }
}
const isEngineError = (error: unknown): error is EngineError => error instanceof EngineError
const ONE = inspection(table([column('id', 'BIGINT')]))

function rig(over: { client?: Partial<ConvertingEngine>; store?: Partial<EngineStore> } = {}) {
  const removed: string[] = []
  const converted: Parameters<ConvertingEngine['convert']>[1][] = []
  const engine = {
    inspect: () => Promise.resolve(inspectResult(ONE)),
    convert: (_: File, request: Parameters<ConvertingEngine['convert']>[1]) => {
      converted.push(request)
      return Promise.resolve({ outputs: [OUTPUT], rejectedCount: 0, rejected: [], rejectedFile: null })
    },
    outputs: {
      file: () => Promise.resolve(new File(['[]'], 'out.json')),
      remove: (id: string) => Promise.resolve(void removed.push(id)),
    },
    ...over.client,
  } as unknown as ConvertingEngine
  const store = { ...over.store } as EngineStore
  const made = vi.fn()
  const making = <T>(work: () => Promise<T>): Promise<T> => {
    made()
    return work()
  }
  return {
    tables: createTables({ engine, store, isEngineError, making, newId: () => 'job' }),
    removed,
    converted,
    made,
  }
}

const request = { from: 'csv', to: 'json', filename: 'a' } as const

test('a conversion’s result is there while it’s used, and gone afterwards', async () => {
  const { tables, removed, converted, made } = rig()
  const seen = await tables.convert(FILE, request, (result) => Promise.resolve([result.size, [...removed]]), NEVER)
  expect(seen).toEqual([2, []])
  expect(removed).toEqual(['job/out'])
  expect(converted[0]).toMatchObject({ jobId: 'job', target: 'json' })
  expect(made).toHaveBeenCalledTimes(1)
})

test('a conversion’s result is also removed if using it fails, and the error is passed on', async () => {
  const { tables, removed } = rig()
  const failure = new Error('no room')
  await expect(tables.convert(FILE, request, () => Promise.reject(failure), NEVER)).rejects.toBe(failure)
  expect(removed).toEqual(['job/out'])
})

test('a file with a rejected row is refused with the row’s place and reason', async () => {
  const rejected = [
    { row: 3, line: 4, reason: 'value', message: '“x” isn’t an integer.', column: 'id', value: 'x', raw: 'x' },
  ] as const
  const rejectedFile = { ...OUTPUT, id: 'job/bad' }
  const { tables, removed } = rig({
    client: { convert: () => Promise.resolve({ outputs: [OUTPUT], rejectedCount: 2, rejected, rejectedFile }) },
  })
  const error = await tables.convert(FILE, request, () => Promise.resolve(), NEVER).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TablesError)
  expect(error).toMatchObject({ code: 'unreadable', fields: { place: 'line 4, column “id”' } })
  expect((error as Error).message).toBe('A row doesn’t fit: “x” isn’t an integer. 1 more don’t fit either.')
  expect(removed).toEqual(['job/out', 'job/bad'])
})

const sheet = (name: string, rows: number) => ({ ...table([column('id', 'BIGINT')]), name, rows })

test('a workbook’s only sheet with rows is the table; if there are several, the refusal names them', async () => {
  const book = { ...ONE, format: 'xlsx' as const, tables: [sheet('Empty', 0), sheet('Q3', 2)] }
  const one = rig({ client: { inspect: () => Promise.resolve(inspectResult(book)) } })
  await one.tables.convert(FILE, { ...request, from: 'xlsx' }, () => Promise.resolve(), NEVER)
  expect(one.converted[0]?.plan.tables.map(({ include }) => include)).toEqual([false, true])

  const two = { ...book, tables: [sheet('Q2', 1), sheet('Q3', 2)] }
  const both = rig({ client: { inspect: () => Promise.resolve(inspectResult(two)) } })
  await expect(
    both.tables.convert(FILE, { ...request, from: 'xlsx' }, () => Promise.resolve(), NEVER),
  ).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('“Q2”, “Q3”') as string })
  await both.tables.convert(FILE, { ...request, from: 'xlsx', to: 'xlsx' }, () => Promise.resolve(), NEVER)
  expect(both.converted[0]?.plan.tables.map(({ include }) => include)).toEqual([true, true])
})

test.each([
  ['corrupt-file', 'unreadable'],
  ['password-protected', 'unreadable'],
  ['out-of-space', 'out-of-space'],
  ['out-of-memory', 'out-of-memory'],
  ['worker-lost', 'unavailable'],
  ['not-loaded', 'unavailable'],
  ['sql-error', 'sql'],
  ['sql-not-allowed', 'not-allowed'],
  ['unknown-table', 'unknown-table'],
  ['sql-timeout', 'timeout'],
] as const)('the engine’s %s becomes the service’s %s', async (from, to) => {
  const engineError = new EngineError(from, 'words', {
    place: 'line 2',
    details: { line: 2, column: 5, table: 'a.b.c' },
  })
  const { tables } = rig({ store: { run: () => Promise.reject(engineError) } })
  const run = tables.query({ sql: 'select', readable: [], timeoutMs: 1, maxRows: 1 }, NEVER)
  await expect(run).rejects.toMatchObject({
    code: to,
    message: 'words',
    fields: { place: 'line 2', line: 2, column: 5, table: 'a.b.c' },
    cause: engineError,
  })
})

test.each([
  ['sql-timeout', 'Took long. Ask for less.'],
  ['out-of-memory', 'Took long. Ask for less.'],
  ['sql-not-allowed', 'Took long.'],
] as const)('%s includes the engine’s advice only if it applies to all clients', async (code, message) => {
  const fault = new EngineError(code, 'Took long.', { remedy: 'Ask for less.' })
  const { tables } = rig({ store: { run: () => Promise.reject(fault) } })
  const run = tables.query({ sql: 'select', readable: [], timeoutMs: 1, maxRows: 1 }, NEVER)
  await expect(run).rejects.toMatchObject({ message })
})

test('the engine’s unexpected errors are passed on', async () => {
  const fault = new EngineError('internal', 'words')
  const { tables } = rig({ store: { ingest: () => Promise.reject(fault) } })
  const load = { creationId: 'c', format: 'csv', filename: 'a.csv' } as const
  await expect(tables.ingest(FILE, load, NEVER)).rejects.toBe(fault)
})

test('a stored table that differs from its file is a temporary failure', async () => {
  const fault = new EngineError('verification', 'Not kept.', { remedy: 'Make room.' })
  const { tables } = rig({ store: { ingest: () => Promise.reject(fault) } })
  const loading = tables.ingest(FILE, { creationId: 'c', format: 'csv', filename: 'a.csv' }, NEVER)
  await expect(loading).rejects.toBeInstanceOf(UnavailableError)
  await expect(loading).rejects.toThrow('Not kept. Make room.')
})

test('if the signal is aborted, its reason is thrown, whatever the engine’s error', async () => {
  const controller = new AbortController()
  const { tables } = rig({
    store: {
      run: () => {
        controller.abort(new DOMException('no more', 'AbortError'))
        return Promise.reject(new EngineError('worker-lost', 'words'))
      },
    },
  })
  const run = tables.query({ sql: 'select', readable: [], timeoutMs: 1, maxRows: 1 }, controller.signal)
  await expect(run).rejects.toBe(controller.signal.reason)
})

test('a query passes on what the engine needs, and returns columns’ names without types', async () => {
  const run = vi.fn<EngineStore['run']>(() =>
    Promise.resolve({ columns: [{ name: 'n' }], rows: [[1]], truncated: true }),
  )
  const { tables } = rig({ store: { run } })
  const readable = [{ workspace: 'w', dataset: 'd', table: 't', fileId: 'c/1' }]
  const answer = await tables.query({ sql: 'select 1', readable, timeoutMs: 5, maxRows: 9 }, NEVER)
  expect(answer).toEqual({ columns: ['n'], rows: [[1]], truncated: true })
  expect(run.mock.calls[0]?.[0]).toEqual({ sql: 'select 1', tables: readable, timeoutMs: 5, maxRows: 9 })
})
