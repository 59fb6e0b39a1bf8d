import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { deferred } from '../../../lib/testing.ts'
import { SavedStore } from '../tabs/records.ts'
import { fakeSql, setupSql } from '../testing/render-sql.tsx'
import { SaveQuery } from './SaveQuery.tsx'
import { SavedPanel } from './SavedPanel.tsx'

const query = { id: '1', name: 'Orders', text: 'SELECT 1', parameters: {}, updatedAt: 1 }

async function saving(title: string) {
  const sql = await fakeSql([title])
  await sql.saved.put(query)
  await sql.saved.load()
  const onClose = vi.fn<() => void>()
  const tab = sql.tabs.find(title)
  if (!tab) throw new Error('no tab')
  return { sql, onClose, ...setupSql(sql, <SaveQuery tab={tab} onClose={onClose} />) }
}

test('a query is saved with the tab’s title, which follows the name', async () => {
  const { sql, onClose, user } = await saving('Sales')
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  expect(name.value).toBe('Sales')
  await user.type(name, ' of May{Enter}')
  expect(onClose).toHaveBeenCalledOnce()
  await waitFor(() => expect(sql.saved.snapshot().items?.map((each) => each.name)).toEqual(['Orders', 'Sales of May']))
  expect(sql.tabs.find('Sales')?.title).toBe('Sales of May')
})

test('a taken name says that it replaces the query, and does', async () => {
  const { sql, user } = await saving('orders')
  expect(screen.getByText('A query with this name is replaced.')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Replace' }))
  await waitFor(() => expect(sql.saved.snapshot().items).toMatchObject([{ id: '1', text: "SELECT 'orders'" }]))
})

test('Enter replaces the query of that name even before the saved ones are read', async () => {
  const sql = await fakeSql(['orders'])
  await sql.database.putSaved(query)
  const reading = deferred<(typeof query)[]>()
  const saved = new SavedStore(
    { ...sql.database, saved: () => reading.promise },
    { tell: () => undefined, listen: () => () => undefined },
  )
  const tab = sql.tabs.find('orders')
  if (!tab) throw new Error('no tab')
  const { user } = setupSql({ ...sql, saved }, <SaveQuery tab={tab} onClose={() => undefined} />)
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '{Enter}')
  reading.resolve([query])
  await waitFor(async () => expect(await sql.database.saved()).toMatchObject([{ id: '1', text: "SELECT 'orders'" }]))
})

test('nothing is saved without a name, and Escape closes', async () => {
  const { sql, onClose, user } = await saving('Sales')
  await user.clear(screen.getByRole('textbox', { name: 'Name' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  await user.keyboard('{Enter}{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
  expect(await sql.database.saved()).toHaveLength(1)
})

test('saved queries can be searched, renamed and removed, but not get another one’s name', async () => {
  const sql = await fakeSql()
  await sql.saved.put(query)
  await sql.saved.put({ ...query, id: '2', name: 'Customers', text: 'FROM customers' })
  const { user } = setupSql(sql, <SavedPanel onOpen={() => undefined} />)
  const list = screen.getByRole('list', { name: 'Saved queries' })
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2))
  const search = screen.getByRole('searchbox', { name: 'Search saved queries' })
  await user.type(search, 'customers from')
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1))
  await user.clear(search)
  await user.click(screen.getByRole('button', { name: 'What to do with “Customers”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'orders')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Rename' }).disabled).toBe(true)
  await user.clear(name)
  await user.type(name, 'People{Enter}')
  await waitFor(() => expect(sql.saved.snapshot().items?.map((each) => each.name)).toEqual(['Orders', 'People']))
})
