import { QueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { SessionProvider } from '../../../session/context.tsx'
import { sessionStore } from '../../../session/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { ConvertProvider } from '../context.tsx'
import type { ConvertServices } from '../store/services.ts'
import type { ConvertStore } from '../store/store.ts'

/** Renders a part of the Convert screen, without recipes, and with the given services. */
export function renderConvert(
  element: ReactElement,
  store: ConvertStore,
  services: { readonly [K in keyof ConvertServices]?: unknown },
): ReturnType<typeof setup> {
  const given = { store, queries: new QueryClient(), recipes: async () => [], ...services }
  return setup(
    <MemoryRouter initialEntries={['/convert']}>
      <SessionProvider store={sessionStore(null)}>
        <ConvertProvider services={given as ConvertServices} onPublish={() => undefined} onQuery={() => undefined}>
          {element}
        </ConvertProvider>
      </SessionProvider>
    </MemoryRouter>,
  )
}
