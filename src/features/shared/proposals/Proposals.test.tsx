import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { applyEdits, NO_EDITS } from '../../../tables/edits.ts'
import type { Proposal } from '../../../tables/plan.ts'
import { openProposals } from '../../../tables/proposals.ts'
import { column, inspection, table } from '../../../tables/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { Proposals } from './Proposals.tsx'

const date = (label: string, dateFormat: string, ambiguous: boolean): Proposal => ({
  code: 'day-or-month',
  label,
  message: '3 values would be dates.',
  change: { kind: 'column', patch: { type: 'DATE', format: { dateFormat } } },
  ambiguous,
})

function show(ambiguous: boolean, ...counts: number[]) {
  const proposals = [
    date('Apply: 3 April 2025 (day first)', '%d/%m/%Y', ambiguous),
    date('Apply: March 4, 2025 (month first)', '%m/%d/%Y', ambiguous),
  ]
  const found = inspection(table([column('day', 'VARCHAR', { proposals })]))
  const open = openProposals(found, applyEdits(found, NO_EDITS))
  const [onApply, onUndo] = [vi.fn(), vi.fn()]
  const shown = setup(
    <Proposals
      inspection={found}
      proposals={counts.length > 0 ? [] : open}
      locked={false}
      applied={counts.map((count) => ({ count, before: { request: {}, edits: NO_EDITS } }))}
      onApply={onApply}
      onUndo={onUndo}
    />,
  )
  return { ...shown, open, onApply, onUndo }
}

test('each proposal has a button beside its place', async () => {
  const { user, open, onApply } = show(true)
  const items = within(screen.getByRole('list', { name: 'Proposals' })).getAllByRole('listitem')
  expect(items.map((item) => within(item).getByText('day:').textContent)).toEqual(['day: ', 'day: '])
  await user.click(screen.getByRole('button', { name: 'Apply: March 4, 2025 (month first)' }))
  expect(onApply).toHaveBeenCalledWith([open[1]])
})

const LEAVES = /leaves .* for you to decide/

test('compatible proposals share a button, without ambiguous ones', async () => {
  const { user, open, onApply, unmount } = show(false)
  expect(screen.getByText(LEAVES).textContent).toBe('“Apply all proposals” leaves 1 of them for you to decide.')
  await user.click(screen.getByRole('button', { name: 'Apply all proposals' }))
  expect(onApply).toHaveBeenCalledWith([open[0]])
  unmount()
  show(true)
  expect(screen.queryByRole('button', { name: 'Apply all proposals' })).toBeNull()
  expect(screen.queryByText(LEAVES)).toBeNull()
})

test('applied proposals can be undone', async () => {
  const { user, onUndo } = show(false, 2)
  expect(screen.getByText('2 proposals applied.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(onUndo).toHaveBeenCalledOnce()
})

test('proposals applied one after another are counted together, and the last is undone first', async () => {
  const { user, onUndo } = show(false, 1, 2)
  expect(screen.getByText('3 proposals applied.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo last' }))
  expect(onUndo).toHaveBeenCalledOnce()
})

test('a single proposal has no second button for all', () => {
  const found = inspection(table([column('day', 'VARCHAR', { proposals: [date('Apply: dates', '%d/%m/%Y', false)] })]))
  const open = openProposals(found, applyEdits(found, NO_EDITS))
  setup(
    <Proposals inspection={found} proposals={open} locked={false} applied={[]} onApply={vi.fn()} onUndo={vi.fn()} />,
  )
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Apply: dates'])
})

test('equal proposals for many columns share a button', async () => {
  const empty = (count: number): Proposal => ({
    code: 'null-words',
    label: 'Apply: “..” is null, numbers',
    message: `“..” (${count} values) would be null; the values are numbers then.`,
    change: { kind: 'column', patch: { type: 'DOUBLE', format: { nullValues: ['..'] } } },
  })
  const years = ['1960', '1961', '1962', '1963']
  const found = inspection(table(years.map((year, i) => column(year, 'VARCHAR', { proposals: [empty(i + 2)] }))))
  const open = openProposals(found, applyEdits(found, NO_EDITS))
  const onApply = vi.fn()
  const { user } = setup(
    <Proposals inspection={found} proposals={open} locked={false} applied={[]} onApply={onApply} onUndo={vi.fn()} />,
  )
  expect(screen.getByText('1 proposal: nothing changes until you apply.')).toBeTruthy()
  expect(screen.getByRole('listitem').textContent).toBe(
    '1960: “..” (2 values) would be null; the values are numbers then. Likewise in 3 more columns.Apply: “..” is null, numbers',
  )
  await user.click(screen.getByRole('button'))
  expect(onApply).toHaveBeenCalledWith(open)
})

test('the first proposals are listed, and all of them at a click', async () => {
  const columns = Array.from({ length: 9 }, (_, i) =>
    column(`day${i}`, 'VARCHAR', { proposals: [date(`Apply: dates of day${i}`, '%d/%m/%Y', false)] }),
  )
  const found = inspection(table(columns))
  const open = openProposals(found, applyEdits(found, NO_EDITS))
  const { user } = setup(
    <Proposals inspection={found} proposals={open} locked={false} applied={[]} onApply={vi.fn()} onUndo={vi.fn()} />,
  )
  const applied = (): number => screen.getAllByRole('button', { name: /^Apply: / }).length
  expect(applied()).toBe(6)
  await user.click(screen.getByRole('button', { name: 'Show 3 more' }))
  expect(applied()).toBe(9)
  await user.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(applied()).toBe(6)
})
