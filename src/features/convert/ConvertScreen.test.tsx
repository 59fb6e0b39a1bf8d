import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { EngineClient } from '../../engine/client.ts'
import { Store } from '../../lib/store.ts'
import { column, inspection, inspectResult, table } from '../../tables/testing.ts'
import { ConvertScreen } from './ConvertScreen.tsx'
import type { ConvertServices } from './store/services.ts'
import { renderConvert } from './testing/render-convert.tsx'
import { testStore } from './testing/test-store.ts'

const csv = (name: string): File => new File(['id\n1\n'], name)

function show(inspect: () => Promise<unknown>) {
  const client = { warm: () => undefined, inspect } as unknown as EngineClient
  const store = testStore(client)
  const addFiles = vi.fn<ConvertServices['addFiles']>(async () => undefined)
  renderConvert(<ConvertScreen />, store, {
    client,
    receiptChecks: new Store([]),
    selection: new Store(new Set()),
    storedJobs: async () => ({ records: [], alive: new Set(), sources: new Set() }),
    addFiles,
  })
  return { store, addFiles }
}

test('files that are chosen while another one comes are added, though the screen has changed meanwhile', async () => {
  const { store, addFiles } = show(() => new Promise(() => undefined))
  const input = await screen.findByLabelText('Add files')
  store.add({ file: csv('dropped.csv') })
  await screen.findByRole('heading', { name: 'Convert' })
  const chosen = csv('chosen.csv')
  fireEvent.change(input, { target: { files: [chosen] } })
  expect(addFiles).toHaveBeenCalledWith([chosen])
  // It's the one that is shown now, too.
  expect(screen.getByLabelText('Add files')).toBe(input)
})

test('the files of a folder come in the order of their names, without those of programs', async () => {
  const { addFiles } = show(() => new Promise(() => undefined))
  const input = await screen.findByLabelText('Add a folder')
  const files = ['s/10.csv', 's/2/a.csv', 's/9.csv', 's/.git/a.csv', 's/.DS_Store'].map((path) =>
    Object.defineProperty(csv(path.split('/').at(-1) ?? ''), 'webkitRelativePath', { value: path }),
  )
  fireEvent.change(input, { target: { files } })
  expect(addFiles.mock.calls[0]?.[0].map((file) => file.webkitRelativePath)).toEqual([
    's/2/a.csv',
    's/9.csv',
    's/10.csv',
  ])
})

test('what is done with all files is offered from the second on', async () => {
  const { store } = show(async () => inspectResult(inspection(table([column('id')]))))
  const buttons = ['Combine', 'Convert all', 'Download all']
  store.add({ file: csv('a.csv') })
  await screen.findByRole('button', { name: 'Split' })
  expect(buttons.filter((name) => screen.queryByRole('button', { name }))).toEqual([])
  store.add({ file: csv('b.csv') })
  await screen.findByRole('button', { name: 'Combine' })
  expect(buttons.filter((name) => screen.queryByRole('button', { name }))).toEqual(buttons)
})

test('the sheets of a single workbook can be combined', async () => {
  const sheets = ['A', 'B'].map((name) => table([column('id')], { name }))
  const { store } = show(async () => inspectResult(inspection(...sheets)))
  store.add({ file: csv('a.xlsx') })
  await screen.findByRole('button', { name: 'Combine' })
  expect(screen.queryByRole('button', { name: 'Convert all' })).toBeNull()
})
