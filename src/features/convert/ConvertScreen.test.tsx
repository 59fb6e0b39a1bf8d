import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { EngineClient } from '../../engine/client.ts'
import { Store } from '../../lib/store.ts'
import { ConvertScreen } from './ConvertScreen.tsx'
import type { ConvertServices } from './store/services.ts'
import { renderConvert } from './testing/render-convert.tsx'
import { testStore } from './testing/test-store.ts'

const csv = (name: string): File => new File(['id\n1\n'], name)

test('files that are chosen while another one comes are added, though the screen has changed meanwhile', async () => {
  const client = {
    warm: () => undefined,
    inspect: () => new Promise(() => undefined),
  } as unknown as EngineClient
  const store = testStore(client)
  const addFiles = vi.fn<ConvertServices['addFiles']>(async () => undefined)
  renderConvert(<ConvertScreen />, store, {
    client,
    receiptChecks: new Store([]),
    selection: new Store(new Set()),
    storedJobs: async () => ({ records: [], alive: new Set(), sources: new Set() }),
    addFiles,
  })
  const input = await screen.findByLabelText('Add files')
  store.add({ file: csv('dropped.csv') })
  await screen.findByRole('heading', { name: 'Convert' })
  const chosen = csv('chosen.csv')
  fireEvent.change(input, { target: { files: [chosen] } })
  expect(addFiles).toHaveBeenCalledWith([chosen])
  // It's the one that is shown now, too.
  expect(screen.getByLabelText('Add files')).toBe(input)
})
