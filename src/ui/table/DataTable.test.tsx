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
