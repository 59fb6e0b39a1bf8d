/* Where a grid's rows stand, and where its keys lead: arithmetic, without the page. */

export interface Cell {
  /** -1 is the head. */
  readonly row: number
  readonly column: number
}

/** Taller than this, browsers draw elements at wrong places: Chromium and Firefox end between 17 and 33 million. */
const TALLEST = 12_000_000

export interface Places {
  /** Of all rows, in CSS pixels. */
  readonly height: number
  /** The row, with its fraction, that stands at the top when the element is scrolled so far. */
  rowAt(scrollTop: number): number
  /** Where a row stands, when the element is scrolled so far. */
  top(row: number, scrollTop: number): number
  /** How far the element has to be scrolled for a row to stand at the top. */
  scrollTo(row: number): number
}

/**
 * Places of rows of one height. Where all of them would be taller than a browser can draw, scrolling is scaled: the
 * first row is at the beginning, the last at the end, and rows in view keep their height.
 */
export function placesOf(count: number, rowHeight: number, viewHeight: number): Places {
  const full = count * rowHeight
  if (full <= TALLEST) {
    return {
      height: full,
      rowAt: (scrollTop) => scrollTop / rowHeight,
      top: (row) => row * rowHeight,
      scrollTo: (row) => row * rowHeight,
    }
  }
  const ratio = (full - viewHeight) / (TALLEST - viewHeight)
  return {
    height: TALLEST,
    rowAt: (scrollTop) => (scrollTop * ratio) / rowHeight,
    top: (row, scrollTop) => row * rowHeight - scrollTop * ratio + scrollTop,
    scrollTo: (row) => (row * rowHeight) / ratio,
  }
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

/** The cell that a key leads to; null when it isn't one that moves. */
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

interface Measures {
  readonly places: Places
  readonly offsets: Float64Array
  readonly rowHeight: number
  /** Height of the head, width of the row headers: they cover what is behind them. */
  readonly head: number
  readonly lead: number
}

interface Scrolled {
  readonly scrollTop: number
  readonly scrollLeft: number
  readonly clientHeight: number
  readonly clientWidth: number
}

/** How far to scroll so that a cell is wholly in view: no further than needed. */
export function scrollFor(cell: Cell, measures: Measures, at: Scrolled): { left: number; top: number } {
  const { places, offsets, rowHeight, head, lead } = measures
  let top = at.scrollTop
  if (cell.row >= 0) {
    const first = places.rowAt(at.scrollTop)
    const fit = (at.clientHeight - head) / rowHeight
    if (cell.row < first) top = places.scrollTo(cell.row)
    else if (cell.row + 1 > first + fit) top = places.scrollTo(cell.row + 1 - fit)
  }
  const begin = offsets[cell.column] ?? 0
  const end = offsets[cell.column + 1] ?? begin
  let left = at.scrollLeft
  if (begin < left) left = begin
  else if (end + lead > left + at.clientWidth) left = Math.min(begin, end + lead - at.clientWidth)
  return { left, top }
}
