import { expect, test, vi } from 'vitest'
import type { SqlSession } from '../../../engine/client.ts'
import { resultOf } from './chart/testing.ts'
import { IDLE, type RunState } from './types.ts'
import { frequentValues } from './frequent-values.ts'

const origin = { source: 'local.o', column: 'a b', isKey: false, type: 'VARCHAR', rowCount: 1 }

const COLUMNS = ['value', 'n', 'more'].map((name) => ({ name, type: 'VARCHAR' }))

function runnerWith(busy: boolean, state: Partial<RunState>) {
  const result = { ...resultOf(COLUMNS, [['x', '2', 'true']]), dispose: vi.fn<() => void>() }
  const run = vi.fn<SqlSession['run']>().mockResolvedValue({ result, done: Promise.resolve({} as never) })
  const session = (): SqlSession => ({ run }) as unknown as SqlSession
  return { runner: { isBusy: busy, snapshot: () => ({ ...IDLE, ...state }), session }, run, result }
}

test('values are read in the tab’s session, and the memory is freed', async () => {
  const { runner, run, result } = runnerWith(false, {})
  const { signal } = new AbortController()
  expect(await frequentValues(runner, origin, signal)).toEqual([{ text: 'x', count: 2, partial: true }])
  expect(run).toHaveBeenCalledWith(expect.stringContaining('SELECT "a b" AS v FROM local.o LIMIT'), { signal })
  expect(result.dispose).toHaveBeenCalled()
})

test('running statements and transactions aren’t disturbed', async () => {
  for (const { runner, run } of [runnerWith(true, {}), runnerWith(false, { transaction: 'open' })]) {
    expect(await frequentValues(runner, origin, new AbortController().signal)).toBeNull()
    expect(run).not.toHaveBeenCalled()
  }
})
