import { render, type RenderResult } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { vi } from 'vitest'

/* For component tests: files named `*.test.tsx` run in a simulated DOM, without layout. */

/** Renders an element, with a user who types and clicks. */
export function setup(element: ReactElement): RenderResult & { readonly user: UserEvent } {
  const user = userEvent.setup()
  return { user, ...render(element) }
}

/** Gives all elements a size in CSS pixels, since without layout they have none. Undone by `vi.restoreAllMocks()`. */
export function sizeElements(width: number, height: number): void {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height)
}
