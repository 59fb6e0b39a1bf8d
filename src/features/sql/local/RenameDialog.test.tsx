import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setup } from '../../../ui/testing/render.tsx'
import { SqlContext, type Sql } from '../context.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { fakeBrowser } from './testing.ts'

const SOURCE = { name: 'orders.csv', size: 10, table: null }

/** The dialog for a table named `orders`, beside one named `people`. */
async function renaming() {
  const { files, open } = fakeBrowser()
  const { tables } = open()
  const [table] = await Promise.all(
    ['orders', 'people'].map((name) =>
      tables.create(name, SOURCE, (creationId) =>
        files.ingest(new File(['x'], 'orders.csv'), { creationId, format: null }),
      ),
    ),
  )
  if (!table) throw new Error('no table')
  const onClose = vi.fn<() => void>()
  const sql = { local: { tables } } as unknown as Sql
  const rendered = setup(
    <SqlContext value={sql}>
      <RenameDialog table={table} onClose={onClose} />
    </SqlContext>,
  )
  return { ...rendered, tables, table, onClose, name: screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }) }
}

const rename = (): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name: 'Rename' })

test('a table can be renamed by keyboard alone', async () => {
  const { user, tables, table, onClose, name } = await renaming()
  expect(screen.getByRole('dialog', { name: 'Rename “orders”' })).toBeDefined()
  await user.clear(name)
  await user.type(name, 'Sales 2024')
  expect(name.getAttribute('aria-describedby')).not.toBeNull()
  expect(screen.getByText('local."Sales 2024"')).toBeDefined()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(tables.find(table.id)?.name).toBe('Sales 2024')
})

test.each([
  ['another table’s name', 'PEOPLE', /Another local table has this name/],
  ['no name', ' ', /Give it a name/],
  ['a name that’s too long', 'x'.repeat(129), /at most 128 characters/],
])('%s is refused while it’s typed', async (_, typed, message) => {
  const { user, tables, table, onClose, name } = await renaming()
  await user.clear(name)
  await user.paste(typed)
  expect(screen.getByText(message)).toBeDefined()
  expect([name.getAttribute('aria-invalid'), rename().disabled]).toEqual(['true', true])
  await user.keyboard('{Enter}')
  expect([onClose.mock.calls.length, tables.find(table.id)?.name]).toEqual([0, 'orders'])
})

test('a name that can’t be stored is reported, and typing removes the message', async () => {
  const { user, tables, table, onClose, name } = await renaming()
  await tables.remove(table.id)
  await user.type(name, '2')
  await user.click(rename())
  expect(await screen.findByText('The table was removed meanwhile.')).toBeDefined()
  await user.type(name, '3')
  expect(screen.queryByText('The table was removed meanwhile.')).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
})

test('the same name closes the dialog without writing anything', async () => {
  const { user, tables, onClose } = await renaming()
  const write = vi.spyOn(tables, 'rename')
  await user.click(rename())
  expect([onClose.mock.calls.length, write.mock.calls.length]).toEqual([1, 0])
})
