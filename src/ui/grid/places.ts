import { lastAtOrBefore } from '../table/use-span.ts'

/* Positions of a grid's cells, and where keys move: arithmetic, and cells found by their elements. */

export interface Cell {
  /** -1 is the header. */
  readonly row: number
  readonly column: number
}

/** A range of cells, given by two corners. */
export interface GridRange {
  /** Where it started. */
  readonly anchor: Cell
  /** The corner that the keyboard or the mouse moves. */
  readonly end: Cell
}

/** A range's sides, all inclusive. */
export interface Sides {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

export function sidesOf({ anchor, end }: GridRange): Sides {
  return {
    top: Math.min(anchor.row, end.row),
    left: Math.min(anchor.column, end.column),
    bottom: Math.max(anchor.row, end.row),
    right: Math.max(anchor.column, end.column),
  }
}

/** A range of whole columns; null if there are no rows. */
export function columnRange(from: number, to: number, rows: number): GridRange | null {
  return rows === 0 ? null : { anchor: { row: 0, column: from }, end: { row: rows - 1, column: to } }
}

/** A range of whole rows; null if there are no columns. */
export function rowRange(from: number, to: number, columns: number): GridRange | null {
  return columns === 0 ? null : { anchor: { row: from, column: 0 }, end: { row: to, column: columns - 1 } }
}

/** Moves one item to another position; the others keep their order. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const rest = items.filter((_, i) => i !== from)
  return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)]
}

interface Bounds {
  readonly rows: number
  readonly columns: number
  /** Rows that Page Down moves by. */
  readonly page: number
}

interface Key {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The cell to which a key moves; null for other keys. */
export function nextCell({ key, ctrlKey, metaKey }: Key, at: Cell, { rows, columns, page }: Bounds): Cell | null {
  const all = ctrlKey || metaKey
  const cell = (row: number, column: number): Cell => ({
    row: Math.min(rows - 1, Math.max(-1, row)),
    column: Math.min(columns - 1, Math.max(0, column)),
  })
  switch (key) {
    case 'ArrowUp':
      return cell(all ? -1 : at.row - 1, at.column)
    case 'ArrowDown':
      return cell(all ? rows - 1 : at.row + 1, at.column)
    case 'ArrowLeft':
      return cell(at.row, all ? 0 : at.column - 1)
    case 'ArrowRight':
      return cell(at.row, all ? columns - 1 : at.column + 1)
    case 'Home':
      return cell(all ? 0 : at.row, 0)
    case 'End':
      return cell(all ? rows - 1 : at.row, columns - 1)
    case 'PageUp':
      return cell(at.row - page, at.column)
    case 'PageDown':
      return cell(at.row + page, at.column)
    default:
      return null
  }
}

export interface Measures {
  readonly offsets: Float64Array
  readonly rowHeight: number
  /** Height of the header and width of the row headers, which cover what is behind them. */
  readonly head: number
  readonly lead: number
  /** Columns fixed at the left, which also cover what is behind them. */
  readonly pinned: number
}

interface Scrolled {
  /** Pixels of rows above the view. */
  readonly y: number
  readonly left: number
  readonly height: number
  readonly width: number
}

/** How far to scroll to bring a whole cell into view, no further than needed. */
export function scrollFor(cell: Cell, measures: Measures, at: Scrolled): { left: number; y: number } {
  const { offsets, rowHeight, head, lead, pinned } = measures
  let { y, left } = at
  if (cell.row >= 0) {
    const top = cell.row * rowHeight
    const view = at.height - head
    if (top < y) y = top
    else if (top + rowHeight > y + view) y = Math.max(0, top + rowHeight - view)
  }
  if (cell.column < pinned) return { left, y }
  const covered = offsets[pinned] ?? 0
  const begin = offsets[cell.column] ?? 0
  const end = offsets[cell.column + 1] ?? begin
  if (begin - covered < left) left = begin - covered
  else if (end + lead > left + at.width) left = Math.min(begin - covered, end + lead - at.width)
  return { left, y }
}

interface Point {
  /** From the grid's top left corner, in CSS pixels. */
  readonly x: number
  readonly y: number
}

/**
 * The cell at a point of the view, or the nearest one if the point is outside. Row -1 is the header, column -1 the row
 * headers.
 */
export function cellAt(point: Point, measures: Measures, at: Scrolled, rows: number): Cell {
  const { offsets, rowHeight, head, lead, pinned } = measures
  const row = point.y < head ? -1 : Math.floor((point.y - head + at.y) / rowHeight)
  const inside = point.x - lead
  const x = inside < (offsets[pinned] ?? 0) ? inside : inside + at.left
  const column = inside < 0 ? -1 : lastAtOrBefore(offsets, x)
  return { row: Math.min(rows - 1, row), column: Math.min(offsets.length - 2, column) }
}

export const cellId = (id: string, cell: Cell): string => `${id}${cell.row}-${cell.column}`

/** The cell that contains an element. */
export function cellOf(target: EventTarget): Cell | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  if (!element) return null
  const row = element.closest<HTMLElement>('[data-row]')
  return { row: Number(row?.dataset['row']), column: Number(element.dataset['column']) }
}
