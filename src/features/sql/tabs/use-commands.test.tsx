import { act, screen } from '@testing-library/react'
import { createRef, useState } from 'react'
import { expect, test } from 'vitest'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useCommands } from '../../../ui/commands.ts'
import type { SqlEditorHandle } from '../../shared/sql-editor/handle.ts'
import { fakeSql, setupSql } from '../testing/render-sql.tsx'
import { useSql } from '../context.tsx'
import { useSqlCommands } from './use-commands.tsx'

const editor = createRef<SqlEditorHandle>()
const nothing = (): void => undefined

function Screen() {
  const [active] = useStore(useSql().tabs).tabs ?? []
  useSqlCommands({ active: active ?? null, editor, onOpen: nothing, openNew: nothing, onKeys: nothing })
  return null
}

/** Lists the available commands each time it's opened. */
function Palette() {
  const [opened, open] = useState(0)
  const labels = useCommands().map(({ label }) => label)
  return (
    <>
      <button type="button" onClick={() => open(opened + 1)}>
        Open
      </button>
      <output>{labels.join(', ')}</output>
    </>
  )
}

test('the palette offers what is possible with the current tab', async () => {
  const state = { isBusy: false, canPin: false }
  const sql = await fakeSql(['a'])
  const { user } = setupSql(
    { ...sql, runner: () => Object.assign(sql.runner('a'), state) },
    <>
      <Screen />
      <Palette />
    </>,
  )
  const offered = async (): Promise<string | null> => {
    await user.click(screen.getByRole('button', { name: 'Open' }))
    return screen.getByRole('status').textContent
  }
  const always = ['Open a .sql file…', 'Keyboard shortcuts']
  const ofText = ['Format the SQL', 'Run all statements', 'Copy link', 'Download as .sql']
  expect(await offered()).toBe(['New query', ...ofText, ...always].join(', '))
  act(() => sql.tabs.change('a', { text: ' ' }))
  expect(await offered()).toBe(['New query', ...always].join(', '))
  Object.assign(state, { isBusy: true, canPin: true })
  expect(await offered()).toBe(['New query', 'Cancel what runs', 'Pin the result', ...always].join(', '))
})
