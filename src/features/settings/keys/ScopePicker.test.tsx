import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setup } from '../../../ui/testing/render.tsx'
import { ScopePicker } from './ScopePicker.tsx'
import { NO_ACCESS } from './scopes.ts'

const names = new Map<string, string>()
vi.mock(import('../use-console.ts'), async (original) => ({ ...(await original()), useDatasetNames: () => names }))

const show = () =>
  setup(<ScopePicker choice={{ all: NO_ACCESS, datasets: new Map() }} onChange={() => undefined} error={null} />)

test('without datasets, there’s no list of them', () => {
  names.clear()
  show()
  screen.getByRole('group', { name: 'All datasets' })
  expect(screen.queryByRole('group', { name: /^Datasets/ })).toBeNull()
})

test('each dataset is in the list', () => {
  names.set('d1', 'orders')
  show()
  screen.getByRole('group', { name: /^Datasets/ })
  screen.getByRole('group', { name: 'orders' })
})
