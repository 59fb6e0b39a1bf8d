import type { ReactNode } from 'react'
import type { Cell, GridRange } from './places.ts'
import type { Span } from '../table/use-span.ts'

export interface GridColumn {
  readonly key: string
  /** Its accessible name. */
  readonly name: string
  /**
   * An element in it with `data-grid-press` calls `onOpen` when clicked; one with `data-grid-menu` opens the header's
   * menu.
   */
  readonly header: ReactNode
  /** CSS pixels. */
  readonly width: number
  readonly align?: 'start' | 'end'
  readonly sort?: 'ascending' | 'descending'
}

export interface GridProps {
  /** Its accessible name. */
  readonly label: string
  readonly columns: readonly GridColumn[]
  readonly rowCount: number
  /** Memoize it: rows are rendered again when it changes. */
  readonly renderCell: (row: number, column: number) => ReactNode
  /** The text to copy from a cell; null if it isn't known. */
  readonly textOf: (row: number, column: number) => string | null
  /** The keyboard's cell; row -1 is the header. Null if there's none yet. */
  readonly active: Cell | null
  readonly onActive: (cell: Cell) => void
  /** The active cell, if something beside the grid has chosen it: it's scrolled into view, and drawn as with the focus. */
  readonly revealed?: Cell | null
  /** Called for Enter on a cell or header, or for a second click. */
  readonly onOpen?: (cell: Cell) => void
  /** Called with what is in view whenever that changes, to fetch it. */
  readonly onShown?: (rows: Span, columns: Span) => void
  readonly busy?: boolean
  readonly className?: string
  /** CSS pixels; default 44. */
  readonly headHeight?: number
  /** When it changes, the grid scrolls to the first rows. */
  readonly scrollKey?: unknown
  /** How many columns stay at the left. */
  readonly pinned?: number
  /** The selected cells, in addition to the active one. With `onSelection`, ranges can be selected. */
  readonly selection?: GridRange | null
  readonly onSelection?: (range: GridRange | null) => void
  /** Rows that are marked, and what that means. Memoize it. */
  readonly marked?: { readonly rows: ReadonlySet<number>; readonly meaning: string } | null
  /** Called for Ctrl+C; by default, the active cell's text is copied. */
  readonly onCopy?: () => void
  /** Asks for another width of a column; null for the one that fits. */
  readonly onResize?: (column: number, width: number | null) => void
  /** Asks to move a column to another one's position. */
  readonly onMove?: (from: number, to: number) => void
  /** Asks to open the menu of a header or cell at an element. */
  readonly onMenu?: (cell: Cell, at: Element) => void
}
