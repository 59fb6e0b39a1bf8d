import type { Cell } from './grid-places.ts'

/* Cells by their elements. */

export const cellId = (id: string, cell: Cell): string => `${id}${cell.row}-${cell.column}`

/** The cell that an element is in. */
export function cellOf(target: EventTarget): Cell | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  if (!element) return null
  const row = element.closest<HTMLElement>('[data-row]')
  return { row: Number(row?.dataset['row']), column: Number(element.dataset['column']) }
}
