/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a grid is none of the table’s own elements: its rows are placed freely, and the focus moves by cells */
import { useEffect, useId, useLayoutEffect, useMemo, useState, type MouseEvent } from 'react'
import { cx } from '../cx.ts'
import { cellId, cellOf, scrollFor, sidesOf, type Cell, type Measures } from './places.ts'
import type { GridProps } from './types.ts'
import { GridHead } from './GridHead.tsx'
import { GridRows } from './GridRows.tsx'
import { useGridKeys } from './use-keys.ts'
import { useGridPointer } from './use-pointer.ts'
import { useGridView } from './use-view.ts'
import { offsetsOf, spanOf, type Span } from '../table/use-span.ts'
import css from './Grid.module.css'

export type { Cell, GridRange } from './places.ts'
export type { GridColumn, GridProps } from './types.ts'

const ROW = 29
const HEAD = 44

/**
 * A grid of cells for the keyboard: arrows, Home and End, Page Up and Down, with Ctrl to the table's ends; Enter opens,
 * Ctrl+C copies. Only what is in view is rendered, in both directions, however many rows there are. With `onSelection`:
 * Shift extends, Ctrl+A selects all, Ctrl+Space a column, Shift+Space a row; dragging with the mouse selects cells, and
 * on headers rows and columns. On a column header, Alt with the arrows resizes, with Shift too it moves the column, and
 * Alt+Down opens its menu. Shift+F10 opens a cell's menu.
 */
export function Grid(props: GridProps) {
  const { label, columns, rowCount, active, onActive, onShown, pinned = 0, headHeight = HEAD, selection = null } = props
  const id = useId()
  const [focused, setFocused] = useState(false)
  const { element, view, height, position, scrollTo } = useGridView(rowCount, ROW, headHeight, props.scrollKey)
  const lead = Math.max(48, String(rowCount).length * 8 + 22)
  const offsets = useMemo(() => offsetsOf(columns.map((column) => column.width)), [columns])
  const measures = useMemo(
    (): Measures => ({ offsets, rowHeight: ROW, head: headHeight, lead, pinned }),
    [offsets, headHeight, lead, pinned],
  )
  const seen = Math.ceil(Math.max(0, view.height - headHeight) / ROW) + 2
  const rows = useSpan(Math.max(0, view.first - view.overscan), Math.min(rowCount, view.first + seen + view.overscan))
  const covered = offsets[pinned] ?? 0
  const across = spanOf(offsets, view.left + covered, view.left + view.width - lead + 60, 2)
  const shown = useSpan(Math.max(pinned, across.start), Math.max(pinned, across.end))
  useEffect(() => onShown?.(rows, shown), [onShown, rows, shown])
  const width = (offsets[columns.length] ?? 0) + lead
  const sides = useMemo(() => (selection ? sidesOf(selection) : null), [selection])

  const reveal = (cell: Cell): void => scrollTo(scrollFor(cell, measures, position()))
  const keyDown = useGridKeys(props, {
    reveal,
    page: Math.max(1, Math.floor((view.height - headHeight) / ROW) - 2),
    elementOf: (cell) => document.getElementById(cellId(id, cell)),
  })
  const pointer = useGridPointer(props, { element, measures, position, scrollTo })
  const click = (event: MouseEvent): void => {
    const cell = cellOf(event.target)
    if (!cell || event.defaultPrevented) return
    const target = event.target as Element
    const menu = target.closest('[data-grid-menu]')
    if (menu) props.onMenu?.(cell, menu)
    else if (cell.row < 0 && target.closest('[data-grid-press]')) {
      onActive(cell)
      props.onOpen?.(cell)
    } else if (event.detail > 1 && active?.row === cell.row && active.column === cell.column) props.onOpen?.(cell)
    else if (!props.onSelection) onActive(cell)
  }
  const there = active && active.column < columns.length && active.row < rowCount
  const inView = active && (active.column < pinned || (active.column >= shown.start && active.column < shown.end))
  const rendered = there && inView && (active.row < 0 || (active.row >= rows.start && active.row < rows.end))
  // Rows or columns may change while the grid has the focus. Without an active cell, nothing could be copied.
  const lost = focused && !there && columns.length > 0 && (rowCount > 0 || !props.busy)
  // In a layout effect, since the next key moves from the active cell.
  useLayoutEffect(() => {
    if (lost) onActive(nearest(active ?? { row: 0, column: 0 }, rowCount, columns.length))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once each time
  }, [lost])
  const isRevealed = active !== null && active === props.revealed
  // Keeps the active cell in view when a panel that opens beside the grid makes it smaller, or something else chose it.
  useEffect(() => {
    if (there && active.row >= 0 && (isRevealed || (rendered && focused))) reveal(active)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only another size or choice moves it
  }, [view.width, view.height, props.revealed])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- it has them: onKeyDown
    <div
      ref={element}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable={props.onSelection ? true : undefined}
      aria-busy={props.busy}
      aria-activedescendant={rendered && focused ? cellId(id, active) : undefined}
      className={cx(css.scroll, props.onSelection && css.selects, props.className)}
      onKeyDown={keyDown}
      onClick={click}
      onPointerDown={pointer.down}
      onDoubleClick={(event) => {
        const cell = cellOf(event.target)
        if (cell && (event.target as Element).closest('[data-grid-resize]')) props.onResize?.(cell.column, null)
      }}
      onContextMenu={(event) => {
        const cell = cellOf(event.target)
        if (!props.onMenu || !cell) return
        event.preventDefault()
        props.onMenu(cell, (event.target as Element).closest('[data-column]') ?? event.currentTarget)
      }}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <div role="presentation" className={css.canvas} style={{ width, height: height + headHeight }}>
        <GridHead
          {...{ id, columns, offsets, shown, pinned, lead, width, sides, rowCount, active, focused }}
          height={headHeight}
          drop={pointer.drop}
          resizes={props.onResize !== undefined}
        />
        <GridRows
          {...{ id, columns, offsets, rows, shown, pinned, lead, width, sides, active }}
          focused={focused || isRevealed}
          rowHeight={ROW}
          head={headHeight}
          shift={view.shift}
          selects={props.onSelection !== undefined}
          renderCell={props.renderCell}
          marked={props.marked ?? null}
        />
      </div>
    </div>
  )
}

/** Keeps the span's identity while its values are the same. */
function useSpan(start: number, end: number): Span {
  return useMemo(() => ({ start, end: Math.max(start, end) }), [start, end])
}

/** The cell itself if it exists, or else the last one before it; without rows, the column's header. */
function nearest({ row, column }: Cell, rows: number, columns: number): Cell {
  return { row: Math.min(row, rows - 1), column: Math.min(column, columns - 1) }
}
