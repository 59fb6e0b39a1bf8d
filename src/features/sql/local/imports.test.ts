import { describe, expect, it, vi } from 'vitest'
import { EngineError, type DatabaseTables, type EngineClient, type InspectResult } from '../../../engine/client.ts'
import type { LocalTableRecord } from '../types.ts'
import { importTimeLeft } from './import-stages.ts'
import { Imports } from './imports.ts'
import { fakeBrowser, inspected } from './testing.ts'

type Inspect = EngineClient['inspect']

function setup(inspect: InspectResult | Inspect, database: DatabaseTables | null = null) {
  const { files, open } = fakeBrowser()
  const { tables } = open()
  const clock = { now: 0 }
  const done: { made: readonly LocalTableRecord[]; leftOut: number; missing: readonly string[] }[] = []
  const imports = new Imports({
    engine: {
      inspect: typeof inspect === 'function' ? inspect : () => Promise.resolve(inspect),
      database: () => Promise.resolve(database),
    },
    files,
    tables,
    newId: () => crypto.randomUUID(),
    now: () => clock.now,
    onDone: (_, made, leftOut, missing) => done.push({ made, leftOut, missing }),
  })
  const stageOf = () => imports.snapshot()[0]?.stage
  const names = () => tables.snapshot().map(({ name }) => name)
  return { files, tables, imports, done, stageOf, names, clock }
}

const FILE = new File(['a\n1\n2\n'], 'My report.xlsx')
const REJECTED = {
  row: 3,
  line: 4,
  reason: 'value',
  message: '“x” isn’t an INTEGER.',
  column: 'a',
  value: 'x',
  raw: 'x',
} as const

