import { act, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { QueryClient } from '@tanstack/react-query'
import { EngineError, type ConvertProgress, type ConvertResult, type EngineClient } from '../../../engine/client.ts'
import { SessionProvider } from '../../../session/context.tsx'
import { sessionStore } from '../../../session/testing.ts'
import { column, inspection, inspectResult, table } from '../../../tables/testing.ts'
import { deferred, setup } from '../../../ui/testing/render.tsx'
import { ConvertProvider, useJobs } from '../context.tsx'
import { targetFor } from '../model/job.ts'
import type { ConvertServices } from '../store/services.ts'
import { ConvertStore } from '../store/store.ts'
import { JobCard } from './JobCard.tsx'

const found = inspection(table([column('id', 'BIGINT'), column('name')], { rows: 2 }))
const rejectedRow = {
  row: 2,
  line: 3,
  reason: 'value',
  message: 'isn’t a number',
  column: 'id',
  value: 'x',
  raw: 'x,y',
} as const

/** A card whose file is read and converted when the test says so. */
function show() {
  const reading = deferred<void>()
  const converting = deferred<Partial<ConvertResult>>()
  let report: (progress: ConvertProgress) => void = () => undefined
  const inspect = vi.fn<EngineClient['inspect']>(async () => {
    await reading.promise
    return inspectResult(found)
  })
  const client = {
    inspect,
    preview: async () => ({ columns: [], rows: [], rejected: [] }),
    convert: async (_file: File, { jobId }: { jobId: string }, options?: { onProgress?: typeof report }) => {
      report = options?.onProgress ?? report
      const output = { id: `${jobId}/out`, name: 'a.parquet', mimeType: '', size: 4, receipts: [] }
      return { outputs: [output], rejectedCount: 0, rejected: [], rejectedFile: null, ...(await converting.promise) }
    },
    outputs: { remove: async () => undefined },
  } as unknown as EngineClient
  const store = new ConvertStore({
    client,
    keep: async () => undefined,
    throughService: () => Promise.reject(new Error('not asked for')),
    making: (work) => work(),
    agreed: () => undefined,
    ended: () => undefined,
    targets: { of: targetFor, choose: () => undefined },
    now: Date.now,
    newId: () => 'j1',
  })
  const remove = vi.fn<ConvertServices['remove']>(async ({ ids }) => void store.take(new Set(ids)))
  const services = {
    client,
    store,
    queries: new QueryClient(),
    remove,
    recipes: async () => [],
  } as unknown as ConvertServices
  store.add({ file: new File(['id,name\n1,a\n'], 'a.csv') })
  const rendered = setup(
    <MemoryRouter initialEntries={['/convert']}>
      <SessionProvider store={sessionStore(null)}>
        <ConvertProvider services={services} onPublish={() => undefined} onQuery={() => undefined}>
          <Cards />
        </ConvertProvider>
      </SessionProvider>
    </MemoryRouter>,
  )
  const read = async (): Promise<void> => {
    reading.resolve()
    await screen.findByRole('button', { name: 'Convert' })
  }
  return {
    ...rendered,
    store,
    inspect,
    remove,
    read,
    reading,
    converting,
    report: (p: ConvertProgress) => act(() => report(p)),
  }
}

function Cards() {
  return useJobs().map((job) => <JobCard key={job.id} job={job} startOpen />)
}

const card = (): HTMLElement => screen.getByRole('region', { name: 'a.csv' })
const button = (name: string): HTMLButtonElement => within(card()).getByRole('button', { name })

beforeEach(() => {
  // Nothing has a size here, so nothing moves.
  vi.stubGlobal('scrollTo', () => undefined)
})

describe('a card', () => {
  test('says that its file is read, and then what it is', async () => {
    const { read } = show()
    expect(within(card()).getByRole('progressbar', { name: 'Reading' })).toBeTruthy()
    expect(within(card()).queryByRole('tablist')).toBeNull()
    await read()
    expect(card().textContent).toContain('2 rows')
    expect(await within(card()).findByRole('tab', { name: 'Preview' })).toBeTruthy()
  })

  test('goes through its details by keyboard: arrows move, Enter opens', async () => {
    const { read, user } = show()
    await read()
    const preview = await within(card()).findByRole('tab', { name: 'Preview' })
    act(() => preview.focus())
    await user.keyboard('{ArrowRight}{ArrowRight}')
    const reading = within(card()).getByRole('tab', { name: 'Reading' })
    expect([document.activeElement, preview.getAttribute('aria-selected')]).toEqual([reading, 'true'])
    await user.keyboard('{Enter}')
    expect(await within(card()).findByRole('combobox', { name: 'Read as' })).toBeTruthy()
    expect(reading.getAttribute('aria-selected')).toBe('true')
  })

  test('folds, and says so', async () => {
    const { read, user } = show()
    await read()
    await user.click(button('Hide details'))
    expect(button('Show details').getAttribute('aria-expanded')).toBe('false')
    expect(within(card()).queryByRole('tablist')).toBeNull()
  })

  test('says how far a conversion is, and hands the file over when it’s done', async () => {
    const { read, user, converting, report } = show()
    await read()
    await user.click(button('Convert'))
    report({ phase: 'convert', table: 0, tables: 1, rows: 1, bytes: 50, totalBytes: 100 })
    await waitFor(() => expect(within(card()).getByRole<HTMLProgressElement>('progressbar').value).toBe(50))
    const current = within(card()).getByRole('list', { name: 'Steps' }).querySelector('[aria-current=step]')
    expect(current?.textContent).toBe('Convert')
    converting.resolve({})
    expect(await within(card()).findByRole<HTMLButtonElement>('button', { name: 'Download' })).toHaveProperty(
      'disabled',
      false,
    )
  })

  test('cancels a conversion, and can begin again', async () => {
    const { read, user } = show()
    await read()
    await user.click(button('Convert'))
    await user.click(button('Cancel'))
    expect(card().textContent).toContain('Cancelled. Nothing of it was kept.')
    expect(button('Convert').disabled).toBe(false)
  })

  test('holds a file that lacks rows until the person agrees; the focus then is at Download', async () => {
    const { read, user, converting } = show()
    await read()
    await user.click(button('Convert'))
    converting.resolve({ rejectedCount: 1, rejected: [rejectedRow] })
    const agree = await within(card()).findByRole('button', { name: 'Use the file without them' })
    expect(within(card()).getByRole('alert').textContent).toContain('1 row doesn’t fit and isn’t in the file')
    expect(button('Download').disabled).toBe(true)
    await user.click(agree)
    await waitFor(() => expect(document.activeElement).toBe(button('Download')))
    expect(within(card()).queryByRole('alert')).toBeNull()
  })

  test('that failed says why and what to do, and tries again', async () => {
    const { user, reading, inspect } = show()
    reading.reject(new EngineError('corrupt-file', 'It is cut short.', { place: 'byte 9', remedy: 'Save it again.' }))
    const alert = await within(card()).findByRole('alert')
    expect(alert.textContent).toMatch(/It is cut short\..*byte 9.*Save it again\./)
    await user.click(button('Retry'))
    await waitFor(() => expect(inspect).toHaveBeenCalledTimes(2))
  })

  test('that is removed is gone', async () => {
    const { read, user, remove } = show()
    await read()
    await user.click(button('Remove'))
    expect(remove).toHaveBeenCalledWith({ ids: ['j1'] })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'a.csv' })).toBeNull())
  })
})
