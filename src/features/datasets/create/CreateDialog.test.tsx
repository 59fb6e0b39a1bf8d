import { act, screen, within } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../../api/errors.ts'
import type { DatasetDetails } from '../../../api/client.ts'
import type { EngineClient } from '../../../engine/client.ts'
import { Store } from '../../../lib/store.ts'
import type { IncomingTable } from '../../../session/handover.ts'
import { SessionProvider } from '../../../session/context.tsx'
import { sessionStore } from '../../../session/testing.ts'
import { deferred } from '../../../lib/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { DatasetsProvider } from '../context.tsx'
import { DatasetScreen } from '../detail/DatasetScreen.tsx'
import { fakeApi, fakeEngine, shop } from '../testing.ts'
import CreateDialog from './CreateDialog.tsx'

afterEach(() => sessionStorage.clear())

/** The dialog for a new dataset of one file, passed on by another screen. */
async function show(getDataset: () => Promise<DatasetDetails>) {
  const shown = open(getDataset, [{ file: new File(['id\n1\n'], 'may.csv'), plan: null, changed: false }])
  return { ...shown, where: await screen.findByRole('combobox', { name: 'Add to' }) }
}

function open(getDataset: () => Promise<DatasetDetails>, incoming: readonly IncomingTable[]) {
  const { api } = fakeApi({ getDataset, listDatasets: async () => [shop], rateLimit: new Store(null) })
  const session = { api, workspaceId: 'w', slug: 'ws', scopes: null, local: null }
  const app = (
    <SessionProvider store={sessionStore(session)}>
      <DatasetsProvider engine={fakeEngine() as unknown as EngineClient} incoming={incoming}>
        <Outlet />
      </DatasetsProvider>
    </SessionProvider>
  )
  const children = [
    { path: '/datasets', element: <CreateDialog onClose={() => undefined} /> },
    { path: '/datasets/:id', element: <DatasetScreen /> },
  ]
  const router = createMemoryRouter([{ element: app, children }], { initialEntries: ['/datasets'] })
  return { ...setup(<RouterProvider router={router} />), router }
}

test('files can be added to an existing dataset instead, and back to a new one', async () => {
  const { user, where, router } = await show(async () => shop)
  where.focus()
  await user.selectOptions(where, '“Shop”')
  const dialog = await screen.findByRole('dialog', { name: 'Add to “Shop”' })
  within(dialog).getByText('may.csv')
  expect(document.activeElement).toBe(where)
  expect(within(dialog).queryByRole('textbox', { name: 'Name' })).toBeNull()
  await act(() => router.navigate('/datasets/d1?add'))
  const again = await screen.findByRole('combobox', { name: 'Add to' }, { timeout: 10_000 })
  again.focus()
  await user.selectOptions(again, 'A new dataset')
  within(await screen.findByRole('dialog', { name: 'New dataset' })).getByText('may.csv')
  expect(document.activeElement).toBe(again)
  await user.selectOptions(again, '“Shop”')
  await screen.findByRole('dialog', { name: 'Add to “Shop”' })
  expect(document.activeElement).toBe(again)
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(screen.queryByRole('dialog')).toBeNull()
}, 20_000)

test('a dataset that is gone isn’t chosen', async () => {
  const gone = new ApiError('NOT_FOUND', 'no such dataset', { status: 404, requestId: null })
  const { user, where } = await show(() => Promise.reject(gone))
  await user.selectOptions(where, '“Shop”')
  await screen.findByText(/^The dataset wasn’t opened/)
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Add to' }).selectedOptions[0]?.text).toBe(
    'A new dataset',
  )
})

test('nothing is created while the chosen dataset is still being opened', async () => {
  const answer = deferred<DatasetDetails>()
  const { user, where } = await show(() => answer.promise)
  await screen.findByText('may.csv')
  const create = screen.getByRole<HTMLButtonElement>('button', { name: 'Create dataset' })
  await user.selectOptions(where, '“Shop”')
  await screen.findByText('Opening the chosen dataset…')
  expect(create.disabled).toBe(true)
  answer.resolve(shop)
  await screen.findByRole('button', { name: 'Add to dataset' })
  expect(screen.queryByText('Opening the chosen dataset…')).toBeNull()
})

test('after a reload it says which files to add again, until that is done', async () => {
  const { unmount } = await show(async () => shop)
  unmount()
  const text = 'The page was reloaded before “may” was created. Add may.csv again.'
  const { user, unmount: leave } = open(async () => shop, [])
  await screen.findByText(text)
  leave()
  open(async () => shop, [])
  await screen.findByText(text)
  await user.upload(screen.getByLabelText('Add files'), new File(['id\n1\n'], 'may.csv'))
  await screen.findByRole('combobox', { name: 'Add to' })
  expect(screen.queryByText(text)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(sessionStorage.length).toBe(0)
})
