import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setup, sizeElements } from '../testing/render.tsx'
import { Grid, type Cell, type GridProps, type GridRange } from './Grid.tsx'

const ROWS = 1_000_000
const COLUMNS = ['id', 'name', 'city', 'amount'].map((name) => ({ key: name, name, header: name, width: 100 }))
const textOf = (row: number, column: number): string => `${COLUMNS[column]?.name}${row}`

function Held({ first = null, ...props }: Partial<GridProps> & { readonly first?: Cell | null }) {
  const [active, setActive] = useState<Cell | null>(first)
  const [selection, setSelection] = useState<GridRange | null>(null)
  return (
    <Grid
      label="Rows"
      columns={COLUMNS}
      rowCount={ROWS}
      renderCell={textOf}
      textOf={textOf}
      active={active}
      onActive={setActive}
      selection={selection}
      onSelection={setSelection}
      {...props}
    />
  )
}

const grid = (): HTMLElement => screen.getByRole('grid', { name: 'Rows' })
/** The text of the cell that assistive technology treats as active. */
const here = (): string | undefined =>
  document.getElementById(grid().getAttribute('aria-activedescendant') ?? '')?.textContent
const chosen = (): string[] =>
  within(grid())
    .queryAllByRole('gridcell', { selected: true })
    .map((cell) => cell.textContent)
    .toSorted()

beforeEach(() => sizeElements(600, 400))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('of a million rows, only those in view are rendered, and all are counted', () => {
  setup(<Held />)
  const rows = within(grid()).getAllByRole('row')
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.length).toBeLessThan(60)
  expect(grid().getAttribute('aria-rowcount')).toBe(String(ROWS + 1))
  expect(grid().getAttribute('aria-colcount')).toBe('5')
})

test('focus starts at the first cell, and keys move it to each end', async () => {
  const { user } = setup(<Held />)
  await user.tab()
  expect(here()).toBe('id0')
  await user.keyboard('{ArrowRight}{ArrowDown}')
  expect(here()).toBe('name1')
  await user.keyboard('{End}')
  expect(here()).toBe('amount1')
  await user.keyboard('{Home}{ArrowUp}{ArrowUp}')
  expect(here()).toBe('id')
  await user.keyboard('{Control>}{End}{/Control}')
  expect(here()).toBe(`amount${ROWS - 1}`)
  await user.keyboard('{ArrowDown}{ArrowRight}')
  expect(here()).toBe(`amount${ROWS - 1}`)
})

test('Shift extends the selection; moving without it, or Escape, clears it', async () => {
  const { user } = setup(<Held first={{ row: 1, column: 1 }} />)
  await user.tab()
  await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}')
  expect(chosen()).toEqual(['city1', 'city2', 'name1', 'name2'])
  expect(here()).toBe('city2')
  await user.keyboard('{Shift>}{ArrowUp}{ArrowUp}{/Shift}')
  expect(chosen()).toEqual(['city0', 'city1', 'name0', 'name1'])
  await user.keyboard('{ArrowDown}')
  expect(chosen()).toEqual([])
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Escape}')
  expect(chosen()).toEqual([])
})

test('keys select a row, a column and everything', async () => {
  const onSelection = vi.fn<(range: GridRange | null) => void>()
  const { user } = setup(<Held first={{ row: 7, column: 2 }} onSelection={onSelection} />)
  await user.tab()
  await user.keyboard('{Shift>} {/Shift}')
  await user.keyboard('{Control>} {/Control}')
  await user.keyboard('{Control>}a{/Control}')
  const corners = (top: number, left: number, bottom: number, right: number): GridRange => ({
    anchor: { row: top, column: left },
    end: { row: bottom, column: right },
  })
  expect(onSelection.mock.calls.map(([range]) => range)).toEqual([
    corners(7, 0, 7, 3),
    corners(0, 2, ROWS - 1, 2),
    corners(0, 0, ROWS - 1, 3),
  ])
})

test('Ctrl+C copies a cell’s text, a column’s name, or calls the caller’s handler', async () => {
  const { user, rerender } = setup(<Held first={{ row: 0, column: 1 }} />)
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.tab()
  await user.keyboard('{Control>}c{/Control}{ArrowUp}{Control>}c{/Control}')
  expect(copied.mock.calls).toEqual([['name0'], ['name']])
  const onCopy = vi.fn<() => void>()
  rerender(<Held first={{ row: 0, column: 1 }} onCopy={onCopy} />)
  await user.keyboard('{Control>}c{/Control}')
  expect(onCopy).toHaveBeenCalledOnce()
  expect(copied).toHaveBeenCalledTimes(2)
})

