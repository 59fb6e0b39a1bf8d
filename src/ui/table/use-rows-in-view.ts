import { startTransition, useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Span } from './use-span.ts'

/** Rows that are drawn beyond those in view, at both ends. */
const OVERSCAN = 8

/** What an element scrolls in; null: the page. */
export function scrollerOf(element: Element): Element | null {
  let at = element.parentElement
  while (at && at !== document.body && !/auto|scroll/.test(getComputedStyle(at).overflowY)) at = at.parentElement
  return at === document.body ? null : at
}

/**
 * Which rows of a list are in view, all of one height, whatever it scrolls in. The list has the height of all its rows.
 * Until it's measured, none.
 * @param height of a row, in CSS pixels
 * @returns the rows to draw, and what scrolls one into view
 */
export function useRowsInView(
  list: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): readonly [Span, (index: number) => void] {
  const [span, setSpan] = useState<Span>({ start: 0, end: 0 })
  const measure = useCallback(
    (old: Span): Span => {
      if (!list.current) return old
      const { top } = list.current.getBoundingClientRect()
      const view = viewOf(list.current)
      const start = clamp(Math.floor((view.top - top) / height) - OVERSCAN, count)
      const end = clamp(Math.ceil((view.bottom - top) / height) + OVERSCAN, count)
      return old.start === start && old.end === end ? old : { start, end }
    },
    [list, count, height],
  )
  useLayoutEffect(() => {
    // Rows are much to draw at once: the first ones come behind the rest of the screen.
    startTransition(() => setSpan(measure))
  }, [measure])
  useEffect(() => {
    const own = list.current
    if (!own) return
    // In the frame that scrolls: later, there would be nothing where the rows should be.
    const scrolled = ({ target }: Event): void => {
      if (target instanceof Node && target.contains(own)) flushSync(() => setSpan(measure))
    }
    const resized = (): void => setSpan(measure)
    const observer = new ResizeObserver(resized)
    observer.observe(scrollerOf(own) ?? document.body)
    addEventListener('scroll', scrolled, { capture: true, passive: true })
    addEventListener('resize', resized)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', scrolled, { capture: true })
      removeEventListener('resize', resized)
    }
  }, [list, measure])
  const scrollTo = useCallback(
    (index: number): void => {
      if (!list.current) return
      const top = list.current.getBoundingClientRect().top + index * height
      const view = viewOf(list.current)
      const past = Math.max(0, top + height - view.bottom)
      const by = top < view.top ? top - view.top : past
      if (by !== 0) (scrollerOf(list.current) ?? document.documentElement).scrollTop += by
    },
    [list, height],
  )
  return [{ start: Math.min(span.start, count), end: Math.min(span.end, count) }, scrollTo]
}

const clamp = (index: number, count: number): number => Math.min(count, Math.max(0, index))

/** From where to where what an element scrolls in can be seen. */
function viewOf(element: Element): { readonly top: number; readonly bottom: number } {
  const scroller = scrollerOf(element)
  if (!scroller) return { top: 0, bottom: innerHeight }
  const { top } = scroller.getBoundingClientRect()
  return { top, bottom: top + scroller.clientHeight }
}
