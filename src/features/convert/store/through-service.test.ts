import { describe, expect, test, vi } from 'vitest'
import type { ApiClient } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import type { ConvertResult, EngineClient, Output } from '../../../engine/client.ts'
import type { Inspection } from '../../../tables/plan.ts'
import { column, inspection, inspectResult, table } from '../../../tables/testing.ts'
import { toFailure } from '../model/failure.ts'
import { createJob, type Job, type ServiceProgress } from '../model/job.ts'
import { withEdits, withOptions, withPlace, read, readingAgain, withTarget } from '../model/changes.ts'
import { needsParquet, obstacleOf, type ServiceFacts } from '../model/service.ts'
import { convertThroughService } from './through-service.ts'
import { planFrom } from '../../../tables/edits.ts'
import { PLAIN_CSV } from '../../../tables/settings.ts'

const FOUND: Inspection = {
  ...inspection(table([column('id', 'BIGINT'), column('name')])),
  format: 'csv',
  settings: PLAIN_CSV,
}
const READY: ServiceFacts = { state: 'ready', offline: false, remote: false, blockedUntil: null }
const LIMIT = 52_428_800

function jobOf(file = new File(['id,name\n1,a\n'], 'orders.csv')): Job {
  return withPlace(withTarget(read(createJob('1', file, 0), inspectResult(FOUND)), 'json'), 'service')
}

const renamed = (job: Job): Job =>
  withEdits(job, [{ table: null, columns: [{ source: 'id', nth: 0, type: 'VARCHAR' }] }])

/** A file that claims to have that many bytes. */
function fileOf(size: number): File {
  return Object.defineProperty(new File([''], 'big.csv'), 'size', { value: size })
}

function rig(over: Partial<ApiClient> = {}) {
  const calls: string[] = []
  const steps: ServiceProgress[] = []
  const removed: string[] = []
  const result: ConvertResult = { outputs: [], rejectedCount: 0, rejected: [], rejectedFile: null }
  const made: Output = { id: 'p/1', name: 'orders.parquet', mimeType: '', size: 4, receipts: [] }
  const convert = vi.fn<EngineClient['convert']>(() => Promise.resolve({ ...result, outputs: [made] }))
  const adopt = vi.fn<EngineClient['adopt']>(() => Promise.resolve(result))
  const client = {
    convert,
    adopt,
    outputs: {
      file: () => Promise.resolve(new File(['PAR1'], 'orders.parquet')),
      remove: (id: string) => Promise.resolve(void removed.push(id)),
    },
  } as unknown as EngineClient
  const api = {
    conversionUrls: (from: string, to: string, name: string) => {
      calls.push(`urls ${from} ${to} ${name}`)
      return Promise.resolve({ source: { upload_url: 'u', file_path: 'p', content_type: 'text/csv' } })
    },
    upload: (url: string, body: Blob, { onProgress }: { onProgress?: (sent: number) => void }) => {
      calls.push(`put ${url} ${body.size}`)
      onProgress?.(body.size)
      return Promise.resolve()
    },
    convert: (path: string, from: string, to: string) => {
      calls.push(`convert ${path} ${from} ${to}`)
      return Promise.resolve({ download_url: 'd', file_path: 'q', expires_at: '' })
    },
    download: (url: string) => {
      calls.push(`get ${url}`)
      return Promise.resolve(new Blob(['[]']))
    },
    ...over,
  } as unknown as ApiClient
  const controller = new AbortController()
  const run = (job: Job) =>
    convertThroughService(
      job,
      { client, api, newId: () => 'id' },
      { signal: controller.signal, onProgress: (step) => steps.push(step) },
    )
  return { run, calls, steps, removed, convert, adopt, controller }
}

describe('through the service', () => {
  test('a file is sent unchanged in four steps, and the result is compared with it', async () => {
    const { run, calls, steps, adopt, convert } = rig()
    const job = jobOf()
    await run(job)
    expect(calls).toEqual(['urls csv json orders', 'put u 12', 'convert p csv json', 'get d'])
    expect([...new Set(steps.map(({ phase }) => phase))]).toEqual(['sign', 'upload', 'convert', 'download', 'verify'])
    expect(convert).not.toHaveBeenCalled()
    expect(adopt.mock.calls[0]?.[0]).toBe(job.file)
    expect(adopt.mock.calls[0]?.[1]).toMatchObject({ plan: job.plan, target: 'json', made: expect.any(Blob) as Blob })
  })

  test('a changed table is sent as planned, as Parquet that is removed afterwards', async () => {
    const { run, calls, removed, adopt, convert } = rig()
    const job = renamed(jobOf())
    await run(job)
    expect(convert.mock.calls[0]?.[1]).toMatchObject({ target: 'parquet', plan: job.plan })
    expect(calls[0]).toBe('urls parquet json orders')
    expect(adopt.mock.calls[0]?.[1].plan).toBe(job.plan)
    expect(removed).toEqual(['p/1'])
  })

  test('the Parquet file is also removed if the service fails', async () => {
    const failure = new ApiError('RATE_LIMITED', 'no more', {
      status: 429,
      requestId: 'req_1',
      details: { retry_after: 600 },
    })
    const { run, removed } = rig({ convert: () => Promise.reject(failure) })
    await expect(run(renamed(jobOf()))).rejects.toBe(failure)
    expect(removed).toEqual(['p/1'])
    expect(toFailure(failure)).toMatchObject({
      requestId: 'req_1',
      remedy: 'Try again in 10 min, or convert it in this browser.',
    })
  })

  test('nothing too large is sent', async () => {
    const { run, calls } = rig()
    await expect(run({ ...jobOf(), file: fileOf(LIMIT + 1) })).rejects.toMatchObject({ code: 'too-large' })
    expect(calls).toEqual([])
  })
})

