import { fireEvent, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { SessionProvider } from '../session/context.tsx'
import type { Session } from '../session/session.ts'
import { sessionStore } from '../session/testing.ts'
import { PALETTE_NAME } from '../ui/commands.ts'
import { setup } from '../ui/testing/render.tsx'
import { Rail } from './Rail.tsx'
import { SCREENS } from './screens.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a screen is got ready once the pointer or the focus stays on its link, not when it passes by', () => {
  vi.useFakeTimers()
  const datasets = SCREENS.find(({ label }) => label === 'Datasets')
  if (!datasets?.prepare) throw new Error('Datasets has nothing to get ready')
  const ready = vi.spyOn(datasets as Required<typeof datasets>, 'prepare').mockResolvedValue()
  const session = { workspaceId: 'w' } as Session
  setup(
    <MemoryRouter initialEntries={['/convert']}>
      <SessionProvider store={sessionStore(session)}>
        <Rail onPalette={() => undefined} idle={false} />
      </SessionProvider>
    </MemoryRouter>,
  )
  const link = screen.getByRole('link', { name: 'Datasets' })
  for (const [come, leave] of [
    [fireEvent.pointerEnter, fireEvent.pointerLeave],
    [fireEvent.focus, fireEvent.blur],
  ] as const) {
    ready.mockClear()
    come(link)
    vi.advanceTimersByTime(30)
    leave(link)
    vi.advanceTimersByTime(10_000)
    expect(ready).not.toHaveBeenCalled()
    come(link)
    vi.advanceTimersByTime(1000)
    expect(ready.mock.calls).toEqual([[session]])
    leave(link)
  }
})

test('the button that opens the palette calls it by the palette’s name', () => {
  setup(
    <MemoryRouter initialEntries={['/convert']}>
      <SessionProvider store={sessionStore(null)}>
        <Rail onPalette={() => undefined} idle={false} />
      </SessionProvider>
    </MemoryRouter>,
  )
  expect(screen.getByRole('button', { name: 'Search' }).title).toBe(`${PALETTE_NAME} (Ctrl K)`)
})
