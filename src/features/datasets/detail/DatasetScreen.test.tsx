import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { ApiError } from '../../../api/errors.ts'
import type { ApiClient, DatasetDetails } from '../../../api/client.ts'
import type { EngineClient } from '../../../engine/client.ts'
import { Store } from '../../../lib/store.ts'
import { SessionProvider } from '../../../session/context.tsx'
import { deferred } from '../../../lib/testing.ts'
import { sessionStore } from '../../../session/testing.ts'
import type { IncomingTable } from '../../../session/handover.ts'
import type { LocalData, Session } from '../../../session/session.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { DatasetsProvider } from '../context.tsx'
import { fakeApi, fakeEngine, shop } from '../testing.ts'
import { NotLoaded } from '../NotLoaded.tsx'
import { DatasetScreen } from './DatasetScreen.tsx'

/** A dataset's page on which a file can be dropped. */
function Dropping() {
  const [incoming, setIncoming] = useState<readonly IncomingTable[]>([])
  const drop = (): void => setIncoming([{ file: new File(['id\n1\n'], 'may.csv'), plan: null, changed: false }])
  return (
    <DatasetsProvider
      engine={fakeEngine() as unknown as EngineClient}
      incoming={incoming}
      onConsumed={() => setIncoming([])}
    >
      <button type="button" onClick={drop}>
        Drop
      </button>
      <DatasetScreen />
    </DatasetsProvider>
  )
}

/** A dataset's page, and the list as the page to go to after leaving it. */
async function show(address: string, overrides: Partial<ApiClient> = {}, service: Partial<Session> = {}) {
  const fake = fakeApi({
    getDataset: async () => shop,
    listDatasets: async () => [shop],
    rateLimit: new Store(null),
    ...overrides,
  })
  fake.datasets.set('d1', shop)
  const session = { api: fake.api, workspaceId: 'w', slug: 'ws', scopes: null, local: null, ...service }
  const screens = (
    <SessionProvider store={sessionStore(session)}>
      <Dropping />
    </SessionProvider>
  )
  const routes = [
    { path: '/datasets/:id', element: screens },
    { path: '/datasets', element: <h1>All of them</h1> },
  ]
  const rendered = setup(<RouterProvider router={createMemoryRouter(routes, { initialEntries: [address] })} />)
  await screen.findByRole('heading', { name: 'Shop', level: 1 })
  return { ...rendered, ...fake }
}

test('the size is explained as what is stored, and why it may exceed the file’s', async () => {
  await show('/datasets/d1')
  const size = await screen.findByText('1 byte stored')
  expect(size.title).toContain('half a megabyte even for a few rows')
})

test('a file dropped on the page is added to this dataset, not to a new one', async () => {
  const { user } = await show('/datasets/d1')
  await user.click(screen.getByRole('button', { name: 'Drop' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add to “Shop”' }, { timeout: 10_000 })
  within(dialog).getByText('may.csv')
}, 20_000)

test('while rows wait for the engine to start, the page says so', async () => {
  const hasAnswered = new Store(false)
  const [orders] = shop.tables
  const filled = { ...shop, tables: [{ ...orders, rowCount: 5 }] } as DatasetDetails
  const query = (): Promise<never> => new Promise(() => undefined)
  await show(
    '/datasets/d1',
    { getDataset: async () => filled, query },
    { local: { hasAnswered } as unknown as LocalData },
  )
  await screen.findByText('Starting the engine…', {}, { timeout: 20_000 })
  act(() => hasAnswered.set(true))
  expect(screen.queryByText('Starting the engine…')).toBeNull()
}, 30_000)

test('without the service, earlier data is marked as old', async () => {
  const gone = new ApiError('unreachable', 'no answer', { status: 0, requestId: null })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  let asked = 0
  const queryFn = (): Promise<string> => (asked++ === 0 ? Promise.resolve('x') : Promise.reject(gone))
  function Shown() {
    return <NotLoaded query={useQuery({ queryKey: ['x'], queryFn })} what="The list wasn’t loaded" />
  }
  setup(
    <QueryClientProvider client={queries}>
      <Shown />
    </QueryClientProvider>,
  )
  await waitFor(() => expect(queries.getQueryData(['x'])).toBe('x'))
  expect(screen.queryByRole('alert')).toBeNull()
  await queries.invalidateQueries({ queryKey: ['x'] })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The list wasn’t loaded again: the service doesn’t answer.')
  expect(alert.textContent).toContain('What’s shown was loaded just now')
})

test('leaving unsaved settings asks first', async () => {
  const { user } = await show('/datasets/d1?tab=settings')
  await user.type(screen.getByRole('textbox', { name: 'Description' }), 'Who buys')
  await user.click(screen.getByRole('link', { name: 'All datasets' }))
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(screen.getByRole('button', { name: 'Stay' }))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' }).value).toBe('Who buys')
})

test('deleting a dataset asks for its name, but not about unsaved settings', async () => {
  const { user, datasets } = await show('/datasets/d1?tab=settings')
  await user.type(screen.getByRole('textbox', { name: 'Description' }), 'Who buys')
  await user.click(screen.getByRole('button', { name: 'Delete dataset' }))
  await user.type(await screen.findByRole('textbox', { name: /^Type “Shop”/ }), 'Shop{Enter}')
  await screen.findByRole('heading', { name: 'All of them' })
  expect([datasets.size, screen.queryByRole('dialog')]).toEqual([0, null])
})

test('while one deletes a dataset, the page doesn’t say that somebody else did', async () => {
  const deleted = deferred<void>()
  let asked = 0
  const gone = new ApiError('NOT_FOUND', 'no', { status: 404, requestId: null })
  const getDataset = (): Promise<DatasetDetails> => (asked++ === 0 ? Promise.resolve(shop) : Promise.reject(gone))
  const { user } = await show('/datasets/d1', { getDataset, deleteDataset: () => deleted.promise })
  await user.click(screen.getByRole('button', { name: 'Delete dataset' }))
  await user.type(await screen.findByRole('textbox', { name: /^Type “Shop”/ }), 'Shop{Enter}')
  // Another query notices first.
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Shop' })).toBeNull())
  expect(screen.queryByText('“Shop” is gone')).toBeNull()
  deleted.resolve()
  await screen.findByRole('heading', { name: 'All of them' })
})

test('a refused deletion is reported in its dialog', async () => {
  const details = { scope: 'datasets:d1:write' }
  const refused = new ApiError('FORBIDDEN', 'no', { status: 403, requestId: 'req_1', details })
  const { user } = await show('/datasets/d1', { deleteDataset: () => Promise.reject(refused) })
  await user.click(screen.getByRole('button', { name: 'Delete dataset' }))
  await user.type(await screen.findByRole('textbox', { name: /^Type “Shop”/ }), 'Shop{Enter}')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/^It wasn’t deleted: .*API key/))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('heading', { name: 'Shop', level: 1 })).toBeTruthy()
})

test.each([
  ['stand-in', 1],
  ['remote', 0],
] as const)('the API tab says whether programs can’t reach the service: %s', async (kind, times) => {
  const connection = { kind, key: 'k' } as Session['connection']
  await show('/datasets/d1?view=api', {}, { connection, apiBaseUrl: 'https://data.example.com/public/v1' })
  await screen.findByLabelText('The first 100 rows, curl')
  expect(screen.queryAllByText(/other programs can’t reach it/)).toHaveLength(times)
})