describe('obstacles to using the service:', () => {
  const short = (job: Job, facts = READY): string | null => obstacleOf(job, facts)?.short ?? null

  test('none, for a file that the service accepts', () => expect(short(jobOf())).toBeNull())

  test.each([
    ['no connection yet', { ...READY, state: 'connecting' }, 'connecting'],
    ['no connection', { ...READY, state: 'failed' }, 'not connected'],
    ['no network', { ...READY, offline: true }, 'offline'],
  ] as const)('%s', (_, facts, expected) => expect(short(jobOf(), facts)).toBe(expected))

  test('no requests left, with the time when there are new ones', () => {
    const until = new Date(2026, 10, 21, 15, 30)
    expect(short(jobOf(), { ...READY, blockedUntil: until })).toBe('limit reached until 15:30')
  })

  test('the file’s size, exact to the byte', () => {
    expect(short({ ...jobOf(), file: fileOf(LIMIT) })).toBeNull()
    expect(short({ ...jobOf(), file: fileOf(LIMIT + 1) })).toBe('over 50 MB')
    // As Parquet it may be much smaller, which is only known once it's made.
    expect(short(renamed({ ...jobOf(), file: fileOf(LIMIT + 1) }))).toBeNull()
  })

  test('names that only text formats can have', () => {
    const twice = { ...table([{ ...column('id', 'DATE') }, { ...column('id_1', 'DATE'), source: 'id' }]) }
    const found = inspectResult({ ...FOUND, tables: [twice] })
    const job = withTarget(read(createJob('1', new File(['id,id\n'], 'a.csv'), 0), found), 'tsv')
    const settings = { kind: 'csv', header: true } as const
    expect(short(job)).toBeNull()
    expect(short({ ...job, request: { settings } })).toBe('column names')
    expect(short(withTarget({ ...job, request: { settings } }, 'xlsx'))).toBeNull()
  })

  test('Arrow, options that the service lacks, rows that don’t fit, several sheets', () => {
    expect(short(withTarget(jobOf(), 'arrow'))).toBe('doesn’t write Arrow')
    expect(short(withOptions(jobOf(), { kind: 'json', layout: 'lines', normalize: false }))).toBe('options changed')
    expect(short(withOptions(jobOf(), { kind: 'json', layout: 'array', normalize: false }))).toBeNull()
    const bad = { ...FOUND, tables: [{ ...FOUND.tables[0]!, rejectedCount: 1 }] }
    expect(short({ ...jobOf(), inspection: bad, plan: planFrom(bad) })).toBe('rows don’t fit')
    const sheets = { ...FOUND, format: 'xlsx' as const, tables: [FOUND.tables[0]!, { ...FOUND.tables[0]!, name: 'b' }] }
    const book = { ...jobOf(), inspection: sheets, plan: planFrom(sheets) }
    expect(short(book)).toBe('several sheets')
    expect(short(withTarget(book, 'xlsx'))).toBeNull()
  })
})

describe('Parquet is needed', () => {
  test('not for a file read as detected', () => expect(needsParquet(jobOf())).toBe(false))

  test('for a changed column, a setting, a chosen format, or gzip', () => {
    const job = jobOf()
    expect(needsParquet(renamed(job))).toBe(true)
    expect(needsParquet({ ...job, request: { settings: { kind: 'csv', delimiter: ';' } } })).toBe(true)
    expect(needsParquet(read(readingAgain(job, { format: 'csv' }), inspectResult(FOUND)))).toBe(true)
    const packed: Inspection = { ...FOUND, settings: { ...PLAIN_CSV, compression: 'gzip' } }
    expect(needsParquet({ ...job, inspection: packed, plan: planFrom(packed) })).toBe(true)
  })
})
