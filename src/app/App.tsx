import { BrowserRouter, Navigate, Route, Routes } from 'react-router'
import { ConvertProvider, ConvertScreen, type ConvertServices } from '../features/convert/index.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { NotFound } from './NotFound.tsx'
import { Shell } from './Shell.tsx'

interface Props {
  readonly base: string
  readonly services: ConvertServices
}

export function App({ base, services }: Props) {
  return (
    <ErrorBoundary what="Rowhouse">
      <BrowserRouter basename={base}>
        <ConvertProvider services={services}>
          <Routes>
            <Route element={<Shell onFiles={(files) => void services.addFiles(files)} />}>
              <Route index element={<Navigate to="/convert" replace />} />
              <Route path="/convert/:job?" element={<ConvertScreen />} />
              <Route path="*" element={<NotFound />} />
            </Route>
          </Routes>
        </ConvertProvider>
      </BrowserRouter>
    </ErrorBoundary>
  )
}
