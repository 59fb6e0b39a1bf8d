import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { deferred } from '../../lib/testing.ts'
import { useTask } from './use-task.ts'

function begin() {
  const discard = vi.fn(() => Promise.resolve())
  const made = deferred<string>()
  let report: (progress: number) => void = () => undefined
  const { result, unmount } = renderHook(() => useTask<number, string>(discard))
  act(() => {
    void result.current.start((_, onProgress) => {
      report = onProgress
      return made.promise
    })
  })
  const end = (): Promise<void> => act(async () => made.resolve('made'))
  return {
    discard,
    unmount,
    end,
    task: () => result.current,
    report: (progress: number) => act(() => report(progress)),
  }
}

test('work that can’t be stopped any more is discarded after it was cancelled', async () => {
  const { task, discard, end } = begin()
  act(() => task().cancel())
  await end()
  expect(discard.mock.calls).toEqual([['made']])
  expect(task().state).toEqual({ kind: 'idle' })
})

test('work that was started again doesn’t show progress or result of the earlier', async () => {
  const { task, discard, end, report } = begin()
  await act(() => task().start(() => Promise.resolve('other')))
  report(0.5)
  await end()
  expect(discard.mock.calls).toEqual([['made']])
  expect(task().state).toEqual({ kind: 'done', result: 'other' })
})

test('a result that comes after its screen was left is discarded', async () => {
  const { unmount, discard, end } = begin()
  unmount()
  await end()
  expect(discard.mock.calls).toEqual([['made']])
})