test('when rows change while it’s focused, the first cell becomes active and can be copied', async () => {
  const onCopy = vi.fn()
  const { user, rerender } = setup(<Held onCopy={onCopy} />)
  await user.tab()
  const other = { active: null, rowCount: 0, busy: true, onCopy }
  rerender(<Held {...other} />)
  await user.keyboard('{Control>}c{/Control}')
  expect(onCopy).not.toHaveBeenCalled()
  const onActive = vi.fn()
  rerender(<Held {...other} rowCount={1} onActive={onActive} />)
  expect(onActive.mock.calls).toEqual([[{ row: 0, column: 0 }]])
})

test('when the active column disappears, the last one becomes active and can be copied', async () => {
  const { user, rerender } = setup(<Held first={{ row: -1, column: 3 }} />)
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.tab()
  rerender(<Held columns={COLUMNS.slice(0, 2)} />)
  expect(here()).toBe('name')
  await user.keyboard('{Control>}c{/Control}')
  expect(copied.mock.calls).toEqual([['name']])
})

test('a key pressed right after focusing moves from the first cell', async () => {
  setup(<Held />)
  // As in a browser, where effects don't wait for `act`.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  grid().focus()
  for (let i = 0; i < 10; i++) await Promise.resolve()
  grid().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
  await vi.waitFor(() => expect(here()).toBe('id1'))
})

test('a cell whose text isn’t known isn’t copied', async () => {
  const { user } = setup(<Held first={{ row: 0, column: 1 }} textOf={() => null} />)
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.tab()
  await user.keyboard('{Control>}c{/Control}')
  expect(copied).not.toHaveBeenCalled()
})

test('the mouse selects a cell, a row by its number, a column by its header, and a range with Shift', async () => {
  const { user } = setup(<Held />)
  const press = async (element: HTMLElement): Promise<void> => user.click(element)
  await press(screen.getByText('city2'))
  expect([here(), chosen()]).toEqual(['city2', []])
  await user.keyboard('{Shift>}')
  await press(screen.getByText('amount3'))
  await user.keyboard('{/Shift}')
  expect(chosen()).toEqual(['amount2', 'amount3', 'city2', 'city3'])
  await press(screen.getByRole('rowheader', { name: '5' }))
  expect(chosen()).toEqual(['amount4', 'city4', 'id4', 'name4'])
  await press(screen.getByRole('columnheader', { name: 'name' }))
  expect(chosen().every((text) => text.startsWith('name'))).toBe(true)
  expect(chosen().length).toBeGreaterThan(10)
})

test('on a header, Alt with arrows resizes, with Shift too it moves, and Alt+Down opens its menu', async () => {
  const onResize = vi.fn<NonNullable<GridProps['onResize']>>()
  const onMove = vi.fn<NonNullable<GridProps['onMove']>>()
  const onMenu = vi.fn<NonNullable<GridProps['onMenu']>>()
  const { user } = setup(<Held first={{ row: -1, column: 1 }} onResize={onResize} onMove={onMove} onMenu={onMenu} />)
  await user.tab()
  await user.keyboard('{Alt>}{ArrowRight}{ArrowLeft}{ArrowDown}{Shift>}{ArrowRight}{/Shift}{/Alt}')
  expect(onResize.mock.calls).toEqual([
    [1, 116],
    [1, 84],
  ])
  expect(onMenu).toHaveBeenCalledExactlyOnceWith(
    { row: -1, column: 1 },
    screen.getByRole('columnheader', { name: 'name' }),
  )
  expect(onMove).toHaveBeenCalledExactlyOnceWith(1, 2)
  expect(here()).toBe('city')
})

test('Enter and a second click open the cell', async () => {
  const onOpen = vi.fn<NonNullable<GridProps['onOpen']>>()
  const { user } = setup(<Held onOpen={onOpen} />)
  await user.tab()
  await user.keyboard('{Enter}')
  await user.dblClick(screen.getByText('name1'))
  expect(onOpen.mock.calls).toEqual([[{ row: 0, column: 0 }], [{ row: 1, column: 1 }]])
})
