import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { EngineClient } from '../../../engine/client.ts'
import { SessionProvider } from '../../../session/context.tsx'
import { sessionStore } from '../../../session/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { DatasetsProvider } from '../context.tsx'
import type { DraftTable } from '../model/draft.ts'
import { csvFound, draftOf, file, only } from '../model/testing.ts'
import { fakeApi, fakeEngine } from '../testing.ts'
import type { Reading } from '../../../session/handover.ts'
import type { RejectedRow } from '../../../tables/plan.ts'
import { column, table } from '../../../tables/testing.ts'
import { TableCard } from './TableCard.tsx'

const row: RejectedRow = {
  row: 2,
  line: 3,
  column: 'id',
  reason: 'value',
  message: '“soon” isn’t a number.',
  value: 'soon',
  raw: 'soon',
}

const reading: Reading = {
  request: { settings: { kind: 'csv', delimiter: ';' } },
  edits: [{ table: null, columns: [{ source: 'id', nth: 0, type: 'BIGINT' }] }],
}

/** A card for a file with rows that don't fit, with settings. */
function show(own: Partial<DraftTable>, rejectedCount: number) {
  const onConvertFiles = vi.fn<(files: readonly File[], reading: Reading) => void>()
  const found = csvFound({ tables: [table([column('id', 'BIGINT')], { rejectedCount, rejected: [row] })] })
  const draft = draftOf(file('a.csv'), found)
  const [draftFile, draftTable] = only(draft)
  const state = { draft, stage: 'draft', runs: new Map(), problem: null, partial: null } as const
  const session = { api: fakeApi().api, workspaceId: 'w', slug: 'ws', scopes: null, local: null }
  const { user } = setup(
    <MemoryRouter>
      <SessionProvider store={sessionStore(session)}>
        <DatasetsProvider engine={fakeEngine() as unknown as EngineClient} onConvertFiles={onConvertFiles}>
          <TableCard
            state={state}
            file={{ ...draftFile, ...reading }}
            table={{ ...draftTable, ...own }}
            nameError={null}
          />
        </DatasetsProvider>
      </SessionProvider>
    </MemoryRouter>,
  )
  return { user, onConvertFiles, added: draftFile.file }
}

test.each([
  ['the file’s own columns', {}, 1],
  ['the columns as they were set', { rejected: { count: 1, first: [row] } }, 0],
])('rows that don’t fit %s are shown by Convert, which reads the file as was set', async (_, own, rejectedCount) => {
  const { user, onConvertFiles, added } = show(own, rejectedCount)
  expect(screen.getByText(/^Convert reads the file as set here, shows all of them/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Open in Convert' }))
  expect(onConvertFiles.mock.calls).toEqual([[[added], reading]])
})
