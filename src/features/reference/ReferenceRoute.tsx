import { lazy, Suspense } from 'react'

const Screen = lazy(() => import('./ReferenceScreen.tsx'))

/** The API reference: loaded when it's first looked at. */
export function ReferenceScreen() {
  return (
    <Suspense>
      <Screen />
    </Suspense>
  )
}
