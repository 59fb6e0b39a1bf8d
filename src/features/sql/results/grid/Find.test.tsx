import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { openResultTools, type ResultSet } from '../../../../engine/client.ts'
import type { Cell } from '../../../../ui/grid/Grid.tsx'
import { setup } from '../../../../ui/testing/render.tsx'
import { useFind, WithFind } from './Find.tsx'

const ROWS = [
  ['Berlin', 'Spree'],
  ['Bern', 'Aare'],
  ['Köln', 'Rhein bei Bonn'],
]
const set = {
  columns: [{ name: 'city' }, { name: 'river' }],
  rowCount: ROWS.length,
  text: (row: number, column: number) => ROWS[row]?.[column] ?? null,
} as unknown as ResultSet
const tools = await openResultTools()

function Panel() {
  const [active, setActive] = useState<Cell | null>(null)
  const { find, revealed } = useFind(setActive)
  return (
    <WithFind {...{ set, tools, active, find }} shown={SHOWN} running={false}>
      <div role="grid" tabIndex={0} aria-label="Result">
        {revealed ? `${revealed.row} ${revealed.column}` : 'none'}
      </div>
    </WithFind>
  )
}
const SHOWN = [0, 1]

test('Ctrl+F finds text in a result’s cells, forth and back, and Escape returns to the rows', async () => {
  const { user } = setup(<Panel />)
  const grid = screen.getByRole('grid')
  grid.focus()
  await user.keyboard('{Control>}f{/Control}')
  const field = screen.getByRole('searchbox', { name: 'Find in the result' })
  expect(document.activeElement).toBe(field)
  await user.keyboard('be')
  expect(await screen.findByText('1 of 3')).toBeTruthy()
  const visited: (string | null)[] = [grid.textContent]
  for (const key of ['{Enter}', '{Enter}', '{Enter}', '{Shift>}{Enter}{/Shift}']) {
    await user.keyboard(key)
    visited.push(grid.textContent)
  }
  expect(visited).toEqual(['0 0', '1 0', '2 1', '0 0', '2 1'])
  expect(screen.getByRole('status').textContent).toBe('3 of 3')
  await user.keyboard('x')
  expect(await screen.findByText('Not found')).toBeTruthy()
  // The text is selected, so that another can be written at once.
  await user.keyboard('{Control>}f{/Control}aare')
  expect(await screen.findByText('1 of 1')).toBeTruthy()
  expect(grid.textContent).toBe('1 1')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('searchbox')).toBeNull()
  expect(document.activeElement).toBe(grid)
})
