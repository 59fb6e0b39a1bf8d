import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react'
import { createBrowserRouter, Navigate, Route, RouterProvider, Routes, Link, useLocation } from 'react-router'
import type { EngineClient } from '../engine/client.ts'
import { ConvertProvider, ConvertScreen, type ConvertServices } from '../features/convert/index.ts'
import { SessionProvider, useSessionState } from '../session/context.tsx'
import type { IncomingFile } from '../session/handover.ts'
import type { SessionStore } from '../session/session.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { HandoverProvider, useHandover } from './handover.tsx'
import { Shell } from './Shell.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './SessionGate.module.css'
import PlugZap from 'lucide-react/icons/plug-zap'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { usePageTitle } from '../ui/hooks/use-page-title.ts'

const Datasets = lazy(async () => ({ default: (await import('../features/datasets/index.ts')).DatasetsScreen }))
const Dataset = lazy(async () => ({ default: (await import('../features/datasets/index.ts')).DatasetScreen }))
const Sql = lazy(async () => ({ default: (await import('../features/sql/index.ts')).SqlRoot }))
const Settings = lazy(async () => ({ default: (await import('../features/settings/index.ts')).SettingsScreen }))
const Reference = lazy(async () => ({ default: (await import('../features/reference/index.ts')).ReferenceScreen }))

interface Props {
  readonly base: string
  readonly engine: EngineClient
  readonly services: ConvertServices
  readonly session: SessionStore
}

export function App({ base, ...props }: Props) {
  // A single route, because only such a router can block a navigation that would lose input. It shows a page of its own
  // for errors in its routes, so our error boundary has to be inside.
  const [router] = useState(() => {
    const element = (
      <ErrorBoundary what="Rowhouse">
        <Screens {...props} />
      </ErrorBoundary>
    )
    return createBrowserRouter([{ path: '*', element }], { basename: base })
  })
  return <RouterProvider router={router} />
}

function Screens({ engine, services, session }: Omit<Props, 'base'>) {
  return (
    <SessionProvider store={session}>
      <HandoverProvider onConvert={services.addFiles}>
        <Routes>
          <Route element={<Shell engine={engine} />}>
            <Route index element={<Navigate to="/convert" replace />} />
            <Route path="/convert/:job?" element={<Convert services={services} />} />
            <Route path="/datasets" element={<Gated>{<Datasets />}</Gated>} />
            <Route path="/datasets/:id" element={<Gated>{<Dataset />}</Gated>} />
            <Route path="/sql/saved/:query" element={<Gated>{<Query engine={engine} />}</Gated>} />
            <Route path="/sql/:tab?" element={<Gated>{<Query engine={engine} />}</Gated>} />
            <Route path="/settings/:section?" element={<Later>{<Settings />}</Later>} />
            <Route path="/reference" element={<Gated>{<Reference />}</Gated>} />
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </HandoverProvider>
    </SessionProvider>
  )
}

function Convert({ services }: { readonly services: ConvertServices }) {
  const { publish, query } = useHandover()
  const queryFiles = useCallback((files: readonly IncomingFile[]) => query({ kind: 'files', files }), [query])
  return (
    <ConvertProvider services={services} onPublish={publish} onQuery={queryFiles}>
      <ConvertScreen />
    </ConvertProvider>
  )
}

function Query({ engine }: { readonly engine: EngineClient }) {
  const { queries, onQueriesConsumed, publish } = useHandover()
  return <Sql engine={engine} incoming={queries} onConsumed={onQueriesConsumed} onPublish={publish} />
}

/** A screen whose code is loaded when it's first opened. */
function Later({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<div aria-busy />}>{children}</Suspense>
}

/** A screen that also needs a session. */
function Gated({ children }: { readonly children: ReactNode }) {
  return (
    <SessionGate>
      <Later>{children}</Later>
    </SessionGate>
  )
}

function NotFound() {
  usePageTitle('No such page')
  const { pathname } = useLocation()
  return (
    <EmptyState
      className={css.page}
      title="Nobody lives at this address"
      actions={<Link to="/convert">Go to Convert</Link>}
    >
      There’s no page at <code>{pathname}</code>. The link may be old, or mistyped.
    </EmptyState>
  )
}

/** Shows its contents once there's a session; until then, that it's being opened, or why it can't be. */
function SessionGate({ children }: { readonly children: ReactNode }) {
  const state = useSessionState()
  if (state.status === 'ready') return children
  if (state.status === 'connecting') {
    return (
      <EmptyState busy className={css.page} icon={<Spinner />}>
        Opening your workspace…
      </EmptyState>
    )
  }
  return (
    <EmptyState
      live="alert"
      className={css.page}
      icon={<PlugZap aria-hidden />}
      title="Your workspace can’t be opened"
      actions={
        <>
          <Button look="primary" onClick={state.retry}>
            Try again
          </Button>
          <Link to="/convert">Go to Convert, which works without it</Link>
        </>
      }
    >
      {state.error.message}
    </EmptyState>
  )
}
