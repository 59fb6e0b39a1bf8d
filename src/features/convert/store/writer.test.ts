import { expect, test } from 'vitest'
import { createJob, type Job } from '../model/job.ts'
import { createWriter } from './writer.ts'

/** A writer to a database that writes only when the test says so. */
function setUp() {
  const calls: string[] = []
  const pending: ((failed?: Error) => void)[] = []
  const call = (name: string, ids: readonly string[]): Promise<void> => {
    calls.push([name, ...ids].join(' '))
    return new Promise((resolve, reject) =>
      pending.push((failed) => (failed === undefined ? resolve() : reject(failed))),
    )
  }
  let told = 0
  const toasts: string[] = []
  const writer = createWriter(
    {
      putJobs: (records) =>
        call(
          'put',
          records.map(({ id, target }) => `${id}:${target}`),
        ),
      removeJobs: (ids) => call('remove', ids),
    },
    { id: 'tab', tell: () => told++ },
    () => undefined,
    ({ title }) => void toasts.push(title),
  )
  const written = async (failed?: Error): Promise<void> => {
    await expect.poll(() => pending.length).toBe(1)
    pending.shift()?.(failed)
  }
  return { writer, calls, written, toasts, told: () => told }
}

const job = (id: string, target: Job['target'] = 'csv'): Job =>
  createJob(id, new File(['x'], `${id}.csv`), 0, undefined, target)

test('jobs that change while others are written are written together, each as it was last', async () => {
  const { writer, calls, written, told } = setUp()
  void writer.keep(job('a'))
  await expect.poll(() => calls).toEqual(['put a:csv'])
  const done = Array.from({ length: 500 }, (_, i) => writer.keep(job(`${i}`), job('a', 'json')))
  await written()
  await written()
  await Promise.all(done)
  expect(calls).toHaveLength(2)
  expect(calls[1]?.split(' ')).toHaveLength(502)
  expect(calls[1]).toContain('a:json')
  expect(told()).toBe(2)
})

test('a job that is put back after its removal is written after that', async () => {
  const { writer, calls, written } = setUp()
  void writer.keep(job('a'))
  void writer.remove(['a'])
  const done = writer.keep(job('a'))
  for (let i = 0; i < 3; i++) await written()
  await done
  expect(calls).toEqual(['put a:csv', 'remove a', 'put a:csv'])
})

test('a write that fails is reported once, and those after it are tried', async () => {
  const { writer, calls, written, toasts } = setUp()
  for (const id of ['a', 'b', 'c']) {
    const done = writer.keep(job(id))
    await written(id === 'c' ? undefined : new Error('full'))
    await done
  }
  expect(calls).toHaveLength(3)
  expect(toasts).toEqual(['The queue can’t be kept'])
})
