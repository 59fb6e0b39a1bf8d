import { fireEvent, screen } from '@testing-library/react'
import { QueryClient } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { EngineClient } from '../../engine/client.ts'
import { Store } from '../../lib/store.ts'
import { SessionProvider } from '../../session/context.tsx'
import { sessionStore } from '../../session/testing.ts'
import { setup } from '../../ui/testing/render.tsx'
import { ConvertProvider } from './context.tsx'
import { ConvertScreen } from './ConvertScreen.tsx'
import { targetFor } from './model/job.ts'
import type { ConvertServices } from './store/services.ts'
import { ConvertStore } from './store/store.ts'

const csv = (name: string): File => new File(['id\n1\n'], name)

test('files that are chosen while another one comes are added, though the screen has changed meanwhile', async () => {
  const client = {
    warm: () => undefined,
    inspect: () => new Promise(() => undefined),
  } as unknown as EngineClient
  let made = 0
  const store = new ConvertStore({
    client,
    keep: async () => undefined,
    throughService: () => Promise.reject(new Error('not asked for')),
    making: (work) => work(),
    agreed: () => undefined,
    ended: () => undefined,
    targets: { of: targetFor, choose: () => undefined },
    now: Date.now,
    newId: () => `j${made++}`,
  })
  const addFiles = vi.fn<ConvertServices['addFiles']>(async () => undefined)
  const services = {
    client,
    store,
    queries: new QueryClient(),
    receiptChecks: new Store([]),
    selection: new Store(new Set()),
    recipes: async () => [],
    storedJobs: async () => ({ records: [], alive: new Set(), sources: new Set() }),
    addFiles,
  } as unknown as ConvertServices
  setup(
    <MemoryRouter initialEntries={['/convert']}>
      <SessionProvider store={sessionStore(null)}>
        <ConvertProvider services={services} onPublish={() => undefined} onQuery={() => undefined}>
          <ConvertScreen />
        </ConvertProvider>
      </SessionProvider>
    </MemoryRouter>,
  )
  const input = await screen.findByLabelText('Add files')
  store.add({ file: csv('dropped.csv') })
  await screen.findByRole('heading', { name: 'Convert' })
  const chosen = csv('chosen.csv')
  fireEvent.change(input, { target: { files: [chosen] } })
  expect(addFiles).toHaveBeenCalledWith([chosen])
  // It's the one that is shown now, too.
  expect(screen.getByLabelText('Add files')).toBe(input)
})
