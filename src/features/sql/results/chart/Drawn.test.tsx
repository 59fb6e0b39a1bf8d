import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setup, sizeElements } from '../../../../ui/testing/render.tsx'
import { loadChart } from './data/load.ts'
import { pageSource } from './data/page-source.ts'
import { Drawn } from './Drawn.tsx'
import { fieldsOf } from './model/fields.ts'
import { resultOf } from './testing.ts'

/** Top of the drawing, below its legend, in CSS pixels. */
let top = 0
/** Reports that an element was resized. */
const resized = new Map<Element, () => void>()

beforeEach(() => {
  top = 100
  resized.clear()
  sizeElements(800, 500)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function at(this: HTMLElement) {
    return new DOMRect(0, this.getAttribute('role') === 'img' ? top : 0, 800, 500)
  })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly notify: () => void
      constructor(notify: () => void) {
        this.notify = notify
      }
      observe(element: Element): void {
        resized.set(element, this.notify)
        this.notify()
      }
      disconnect(): void {
        resized.clear()
      }
    },
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a drawing fills the height below its legend, even if that wraps', async () => {
  const columns = [
    { name: 'x', type: 'INTEGER' },
    { name: 'size', type: 'INTEGER' },
  ]
  const result = resultOf(columns, [
    ['1', '2'],
    ['3', '4'],
  ])
  const data = await loadChart({
    spec: { mark: 'scatter', x: 'x', y: 'x', aggregate: 'none', color: null, size: 'size' },
    fields: fieldsOf(columns),
    source: pageSource(result),
    result,
    signal: new AbortController().signal,
  })
  const { container } = setup(
    <div style={{ overflowY: 'auto' }}>
      <figure>
        <Drawn data={data} title="Sizes" />
      </figure>
    </div>,
  )
  const height = (): number => Number(container.querySelector('[role=img] svg')?.getAttribute('height'))
  expect(height()).toBe(500 - 100 - 56)
  top = 130
  const figure = container.querySelector('figure')
  act(() => {
    if (figure) resized.get(figure)?.()
  })
  expect(height()).toBe(500 - 130 - 56)
})
