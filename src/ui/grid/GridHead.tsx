/* oxlint-disable jsx-a11y/prefer-tag-over-role -- as in Grid.tsx */
import { cx } from '../cx.ts'
import { cellId, type Cell, type Sides } from './places.ts'
import type { GridColumn } from './types.ts'
import type { Span } from '../table/use-span.ts'
import css from './Grid.module.css'

interface GridHeadProps {
  readonly id: string
  readonly columns: readonly GridColumn[]
  readonly offsets: Float64Array
  readonly shown: Span
  readonly pinned: number
  readonly lead: number
  readonly width: number
  readonly height: number
  readonly rowCount: number
  readonly sides: Sides | null
  readonly active: Cell | null
  readonly focused: boolean
  readonly resizes: boolean
  /** The column before which a dragged column would be dropped. */
  readonly drop: number | null
}

/** The column headers. */
export function GridHead(props: GridHeadProps) {
  const { id, columns, offsets, shown, pinned, lead, width, height, rowCount, sides, active, focused, drop } = props
  const cell = (column: number) => {
    const own = columns[column]
    if (!own) return null
    const isPinned = column < pinned
    const isActive = active?.row === -1 && active.column === column
    const whole = sides !== null && sides.top <= 0 && sides.bottom >= rowCount - 1
    return (
      <div
        key={own.key}
        id={cellId(id, { row: -1, column })}
        role="columnheader"
        aria-colindex={column + 2}
        aria-sort={own.sort}
        data-column={column}
        data-active={isActive ? (focused ? 'focus' : 'rest') : undefined}
        data-chosen={whole && column >= sides.left && column <= sides.right ? '' : undefined}
        data-drop={drop === column ? 'before' : drop === columns.length && column === drop - 1 ? 'after' : undefined}
        className={cx(
          css.cell,
          own.align === 'end' && css.end,
          isPinned && css.pinned,
          column === pinned - 1 && css.lastPinned,
        )}
        style={{ width: own.width, left: isPinned ? lead + (offsets[column] ?? 0) : undefined }}
      >
        {own.header}
        {props.resizes ? <span className={css.resize} data-grid-resize="" aria-hidden /> : null}
      </div>
    )
  }
  return (
    <div role="row" aria-rowindex={1} data-row={-1} className={css.head} style={{ height, width }}>
      <div role="columnheader" aria-colindex={1} className={css.corner} style={{ width: lead }} data-grid-all="">
        <span className="visually-hidden">Row</span>
        <span aria-hidden>#</span>
      </div>
      {indexes(0, pinned).map(cell)}
      <div
        role="presentation"
        style={{ width: (offsets[shown.start] ?? 0) - (offsets[pinned] ?? 0) }}
        className={css.gap}
      />
      {indexes(shown.start, shown.end).map(cell)}
    </div>
  )
}

const indexes = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, i) => start + i)
