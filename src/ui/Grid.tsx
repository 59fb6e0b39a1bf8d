/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a grid is none of the table’s own elements: its rows are placed freely, and the focus moves by cells */
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { cx } from './cx.ts'
import { nextCell, placesOf, scrollFor, type Cell, type Places } from './grid-places.ts'
import { offsetsOf, spanOf, useViewport, type Span } from './use-span.ts'
import css from './Grid.module.css'

export type { Cell } from './grid-places.ts'

export interface GridColumn {
  readonly key: string
  /** Its name, as it's told to assistive technology. */
  readonly name: string
  readonly header: ReactNode
  /** CSS pixels. */
  readonly width: number
  readonly align?: 'start' | 'end'
}

export interface GridProps {
  /** Its accessible name. */
  readonly label: string
  readonly columns: readonly GridColumn[]
  readonly rowCount: number
  readonly renderCell: (row: number, column: number) => ReactNode
  /** What is copied of a cell; null while it isn't known. */
  readonly textOf: (row: number, column: number) => string | null
  /** The cell that the keyboard is at; row -1 is the head. Null: none yet. */
  readonly active: Cell | null
  readonly onActive: (cell: Cell) => void
  /** Enter on a cell or a head, or a second click. */
  readonly onOpen?: (cell: Cell) => void
  /** What is in view, whenever that changes: what has to be fetched. */
  readonly onShown?: (rows: Span, columns: Span) => void
  readonly busy?: boolean
  readonly className?: string
}

const ROW = 29
const HEAD = 44

/**
 * Cells that are moved through by keyboard: arrows, Home and End, Page Up and Down, with Ctrl to the table's ends;
 * Enter opens, Ctrl+C copies. Only what is in view is in the page, in both directions, however many rows there are.
 */
export function Grid(props: GridProps) {
  const { label, columns, rowCount, active, onActive, onOpen, onShown } = props
  const id = useId()
  const [view, viewRef] = useViewport()
  const scroller = useRef<HTMLDivElement | null>(null)
  const [focused, setFocused] = useState(false)
  const lead = Math.max(48, String(rowCount).length * 8 + 22)
  const offsets = useMemo(() => offsetsOf(columns.map((column) => column.width)), [columns])
  const places = placesOf(rowCount, ROW, view.height - HEAD)
  const top = places.rowAt(view.top)
  const rows = useSpan(Math.max(0, Math.floor(top) - 8), Math.min(rowCount, Math.ceil(top + view.height / ROW) + 8))
  const across = spanOf(offsets, view.left - lead, view.left + view.width, 2)
  const shownColumns = useSpan(across.start, across.end)
  useEffect(() => onShown?.(rows, shownColumns), [onShown, rows, shownColumns])
  const total = (offsets[columns.length] ?? 0) + lead

  const go = (cell: Cell): void => {
    const element = scroller.current
    if (element) {
      const to = scrollFor(cell, { places, offsets, rowHeight: ROW, head: HEAD, lead }, element)
      element.scrollTo(to.left, to.top)
    }
    onActive(cell)
  }
  const keyDown = (event: KeyboardEvent): void => {
    const at = active ?? { row: -1, column: 0 }
    if ((event.ctrlKey || event.metaKey) && event.key === 'c' && active && String(getSelection()) === '') {
      const text = active.row < 0 ? (columns[active.column]?.name ?? null) : props.textOf(active.row, active.column)
      if (text !== null) void navigator.clipboard.writeText(text)
      return
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onOpen?.(at)
      return
    }
    const page = Math.max(1, Math.floor((view.height - HEAD) / ROW) - 2)
    const next = nextCell(event, at, { rows: rowCount, columns: columns.length, page })
    if (!next) return
    event.preventDefault()
    go(next)
  }
  const click = (event: MouseEvent): void => {
    const cell = cellOf(event.target)
    if (!cell) return
    if (active?.row === cell.row && active.column === cell.column && event.detail > 1) onOpen?.(cell)
    else onActive(cell)
  }
  const rendered = active && (active.row < 0 || (active.row >= rows.start && active.row < rows.end))
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- it has them: onKeyDown
    <div
      ref={(element) => {
        scroller.current = element
        viewRef(element)
      }}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-busy={props.busy}
      aria-activedescendant={rendered && focused ? cellId(id, active) : undefined}
      className={cx(css.scroll, props.className)}
      onKeyDown={keyDown}
      onClick={click}
      onFocus={() => {
        setFocused(true)
        if (!active && columns.length > 0) onActive({ row: rowCount > 0 ? 0 : -1, column: 0 })
      }}
      onBlur={() => setFocused(false)}
    >
      <Canvas
        {...{ id, places, rows, view, columns, offsets, total, lead, rowCount }}
        across={shownColumns}
        active={active}
        focused={focused}
        renderCell={props.renderCell}
      />
    </div>
  )
}

