import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { HandoverProvider, useHandover } from './handover.tsx'

function Around({ children }: { readonly children: ReactNode }) {
  return (
    <MemoryRouter>
      <HandoverProvider onConvert={() => Promise.resolve()}>{children}</HandoverProvider>
    </MemoryRouter>
  )
}

test('what comes while the screen takes over what came before isn’t lost', () => {
  const { result } = renderHook(useHandover, { wrapper: Around })
  const [first, second] = ['a.csv', 'b.csv'].map((name) => ({ file: new File([], name), plan: null, changed: false }))
  const [query, next] = ['SELECT 1', 'SELECT 2'].map((text) => ({ kind: 'statement', text }) as const)
  if (!first || !second || !query || !next) throw new Error('nothing to pass on')
  act(() => {
    result.current.publish([first])
    result.current.query(query)
  })
  const { incoming, queries } = result.current
  act(() => {
    result.current.publish([second])
    result.current.query(next)
    result.current.onConsumed(incoming)
    result.current.onQueriesConsumed(queries)
  })
  expect([result.current.incoming, result.current.queries]).toEqual([[second], [next]])
})
