import { act, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { Store } from '../lib/store.ts'
import { SessionProvider } from '../session/context.tsx'
import type { Session, SessionState } from '../session/session.ts'
import { sessionStore } from '../session/testing.ts'
import Toasts from '../ui/overlays/Toasts.tsx'
import { setup } from '../ui/testing/render.tsx'
import { switchWorkspace } from './switch-workspace.ts'
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

test('a workspace that can’t be opened is reported', async () => {
  const switchTo = vi.fn(() => Promise.reject(new Error('The service no longer has this workspace.')))
  await switchWorkspace({ ...sessionStore(session), switchWorkspace: switchTo }, { id: 'x', name: 'Stock' })
  setup(<Toasts />)
  await screen.findByText('“Stock” wasn’t opened')
  screen.getByText('The service no longer has this workspace.')
})
