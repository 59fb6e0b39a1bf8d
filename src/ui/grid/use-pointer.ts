import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { cellOf, cellAt, columnRange, rowRange, type Cell, type GridRange, type Measures } from './places.ts'
import type { GridProps } from './types.ts'

interface Tools {
  readonly element: RefObject<HTMLDivElement | null>
  readonly measures: Measures
  readonly position: () => {
    readonly y: number
    readonly left: number
    readonly width: number
    readonly height: number
  }
  readonly scrollTo: (to: { readonly y: number; readonly left: number }) => void
}

/** CSS pixels that a header must move before it counts as dragged. */
const DRAG = 6
const NARROWEST = 40

type Follow = (event: { readonly clientX: number; readonly clientY: number }) => void

/** Follows the pointer from press to release; Escape cancels. */
function useFollow(): (move: Follow, end?: (cancelled: boolean) => void) => void {
  const stop = useRef<(() => void) | null>(null)
  useEffect(() => () => stop.current?.(), [])
  return (move, end) => {
    stop.current?.()
    const abort = new AbortController()
    const { signal } = abort
    const finish = (cancelled: boolean): void => {
      abort.abort()
      stop.current = null
      end?.(cancelled)
    }
    stop.current = () => finish(true)
    addEventListener('pointermove', move, { signal })
    addEventListener('pointerup', () => finish(false), { signal })
    addEventListener('pointercancel', () => finish(true), { signal })
    addEventListener('keydown', (event) => (event.key === 'Escape' ? finish(true) : undefined), { signal })
  }
}

/** The grid's mouse actions: selecting cells, rows and columns; resizing and moving columns. Touch scrolls. */
export function useGridPointer(props: GridProps, tools: Tools) {
  const [drop, setDrop] = useState<number | null>(null)
  // A drag outlives the render in which it began.
  const latest = useRef({ props, tools })
  useEffect(() => {
    latest.current = { props, tools }
  })
  const follow = useFollow()
  const cellUnder = (x: number, y: number): Cell => {
    const { tools: own, props: now } = latest.current
    const box = own.element.current?.getBoundingClientRect()
    return cellAt({ x: x - (box?.left ?? 0), y: y - (box?.top ?? 0) }, own.measures, own.position(), now.rowCount)
  }
  /** Selects from the anchor to the pointer; scrolls if the pointer is outside. */
  const choose = (rangeTo: (cell: Cell) => GridRange | null): void => {
    let [x, y] = [0, 0]
    let frame = 0
    const update = (): void => {
      const range = rangeTo(cellUnder(x, y))
      if (range) latest.current.props.onSelection?.(range)
    }
    const tick = (): void => {
      const by = beyond(latest.current.tools, x, y)
      if (by) {
        const { tools: own } = latest.current
        const at = own.position()
        own.scrollTo({ y: at.y + by.y, left: at.left + by.x })
        update()
      }
      frame = requestAnimationFrame(tick)
    }
    const move: Follow = (event) => {
      ;[x, y] = [event.clientX, event.clientY]
      if (frame === 0) frame = requestAnimationFrame(tick)
      update()
    }
    follow(move, () => cancelAnimationFrame(frame))
  }
  const resize = (column: number, from: number): void => {
    const width = props.columns[column]?.width ?? 0
    follow((event) => latest.current.props.onResize?.(column, Math.max(NARROWEST, width + event.clientX - from)))
  }
  const drag = (column: number, from: number): void => {
    let target: number | null = null
    follow(
      (event) => {
        if (target === null && Math.abs(event.clientX - from) < DRAG) return
        target = dropPlace(latest.current.tools, event.clientX)
        setDrop(target)
      },
      (cancelled) => {
        setDrop(null)
        if (target === null) return
        // The click that follows ends the drag, and isn't a click on the header.
        const late = new AbortController()
        addEventListener('click', (event) => event.stopPropagation(), { capture: true, signal: late.signal })
        setTimeout(() => late.abort())
        const to = target > column ? target - 1 : target
        if (!cancelled && to !== column) latest.current.props.onMove?.(column, to)
      },
    )
  }

  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || !(event.target instanceof Element)) return
    const cell = cellOf(event.target)
    if (cell?.row === -1 && event.target.closest('[data-grid-resize]')) {
      event.preventDefault()
      resize(cell.column, event.clientX)
      return
    }
    if (cell?.row === -1 && event.target.closest('[data-grid-menu]')) return
    const { onSelection, onActive, selection, active, rowCount, columns } = props
    if (!onSelection || event.pointerType === 'touch') {
      if (onSelection && cell) onActive(cell)
      return
    }
    const anchor = event.shiftKey ? (selection?.anchor ?? active) : null
    const row = event.target.closest<HTMLElement>('[data-grid-row]')?.dataset['gridRow']
    if (event.target.closest('[data-grid-all]'))
      onSelection(rowRange(0, rowCount - 1, rowCount > 0 ? columns.length : 0))
    else if (row !== undefined) {
      const from = anchor ? Math.max(0, anchor.row) : Number(row)
      onActive({ row: from, column: 0 })
      onSelection(rowRange(from, Number(row), columns.length))
      choose(({ row: to }) => rowRange(from, Math.max(0, to), columns.length))
    } else if (cell?.row === -1) {
      if (event.shiftKey && anchor) {
        onSelection(columnRange(anchor.column, cell.column, rowCount))
        return
      }
      if (props.onMove) drag(cell.column, event.clientX)
      if (event.target.closest('[data-grid-press]')) return
      onActive(cell)
      onSelection(columnRange(cell.column, cell.column, rowCount))
    } else if (cell) {
      const from = anchor ? { row: Math.max(0, anchor.row), column: anchor.column } : cell
      if (!anchor) onActive(cell)
      onSelection(anchor ? { anchor: from, end: cell } : null)
      choose((to) => ({ anchor: from, end: { row: Math.max(0, to.row), column: Math.max(0, to.column) } }))
    }
  }
  return { down, drop }
}

/** Pixels to scroll by if the pointer is at an edge or outside. */
function beyond({ element, measures }: Tools, x: number, y: number): { x: number; y: number } | null {
  const box = element.current?.getBoundingClientRect()
  if (!box) return null
  const past = (value: number, from: number, to: number): number =>
    Math.max(-40, Math.min(40, value < from ? value - from : value > to ? value - to : 0))
  const by = {
    x: past(x, box.left + measures.lead, box.right - 16),
    y: past(y, box.top + measures.head, box.bottom - 16),
  }
  return by.x === 0 && by.y === 0 ? null : by
}

/** The nearest boundary between two columns. */
function dropPlace({ element, measures, position }: Tools, clientX: number): number {
  const left = element.current?.getBoundingClientRect().left ?? 0
  const { offsets } = measures
  const at = position()
  const { column } = cellAt({ x: clientX - left, y: 0 }, measures, at, 0)
  const own = Math.max(0, column)
  const x = clientX - left - measures.lead + (own < measures.pinned ? 0 : at.left)
  return x > ((offsets[own] ?? 0) + (offsets[own + 1] ?? 0)) / 2 ? own + 1 : own
}
