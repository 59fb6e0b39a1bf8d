import type { ReactNode } from 'react'
import type { Cell, GridRange } from './places.ts'
import type { Span } from '../table/use-span.ts'

export interface GridColumn {
  readonly key: string
  /** Its name, for assistive technology. */
  readonly name: string
  /** What is inside with `data-grid-press` opens the head when it's clicked; with `data-grid-menu`, its menu. */
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
  /** Rows are drawn again when it's another function: keep its identity while the cells are the same. */
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
  /** CSS pixels; default 44. */
  readonly headHeight?: number
  /** When it's another value, the first rows come into view. */
  readonly scrollKey?: unknown
  /** So many of the columns stay at the left. */
  readonly pinned?: number
  /** The cells that are chosen, beside the active one. With `onSelection`, runs of cells can be chosen. */
  readonly selection?: GridRange | null
  readonly onSelection?: (range: GridRange | null) => void
  /** Rows that are marked, and what that means. Keep its identity while it's the same. */
  readonly marked?: { readonly rows: ReadonlySet<number>; readonly meaning: string } | null
  /** Ctrl+C; without it, the active cell's text is copied. */
  readonly onCopy?: () => void
  /** A column is to have another width; null: the one that fits. */
  readonly onResize?: (column: number, width: number | null) => void
  /** A column is to go to another one's place. */
  readonly onMove?: (from: number, to: number) => void
  /** The menu of a head or of a cell is asked for, to stand at an element. */
  readonly onMenu?: (cell: Cell, at: Element) => void
}
