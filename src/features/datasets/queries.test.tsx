import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import type { DatasetDetails } from '../../api/client.ts'
import { Store } from '../../lib/store.ts'
import { SessionProvider } from '../../session/context.tsx'
import { sessionStore } from '../../session/testing.ts'
import { deferred } from '../../lib/testing.ts'
import { useDataset, useUpdateDataset } from './queries.ts'
import { fakeApi, shop } from './testing.ts'

test('a change isn’t undone by what began to be read before it', async () => {
  const slow = deferred<DatasetDetails>()
  const getDataset = vi.fn(() => Promise.resolve(shop))
  const { api, datasets } = fakeApi({ getDataset, rateLimit: new Store(null) })
  datasets.set('d1', shop)
  const session = sessionStore({ api, workspaceId: 'w', slug: 'ws' })
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <SessionProvider store={session}>{children}</SessionProvider>
  )
  const { result } = renderHook(() => ({ shown: useDataset('d1'), update: useUpdateDataset('d1') }), { wrapper })
  await waitFor(() => expect(result.current.shown.data?.name).toBe('Shop'))
  getDataset.mockReturnValueOnce(slow.promise)
  act(() => void result.current.shown.refetch())
  await act(() => result.current.update.mutateAsync({ name: 'Store' }))
  await act(async () => slow.resolve(shop))
  expect(result.current.shown.data?.name).toBe('Store')
})
