import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { DatasetSummary } from '../../../api/client.ts'
import { SessionProvider } from '../../../session/context.tsx'
import type { Session } from '../../../session/session.ts'
import { sessionStore } from '../../../session/testing.ts'
import { deferred } from '../../../lib/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { ScopePicker } from './ScopePicker.tsx'
import { NO_ACCESS } from './scopes.ts'

/** The picker of a session whose datasets arrive later. */
function open() {
  const answer = deferred<readonly Pick<DatasetSummary, 'id' | 'name'>[]>()
  const session = { workspaceId: 'w', console: {}, api: { listDatasets: () => answer.promise } } as unknown as Session
  setup(
    <SessionProvider store={sessionStore(session)}>
      <ScopePicker choice={{ all: NO_ACCESS, datasets: new Map() }} onChange={() => undefined} error={null} />
    </SessionProvider>,
  )
  return answer.resolve
}

test('without datasets, there’s no list of them', () => {
  open()
  screen.getByRole('group', { name: 'All datasets' })
  expect(screen.queryByRole('group', { name: /^Datasets/ })).toBeNull()
})

test('each dataset is in the list', async () => {
  open()([{ id: 'd1', name: 'orders' }])
  await screen.findByRole('group', { name: /^Datasets/ })
  screen.getByRole('group', { name: 'orders' })
})
