import { BrowserRouter, Navigate, Route, Routes } from 'react-router'
import { ConvertProvider, ConvertScreen, type ConvertServices } from '../features/convert/index.ts'
import { SettingsScreen } from '../features/settings/index.ts'
import { SessionProvider } from '../session/context.tsx'
import type { SessionStore } from '../session/session.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { HandoverProvider, useHandover } from './handover.tsx'
import { NotFound } from './NotFound.tsx'
import { Shell } from './Shell.tsx'

interface Props {
  readonly base: string
  readonly services: ConvertServices
  readonly session: SessionStore
}

export function App({ base, services, session }: Props) {
  return (
    <ErrorBoundary what="Rowhouse">
      <BrowserRouter basename={base}>
        <SessionProvider store={session}>
          <HandoverProvider onConvert={(files) => void services.addFiles(files)}>
            <Routes>
              <Route element={<Shell />}>
                <Route index element={<Navigate to="/convert" replace />} />
                <Route path="/convert/:job?" element={<Convert services={services} />} />
                <Route path="/settings/:section?" element={<SettingsScreen />} />
                <Route path="*" element={<NotFound />} />
              </Route>
            </Routes>
          </HandoverProvider>
        </SessionProvider>
      </BrowserRouter>
    </ErrorBoundary>
  )
}

function Convert({ services }: { readonly services: ConvertServices }) {
  const { publish } = useHandover()
  return (
    <ConvertProvider services={services} onPublish={publish}>
      <ConvertScreen />
    </ConvertProvider>
  )
}