describe('Imports', () => {
  it('makes a table of each visible sheet', async () => {
    const { files, imports, done, names } = setup(
      inspected([{ name: 'Q1' }, { name: 'Q2' }, { name: 'old', hidden: true }]),
    )
    await imports.add([FILE])
    expect(names()).toEqual(['My_report_Q1', 'My_report_Q2'])
    expect(files.requests.map(({ planned }) => planned?.table)).toEqual([0, 1])
    expect(done.map(({ made }) => made.map(({ source }) => source.table))).toEqual([['Q1', 'Q2']])
    expect(imports.snapshot()).toEqual([])
    expect(imports.isBusy()).toBe(false)
  })

  it('estimates the remaining time, half of which is for inspecting', async () => {
    const left: (number | null)[] = []
    const file = new File(['x'.repeat(1000)], 'large.csv')
    const inspect: Inspect = async (_, __, options = {}) => {
      for (clock.now = 0; clock.now <= 4000; clock.now += 500) {
        options.onProgress?.({ bytes: clock.now / 5, totalBytes: 1000, rows: 0 })
        const [each] = imports.snapshot()
        left.push(each ? importTimeLeft(each) : null)
      }
      return Promise.resolve(inspected([{ name: null }]))
    }
    const { imports, clock } = setup(inspect)
    await imports.add([file])
    // 100 bytes of work per second, where each byte is read twice, after measuring for one and a half seconds.
    expect(left.map((each) => each && Math.round(each))).toEqual([null, null, null, 8500, 8000, 7500, 7000, 6500, 6000])
  })

  it('recognizes a file being imported by its path and its tables’ names', async () => {
    const { files, imports, names } = setup(inspected([{ name: null }]))
    let load = (): void => undefined
    files.onIngest = () => new Promise((resolve) => (load = resolve))
    const adding = imports.add([new File(['x'], 'My orders.csv')])
    await vi.waitFor(() => expect(files.requests).toHaveLength(1))
    for (const written of ['My_orders', 'local.my_orders', 'my_orders_2', 'my orders.CSV', '/home/ann/My orders.csv'])
      expect(imports.arriving(written)?.file.name, written).toBe('My orders.csv')
    for (const written of ['orders', 'my.my_orders', 'my', 'ws.d.my_orders', 'my_ordersx', 'orders.csv'])
      expect(imports.arriving(written), written).toBeNull()
    let over = false
    const waiting = imports.whenOver(imports.snapshot()[0]?.id ?? '').then(() => (over = true))
    await Promise.resolve()
    expect(over).toBe(false)
    load()
    await waiting
    expect(names()).toEqual(['My_orders'])
    expect(imports.arriving('My_orders')).toBeNull()
    await adding
  })

  it('records the file’s path, and how it was read', async () => {
    const { imports, done } = setup(inspected([{ name: null }]))
    const file = new File(['x'], 'q1.csv')
    Object.defineProperty(file, 'webkitRelativePath', { value: 'sales/q1.csv' })
    await imports.add([file])
    const { source } = done[0]?.made[0] ?? {}
    expect(source).toMatchObject({ name: 'q1.csv', path: 'sales/q1.csv', read: { kind: expect.any(String) as string } })
  })

  it('stores a Parquet file itself if the browser gives no handle, until its rows are copied', async () => {
    const { inspection, ...rest } = inspected([{ name: null }])
    const parquet = { ...inspection, format: 'parquet', settings: { kind: 'parquet' } } as const
    const { files, tables, imports, done } = setup({ ...rest, inspection: parquet })
    await imports.add([new File(['PAR1'], 'orders.parquet', { lastModified: 7 })])
    const [placed] = done[0]?.made ?? []
    expect(placed).toMatchObject({ name: 'orders', inPlace: 'parquet', byteSize: 4, rowCount: 2 })
    expect(placed).not.toHaveProperty('onDisk')
    expect([files.requests.length, [...files.stored.keys()]]).toEqual([0, [placed?.fileId]])
    expect((await tables.publication(placed?.id ?? '')).name).toBe('orders.parquet')

    await imports.copyIn(placed?.id ?? '')
    const [copied] = tables.snapshot()
    expect(copied).toMatchObject({ id: placed?.id, name: 'orders', byteSize: 100 })
    expect(copied).not.toHaveProperty('inPlace')
    expect([...files.stored.keys()]).toEqual([copied?.fileId])
    expect((await tables.publication(placed?.id ?? '')).name).toBe('orders.duckdb')
  })

  it('queries all tables of a database in its one file, which is removed with the last of them', async () => {
    const columns = [{ name: 'a', type: "ENUM('x')" }]
    const listed = (name: string, schema: string, table: string, rows: number | null) =>
      ({ name, schema, table, rows, view: rows === null, columns }) as const
    const notes = [{ code: 'unreadable-view', message: 'The view “v” can’t be read.' }]
    const inspection = inspected([{ name: 'orders' }, { name: 'old.orders' }, { name: 'large' }])
    const { files, tables, imports, done, names } = setup(inspection, {
      tables: [
        listed('orders', 'main', 'orders', 2),
        listed('old.orders', 'old', 'orders', 3),
        listed('large', 'main', 'large', null),
      ],
      notes,
    })
    await imports.add([new File(['DUCK'], 'shop.db')])
    expect([names(), done[0]?.missing]).toEqual([['large', 'old_orders', 'orders'], ['The view “v” can’t be read.']])
    const [large, old, orders] = tables.snapshot()
    expect(old).toMatchObject({ inPlace: 'duckdb', database: { schema: 'old', table: 'orders' }, rowCount: 3, columns })
    expect(large?.rowCount).toBeNull()
    expect([...files.stored.keys()]).toEqual([orders?.fileId])
    expect(new Set(tables.snapshot().map(({ fileId }) => fileId)).size).toBe(1)

    const { plan } = await imports.publication(old?.id ?? '')
    expect(plan?.tables.map(({ include }) => include)).toEqual([false, true, false])
    await imports.copyIn(old?.id ?? '')
    expect(files.requests[0]?.planned?.table).toBe(1)
    expect([files.stored.size, tables.find(old?.id ?? '')?.database]).toEqual([2, undefined])
    for (const id of [orders?.id, large?.id]) await tables.remove(id ?? '')
    expect(names()).toEqual(['old_orders'])
  })

  it('makes a table of a file’s first rows while it’s being read, unless that is cancelled', async () => {
    const text = `a,b\n${'1,2\n'.repeat(400_000)}`
    const file = new File([text], 'orders.csv')
    const sizes: number[] = []
    let hold = true
    const inspect: Inspect = ({ size }, _, { signal } = {}) => {
      sizes.push(size)
      if (size < text.length && !hold) return Promise.resolve(inspected([{ name: null, rejectedCount: 1 }]))
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      )
    }
    const { files, tables, imports } = setup(inspect)
    const idOf = (): string => imports.snapshot()[0]?.id ?? ''
    const cancelled = imports.add([file])
    const wanted = imports.sample(idOf())
    expect(await imports.sample(idOf())).toBeNull()
    await vi.waitFor(() => expect(sizes).toEqual([text.length, 'a,b\n'.length * 1001]))
    imports.cancel(idOf())
    await cancelled
    expect([await wanted, tables.snapshot(), imports.snapshot()]).toEqual([null, [], []])

    hold = false
    const adding = imports.add([file])
    expect(await imports.sample(idOf())).toMatchObject({
      name: 'orders_first_rows',
      sample: true,
      source: { name: 'orders.csv' },
    })
    expect(files.requests).toMatchObject([{ withoutRejected: true }])
    expect(imports.snapshot()).toMatchObject([{ sampled: 'made', stage: { kind: 'reading' } }])
    imports.cancel(idOf())
    await adding
  })

  it('reports what can’t be read at all', async () => {
    const found = inspected([{ name: 'orders' }])
    const notes = [{ code: 'unreadable-view', message: 'The view “v” can’t be read: it needs x.' }]
    const { imports, done } = setup({ ...found, inspection: { ...found.inspection, notes } })
    await imports.add([FILE])
    expect(done.map(({ missing }) => missing)).toEqual([['The view “v” can’t be read: it needs x.']])
  })

  it('asks before leaving rows out, and stores nothing until then', async () => {
    const { files, imports, done, stageOf } = setup(inspected([{ name: null, rejectedCount: 1, rejected: [REJECTED] }]))
    const adding = imports.add([FILE])
    await vi.waitFor(() => expect(stageOf()?.kind).toBe('asking'))
    expect(stageOf()).toMatchObject({ rejectedRows: [{ table: null, count: 1, rows: 2, first: [{ line: 4 }] }] })
    expect(files.stored.size).toBe(0)
    imports.agree(imports.snapshot()[0]?.id ?? '')
    await adding
    expect(files.requests[0]?.withoutRejected).toBe(true)
    expect(done).toMatchObject([{ leftOut: 1, made: [{ name: 'My_report' }] }])
  })

  it('stores nothing of a file that was declined', async () => {
    const { files, imports, done, stageOf } = setup(inspected([{ name: null, rejectedCount: 1, rejected: [REJECTED] }]))
    const adding = imports.add([FILE])
    await vi.waitFor(() => expect(stageOf()?.kind).toBe('asking'))
    imports.cancel(imports.snapshot()[0]?.id ?? '')
    await adding
    expect([files.stored.size, done.length, imports.snapshot().length, imports.isBusy()]).toEqual([0, 0, 0, false])
  })

  it('stops loading when it’s cancelled', async () => {
    const signals: AbortSignal[] = []
    const { files, imports, stageOf, names } = setup(inspected([{ name: null }]))
    files.onIngest = (_, signal) => {
      signals.push(signal)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    }
    const adding = imports.add([FILE])
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    expect(stageOf()?.kind).toBe('loading')
    imports.cancel(imports.snapshot()[0]?.id ?? '')
    await adding
    expect(signals[0]?.aborted).toBe(true)
    expect([files.stored.size, names(), imports.snapshot()]).toEqual([0, [], []])
  })

  it('stops reading when it’s cancelled', async () => {
    let stopped = false
    let begun = (): void => undefined
    const reading = new Promise<void>((resolve) => (begun = resolve))
    const { imports } = setup((_file, _request, { signal } = {}) => {
      begun()
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          stopped = true
          reject(signal.reason as Error)
        })
      })
    })
    const adding = imports.add([FILE])
    await reading
    imports.cancel(imports.snapshot()[0]?.id ?? '')
    await adding
    expect(stopped).toBe(true)
  })

  it('says what went wrong, and a retry continues where it stopped', async () => {
    const { files, imports, stageOf, names } = setup(inspected([{ name: 'Q1' }, { name: 'Q2' }]))
    let full = true
    files.onIngest = ({ planned }) =>
      full && planned?.table === 1
        ? Promise.reject(new EngineError('out-of-space', 'The disk is full.', { remedy: 'Convert again.' }))
        : Promise.resolve()
    await imports.add([FILE])
    expect(stageOf()).toMatchObject({
      kind: 'failed',
      problem: { remedy: expect.stringMatching(/Remove local files/) as unknown },
    })
    expect(names()).toEqual(['My_report_Q1'])
    expect(files.stored.size).toBe(1)
    full = false
    await imports.retry(imports.snapshot()[0]?.id ?? '')
    expect(names()).toEqual(['My_report_Q1', 'My_report_Q2'])
    expect(imports.snapshot()).toEqual([])
  })

  it('retries a copy once, however often it’s asked to', async () => {
    const { inspection, ...rest } = inspected([{ name: null }])
    const parquet = { ...inspection, format: 'parquet', settings: { kind: 'parquet' } } as const
    const { files, imports, done } = setup({ ...rest, inspection: parquet })
    await imports.add([new File(['PAR1'], 'orders.parquet')])
    files.onIngest = () => Promise.reject(new EngineError('out-of-space', 'The disk is full.'))
    await imports.copyIn(done[0]?.made[0]?.id ?? '')
    files.onIngest = () => Promise.resolve()
    const id = imports.snapshot()[0]?.id ?? ''
    await Promise.all([imports.retry(id), imports.retry(id)])
    expect(files.requests).toHaveLength(2)
    expect([imports.snapshot(), done.length]).toEqual([[], 2])
  })
})
