import { screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { openResultTools, type ColumnStats, type ResultSet } from '../../../../engine/client.ts'
import { setup } from '../../../../ui/testing/render.tsx'
import { FilterDialog } from './FilterDialog.tsx'

describe('the filter', () => {
  const values = ['7', '9', '7', '12', null]
  const set = {
    columns: [{ name: 'total', type: 'INTEGER' }],
    rowCount: values.length,
    text: (row: number) => values[row] ?? null,
  } as unknown as ResultSet
  const stats: ColumnStats = {
    rows: 5,
    nulls: 1,
    distinct: { count: 3, exact: true },
    min: '7',
    max: '12',
    mean: 8.75,
    histogram: [2, 0, 1, 0, 1],
    top: null,
  }
  const filter = (suggestion: string | null) => {
    const onFilter = vi.fn<(conditions: readonly string[]) => void>()
    const onClose = vi.fn<() => void>()
    return {
      onFilter,
      onClose,
      ...setup(<FilterDialog {...{ set, column: 0, suggestion, stats, onFilter, onClose }} />),
    }
  }

  test('starts with the active cell’s value, and Enter writes the condition', async () => {
    const { user, onFilter } = filter('42')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows where it' }), 'is at least')
    await user.type(screen.getByRole('textbox', { name: 'Value' }), '0{Enter}')
    expect(onFilter).toHaveBeenCalledExactlyOnceWith(['total >= 420'])
  })

  test('reports a value of the wrong type until it’s changed', async () => {
    const { user, onFilter } = filter('x')
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(onFilter).not.toHaveBeenCalled()
    const value = screen.getByRole('textbox', { name: 'Value' })
    expect(value.getAttribute('aria-invalid')).toBe('true')
    await user.clear(value)
    expect(value.getAttribute('aria-invalid')).not.toBe('true')
  })

  test('asks for no value if none is compared', async () => {
    const { user, onFilter } = filter('1')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows where it' }), 'is NULL')
    expect(screen.queryByRole('textbox', { name: 'Value' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(onFilter).toHaveBeenCalledExactlyOnceWith(['total IS NULL'])
  })

  test('accepts several values, one per line or ticked', async () => {
    const { user, onFilter } = filter(null)
    // Loads the tools first.
    await openResultTools()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows where it' }), 'is one of')
    await user.type(screen.getByRole('textbox', { name: 'Values' }), '42')
    await user.click(await screen.findByRole('checkbox', { name: '7 (2)' }))
    await user.type(screen.getByRole('searchbox', { name: 'Search values' }), '9')
    expect(screen.queryByRole('checkbox', { name: '7 (2)' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: '9 (1)' }))
    await user.clear(screen.getByRole('searchbox', { name: 'Search values' }))
    await user.click(screen.getByRole('checkbox', { name: '7 (2)' }))
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(onFilter).toHaveBeenCalledExactlyOnceWith(['total IN (42, 9)'])
  })

  test('starts with a range if the column has a histogram, and one end may be open', async () => {
    const { user, onFilter } = filter(null)
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows where it' }).value).toBe('between')
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(screen.getByText('Write where the range begins or ends.')).toBeDefined()
    const press = () => user.click(screen.getByRole('button', { name: 'Filter' }))
    const end = (name: string) => screen.getByRole('textbox', { name })
    await user.type(end('From'), '9')
    await user.type(end('To'), '8')
    await press()
    expect(onFilter).not.toHaveBeenCalled()
    expect(screen.getByText('This is more than the range’s end.')).toBeDefined()
    await user.type(end('To'), '0')
    await press()
    await user.clear(end('From'))
    await press()
    expect(onFilter.mock.calls).toEqual([[['total >= 9', 'total <= 80']], [['total <= 80']]])
  })

  test('writes nothing on Escape and “Cancel”', async () => {
    const { user, onFilter, onClose } = filter('1')
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledTimes(2)
    expect(onFilter).not.toHaveBeenCalled()
  })
})
