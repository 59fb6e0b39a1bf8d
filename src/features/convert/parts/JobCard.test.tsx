import { QueryClient } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  EngineError,
  type ConvertProgress,
  type ConvertResult,
  type EngineClient,
  type Preview,
} from '../../../engine/client.ts'
import { column, inspection, inspectResult, table } from '../../../tables/testing.ts'
import { deferred } from '../../../lib/testing.ts'
import { useJobs } from '../context.tsx'
import type { Recipe } from '../../../tables/recipes/recipe.ts'
import type { ConvertServices } from '../store/services.ts'
import { nameOf } from '../model/job.ts'
import { renderConvert } from '../testing/render-convert.tsx'
import { testStore } from '../testing/test-store.ts'
import { JobCard } from './JobCard.tsx'
import { PLAIN_CSV } from '../../../tables/settings.ts'

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

type Made = { readonly jobId: string }
type Told = { readonly onProgress?: (progress: ConvertProgress) => void }

/** A card whose file is read and converted when the test says so. */
function show(
  what = found,
  services: { readonly [K in keyof ConvertServices]?: unknown } = {},
  preview: Preview = { columns: [], rows: [], rejected: [] },
) {
  const reading = deferred<void>()
  const converting = deferred<Partial<ConvertResult>>()
  let report: (progress: ConvertProgress) => void = () => undefined
  const inspect = vi.fn<EngineClient['inspect']>(async () => {
    await reading.promise
    return { ...inspectResult(what), previews: [preview] }
  })
  const make = async (jobId: string, options?: Told): Promise<ConvertResult> => {
    report = options?.onProgress ?? report
    const output = { id: `${jobId}/out`, name: 'a.parquet', mimeType: '', size: 4, receipts: [] }
    return { outputs: [output], rejectedCount: 0, rejected: [], rejectedFile: null, ...(await converting.promise) }
  }
  const client = {
    inspect,
    preview: async () => preview,
    convert: (_file: File, { jobId }: Made, options?: Told) => make(jobId, options),
    combine: ({ jobId }: Made, options?: Told) => make(jobId, options),
    outputs: { remove: async () => undefined },
  } as unknown as EngineClient
  const store = testStore(client)
  const remove = vi.fn<ConvertServices['remove']>(async ({ ids }) => void store.take(new Set(ids)))
  store.add({ file: new File(['id,name\n1,a\n'], 'a.csv') })
  const rendered = renderConvert(<Cards />, store, { client, remove, ...services })
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
  // Elements have no size in tests, so scrolling would do nothing.
  vi.stubGlobal('scrollTo', () => undefined)
})

