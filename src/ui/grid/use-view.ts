import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { GridScroll } from './scroll.ts'

/** What the grid shows, in steps, so that scrolling by a pixel renders nothing. */
interface GridView {
  /** The first visible row, or one a little before it. */
  readonly first: number
  /** Rows rendered beyond the visible ones, at both ends. */
  readonly overscan: number
  /** A row's position is `row * rowHeight - shift`. */
  readonly shift: number
  readonly left: number
  readonly width: number
  readonly height: number
}

const ROW_STEP = 2
const OVERSCAN = 8
const LEFT_STEP = 60
/** Milliseconds without scrolling until the scroll bar is corrected. */
const SETTLED = 140

/** Follows the scroll position of an element with any number of rows of the same height. */
export function useGridView(count: number, rowHeight: number, head: number, scrollKey: unknown) {
  const element = useRef<HTMLDivElement | null>(null)
  const [view, setView] = useState<GridView>({
    first: 0,
    overscan: OVERSCAN,
    shift: 0,
    left: 0,
    width: 1200,
    height: 400,
  })
  const rowsHeight = Math.max(rowHeight, view.height - head)
  const scroll = useMemo(() => new GridScroll(count, rowHeight, rowsHeight), [count, rowHeight, rowsHeight])
  const current = useRef(scroll)
  const lastY = useRef(0)

  const read = useCallback(() => {
    const own = element.current
    if (!own) return
    const y = current.current.scrolled(own.scrollTop)
    // When scrolling by whole screens, rows outside the view are never seen, and are rendered only after slowing down.
    const leaps = Math.abs(y - lastY.current) > own.clientHeight
    lastY.current = y
    const next: GridView = {
      first: Math.floor(y / rowHeight / ROW_STEP) * ROW_STEP,
      overscan: leaps ? 0 : OVERSCAN,
      shift: current.current.shift,
      left: Math.floor(own.scrollLeft / LEFT_STEP) * LEFT_STEP,
      width: own.clientWidth,
      height: own.clientHeight,
    }
    setView((old) => (same(old, next) ? old : next))
  }, [rowHeight])

  // When rows are added or their height changes, what is in view stays in place.
  useLayoutEffect(() => {
    const before = current.current
    const own = element.current
    current.current = scroll
    if (!own || before === scroll) return
    const top = scroll.scrollTo(own.scrollTop + before.shift)
    if (Math.abs(top - own.scrollTop) >= 1) own.scrollTop = top
    read()
  }, [scroll, read])

  useEffect(() => {
    const own = element.current
    if (!own) return
    let timer = 0
    const settle = (): void => {
      const top = current.current.settle()
      if (top !== null) own.scrollTop = top
      read()
    }
    const onScroll = (): void => {
      // In the same frame, since otherwise the rows' place would be empty at first.
      flushSync(read)
      clearTimeout(timer)
      if (current.current.stuck) settle()
      else timer = window.setTimeout(settle, SETTLED)
    }
    own.addEventListener('scroll', onScroll, { passive: true })
    const observer = new ResizeObserver(read)
    observer.observe(own)
    return () => {
      clearTimeout(timer)
      own.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [read])

  /** Pixels of rows above the view and of columns to its left, as of now. */
  const position = useCallback(() => {
    const own = element.current
    return {
      y: (own?.scrollTop ?? 0) + current.current.shift,
      left: own?.scrollLeft ?? 0,
      width: own?.clientWidth ?? 0,
      height: own?.clientHeight ?? 0,
    }
  }, [])
  const scrollTo = useCallback(
    (to: { readonly y: number; readonly left: number }) => {
      const own = element.current
      if (!own) return
      const top = current.current.scrollTo(to.y)
      own.scrollTo(to.left, top)
      read()
    },
    [read],
  )
  const shownKey = useRef(scrollKey)
  useLayoutEffect(() => {
    if (shownKey.current === scrollKey) return
    shownKey.current = scrollKey
    scrollTo({ y: 0, left: element.current?.scrollLeft ?? 0 })
  }, [scrollKey, scrollTo])
  return { element, view, height: scroll.height, position, scrollTo }
}

function same(a: GridView, b: GridView): boolean {
  return (
    a.first === b.first &&
    a.overscan === b.overscan &&
    a.shift === b.shift &&
    a.left === b.left &&
    a.width === b.width &&
    a.height === b.height
  )
}
