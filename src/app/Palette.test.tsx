import { fireEvent, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { DatasetSummary } from '../api/client.ts'
import { SessionProvider } from '../session/context.tsx'
import type { Session } from '../session/session.ts'
import { sessionStore } from '../session/testing.ts'
import { deferred } from '../lib/testing.ts'
import { PALETTE_NAME } from '../ui/commands.ts'
import { setup } from '../ui/testing/render.tsx'
import { HandoverProvider } from './handover.tsx'
import Palette from './Palette.tsx'

vi.mock('../features/sql/database.ts', () => ({ createSqlDatabase: () => ({ saved: () => Promise.resolve([]) }) }))

const Place = () => <p>At {useLocation().pathname}</p>

/** The palette, whose datasets arrive later. */
function open() {
  const answer = deferred<readonly Pick<DatasetSummary, 'id' | 'name'>[]>()
  const onClose = vi.fn()
  const session = { workspaceId: 'w', api: { listDatasets: () => answer.promise } } as unknown as Session
  const { user } = setup(
    <MemoryRouter initialEntries={['/convert']}>
      <SessionProvider store={sessionStore(session)}>
        <HandoverProvider onConvert={() => Promise.resolve()}>
          <Palette onClose={onClose} />
          <Place />
        </HandoverProvider>
      </SessionProvider>
    </MemoryRouter>,
  )
  return { user, onClose, datasets: answer.resolve }
}

const input = () => screen.getByRole('combobox', { name: PALETTE_NAME })

test('Enter that comes before the datasets opens the one that matches then', async () => {
  const { user, onClose, datasets } = open()
  await user.type(input(), 'quarterly{Enter}')
  screen.getByText('Looking…')
  expect(onClose).not.toHaveBeenCalled()
  datasets([{ id: 'q', name: 'Quarterly revenue' }])
  await screen.findByText('At /datasets/q')
  expect(onClose).toHaveBeenCalledOnce()
})

test('Enter opens what matches although it arrived just before the text was typed', async () => {
  const { user, datasets } = open()
  datasets([{ id: 'q', name: 'Quarterly revenue' }])
  for (let n = 0; n < 5; n++) await Promise.resolve()
  fireEvent.input(input(), { target: { value: 'quarterly' } })
  await screen.findByRole('option', { name: 'Quarterly revenue', selected: true })
  await user.keyboard('{Enter}')
  await screen.findByText('At /datasets/q')
})

test('the best match is selected, and the arrows choose among those shown', async () => {
  const { user, datasets } = open()
  datasets([
    { id: 'a', name: 'The marks' },
    { id: 'b', name: 'Theme' },
  ])
  await user.type(input(), 'theme')
  await screen.findByRole('option', { name: 'Theme', selected: true })
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(screen.getByRole('option', { selected: true }).textContent).not.toBe('Theme')
  await user.clear(input())
  screen.getByRole('option', { name: 'Convert', selected: true })
})

test('after another key, nothing is opened by itself', async () => {
  const { user, onClose, datasets } = open()
  await user.type(input(), 'quarterl{Enter}y')
  datasets([{ id: 'q', name: 'Quarterly revenue' }])
  await screen.findByRole('option', { name: 'Quarterly revenue', selected: true })
  expect(onClose).not.toHaveBeenCalled()
  await user.keyboard('{Enter}')
  await screen.findByText('At /datasets/q')
})

test('what nothing matches is said once the lists are there', async () => {
  const { user, datasets } = open()
  datasets([])
  await user.type(input(), 'quarterly')
  await screen.findByText('Nothing matches that.')
})