/** The span with the same identity as long as it's the same. */
function useSpan(start: number, end: number): Span {
  return useMemo(() => ({ start, end }), [start, end])
}

const cellId = (id: string, cell: Cell): string => `${id}${cell.row}-${cell.column}`

function cellOf(target: EventTarget): Cell | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  if (!element) return null
  return { row: Number(element.dataset['row']), column: Number(element.dataset['column']) }
}

interface CanvasProps extends Pick<GridProps, 'columns' | 'rowCount' | 'renderCell' | 'active'> {
  readonly id: string
  readonly places: Places
  readonly rows: Span
  readonly across: Span
  readonly view: { readonly top: number }
  readonly offsets: Float64Array
  readonly total: number
  readonly lead: number
  readonly focused: boolean
}

function Canvas(props: CanvasProps) {
  const { id, places, rows, across, view, columns, offsets, total, lead, active, focused, renderCell } = props
  const shown = columns.slice(across.start, across.end)
  const before = offsets[across.start] ?? 0
  const state = (row: number, column: number): string | undefined =>
    active?.row === row && active.column === column ? (focused ? 'focus' : 'rest') : undefined
  return (
    <div role="presentation" className={css.canvas} style={{ width: total, height: places.height + HEAD }}>
      <div role="row" aria-rowindex={1} className={css.head} style={{ height: HEAD, width: total }}>
        <div role="columnheader" aria-colindex={1} className={css.corner} style={{ width: lead }}>
          <span className="visually-hidden">Row</span>
          <span aria-hidden>#</span>
        </div>
        <div role="presentation" style={{ width: before }} className={css.gap} />
        {shown.map((column, i) => (
          <div
            key={column.key}
            id={cellId(id, { row: -1, column: across.start + i })}
            role="columnheader"
            aria-colindex={across.start + i + 2}
            data-row={-1}
            data-column={across.start + i}
            data-active={state(-1, across.start + i)}
            className={cx(css.cell, column.align === 'end' && css.end)}
            style={{ width: column.width }}
          >
            {column.header}
          </div>
        ))}
      </div>
      <div role="rowgroup">
        {Array.from({ length: rows.end - rows.start }, (_, n) => {
          const row = rows.start + n
          return (
            <div
              key={row}
              role="row"
              aria-rowindex={row + 2}
              className={css.row}
              style={{ height: ROW, width: total, transform: `translateY(${places.top(row, view.top) + HEAD}px)` }}
            >
              <div role="rowheader" aria-colindex={1} className={css.lead} style={{ width: lead }}>
                {row + 1}
              </div>
              <div role="presentation" style={{ width: before }} className={css.gap} />
              {shown.map((column, i) => (
                <div
                  key={column.key}
                  id={cellId(id, { row, column: across.start + i })}
                  role="gridcell"
                  aria-colindex={across.start + i + 2}
                  data-row={row}
                  data-column={across.start + i}
                  data-active={state(row, across.start + i)}
                  className={cx(css.cell, column.align === 'end' && css.end)}
                  style={{ width: column.width }}
                >
                  {renderCell(row, across.start + i)}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
