import { act, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { Store } from '../lib/store.ts'
import { SessionProvider } from '../session/context.tsx'
import type { Session, SessionState } from '../session/session.ts'
import { sessionStore } from '../session/testing.ts'
import { setup } from '../ui/testing/render.tsx'
import WorkspaceMenu from './WorkspaceMenu.tsx'

const session = {
  workspaceId: 'w',
  local: true,
  connection: { kind: 'stand-in', workspace: { name: 'Sales' } },
} as unknown as Session

test.each([true, false])('when the workspace opens, its button has the focus if the link had it: %s', (hadFocus) => {
  const states = new Store<SessionState>({ status: 'connecting' })
  const store = { ...sessionStore(null), snapshot: states.snapshot, subscribe: states.subscribe }
  setup(
    <MemoryRouter>
      <SessionProvider store={store}>
        <WorkspaceMenu />
      </SessionProvider>
    </MemoryRouter>,
  )
  const link = screen.getByRole('link', { name: 'Opening…' })
  act(() => link.focus())
  if (!hadFocus) act(() => link.blur())
  act(() => states.set({ status: 'ready', session }))
  const button = screen.getByRole('button', { name: 'Workspace Sales, in this browser' })
  expect(document.activeElement === button).toBe(hadFocus)
})
