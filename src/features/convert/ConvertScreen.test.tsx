import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { EngineClient } from '../../engine/client.ts'
import { Store } from '../../lib/store.ts'
import { deferred } from '../../lib/testing.ts'
import { column, inspection, inspectResult, table } from '../../tables/testing.ts'
import { ConvertScreen } from './ConvertScreen.tsx'
import { converted } from './model/changes.ts'
import type { Recipe } from '../../tables/recipes/recipe.ts'
import type { ReceiptCheck } from './store/receipt-checks.ts'
import type { ConvertServices } from './store/services.ts'
import { renderConvert } from './testing/render-convert.tsx'
import { testStore } from './testing/test-store.ts'

const csv = (name: string): File => new File(['id\n1\n'], name)

function show(
  inspect: (file: File) => Promise<unknown>,
  receipts: readonly ReceiptCheck[] = [],
  recipes: readonly Recipe[] = [],
) {
  const client = { warm: () => undefined, inspect } as unknown as EngineClient
  const store = testStore(client)
  const addFiles = vi.fn<ConvertServices['addFiles']>(async () => undefined)
  const rendered = renderConvert(<ConvertScreen />, store, {
    client,
    receiptChecks: new Store(receipts),
    selection: new Store(new Set()),
    recipes: async () => recipes,
    storedJobs: async () => ({ records: [], alive: new Set(), sources: new Set() }),
    addFiles,
  })
  return { ...rendered, store, addFiles }
}

test('the first card is rendered at once if its code was loaded before', async () => {
  const { store } = show(() => new Promise(() => undefined))
  await screen.findByLabelText('Add files')
  await import('./parts/Cards.tsx')
  act(() => void store.add({ file: csv('a.csv') }))
  expect(screen.getByRole('heading', { name: 'a.csv' })).toBeTruthy()
})

test('files chosen while another one is added are added, although the layout has changed', async () => {
  const { store, addFiles } = show(() => new Promise(() => undefined))
  const input = await screen.findByLabelText('Add files')
  store.add({ file: csv('dropped.csv') })
  await screen.findByRole('heading', { name: 'Convert' })
  const chosen = csv('chosen.csv')
  fireEvent.change(input, { target: { files: [chosen] } })
  expect(addFiles).toHaveBeenCalledWith([chosen])
  // The new layout shows the same element.
  expect(screen.getByLabelText('Add files')).toBe(input)
})

test('a folder’s files are sorted by name, without hidden ones', async () => {
  const { addFiles } = show(() => new Promise(() => undefined))
  const input = await screen.findByLabelText('Add a folder')
  const files = [
    's/10.csv',
    's/2/a.csv',
    's/9.csv',
    's/.git/a.csv',
    's/.DS_Store',
    's/Thumbs.db',
    's/desktop.ini',
    's/~$a.xlsx',
  ].map((path) => Object.defineProperty(csv(path.split('/').at(-1) ?? ''), 'webkitRelativePath', { value: path }))
  fireEvent.change(input, { target: { files } })
  expect(addFiles.mock.calls[0]?.[0].map((file) => file.webkitRelativePath)).toEqual([
    's/2/a.csv',
    's/9.csv',
    's/10.csv',
  ])
})

test('actions for all files are offered from the second file on', async () => {
  const { store } = show(async () => inspectResult(inspection(table([column('id')]))))
  const buttons = ['Combine', 'Convert all', 'Download all']
  store.add({ file: csv('a.csv') })
  await screen.findByRole('button', { name: 'Split' })
  expect(buttons.filter((name) => screen.queryByRole('button', { name }))).toEqual([])
  store.add({ file: csv('b.csv') })
  await screen.findByRole('button', { name: 'Combine' })
  expect(buttons.filter((name) => screen.queryByRole('button', { name }))).toEqual(buttons)
})

test('selected files are combined only when all of them are read, and none is left out meanwhile', async () => {
  const last = deferred<unknown>()
  const read = inspectResult(inspection(table([column('id')])))
  const { store, user } = show((file) => (file.name === 'c.csv' ? last.promise : Promise.resolve(read)))
  for (const name of ['a.csv', 'b.csv', 'c.csv']) store.add({ file: csv(name) })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  await waitFor(() =>
    expect(['Combine', 'Split'].map((name) => [button(name).disabled, button(name).title])).toEqual([
      [true, '1 file is still being read'],
      [true, '1 file is still being read'],
    ]),
  )
  await act(() => Promise.resolve(last.resolve(read)))
  await waitFor(() => expect(button('Combine').disabled).toBe(false))
  await user.click(button('Combine'))
  expect(store.snapshot()[0]?.combination?.parts).toHaveLength(3)
})

