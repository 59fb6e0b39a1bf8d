import { useMemo, useRef, type FocusEvent, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { usePrinting } from '../hooks/use-media.ts'
import { evenOffsets, offsetsOf, spanOf, useViewport } from './use-span.ts'
import { useCellFocus } from './use-cell-focus.ts'
import css from './DataTable.module.css'

export interface DataColumn {
  readonly key: string
  readonly header: ReactNode
  /** CSS pixels. */
  readonly width: number
  readonly align?: 'start' | 'end'
  /** Whether its cells contain sentences, not data. */
  readonly prose?: boolean
  readonly className?: string
}

interface DataTableProps {
  /** Its accessible name. */
  readonly label: string
  readonly columns: readonly DataColumn[]
  readonly rowCount: number
  readonly renderCell: (row: number, column: number) => ReactNode
  /** Identifies a row whose cells have state, if its position may change; its position by default. */
  readonly rowKey?: (row: number) => number
  /** The row's header; its number by default. Null for no such column. */
  readonly rowHeader?: ((row: number) => ReactNode) | null
  readonly rowHeaderLabel?: string
  /** CSS pixels. */
  readonly rowHeaderWidth?: number
  /** Greatest height, in CSS pixels. */
  readonly maxHeight?: number
  readonly rowHeight?: number
  readonly headHeight?: number
  readonly className?: string
  /** Whether cells have controls: then it's a grid, which is one Tab stop, and arrows move between them. */
  readonly editable?: boolean
}

const ROW_HEADER_WIDTH = 52
/** Most rows that are printed. */
const PRINTED = 2000

/**
 * A table that renders only what is in view, in both directions: ten thousand columns cost as much as ten. It's a real
 * table, states its true counts to assistive technology, and scrolls by keyboard.
 */
export function DataTable(props: DataTableProps) {
  const {
    label,
    columns,
    rowCount,
    rowHeader = rowNumber,
    maxHeight = 360,
    rowHeight = 29,
    headHeight = 44,
    className,
  } = props
  const [view, ref] = useViewport()
  const table = useRef<HTMLTableElement>(null)
  const cellKeys = useCellFocus(table, props.editable ?? false)
  const printing = usePrinting()
  const lead = rowHeader === null ? 0 : (props.rowHeaderWidth ?? ROW_HEADER_WIDTH)
  const offsets = useMemo(() => offsetsOf(columns.map((column) => column.width)), [columns])
  const rowOffsets = useMemo(() => evenOffsets(rowCount, rowHeight), [rowCount, rowHeight])
  const across = spanOf(offsets, view.left - lead, view.left + view.width, 2)
  const inView = spanOf(rowOffsets, view.top, view.top + Math.min(view.height, maxHeight + 60), 6)
  const down = printing ? { start: 0, end: Math.min(rowCount, PRINTED) } : inView
  const total = offsets[columns.length] ?? 0
  const before = offsets[across.start] ?? 0
  const shown: Shown = {
    columns: columns.slice(across.start, across.end),
    first: across.start,
    lead: lead > 0,
    before,
    after: total - (offsets[across.end] ?? 0),
  }
  // Exactly as many as a row has, since a cell that spans more would add columns.
  const cells = shown.columns.length + [lead, before, shown.after].filter((size) => size > 0).length + 1
  const sizes = { width: `max(100%, ${total + lead}px)`, '--row': `${rowHeight}px`, '--head': `${headHeight}px` }
  return (
    <div
      ref={ref}
      className={cx(css.scroll, className)}
      style={printing ? undefined : { maxHeight }}
      // The controls in cells are what the keyboard reaches, if there are any.
      {...(cellKeys ? {} : { ...scrollable(label), onFocus: showFirstCells })}
    >
      <table
        ref={table}
        {...cellKeys}
        role={props.editable ? 'grid' : undefined}
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length + (lead ? 1 : 0)}
        className={css.table}
        style={sizes}
      >
        <colgroup>
          {lead ? <col style={{ width: lead }} /> : null}
          {before > 0 ? <col style={{ width: before }} /> : null}
          {shown.columns.map((column) => (
            <col key={column.key} style={{ width: column.width }} />
          ))}
          {shown.after > 0 ? <col style={{ width: shown.after }} /> : null}
          {/* Takes up the remaining width, so that the other columns keep theirs. */}
          <col />
        </colgroup>
        <Head shown={shown} rowHeaderLabel={props.rowHeaderLabel} />
        <tbody>
          <Filler height={rowOffsets[down.start] ?? 0} span={cells} />
          {Array.from({ length: down.end - down.start }, (_, i) => down.start + i).map((row) => (
            <Row
              key={props.rowKey?.(row) ?? row}
              row={row}
              shown={shown}
              rowHeader={rowHeader}
              renderCell={props.renderCell}
            />
          ))}
          <Filler height={(rowOffsets[rowCount] ?? 0) - (rowOffsets[down.end] ?? 0)} span={cells} />
        </tbody>
      </table>
    </div>
  )
}

