import { screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { setup } from '../../../../ui/testing/render.tsx'
import { FilterDialog } from './FilterDialog.tsx'

describe('the filter', () => {
  const column = { name: 'total', type: 'INTEGER' }
  const filter = (suggestion: string | null) => {
    const onFilter = vi.fn<(condition: string) => void>()
    const onClose = vi.fn<() => void>()
    const frequent = [
      { text: '7', count: 12 },
      { text: '9', count: 3 },
    ]
    return { onFilter, onClose, ...setup(<FilterDialog {...{ column, suggestion, frequent, onFilter, onClose }} />) }
  }

  test('begins with the active cell’s value; Enter writes the condition', async () => {
    const { user, onFilter } = filter('42')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows where it' }), 'is at least')
    await user.type(screen.getByRole('textbox', { name: 'Value' }), '0{Enter}')
    expect(onFilter).toHaveBeenCalledExactlyOnceWith('total >= 420')
  })

  test('says what isn’t a value of that type, until it’s changed', async () => {
    const { user, onFilter } = filter('x')
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(onFilter).not.toHaveBeenCalled()
    const value = screen.getByRole('textbox', { name: 'Value' })
    expect(value.getAttribute('aria-invalid')).toBe('true')
    await user.clear(value)
    expect(value.getAttribute('aria-invalid')).not.toBe('true')
  })

  test('asks for no value where none is compared', async () => {
    const { user, onFilter } = filter('1')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows where it' }), 'is NULL')
    expect(screen.queryByRole('textbox', { name: 'Value' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(onFilter).toHaveBeenCalledExactlyOnceWith('total IS NULL')
  })

  test('several values are written one in each line, or ticked', async () => {
    const { user, onFilter } = filter(null)
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows where it' }), 'is one of')
    await user.type(screen.getByRole('textbox', { name: 'Values' }), '42')
    await user.click(screen.getByRole('checkbox', { name: '7 (12)' }))
    await user.click(screen.getByRole('checkbox', { name: '9 (3)' }))
    await user.click(screen.getByRole('checkbox', { name: '7 (12)' }))
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(onFilter).toHaveBeenCalledExactlyOnceWith('total IN (42, 9)')
  })

  test('Escape and “Cancel” write nothing', async () => {
    const { user, onFilter, onClose } = filter('1')
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledTimes(2)
    expect(onFilter).not.toHaveBeenCalled()
  })
})
