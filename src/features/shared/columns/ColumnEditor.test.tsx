import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applyEdits, editColumn, NO_EDITS } from '../../../tables/edits.ts'
import type { ColumnPatch } from '../../../tables/plan.ts'
import { column, inspection, table } from '../../../tables/testing.ts'
import { PLAIN_TEXT } from '../../../tables/meaning.ts'
import { setup, sizeElements } from '../../../ui/testing/render.tsx'
import { ColumnEditor } from './ColumnEditor.tsx'

const found = table([column('id', 'BIGINT'), column('name'), column('price', 'DECIMAL(18,2)')])
const inspected = inspection(found)

/** An editor that applies its changes, like the screens. */
function Held({
  onChange,
  locked = false,
}: {
  onChange?: (column: number, patch: ColumnPatch) => void
  locked?: boolean
}) {
  const [edits, setEdits] = useState(NO_EDITS)
  return (
    <ColumnEditor
      label="Columns"
      columns={found.columns}
      plan={applyEdits(inspected, edits).tables[0]}
      locked={locked}
      onChange={(at, patch) => {
        onChange?.(at, patch)
        setEdits((old) => editColumn(old, found, at, patch))
      }}
      onApply={() => undefined}
    />
  )
}

const name = (of: string): HTMLInputElement => screen.getByRole('textbox', { name: `Name of ${of}` })
const type = (of: string): HTMLSelectElement => screen.getByRole('combobox', { name: `Type of ${of}` })

beforeEach(() => sizeElements(900, 400))
afterEach(() => vi.restoreAllMocks())

test('of ten thousand columns, only those in view are rendered, and all are counted', () => {
  const many = table(Array.from({ length: 10_000 }, (_, i) => column(`c${i}`)))
  setup(
    <ColumnEditor
      label="Columns"
      columns={many.columns}
      plan={undefined}
      locked={false}
      onChange={() => undefined}
      onApply={() => undefined}
    />,
  )
  const rows = within(screen.getByRole('list', { name: 'Columns' })).getAllByRole('listitem')
  expect(rows.length).toBeLessThan(40)
  expect(rows[0]?.getAttribute('aria-setsize')).toBe('10000')
})

test('the reason for a type is given, but for plain text', () => {
  const reason = PLAIN_TEXT
  const cells = table([column('name', 'VARCHAR', { reason }), column('code', 'VARCHAR', { reason: 'Leading zeros.' })])
  setup(
    <ColumnEditor
      label="Columns"
      columns={cells.columns}
      plan={undefined}
      locked={false}
      onChange={() => undefined}
      onApply={() => undefined}
    />,
  )
  expect(screen.queryByText(reason)).toBeNull()
  expect(screen.getByText('Leading zeros.')).toBeTruthy()
})

test('a name is shown as typed, and an empty one is reported', async () => {
  const onChange = vi.fn()
  const { user } = setup(<Held onChange={onChange} />)
  await user.clear(name('name'))
  expect(name('name').getAttribute('aria-invalid')).toBe('true')
  await user.type(name('name'), 'who')
  expect(name('name').value).toBe('who')
  expect(onChange).toHaveBeenLastCalledWith(1, { name: 'who' })
})

test('an excluded column can’t be changed until it’s included', async () => {
  const { user } = setup(<Held />)
  const include = screen.getByRole('checkbox', { name: 'Include id' })
  await user.click(include)
  expect([name('id').disabled, type('id').disabled, name('name').disabled]).toEqual([true, true, false])
  include.focus()
  await user.keyboard(' ')
  expect([name('id').disabled, type('id').disabled]).toEqual([false, false])
})

test('a changed type is marked, with the inferred one', async () => {
  const { user } = setup(<Held />)
  await user.selectOptions(type('id'), 'VARCHAR')
  expect(screen.getByText(/^Set by you\. Found: /)).toBeTruthy()
})

test('details open and close by keyboard, and describe the number format', async () => {
  const onChange = vi.fn()
  const { user } = setup(<Held onChange={onChange} />)
  const details = screen.getByRole('button', { name: 'Details of price' })
  details.focus()
  await user.keyboard('{Enter}')
  const mark = await screen.findByRole('combobox', { name: 'Decimal mark' })
  await user.selectOptions(mark, ',')
  expect(onChange).toHaveBeenLastCalledWith(2, { format: { decimalMark: ',' } })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Decimal mark' }), '.')
  expect(onChange).toHaveBeenLastCalledWith(2, { format: {} })
  await user.keyboard('{Escape}')
  await vi.waitFor(() => expect(document.activeElement).toBe(details))
  expect(screen.queryByRole('combobox', { name: 'Decimal mark' })).toBeNull()
})

test('an invalid date format and an unreadable type are explained', async () => {
  const { user } = setup(<Held />)
  await user.selectOptions(type('name'), 'DATE')
  await user.click(screen.getByRole('button', { name: 'Details of name' }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Written as' }), 'Other')
  const pattern = screen.getByRole('textbox', { name: 'Date format' })
  await user.type(pattern, '%d.%m')
  expect(pattern.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toMatch(/^This has no year\. Use %Y /)
  await user.type(pattern, '.%Y %')
  expect(screen.getByRole('alert').textContent).toMatch(/^This has the unknown part “%”\. Use %Y %y %m /)
  await user.type(pattern, 'H')
  expect(pattern.getAttribute('aria-invalid')).toBeNull()
  const named = screen.getByRole('textbox', { name: 'Type' })
  await user.clear(named)
  await user.type(named, 'DAT')
  expect(named.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toBe('“DAT” isn’t a type.')
})

test('nothing changes while it’s locked', () => {
  setup(<Held locked />)
  const inputs = [
    ...screen.getAllByRole('checkbox'),
    ...screen.getAllByRole('textbox'),
    ...screen.getAllByRole('combobox'),
  ]
  expect(inputs.every((input) => (input as HTMLInputElement).disabled)).toBe(true)
})