/** Makes a scrolling element reachable by keyboard, with an accessible name. */
export function scrollable(label: string): { tabIndex: number; role: string; 'aria-label': string } {
  return { tabIndex: 0, role: 'group', 'aria-label': `${label}, scrollable` }
}

/**
 * Scrolls to a row's first cells when Tab reaches its header, which is in view wherever the table is scrolled to. Cells
 * that aren't rendered would be skipped by the next Tab.
 */
function showFirstCells({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (currentTarget.scrollLeft === 0 || !target.matches(':focus-visible') || !target.closest('th[scope=row]')) return
  currentTarget.scrollLeft = 0
  // The browser's own event only comes with the next frame, which may be after the next Tab.
  currentTarget.dispatchEvent(new Event('scroll'))
}

const rowNumber = (row: number): string => String(row + 1)

/** The columns in view, and the widths of those before and after. */
interface Shown {
  readonly columns: readonly DataColumn[]
  /** Index of the first of them. */
  readonly first: number
  /** Whether there's a column of row headers before them. */
  readonly lead: boolean
  readonly before: number
  readonly after: number
}

const positionOf = (shown: Shown, i: number): number => shown.first + i + 1 + (shown.lead ? 1 : 0)

function Head({ shown, rowHeaderLabel }: { readonly shown: Shown; readonly rowHeaderLabel: string | undefined }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {shown.lead ? (
          <th scope="col" className={cx(css.corner, rowHeaderLabel !== undefined && css.named)} aria-colindex={1}>
            {rowHeaderLabel === undefined ? (
              <>
                <span className="visually-hidden">Row</span>
                <span aria-hidden>#</span>
              </>
            ) : (
              rowHeaderLabel
            )}
          </th>
        ) : null}
        <Gap size={shown.before} />
        {shown.columns.map((column, i) => (
          <th
            key={column.key}
            scope="col"
            aria-colindex={positionOf(shown, i)}
            className={cx(css.head, column.align === 'end' && css.end, column.className)}
          >
            {column.header}
          </th>
        ))}
        <Gap size={shown.after} />
        <td aria-hidden="true" className={css.rest} />
      </tr>
    </thead>
  )
}

interface RowProps extends Pick<DataTableProps, 'renderCell' | 'rowHeader'> {
  readonly row: number
  readonly shown: Shown
}

function Row({ row, shown, rowHeader, renderCell }: RowProps) {
  return (
    <tr aria-rowindex={row + 2}>
      {rowHeader ? (
        <th scope="row" className={css.lead} aria-colindex={1}>
          {rowHeader(row)}
        </th>
      ) : null}
      <Gap size={shown.before} />
      {shown.columns.map((column, i) => (
        <td
          key={column.key}
          aria-colindex={positionOf(shown, i)}
          className={cx(column.align === 'end' && css.end, column.prose && css.prose, column.className)}
        >
          {renderCell(row, shown.first + i)}
        </td>
      ))}
      <Gap size={shown.after} />
      <td aria-hidden="true" className={css.rest} />
    </tr>
  )
}

/** Takes the place of columns that aren't in view. */
function Gap({ size }: { readonly size: number }) {
  return size > 0 ? <td aria-hidden="true" className={css.rest} /> : null
}

/** Takes the place of rows that aren't in view. */
function Filler({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden="true">
      <td aria-hidden="true" colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
