import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { EngineClient } from '../../../engine/client.ts'
import { SessionProvider } from '../../../session/context.tsx'
import { sessionStore } from '../../../session/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { DatasetsProvider } from '../context.tsx'
import type { DraftTable } from '../model/draft.ts'
import { csvFound, draftOf, file, only } from '../model/testing.ts'
import { fakeApi, fakeEngine } from '../testing.ts'
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

/** A card for a file with rows that don't fit, with settings. */
function show(own: Partial<DraftTable>, rejectedCount: number): void {
  const found = csvFound({ tables: [table([column('id', 'BIGINT')], { rejectedCount, rejected: [row] })] })
  const draft = draftOf(file('a.csv'), found)
  const [draftFile, draftTable] = only(draft)
  const state = { draft, stage: 'draft', runs: new Map(), problem: null, partial: null } as const
  const session = { api: fakeApi().api, workspaceId: 'w', slug: 'ws', scopes: null, local: null }
  setup(
    <MemoryRouter>
      <SessionProvider store={sessionStore(session)}>
        <DatasetsProvider engine={fakeEngine() as unknown as EngineClient} onConvertFiles={() => undefined}>
          <TableCard state={state} file={draftFile} table={{ ...draftTable, ...own }} nameError={null} />
        </DatasetsProvider>
      </SessionProvider>
    </MemoryRouter>,
  )
}

test('Convert shows the rows that don’t fit the file’s own columns', () => {
  show({}, 1)
  expect(screen.getByText(/^Convert shows all of them/)).toBeTruthy()
})

test('for rows that don’t fit changed columns, the card says that Convert doesn’t know the changes', () => {
  show({ rejected: { count: 1, first: [row] } }, 0)
  expect(screen.getByText(/^Convert reads the file from the start: set the same under Columns there/)).toBeTruthy()
})
