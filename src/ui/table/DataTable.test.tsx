import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePrinting } from '../hooks/use-media.ts'
import { DataTable } from './DataTable.tsx'
import { setup, sizeElements } from '../testing/render.tsx'

const COLUMNS = ['a', 'b'].map((key) => ({ key, header: key, width: 100 }))

beforeEach(() => sizeElements(400, 300))
afterEach(() => vi.restoreAllMocks())

/** A table that's only rendered for printing, like the columns of a receipt. */
function OnPaper() {
  return usePrinting() ? <DataTable label="Rows" columns={COLUMNS} rowCount={500} renderCell={() => 'x'} /> : null
}

test('a table that’s only rendered for printing has all rows', () => {
  setup(<OnPaper />)
  act(() => void dispatchEvent(new Event('beforeprint')))
  expect(screen.getByRole('table', { name: 'Rows' }).querySelectorAll('tbody tr[aria-rowindex]').length).toBe(500)
  act(() => void dispatchEvent(new Event('afterprint')))
  expect(screen.queryByRole('table', { name: 'Rows' })).toBeNull()
})

test('only the rows in view are rendered, but all are printed', () => {
  setup(<DataTable label="Rows" columns={COLUMNS} rowCount={500} renderCell={(row, column) => `${row}/${column}`} />)
  const table = screen.getByRole('table', { name: 'Rows' })
  expect(table.getAttribute('aria-rowcount')).toBe('501')
  const rows = (): number => table.querySelectorAll('tbody tr[aria-rowindex]').length
  expect(rows()).toBeLessThan(60)
  act(() => void dispatchEvent(new Event('beforeprint')))
  expect(rows()).toBe(500)
  act(() => void dispatchEvent(new Event('afterprint')))
  expect(rows()).toBeLessThan(60)
})

test('the fields of a grid are one Tab stop, and arrows move between them', async () => {
  const cells = [
    ['a1', 'b1'],
    ['a2', 'b2'],
  ]
  const { user } = setup(
    <>
      <button type="button">before</button>
      <DataTable
        label="Rows"
        editable
        columns={COLUMNS}
        rowCount={2}
        rowHeader={null}
        renderCell={(row, column) => <input aria-label={cells[row]?.[column]} defaultValue={cells[row]?.[column]} />}
      />
      <button type="button">after</button>
    </>,
  )
  const focused = (): string | null =>
    document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null
  const press = async (keys: string): Promise<string | null> => {
    await user.keyboard(keys)
    return focused()
  }
  screen.getByRole('button', { name: 'before' }).focus()
  expect(await press('{Tab}')).toBe('a1')
  expect(await press('{Tab}')).toBe('after')
  expect(await press('{Shift>}{Tab}{/Shift}')).toBe('a1')
  expect(await press('{ArrowDown}')).toBe('a2')
  // Its text is selected: the next arrow moves on.
  expect(await press('{ArrowRight}')).toBe('b2')
  expect(await press('{ArrowRight}')).toBe('b2')
  expect(await press('{Tab}')).toBe('after')
  expect(await press('{Shift>}{Tab}{/Shift}')).toBe('b2')
  // F2 goes into the text; Left leaves it only from its beginning.
  expect(await press('{F2}{ArrowLeft}')).toBe('b2')
  expect(await press('{ArrowLeft}')).toBe('b2')
  expect(await press('{ArrowLeft}')).toBe('a2')
  expect(await press('{ArrowUp}{ArrowUp}')).toBe('a1')
  expect(await press('{Enter}')).toBe('a2')
})

test('Page Down and Page Up move by eight rows in an editable table, or to its last or first', async () => {
  const { user } = setup(
    <DataTable
      label="Rows"
      editable
      columns={COLUMNS}
      rowCount={12}
      rowHeader={null}
      renderCell={(row, column) => <input aria-label={`${row + 1}, ${column}`} />}
    />,
  )
  await user.tab()
  const press = async (keys: string): Promise<string | null> => {
    await user.keyboard(keys)
    return document.activeElement?.getAttribute('aria-label') ?? null
  }
  expect(await press('{PageDown}')).toBe('9, 0')
  expect(await press('{PageDown}')).toBe('12, 0')
  expect(await press('{PageDown}')).toBe('12, 0')
  expect(await press('{PageUp}')).toBe('4, 0')
  expect(await press('{PageUp}')).toBe('1, 0')
})
