import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { EngineClient } from '../engine/client.ts'
import { useSessionState } from '../session/context.tsx'
import { useHandover } from './handover.tsx'

const DatasetsProvider = lazy(async () => ({
  default: (await import('../features/datasets/index.ts')).DatasetsProvider,
}))

/**
 * Keeps the dataset that's being made while the person looks at other screens. From the first visit to Datasets on it's
 * around all of them: that is when the screen changes anyway.
 */
export function DatasetsKeep({ engine, children }: { readonly engine: EngineClient; readonly children: ReactNode }) {
  const { incoming, onConsumed, convert, query } = useHandover()
  const queryTable = useCallback((title: string, text: string) => query({ kind: 'statement', title, text }), [query])
  const { status } = useSessionState()
  const here = useLocation().pathname.startsWith('/datasets')
  const [visited, setVisited] = useState(here)
  if (here && !visited) setVisited(true)
  if (!visited || status !== 'ready') return children
  return (
    <Suspense>
      <DatasetsProvider
        engine={engine}
        incoming={incoming}
        onConsumed={onConsumed}
        onConvertFiles={convert}
        onQuery={queryTable}
      >
        {children}
      </DatasetsProvider>
    </Suspense>
  )
}
