import { startTransition, useCallback, useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { lastAtOrBefore, type Span } from './use-span.ts'

/** Rows rendered beyond those in view, at both ends, after those in view. */
const OVERSCAN = 6
/** Rows of a new list that are rendered at once: each may be as much as a card, and the page would stall. */
const STEP = 6

/** The element in which another one scrolls; null for the page. */
export function scrollerOf(element: Element): Element | null {
  let at = element.parentElement
  while (at && at !== document.body && !/auto|scroll/.test(getComputedStyle(at).overflowY)) at = at.parentElement
  return at === document.body ? null : at
}

/**
 * The rows of a list that are in view, whatever it scrolls in. The list has the height of all its rows. No rows until
 * it's measured.
 * @param heights in CSS pixels: one height for all rows, or each row's offset, with the end of the last
 * @returns the rows to render, and a function that scrolls to one
 */
export function useRowsInView(
  list: RefObject<HTMLElement | null>,
  count: number,
  heights: number | ArrayLike<number>,
): readonly [Span, (index: number) => void] {
  const [span, setSpan] = useState<Span>({ start: 0, end: 0 })
  const isEmpty = span.start === span.end
  const measure = useCallback(
    (old: Span, overscan: number): Span => {
      if (!list.current) return old
      const { top } = list.current.getBoundingClientRect()
      const view = viewOf(list.current)
      const [from, to] = [view.top - top, view.bottom - top]
      const even = typeof heights === 'number'
      const first = even ? Math.floor(from / heights) : lastAtOrBefore(heights, from)
      const last = even ? Math.ceil(to / heights) : lastAtOrBefore(heights, to) + 1
      const [start, end] = [clamp(first - overscan, count), clamp(last + overscan, count)]
      return old.start === start && old.end === end ? old : { start, end }
    },
    [list, count, heights],
  )
  // The first rows of a new list come when it's laid out: in a task of their own, which, unlike a transition, isn't
  // begun again and again while the screen changes. Those after and around them are for transitions.
  const grow = useCallback(
    () => setSpan(shorter(measure(span, isEmpty ? 0 : OVERSCAN), span)),
    [measure, span, isEmpty],
  )
  const onResize = useEffectEvent(grow)
  const onScroll = useEffectEvent(() => {
    const inView = measure(span, 0)
    // In the same frame, since otherwise the rows' place would be empty at first.
    if (inView.start < span.start || inView.end > span.end) flushSync(() => setSpan(inView))
  })
  useEffect(() => {
    if (isEmpty) return undefined
    // Before it's laid out, measuring would do that at once, in the task that rendered it.
    const frame = requestAnimationFrame(() => startTransition(grow))
    return () => cancelAnimationFrame(frame)
  }, [isEmpty, grow])
  useEffect(() => {
    const own = list.current
    if (!own) return
    const scrolled = ({ target }: Event): void => {
      if (!(target instanceof Node && target.contains(own))) return
      onScroll()
      startTransition(onResize)
    }
    const resized = (): void => {
      if (isEmpty) onResize()
      else startTransition(onResize)
    }
    let scroller: Element | null = null
    // It calls back once at its start, when the list is laid out. Looking for the scroller before would do that at once.
    const observer = new ResizeObserver(() => {
      if (!scroller) observer.observe((scroller = scrollerOf(own) ?? document.body))
      resized()
    })
    observer.observe(own)
    addEventListener('scroll', scrolled, { capture: true, passive: true })
    addEventListener('resize', resized)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', scrolled, { capture: true })
      removeEventListener('resize', resized)
    }
  }, [list, isEmpty])
  const scrollTo = useCallback(
    (index: number): void => {
      if (!list.current) return
      const placeOf = (row: number): number => (typeof heights === 'number' ? row * heights : (heights[row] ?? 0))
      const top = list.current.getBoundingClientRect().top + placeOf(index)
      const view = viewOf(list.current)
      const past = Math.max(0, top + placeOf(index + 1) - placeOf(index) - view.bottom)
      const by = top < view.top ? top - view.top : past
      if (by !== 0) (scrollerOf(list.current) ?? document.documentElement).scrollTop += by
    },
    [list, heights],
  )
  return [{ start: Math.min(span.start, count), end: Math.min(span.end, count) }, scrollTo]
}

/** As many rows of a span as may be rendered at once, after those that are. */
function shorter(span: Span, rendered: Span): Span {
  const most = Math.max(rendered.end, span.start) + STEP
  return span.end > most ? { ...span, end: most } : span
}

const clamp = (index: number, count: number): number => Math.min(count, Math.max(0, index))

/** The top and bottom of what is visible of the scroller. */
function viewOf(element: Element): { readonly top: number; readonly bottom: number } {
  const scroller = scrollerOf(element)
  if (!scroller) return { top: 0, bottom: innerHeight }
  const { top } = scroller.getBoundingClientRect()
  return { top, bottom: top + scroller.clientHeight }
}
