import { act, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql } from '../context.tsx'
import { fakeSql, setupSql } from '../testing/render-sql.tsx'
import { TabRow } from './TabRow.tsx'

const closed: string[] = []

function Held() {
  const { tabs: store } = useSql()
  const { tabs } = useStore(store)
  const [active, setActive] = useState('b')
  const [renaming, setRenaming] = useState<string | null>(null)
  return (
    <TabRow
      tabs={tabs ?? []}
      active={active}
      panel="panel"
      onOpen={setActive}
      onNew={() => setActive(store.add({ id: 'new', title: 'new' }).id)}
      onClose={(id) => {
        closed.push(id)
        store.remove(id)
        setActive('c')
      }}
      renaming={renaming}
      onRenaming={setRenaming}
    />
  )
}

const names = (): (string | null)[] => screen.getAllByRole('tab').map((tab) => tab.textContent)
const chosen = (): string | null => screen.getByRole('tab', { selected: true }).textContent

test('Tab moves to the active tab; arrows, Home and End move along the row and wrap around', async () => {
  const { user } = setupSql(await fakeSql(['a', 'b', 'c']), <Held />)
  await user.tab()
  expect([document.activeElement?.textContent, chosen()]).toEqual(['b', 'b'])
  await user.keyboard('{ArrowRight}')
  expect([document.activeElement?.textContent, chosen()]).toEqual(['c', 'c'])
  await user.keyboard('{ArrowRight}')
  expect(chosen()).toBe('a')
  await user.keyboard('{End}')
  expect(chosen()).toBe('c')
  await user.keyboard('{Home}{ArrowLeft}')
  expect(chosen()).toBe('c')
})

test('Ctrl+Shift with an arrow moves a tab', async () => {
  const { user } = setupSql(await fakeSql(['a', 'b', 'c']), <Held />)
  await user.tab()
  await user.keyboard('{Control>}{Shift>}{ArrowLeft}{/Shift}{/Control}')
  expect(names()).toEqual(['b', 'a', 'c'])
  await user.keyboard('{Control>}{Shift>}{ArrowRight}{/Shift}{/Control}')
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('F2 renames: Enter saves the name, Escape and an empty name don’t', async () => {
  const sql = await fakeSql(['a', 'b'])
  const { user } = setupSql(sql, <Held />)
  await user.tab()
  await user.keyboard('{F2}')
  const field = screen.getByRole('textbox', { name: 'Name of the query' })
  expect(document.activeElement).toBe(field)
  expect(within(screen.getByRole('tablist')).queryByRole('textbox')).toBeNull()
  await user.clear(field)
  await user.type(field, ' Orders {Enter}')
  expect(names()).toEqual(['a', 'Orders'])
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Orders'))
  await user.keyboard('{F2}x{Escape}')
  expect(names()).toEqual(['a', 'Orders'])
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Orders'))
  await user.keyboard('{F2}{Control>}a{/Control}{Backspace}{Enter}')
  expect(names()).toEqual(['a', 'Orders'])
})

test('leaving the field saves the name, and leaves the focus where it went', async () => {
  const { user } = setupSql(await fakeSql(['a', 'b']), <Held />)
  await user.tab()
  await user.keyboard('{F2}Orders')
  const elsewhere = screen.getByRole('button', { name: 'New query' })
  act(() => elsewhere.focus())
  await new Promise((resolve) => requestAnimationFrame(resolve))
  expect([names(), document.activeElement]).toEqual([['a', 'Orders'], elsewhere])
})

test('Delete closes a tab, and focuses its successor', async () => {
  const { user } = setupSql(await fakeSql(['a', 'b', 'c']), <Held />)
  await user.tab()
  await user.keyboard('{Delete}')
  expect(closed.splice(0)).toEqual(['b'])
  expect([names(), document.activeElement?.textContent]).toEqual([['a', 'c'], 'c'])
})

test('a middle click closes, a double click renames, and the button at the end adds a tab', async () => {
  const { user } = setupSql(await fakeSql(['a', 'b', 'c']), <Held />)
  await user.pointer({ keys: '[MouseMiddle]', target: screen.getByRole('tab', { name: 'a' }) })
  expect(closed.splice(0)).toEqual(['a'])
  await user.dblClick(screen.getByRole('tab', { name: 'b' }))
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('b')
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'New query' }))
  expect([names(), chosen()]).toEqual([['b', 'c', 'new'], 'new'])
})

test('a tab that runs something is marked', async () => {
  const sql = await fakeSql(['a', 'b'])
  setupSql(sql, <Held />)
  act(() => sql.runner('a').merge({ stage: 'running' }))
  expect(screen.getByRole('tab', { name: 'runs a' })).toBeDefined()
  act(() => sql.runner('a').merge({ stage: 'idle' }))
  expect(screen.queryByRole('tab', { name: /runs/ })).toBeNull()
})
