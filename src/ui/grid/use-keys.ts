import type { KeyboardEvent } from 'react'
import { copyText } from '../overlays/copy-text.ts'
import { columnRange, nextCell, rowRange, type Cell } from './places.ts'
import type { GridProps } from './types.ts'

interface Tools {
  readonly reveal: (cell: Cell) => void
  /** Rows that Page Down moves by. */
  readonly page: number
  readonly elementOf: (cell: Cell) => Element | null
}

const WIDER = 16
const NARROWEST = 40

/** The grid's keys, described at `Grid`. */
export function useGridKeys(props: GridProps, { reveal, page, elementOf }: Tools): (event: KeyboardEvent) => void {
  const { columns, rowCount, active, onActive, onSelection, selection } = props
  const at = active ?? { row: -1, column: 0 }

  const copy = (): boolean => {
    if (!active || String(getSelection()) !== '') return false
    if (props.onCopy) {
      props.onCopy()
      return true
    }
    const text = active.row < 0 ? (columns[active.column]?.name ?? null) : props.textOf(active.row, active.column)
    if (text !== null) void copyText(text)
    return text !== null
  }
  const menu = (cell: Cell): boolean => {
    const element = elementOf(cell)
    if (element) props.onMenu?.(cell, element)
    return element !== null && props.onMenu !== undefined
  }
  /** Alt changes a column. */
  const column = (event: KeyboardEvent): boolean => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    const own = columns[at.column]
    if (event.key === 'ArrowDown') return menu({ row: -1, column: at.column })
    if (step === 0 || at.row >= 0 || !own) return false
    if (event.shiftKey) {
      const to = at.column + step
      if (!props.onMove || to < 0 || to >= columns.length) return false
      props.onMove(at.column, to)
      onActive({ row: -1, column: to })
      return true
    }
    props.onResize?.(at.column, Math.max(NARROWEST, own.width + step * WIDER))
    return props.onResize !== undefined
  }
  const choose = (event: KeyboardEvent): boolean => {
    if (!onSelection || columns.length === 0) return false
    const control = event.ctrlKey || event.metaKey
    if (control && event.key.toLowerCase() === 'a') {
      onSelection(rowRange(0, rowCount - 1, rowCount > 0 ? columns.length : 0))
      return true
    }
    if (event.key === ' ' && control) {
      onSelection(columnRange(at.column, at.column, rowCount))
      return true
    }
    if (event.key === ' ' && event.shiftKey && at.row >= 0) {
      onSelection(rowRange(at.row, at.row, columns.length))
      return true
    }
    if (event.key === 'Escape' && selection) {
      onSelection(null)
      return true
    }
    return false
  }
  const move = (event: KeyboardEvent): boolean => {
    const next = nextCell(event, at, { rows: rowCount, columns: columns.length, page })
    if (!next || columns.length === 0) return false
    const extending = event.shiftKey && onSelection !== undefined && rowCount > 0
    if (extending) {
      const end = { row: Math.max(0, next.row), column: next.column }
      const anchor = selection?.anchor ?? { row: Math.max(0, at.row), column: at.column }
      reveal(end)
      onActive(end)
      onSelection({ anchor, end })
      return true
    }
    reveal(next)
    onActive(next)
    if (selection) onSelection?.(null)
    return true
  }
  return (event) => {
    const control = event.ctrlKey || event.metaKey
    let done: boolean
    if (event.altKey) done = column(event)
    else if (control && event.key.toLowerCase() === 'c') done = copy()
    else if (choose(event)) done = true
    else if (event.key === 'Enter' || event.key === ' ') {
      props.onOpen?.(at)
      done = true
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) done = menu(at)
    else done = move(event)
    if (done) event.preventDefault()
  }
}
