import type { FocusEvent, MouseEvent } from 'react'
import { hasMenu, insertedBy, type TreeRow } from './nodes.ts'
import type { OpenMenu } from './RowMenu.tsx'
import type { TreeListProps } from './TreeList.tsx'

export interface Pointer extends Pick<TreeListProps, 'rows' | 'onToggle' | 'onInsert'> {
  readonly choose: (index: number) => void
  readonly showMenu: (row: TreeRow, anchor: OpenMenu['anchor']) => void
}

interface PointerHandlers {
  readonly onFocus: (event: FocusEvent) => void
  readonly onClick: (event: MouseEvent) => void
  readonly onDoubleClick: (event: MouseEvent) => void
  readonly onContextMenu: (event: MouseEvent) => void
}

/** What the pointer, and whatever else takes the focus to a line, does in the tree: a click opens or closes, two insert the name, the second button shows the menu. */
export function usePointer({ rows, choose, showMenu, onToggle, onInsert }: Pointer): PointerHandlers {
  const take = (event: MouseEvent): TreeRow | null => {
    const at = rowAt(event)
    const row = at ? rows[at.index] : undefined
    if (!at || !row) return null
    choose(at.index)
    at.element.focus({ preventScroll: true })
    return row
  }
  return {
    onFocus(event) {
      const at = rowAt(event)
      if (at) choose(at.index)
    },
    onClick(event) {
      const row = take(event)
      if (!row) return
      const more = moreAt(event)
      if (more) showMenu(row, more)
      // The second click of two is one that inserts.
      else if (row.expanded !== null && event.detail < 2) onToggle([row.key])
    },
    onDoubleClick(event) {
      const row = rows[rowAt(event)?.index ?? -1]
      const texts = row && !moreAt(event) ? insertedBy(row) : null
      if (!row || texts === null) return
      // The first click of the two opened or closed it.
      if (row.expanded !== null) onToggle([row.key])
      onInsert(...texts)
    },
    onContextMenu(event) {
      const at = rows[rowAt(event)?.index ?? -1]
      if (!at || !hasMenu(at)) return
      event.preventDefault()
      take(event)
      showMenu(at, { x: event.clientX, y: event.clientY })
    },
  }
}

/** The line that an event is about. */
export function rowAt({ target }: { readonly target: EventTarget }): { index: number; element: HTMLElement } | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return element ? { index: Number(element.dataset['index']), element } : null
}

function moreAt({ target }: MouseEvent): Element | null {
  return target instanceof Element ? target.closest('[data-more]') : null
}