test('splitting into files of 0 rows is refused at the field, and the dialog stays open', async () => {
  const { store, user } = show(async () => inspectResult(inspection(table([column('id')], { rows: 5 }))))
  store.add({ file: csv('a.csv') })
  await user.click(await screen.findByRole('button', { name: 'Split' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Split “a.csv”' }))
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Files' }), 'One for every so many rows')
  const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Rows in a file' })
  for (const typed of ['0', '1.5', 'x']) {
    await user.clear(field)
    await user.type(field, typed)
    await user.click(dialog.getByRole('button', { name: 'Split' }))
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(dialog.getByText('How many rows per file? Enter a number from 1.')).toBeTruthy()
    expect(document.activeElement).toBe(field)
    expect(store.snapshot()[0]?.split).toBeUndefined()
  }
  await user.clear(field)
  await user.type(field, '3')
  await user.click(dialog.getByRole('button', { name: 'Split' }))
  expect(store.snapshot()[0]?.split).toEqual({ by: 'rows', rows: 3 })
})

test('how a single file is read is saved as a recipe beside what splits it, without a selection', async () => {
  const { store, user } = show(async () => inspectResult(inspection(table([column('id')]))))
  store.add({ file: csv('a.csv') })
  await user.click(await screen.findByRole('button', { name: 'Save recipe' }))
  expect(await screen.findByRole('dialog', { name: 'Save as recipe' })).toBeTruthy()
})

test('a page with only a receipt says so', async () => {
  const check: ReceiptCheck = {
    id: 'r',
    fileName: 'a.receipt.json',
    receipts: [],
    problems: ['It isn’t a receipt.'],
    named: [],
    checks: [],
    foreign: [],
  }
  show(async () => undefined, [check])
  const heading = await screen.findByRole('heading', { name: 'Convert' })
  expect(heading.closest('header')?.textContent).toContain('1 receipt')
  expect(heading.closest('header')?.textContent).not.toContain('0 files')
})

test('files that can’t be read are counted separately', async () => {
  const { store } = show(() => Promise.reject(new Error('no table')))
  store.add({ file: csv('a.csv') })
  store.add({ file: csv('b.csv') })
  await screen.findByText('2 files · 2 failed')
})

test('a combined table isn’t counted as a file', async () => {
  const { store } = show(async () => inspectResult(inspection(table([column('id')]))))
  store.add({ file: csv('a.csv') })
  store.add({ file: csv('b.csv') })
  await waitFor(() => expect(store.snapshot().every(({ plan }) => plan)).toBe(true))
  const result = { outputs: [], rejectedCount: 0, rejected: [], rejectedFile: null }
  act(() => {
    store.combine(new Set(store.snapshot().map(({ id }) => id)))
    store.set(store.snapshot().map((job) => converted(job, result, 0)))
  })
  await screen.findByText('2 files · 2 converted')
})

test('the sheets of a single workbook can be combined', async () => {
  const sheets = ['A', 'B'].map((name) => table([column('id')], { name }))
  const { store } = show(async () => inspectResult(inspection(...sheets)))
  store.add({ file: csv('a.xlsx') })
  await screen.findByRole('button', { name: 'Combine' })
  expect(screen.queryByRole('button', { name: 'Convert all' })).toBeNull()
})

test('recipes can be renamed, exported and removed without any file', async () => {
  const failing = vi.fn<() => Promise<unknown>>(() => Promise.reject(new Error('no table')))
  const { user, store } = show(failing, [], [{ id: 'r', name: 'months', createdAt: 1 } as unknown as Recipe])
  await user.click(await screen.findByRole('button', { name: 'Recipes' }))
  expect(await screen.findByRole('button', { name: 'Rename recipe months' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  store.add({ file: csv('a.csv') })
  await screen.findByRole('heading', { name: 'a.csv' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Split' })).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Recipes' }))
  expect(await screen.findByRole('button', { name: 'Export recipe months' })).toBeTruthy()
})
