import { useCallback, useLayoutEffect, useRef, useState } from 'react'

export interface Span {
  /** Index of the first item in view, and the one after the last. */
  readonly start: number
  readonly end: number
}

/**
 * Which items are in view.
 * @param offsets each item's offset, ascending, followed by the end of the last
 */
export function spanOf(offsets: ArrayLike<number>, from: number, to: number, overscan: number): Span {
  const count = offsets.length - 1
  const start = Math.max(0, lastAtOrBefore(offsets, from) - overscan)
  const end = Math.min(count, lastAtOrBefore(offsets, to) + 1 + overscan)
  return { start, end: Math.max(start, end) }
}

/** The last item at or before a position; the first item for positions before it. */
export function lastAtOrBefore(offsets: ArrayLike<number>, position: number): number {
  let low = 0
  let high = offsets.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

interface Viewport {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

/** Steps of the scroll position, so that scrolling by a pixel renders nothing. */
const STEP = 60

/**
 * Follows an element's scroll position and size, in steps. A desktop's size until it's measured.
 * @returns the viewport, and the ref for the element
 */
export function useViewport(): readonly [Viewport, (element: HTMLElement | null) => void] {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, width: 1200, height: 400 })
  const cleanup = useRef<(() => void) | null>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    cleanup.current?.()
    cleanup.current = null
    if (!element) return
    const read = (): void => {
      const next = {
        top: Math.floor(element.scrollTop / STEP) * STEP,
        left: Math.floor(element.scrollLeft / STEP) * STEP,
        width: Math.ceil(element.clientWidth / STEP + 1) * STEP,
        height: Math.ceil(element.clientHeight / STEP + 1) * STEP,
      }
      setViewport((old) =>
        old.top === next.top && old.left === next.left && old.width === next.width && old.height === next.height
          ? old
          : next,
      )
    }
    element.addEventListener('scroll', read, { passive: true })
    const observer = new ResizeObserver(read)
    observer.observe(element)
    cleanup.current = () => {
      element.removeEventListener('scroll', read)
      observer.disconnect()
    }
  }, [])
  useLayoutEffect(() => () => cleanup.current?.(), [])
  return [viewport, ref]
}

/** Offsets of items of equal size. */
export function evenOffsets(count: number, size: number): Float64Array {
  const offsets = new Float64Array(count + 1)
  for (let i = 1; i <= count; i++) offsets[i] = i * size
  return offsets
}

/** Offsets of items of the given sizes. */
export function offsetsOf(sizes: readonly number[]): Float64Array {
  const offsets = new Float64Array(sizes.length + 1)
  let at = 0
  for (let i = 0; i < sizes.length; i++) {
    at += sizes[i] ?? 0
    offsets[i + 1] = at
  }
  return offsets
}
