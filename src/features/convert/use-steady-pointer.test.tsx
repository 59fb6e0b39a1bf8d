import { fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useSteadyPointer } from './use-steady-pointer.ts'

function List() {
  const list = useRef<HTMLDivElement>(null)
  useSteadyPointer(list)
  return (
    <div ref={list} data-testid="list">
      <section data-stage="ready" aria-label="b.csv" />
    </div>
  )
}

afterEach(() => vi.unstubAllGlobals())

/** A list in which a card above the pointer became 40 px shorter, while the page can't scroll. */
function shrunk(): HTMLElement {
  const sizes: (() => void)[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(changed: () => void) {
        sizes.push(changed)
      }
      observe(): void {}
      disconnect(): void {}
    },
  )
  vi.stubGlobal('scrollBy', () => {})
  render(<List />)
  const card = screen.getByRole('region', { name: 'b.csv' })
  let top = 100
  card.getBoundingClientRect = () => new DOMRect(0, top, 0, 0)
  fireEvent.pointerMove(card)
  top = 60
  for (const changed of sizes) changed()
  return screen.getByTestId('list')
}

test('the margin that keeps a card under the pointer is removed when the pointer leaves', () => {
  const list = shrunk()
  expect(list.style.marginTop).toBe('40px')
  fireEvent.pointerLeave(list)
  expect(list.style.marginTop).toBe('')
})

test('when printing, there’s no such margin', () => {
  const list = shrunk()
  fireEvent(window, new Event('beforeprint'))
  expect(list.style.marginTop).toBe('')
})
