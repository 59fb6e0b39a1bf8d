import { describe, expect, it, vi } from 'vitest'
import type { ToastMessage } from '../../../ui/overlays/toasts.ts'
import { NO_CHOICES } from '../../../tables/combine/match.ts'
import { combinationJob, losesOnLeaving, createJob, isSaved, type Job, type JobResult } from '../model/job.ts'
import { converted, saved } from '../model/changes.ts'
import { toRecord, type JobRecord } from '../model/records.ts'
import { remove } from './removal.ts'
import type { Taken } from './make.ts'

const output = (id: string) => ({ id, name: 'a.csv', mimeType: 'text/csv', size: 1, receipts: [] })

function done(id: string): Job & { readonly result: JobResult } {
  const result = {
    outputs: [output(`${id}/out`)],
    rejectedCount: 1,
    rejected: [],
    rejectedFile: output(`${id}/rejected`),
  }
  const job = converted(createJob(id, new File(['a'], `${id}.csv`), 0), result, 5)
  if (!job.result) throw new Error('no result')
  return { ...job, result: job.result }
}

const downloaded = (job: Job & { readonly result: JobResult }): Job => ({
  ...job,
  result: saved(job.result, new Set(job.result.outputs.map(({ id }) => id))),
})

function setUp(jobs: readonly Job[]) {
  const log: string[] = []
  const toasts: ToastMessage[] = []
  let running = 0
  const deps = {
    store: {
      snapshot: () => jobs,
      take: (ids: ReadonlySet<string>) => jobs.flatMap((job, at) => (ids.has(job.id) ? [{ job, at }] : [])),
      putBack: (taken: readonly Taken[]) => void log.push(`back ${taken.map(({ job }) => job.id).join()}`),
    },
    outputs: { remove: (id: string) => Promise.resolve(void log.push(`file ${id}`)) },
    records: {
      put: (records: readonly JobRecord[]) =>
        Promise.resolve(void log.push(`put ${records.map(({ id }) => id).join()}`)),
      remove: (ids: readonly string[]) => Promise.resolve(void log.push(`record ${ids.join()}`)),
    },
    sources: { remove: () => Promise.resolve() },
    making: async (work: () => Promise<void>) => {
      running++
      await work()
      running--
    },
    toast: (message: ToastMessage) => void toasts.push(message),
  }
  return { deps, log, toasts, sweepable: () => running === 0 }
}

describe('removal', () => {
  it('of a file in a combination says so, and can be undone', async () => {
    const file = createJob('a', new File(['a'], 'a.csv'), 0)
    const part = { job: 'a', fileName: 'a.csv', size: 1, table: null }
    const combination = { name: 'all', parts: [part], choices: NO_CHOICES }
    const { deps, log, toasts } = setUp([file, combinationJob('c', combination, 1)])
    await remove(deps, { ids: ['a'] })
    expect(toasts[0]).toMatchObject({
      title: '“a.csv” removed',
      description: '“all.parquet” can’t be combined without it, unless you say so there.',
    })
    toasts[0]?.action?.run()
    await vi.waitFor(() => expect(log).toContain('back a'))
  })

  it('removes records at once, and files when the toast is gone; until then no tab sweeps', async () => {
    const { deps, log, toasts, sweepable } = setUp([done('a')])
    await remove(deps, { ids: ['a'], records: [toRecord(done('b'), 'tab', 1)] })
    expect([log, sweepable()]).toEqual([['record a,b'], false])
    expect(toasts[0]).toMatchObject({ title: '2 conversions removed', description: 'None of them was downloaded.' })
    toasts[0]?.onGone?.()
    await vi.waitFor(() => expect(sweepable()).toBe(true))
    expect(log.slice(1)).toEqual(['file a/out', 'file a/rejected', 'file b/out', 'file b/rejected'])
  })

  it('can be undone: jobs and records are restored, and their files were never removed', async () => {
    const { deps, log, toasts, sweepable } = setUp([done('a')])
    await remove(deps, { ids: ['a'], records: [toRecord(done('b'), 'tab', 1)] })
    toasts[0]?.action?.run()
    toasts[0]?.onGone?.()
    await vi.waitFor(() => expect(sweepable()).toBe(true))
    expect(log.slice(1)).toEqual(['back a', 'put b'])
  })

  it('of a table includes the files that it was made from, also when it’s undone', async () => {
    const [made, part] = ['made', 'part'].map((id) => toRecord(done(id), 'tab', 1))
    const { deps, log, toasts } = setUp([])
    await remove(deps, { records: made ? [made] : [], parts: part ? [part] : [] })
    expect([log, toasts[0]?.title]).toEqual([['record made,part'], '“made.csv” removed'])
    toasts[0]?.action?.run()
    await vi.waitFor(() => expect(log).toContain('put made,part'))
  })

  it('shows no toast if nothing is lost', async () => {
    const { deps, log, toasts, sweepable } = setUp([downloaded(done('a')), createJob('b', new File([], 'b.csv'), 0)])
    await remove(deps, { ids: ['a', 'b'] })
    await vi.waitFor(() => expect(sweepable()).toBe(true))
    expect([toasts, log]).toEqual([[], ['record a,b', 'file a/out', 'file a/rejected']])
  })

  it('can also be undone for settings made by hand', async () => {
    const job: Job = { ...createJob('a', new File([], 'a.csv'), 0), edits: [{ table: null, columns: [] }] }
    const { deps, toasts } = setUp([job])
    await remove(deps, { ids: ['a'] })
    expect(toasts[0]).toEqual({ title: '“a.csv” removed', action: toasts[0]?.action, onGone: toasts[0]?.onGone })
  })

  it.each<readonly [string, Partial<Job>]>([
    ['a statement', { shape: { sql: 'FROM a', tables: [] } }],
    ['a statement that isn’t applied', { draft: { sql: 'FROM a', shape: null } }],
    ['a split', { split: { by: 'rows', rows: 10 } }],
    ['a combination', combinationJob('a', { name: 'a', parts: [], choices: NO_CHOICES }, 0)],
  ])('can also be undone for %s', async (_, made) => {
    const { deps, toasts } = setUp([{ ...createJob('a', new File([], 'a.csv'), 0), ...made }])
    await remove(deps, { ids: ['a'] })
    expect(toasts).toHaveLength(1)
  })
})

describe('leaving the page', () => {
  const converting: Job = { ...createJob('a', new File([], 'a.csv'), 0), stage: { kind: 'queued' } }

  it('only loses a running conversion', () => {
    expect(losesOnLeaving([converting])).toBe(true)
    expect(losesOnLeaving([createJob('a', new File([], 'a.csv'), 0), done('a')])).toBe(false)
  })

  it('loses a file that is being read and can’t be opened again', () => {
    const reading = [createJob('a', new File([], 'a.csv'), 0), createJob('b', new File([], 'b.csv'), 0)]
    expect(losesOnLeaving(reading, (id) => id === 'a')).toBe(true)
    expect(losesOnLeaving(reading, () => true)).toBe(false)
  })

  it('considers every file of a result', () => {
    const { result } = done('a')
    const two = { ...result, outputs: [output('1'), output('2')] }
    expect([isSaved(saved(two, new Set(['1']))), isSaved(saved(saved(two, new Set(['1'])), new Set(['2'])))]).toEqual([
      false,
      true,
    ])
  })
})