describe('a card', () => {
  test('says that its file is being read, and then what it is', async () => {
    const { read } = show()
    expect(within(card()).getByRole('progressbar', { name: 'Reading' })).toBeTruthy()
    expect(within(card()).queryByRole('tablist')).toBeNull()
    await read()
    expect(card().textContent).toContain('2 rows')
    expect(await within(card()).findByRole('tab', { name: 'Preview' })).toBeTruthy()
  })

  test('has details for the keyboard: arrows move, Enter opens', async () => {
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

  test('folds, and exposes that to assistive technology', async () => {
    const { read, user } = show()
    await read()
    await user.click(button('Hide details'))
    expect(button('Show details').getAttribute('aria-expanded')).toBe('false')
    expect(within(card()).queryByRole('tablist')).toBeNull()
  })

  test('isn’t converted while a field has invalid input, which stays as typed', async () => {
    const { read, user, store } = show()
    await read()
    const tab = (name: string): Promise<HTMLElement> => within(card()).findByRole('tab', { name })
    const convert = (): HTMLButtonElement => button('Convert')
    const rows = async () => within(card()).findByRole<HTMLInputElement>('textbox', { name: 'Rows in a group' })
    await user.click(await tab('Parquet options'))
    await user.clear(await rows())
    await user.type(await rows(), '50')
    const problem = 'Enter a whole number from 1,000 to 10,000,000.'
    expect((await rows()).getAttribute('aria-invalid')).toBe('true')
    await user.click(await tab('Preview'))
    expect(within(card()).getByRole('alert').textContent).toBe(`“Rows in a group”: ${problem}`)
    expect(convert().disabled).toBe(true)
    act(() => store.convertAll())
    expect(store.find('j1')?.stage.kind).toBe('ready')

    await user.click(await tab('Parquet options'))
    expect((await rows()).value).toBe('50')
    await user.type(await rows(), '00')
    expect(convert().disabled).toBe(false)
    expect(within(card()).queryByRole('alert')).toBeNull()
    expect(store.find('j1')?.options.parquet).toMatchObject({ rowGroupSize: 5000 })

    await user.clear(await rows())
    expect(convert().disabled).toBe(true)
    await user.selectOptions(within(card()).getByRole('combobox', { name: 'Convert to' }), 'CSV')
    expect(convert().disabled).toBe(false)
  })

  test('discards invalid input if its field disappears, or all settings are reset', async () => {
    const { read, user } = show({ ...found, format: 'csv', settings: PLAIN_CSV })
    await read()
    const convert = (): HTMLButtonElement => button('Convert')
    const box = (name: string): HTMLInputElement => within(card()).getByRole('textbox', { name })
    await user.click(await within(card()).findByRole('tab', { name: 'Reading' }))
    await user.type(await within(card()).findByRole('textbox', { name: 'Header rows' }), 'x')
    expect(convert().disabled).toBe(true)
    await user.click(within(card()).getByRole('checkbox', { name: 'First row is the header' }))
    await waitFor(() => expect(convert().disabled).toBe(false))

    await user.type(box('Skip lines'), 'x')
    expect(convert().disabled).toBe(true)
    await user.click(button('Back to what was detected'))
    await waitFor(() => expect(convert().disabled).toBe(false))
    expect(box('Skip lines').value).toBe('0')
  })

  test('waits for an invalid check until the column has no such check', async () => {
    const { read, user } = show()
    await read()
    const convert = (): HTMLButtonElement => button('Convert')
    const details = async (): Promise<HTMLInputElement> => {
      await user.click(await within(card()).findByRole('button', { name: 'Details of name' }))
      return screen.findByRole<HTMLInputElement>('textbox', { name: 'Characters, at least' })
    }
    await user.click(await within(card()).findByRole('tab', { name: /^Columns/ }))
    await user.type(await details(), 'x')
    await user.keyboard('{Escape}')
    expect(convert().disabled).toBe(true)
    expect(within(card()).getByText(/“name: Characters, at least”: Enter a whole number/)).toBeTruthy()
    const least = await details()
    expect(least.value).toBe('x')
    await user.clear(least)
    await user.type(least, '3')
    await user.keyboard('{Escape}')
    expect(convert().disabled).toBe(false)

    await user.type(await details(), 'y')
    await user.keyboard('{Escape}')
    expect(convert().disabled).toBe(true)
    await user.selectOptions(within(card()).getByRole('combobox', { name: 'Type of name' }), 'DATE')
    expect(convert().disabled).toBe(false)
  })

  test('proposes the name of the recipe as which it was saved, even after renaming it', async () => {
    const queries = new QueryClient()
    let recipes: readonly Recipe[] = []
    const keep = async (kept: readonly Recipe[]): Promise<void> => {
      recipes = kept
      await queries.invalidateQueries()
    }
    const { read, user } = show(found, {
      queries,
      recipes: async () => recipes,
      saveRecipe: (recipe: Recipe) => keep([recipe]),
      newId: () => 'r1',
    })
    await read()
    await user.click(await within(card()).findByRole('tab', { name: /^Columns/ }))
    const name = async (): Promise<HTMLInputElement> => {
      await user.click(await within(card()).findByRole('button', { name: 'Save as recipe' }))
      return screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
    }
    const first = await name()
    expect(first.value).toBe('a')
    await user.clear(first)
    await user.type(first, 'months')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(recipes.map((recipe) => recipe.name)).toEqual(['months']))
    expect((await name()).value).toBe('months')
    await act(() => keep(recipes.map((recipe) => ({ ...recipe, name: 'every month' }))))
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('every month'),
    )
    expect(screen.getByRole('button', { name: 'Replace' })).toBeTruthy()
  })

  test('shows a conversion’s progress, and downloads the file afterwards', async () => {
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

  test('can cancel a conversion, and start again', async () => {
    const { read, user } = show()
    await read()
    await user.click(button('Convert'))
    await user.click(button('Cancel'))
    expect(card().textContent).toContain('Cancelled. Nothing was kept.')
    expect(button('Convert').disabled).toBe(false)
  })

  test('counts all rows of the file, also those that don’t fit', async () => {
    const { read } = show(inspection(table([column('id', 'BIGINT')], { rows: 8, rejectedCount: 2 })))
    await read()
    expect(card().textContent).toContain('10 rows')
  })

  test('holds a file with missing rows until the person accepts it, and then focuses Download', async () => {
    const { read, user, converting } = show()
    await read()
    await user.click(button('Convert'))
    const left = { id: 'left', name: 'a - rejected.csv', mimeType: '', size: 4, receipts: [] }
    converting.resolve({ rejectedCount: 1, rejected: [rejectedRow], rejectedFile: left })
    const agree = await within(card()).findByRole('button', { name: 'Use the file without them' })
    expect(within(card()).getByRole('alert').textContent).toContain('1 row doesn’t fit and isn’t in the file')
    expect(button('Download').disabled).toBe(true)
    await user.click(agree)
    await waitFor(() => expect(document.activeElement).toBe(button('Download')))
    expect(within(card()).queryByRole('alert')).toBeNull()
    expect(within(card()).getByRole('button', { name: 'Download rejected rows' })).toBeDefined()
  })

  test('says why it failed and what to do, and can retry', async () => {
    const { user, reading, inspect } = show()
    reading.reject(new EngineError('corrupt-file', 'It is cut short.', { place: 'byte 9', remedy: 'Save it again.' }))
    const alert = await within(card()).findByRole('alert')
    expect(alert.textContent).toMatch(/It is cut short\..*byte 9.*Save it again\./)
    await user.click(button('Retry'))
    await waitFor(() => expect(inspect).toHaveBeenCalledTimes(2))
  })

  test('asks to add a file again that’s gone, since a retry would fail, too', async () => {
    const { reading } = show()
    reading.reject(new EngineError('file-changed', 'It was moved.', { remedy: 'Add the file again.' }))
    const alert = await within(card()).findByRole('alert')
    expect(alert.textContent).toContain('It was moved.')
    expect(within(alert).getByRole('button', { name: 'Add the file again' })).toBeTruthy()
    expect(within(card()).queryByRole('button', { name: 'Retry' })).toBeNull()
  })

  test('disappears when it’s removed', async () => {
    const { read, user, remove } = show()
    await read()
    await user.click(button('Remove'))
    expect(remove).toHaveBeenCalledWith({ ids: ['j1'] })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'a.csv' })).toBeNull())
  })
})

