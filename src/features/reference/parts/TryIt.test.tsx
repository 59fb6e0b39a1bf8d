import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { SessionProvider } from '../../../session/context.tsx'
import { sessionStore } from '../../../session/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import type { ReferenceOperation } from '../model/document.ts'
import type { Run } from '../use-runs.ts'
import { TryIt } from './TryIt.tsx'

const LIST: ReferenceOperation = {
  id: 'listDatasets',
  method: 'GET',
  path: '/datasets',
  tag: 'Datasets',
  summary: 'List datasets',
  description: '',
  parameters: [],
  body: null,
  responses: [],
  scopes: [],
  prefixes: [],
}

const connection = {
  kind: 'remote',
  baseUrl: 'https://api.example/public/v1',
  key: 'k',
  workspaceId: 'w',
  slug: '',
} as const

/** The form of an operation, whose request is under way or not. */
function form(run: Run | null, start: () => void) {
  return (
    <SessionProvider store={sessionStore({ connection, apiBaseUrl: connection.baseUrl })}>
      <TryIt
        operation={LIST}
        operations={[LIST]}
        draft={{ params: {}, query: {}, body: null }}
        datasets={[]}
        known={{ workspaceId: 'w', sql: 'SELECT 1' }}
        runs={{ of: () => run, start, cancel: () => undefined }}
        onChange={() => undefined}
        onCarry={() => undefined}
      />
    </SessionProvider>
  )
}

test('Run keeps the focus while the request is under way, and isn’t run twice', async () => {
  const start = vi.fn<() => void>()
  const { user, rerender } = setup(form(null, start))
  const run = screen.getByRole('button', { name: 'Run' })
  await user.click(run)
  expect(start).toHaveBeenCalledTimes(1)
  rerender(form({ status: 'running' }, start))
  expect(document.activeElement).toBe(run)
  expect([run.matches(':disabled'), run.getAttribute('aria-disabled')]).toEqual([false, 'true'])
  await user.keyboard('{Enter}')
  await user.click(run)
  expect(start).toHaveBeenCalledTimes(1)
})
