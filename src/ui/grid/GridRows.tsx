/* oxlint-disable jsx-a11y/prefer-tag-over-role -- as in Grid.tsx */
import { memo, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { cellId, type Cell, type Sides } from './places.ts'
import type { GridColumn, GridProps } from './types.ts'
import type { Span } from '../table/use-span.ts'
import css from './Grid.module.css'

interface Shared {
  readonly id: string
  readonly columns: readonly GridColumn[]
  readonly offsets: Float64Array
  readonly shown: Span
  readonly pinned: number
  readonly lead: number
  readonly width: number
  readonly focused: boolean
  readonly rowHeight: number
  readonly selects: boolean
  readonly renderCell: (row: number, column: number) => ReactNode
}

interface GridRowsProps extends Shared {
  readonly rows: Span
  readonly head: number
  readonly shift: number
  readonly sides: Sides | null
  readonly active: Cell | null
  readonly marked: NonNullable<GridProps['marked']> | null
}

/** Rows are positioned from the start of their block, since browsers' coordinates are too coarse far down. */
const BLOCK = 512

/**
 * The rows in view. An element that leaves the view at one end is reused for a row at the other, so that scrolling
 * creates and removes nothing, and rows that stay in view aren't rendered again.
 */
export function GridRows({ rows, head, shift, sides, active, marked, ...shared }: GridRowsProps) {
  const { rowHeight } = shared
  const count = rows.end - rows.start
  const slots = Math.max(16, Math.ceil(count / 8) * 8)
  const base = rows.start - (rows.start % BLOCK)
  const list: ReactNode[] = []
  for (let slot = 0; slot < slots; slot++) {
    const row = rows.start + ((slot - (rows.start % slots) + slots) % slots)
    if (row >= rows.end) continue
    const chosen = sides && row >= sides.top && row <= sides.bottom ? sides : null
    list.push(
      <Row
        key={slot}
        {...shared}
        row={row}
        y={(row - base) * rowHeight}
        from={chosen ? chosen.left : -1}
        to={chosen ? chosen.right : -1}
        mark={marked?.rows.has(row) ? marked.meaning : null}
        activeColumn={active?.row === row ? active.column : -1}
        focused={active?.row === row && shared.focused}
      />,
    )
  }
  return (
    <div role="rowgroup" className={css.rows} style={{ transform: `translateY(${base * rowHeight - shift + head}px)` }}>
      {list}
    </div>
  )
}

interface RowProps extends Shared {
  readonly row: number
  readonly y: number
  /** Selected columns; -1 if there are none. */
  readonly from: number
  readonly to: number
  readonly activeColumn: number
  /** Why it's marked; null if it isn't. */
  readonly mark: string | null
}

const Row = memo(function Row(props: RowProps) {
  const { id, row, y, columns, offsets, shown, pinned, lead, width, rowHeight, from, to, activeColumn, focused } = props
  const cells: ReactNode[] = []
  const cell = (column: number): void => {
    const own = columns[column]
    if (!own) return
    const isPinned = column < pinned
    const isChosen = column >= from && column <= to
    cells.push(
      <div
        key={own.key}
        // Only the active cell has an id: while scrolling, changing an id costs as much as changing the text.
        id={column === activeColumn ? cellId(id, { row, column }) : undefined}
        role="gridcell"
        aria-colindex={column + 2}
        aria-selected={props.selects ? isChosen : undefined}
        data-column={column}
        data-active={column === activeColumn ? (focused ? 'focus' : 'rest') : undefined}
        className={cx(
          css.cell,
          own.align === 'end' && css.end,
          isPinned && css.pinned,
          column === pinned - 1 && css.lastPinned,
        )}
        style={isPinned ? { width: own.width, left: lead + (offsets[column] ?? 0) } : { width: own.width }}
      >
        {props.renderCell(row, column)}
      </div>,
    )
  }
  for (let column = 0; column < pinned; column++) cell(column)
  const before = (offsets[shown.start] ?? 0) - (offsets[pinned] ?? 0)
  cells.push(<div key="gap" role="presentation" style={{ width: before }} className={css.gap} />)
  for (let column = shown.start; column < shown.end; column++) cell(column)
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      data-row={row}
      data-marked={props.mark === null ? undefined : ''}
      className={css.row}
      style={{ height: rowHeight, width, transform: `translateY(${y}px)` }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={css.lead}
        style={{ width: lead }}
        title={props.mark ?? undefined}
        data-grid-row={row}
        data-chosen={from === 0 && to >= columns.length - 1 ? '' : undefined}
      >
        {row + 1}
      </div>
      {cells}
    </div>
  )
})