describe('the preview', () => {
  const row = ['1', 'a']
  test.each([
    [2, 0, 2, 'All 2 rows'],
    [2, 0, 300, 'The first 2 of 300 rows'],
    [2, 1, 3, '2 of 3 rows: the other one doesn’t fit'],
    [2, 2, 4, '2 of 4 rows: the others don’t fit'],
    [2, 1, 300, 'The first 2 rows that fit, of 300'],
  ])('counts %i rows and %i that don’t fit, of %i', async (rows, bad, all, said) => {
    const { read } = show(
      inspection(table([column('id', 'BIGINT'), column('name')], { rows: all })),
      {},
      {
        columns: [{ name: 'id', type: 'BIGINT' }],
        rows: Array.from({ length: rows }, () => row),
        rejected: Array.from({ length: bad }, () => rejectedRow),
      },
    )
    await read()
    expect(await within(card()).findByText(new RegExp(`^${said} · 1 column`))).toBeTruthy()
  })
})

describe('a card of several files', () => {
  test('shows their columns, and which rows don’t fit', async () => {
    const { read, user, store, converting } = show()
    await read()
    store.add({ file: new File(['id,name\n2,b\n'], 'b.csv') })
    await waitFor(() => expect(store.snapshot().every(({ plan }) => plan)).toBe(true))
    act(() => store.combine(new Set(store.snapshot().map(({ id }) => id))))
    const name = nameOf(store.snapshot().find(({ combination }) => combination) ?? raise())
    const combined = within(screen.getByRole('region', { name }))
    expect(combined.getByText('2 files')).toBeTruthy()
    expect(combined.queryByRole('checkbox', { name: `Select ${name}` })).toBeNull()
    const tabs = combined.getAllByRole('tab').map(({ textContent }) => textContent)
    expect(tabs).toEqual(['Columns', 'Shape with SQL', 'Parquet options'])
    expect(await combined.findByRole('textbox', { name: 'Name' })).toBeTruthy()
    await user.click(combined.getByRole('button', { name: 'Convert' }))
    await user.click(combined.getByRole('button', { name: 'Cancel' }))
    expect(combined.getByText('Cancelled. Nothing was kept.')).toBeTruthy()
    expect(combined.queryByRole('alert')).toBeNull()
    await user.click(combined.getByRole('button', { name: 'Convert' }))
    converting.resolve({ rejectedCount: 1, rejected: [rejectedRow] })
    await user.click(await combined.findByRole('button', { name: 'Review rows' }))
    expect(combined.getByRole('table', { name: 'Rows that don’t fit' })).toBeTruthy()
    await user.click(combined.getByRole('button', { name: 'Review rows' }))
    expect(combined.queryByRole('table', { name: 'Rows that don’t fit' })).toBeNull()
  })
})

function raise(): never {
  throw new Error('There’s no such job')
}
