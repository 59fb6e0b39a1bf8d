import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { setup } from './testing/render.tsx'

// React logs errors that a boundary catches.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => vi.restoreAllMocks())

function failing(message: string) {
  const Failing = () => {
    throw new Error(message)
  }
  setup(
    <ErrorBoundary what="This screen">
      <Failing />
    </ErrorBoundary>,
  )
}

test('an error says which part failed, and offers a retry', () => {
  failing('x is undefined')
  expect(screen.getByRole('alert').textContent).toContain('This screen stopped working')
  screen.getByRole('button', { name: 'Try again' })
})

test('a part that couldn’t be loaded isn’t called a bug, and offers to reload', () => {
  failing('Failed to fetch dynamically imported module: https://example.org/assets/Screen-1.js')
  const { textContent } = screen.getByRole('alert')
  expect(textContent).toContain('A part of Rowhouse couldn’t be loaded')
  expect(textContent).not.toContain('The fault is in Rowhouse')
  screen.getByRole('button', { name: 'Reload the page' })
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
