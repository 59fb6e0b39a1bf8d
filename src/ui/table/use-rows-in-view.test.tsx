import { act, screen } from '@testing-library/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setup } from '../testing/render.tsx'
import { useRowsInView } from './use-rows-in-view.ts'

const COUNT = 1000
const HEIGHT = 20
/** `scrollTop` of the list's scroller. */
let scrolled = 0
/** What was rendered, in order. */
const rendered: string[] = []

beforeEach(() => {
  scrolled = 0
  rendered.length = 0
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(200)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function at(this: HTMLElement) {
    return new DOMRect(0, this.tagName === 'UL' ? 100 - scrolled : 100, 300, 200)
  })
  // Not spies, because two spies on one property aren't both restored, which would affect the next test file.
  Object.defineProperty(HTMLElement.prototype, 'scrollTop', {
    configurable: true,
    get: () => scrolled,
    set(to: number) {
      scrolled = to
    },
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(HTMLElement.prototype, 'scrollTop')
})

function List({ count = COUNT }: { readonly count?: number }) {
  const list = useRef<HTMLUListElement>(null)
  const [{ start, end }, scrollTo] = useRowsInView(list, count, HEIGHT)
  const drawn = `${start} to ${end}`
  if (rendered.at(-1) !== drawn) rendered.push(drawn)
  return (
    <div data-testid="scroller" style={{ overflowY: 'auto' }}>
      <ul ref={list}>
        <li>{drawn}</li>
      </ul>
      <button type="button" onClick={() => scrollTo(50)}>
        Row 50
      </button>
    </div>
  )
}

const scroll = (element: Element): void => act(() => void element.dispatchEvent(new Event('scroll')))

test('rows in and near the view are rendered, and others when they come into view', async () => {
  setup(<List />)
  await screen.findByText('0 to 16')
  scrolled = 1000
  scroll(screen.getByTestId('scroller'))
  await screen.findByText('44 to 66')
  scrolled = COUNT * HEIGHT - 200
  scroll(screen.getByTestId('scroller'))
  await screen.findByText('984 to 1000')
})

test('after a scroll, rows in view are rendered at once, and those around them in steps', async () => {
  setup(<List />)
  await screen.findByText('0 to 16')
  rendered.length = 0
  scrolled = 1000
  flushSync(() => screen.getByTestId('scroller').dispatchEvent(new Event('scroll')))
  await screen.findByText('44 to 66')
  expect(rendered).toEqual(['50 to 60', '44 to 66'])
  rendered.length = 0
  scrolled = 1040
  scroll(screen.getByTestId('scroller'))
  await screen.findByText('46 to 68')
  expect(rendered).toEqual(['46 to 68'])
})

test('the first rows are rendered in short steps, those in view first', async () => {
  setup(<List />)
  await screen.findByText('0 to 16')
  expect(rendered).toEqual(['0 to 0', '0 to 6', '0 to 12', '0 to 16'])
})

/** Renders a list again and again, up to 100 times, until it has rows, which take longer than a slice of a transition. */
function Changing() {
  const [changes, setChanges] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const [{ start, end }] = useRowsInView(list, COUNT, HEIGHT)
  useEffect(() => {
    if (end > start || changes === 100) return undefined
    const timer = setTimeout(() => flushSync(() => setChanges(changes + 1)))
    return () => clearTimeout(timer)
  }, [changes, start, end])
  return (
    <ul ref={list}>
      {Array.from({ length: end - start }, (_, i) => (
        <Slow key={i} />
      ))}
      <p>{end > start ? `Rows after ${changes} changes` : 'None'}</p>
    </ul>
  )
}

function Slow() {
  return <li>{isSlow()}</li>
}

function isSlow(): boolean {
  const from = performance.now()
  while (performance.now() - from < 3);
  return true
}

test('the first rows don’t wait until the screen no longer changes', async () => {
  // Otherwise all work is done at once, whatever its priority.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<Changing />)
  await vi.waitFor(() => screen.getByText(/^Rows after \d changes$/))
  root.unmount()
})

test('scrolling elsewhere renders nothing', async () => {
  setup(<List />)
  await screen.findByText('0 to 16')
  scrolled = 1000
  scroll(document.body.appendChild(document.createElement('div')))
  screen.getByText('0 to 16')
})

test('a list that became shorter has no rows that don’t exist', () => {
  const { rerender } = setup(<List />)
  rerender(<List count={5} />)
  screen.getByText('0 to 5')
})

test('a row is scrolled into view by no more than necessary', async () => {
  const { user } = setup(<List />)
  await user.click(screen.getByRole('button'))
  expect(scrolled).toBe(51 * HEIGHT - 200)
  scrolled = 950
  await user.click(screen.getByRole('button'))
  expect(scrolled).toBe(950)
  scrolled = 1500
  await user.click(screen.getByRole('button'))
  expect(scrolled).toBe(50 * HEIGHT)
})
