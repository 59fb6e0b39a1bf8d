import { useEffect, useRef, useState, type DragEvent, type RefObject, type FocusEvent, type MouseEvent } from 'react'
import { useNarrow } from '../../../../ui/hooks/use-media.ts'
import { useRowsInView } from '../../../../ui/table/use-rows-in-view.ts'
import { type TreeRow, hasMenu, insertedBy } from './nodes.ts'
import { Row } from './Row.tsx'
import { PlacedMenu, type MenuEntry, type MenuItem, type MenuPlace } from '../../../../ui/overlays/Menu.tsx'
import { useKeyboard } from './keyboard.ts'
import { usePreview, type AskRows } from './Preview.tsx'
import css from './Tree.module.css'

const HEIGHT = 28
const NARROW_HEIGHT = 40

interface TreeListProps {
  readonly rows: readonly TreeRow[]
  /** Search terms. */
  readonly words: readonly string[]
  readonly actionsOf: (row: TreeRow) => readonly (readonly MenuItem[])[]
  /** Expands or collapses nodes. */
  readonly onToggle: (keys: readonly string[]) => void
  readonly onInsert: (name: string, alone?: string) => void
  /** Queries the rows for a preview. */
  readonly onAsk: AskRows
}

/**
 * The rows of the tree, virtualized: only the visible ones and the one in the tab order are rendered. The keyboard
 * follows the ARIA Authoring Practices; Enter inserts a name, and the context menu key opens the actions.
 */
export function TreeList({ rows, words, actionsOf, onToggle, onInsert, onAsk }: TreeListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>({ key: null, index: 0 })
  const [menu, setMenu] = useState<(MenuPlace & { readonly items: readonly MenuEntry[] }) | null>(null)
  const [menuOpen, setMenuOpen] = useState(false)
  const height = useNarrow() ? NARROW_HEIGHT : HEIGHT
  const active = activeIndex(rows, place)
  const tree = useRef<HTMLDivElement>(null)
  const [span, scrollTo] = useRowsInView(tree, rows.length, height)
  const drawn = Array.from({ length: span.end - span.start }, (_, i) => span.start + i)
  // Keep the row in the tab order rendered, so that it doesn't lose the focus.
  if (rows.length > 0 && active < span.start) drawn.unshift(active)
  if (rows.length > 0 && active >= span.end) drawn.push(active)
  useKeepFocus(scroller, active)
  const choose = (index: number): void => setPlace({ key: rows[index]?.key ?? null, index })
  const showMenu = (row: TreeRow, anchor: MenuPlace['anchor']): void => {
    setMenu({ label: row.label, items: actionsOf(row).flatMap(separated), anchor })
    setMenuOpen(true)
  }
  const keyDown = useKeyboard({
    rows,
    active,
    pageSize: () => Math.floor((scroller.current?.clientHeight ?? 0) / height) - 1,
    go(index) {
      choose(index)
      scrollTo(index)
      focusRow(scroller.current, index)
    },
    actionsOf,
    showMenu,
    onToggle,
    onInsert,
  })
  const pointer = usePointer({ rows, choose, showMenu, onToggle, onInsert })
  const preview = usePreview((event) => {
    const at = rowAt(event)
    const row = rows[at?.index ?? -1]
    return at && row?.kind === 'table' && row.table
      ? { table: row.table, isView: row.isView, anchor: at.element }
      : null
  }, onAsk)
  return (
    <div ref={scroller} className={css.scroller} onScroll={preview.close}>
      <div
        ref={tree}
        role="tree"
        aria-label="Tables"
        tabIndex={-1}
        className={css.tree}
        style={{ height: rows.length * height }}
        onKeyDown={(event) => {
          preview.close()
          keyDown(event)
        }}
        {...pointer}
        {...preview.pointer}
        onDragStart={(event) => drag(event, rows)}
      >
        {drawn.map((index) => {
          const row = rows[index]
          return row ? (
            <Row
              key={row.key}
              row={row}
              index={index}
              top={index * height}
              height={height}
              active={index === active}
              words={words}
            />
          ) : null
        })}
      </div>
      {preview.card}
      {menu ? (
        <PlacedMenu
          {...menu}
          align="start"
          open={menuOpen}
          onClose={() => setMenuOpen(false)}
          focus={() => rowElement(scroller.current, active)}
        />
      ) : null}
    </div>
  )
}

const separated = (group: readonly MenuItem[], i: number): readonly MenuEntry[] => (i > 0 ? ['line', ...group] : group)

/** The row in the tab order, by key as long as it exists. */
interface Place {
  readonly key: string | null
  readonly index: number
}

/** A row near the former index if the row is gone. */
function activeIndex(rows: readonly TreeRow[], { key, index }: Place): number {
  if (rows[index]?.key === key) return index
  const found = rows.findIndex((row) => row.key === key)
  return found >= 0 ? found : Math.max(0, Math.min(index, rows.length - 1))
}

/** Keeps the focus in the tree when the focused row is gone. */
function useKeepFocus(scroller: RefObject<HTMLElement | null>, active: number): void {
  const had = useRef(false)
  useEffect(() => {
    const note = (): void => {
      had.current = scroller.current?.contains(document.activeElement) ?? false
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [scroller])
  // On every render: rows may have been removed or replaced.
  useEffect(() => {
    if (had.current && document.activeElement === document.body) focusRow(scroller.current, active)
  })
}

function rowElement(scroller: HTMLElement | null, index: number): HTMLElement | null {
  return scroller?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null
}

/** Focuses a row once it has been scrolled into the page. */
function focusRow(scroller: HTMLElement | null, index: number, tries = 10): void {
  const row = rowElement(scroller, index)
  if (row) row.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusRow(scroller, index, tries - 1))
}

function drag(event: DragEvent, rows: readonly TreeRow[]): void {
  const row = rows[rowAt(event)?.index ?? -1]
  if (!row || row.reference === null) return
  event.dataTransfer.setData('text/plain', row.reference)
  event.dataTransfer.effectAllowed = 'copy'
}

interface Pointer extends Pick<TreeListProps, 'rows' | 'onToggle' | 'onInsert'> {
  readonly choose: (index: number) => void
  readonly showMenu: (row: TreeRow, anchor: MenuPlace['anchor']) => void
}

interface PointerHandlers {
  readonly onFocus: (event: FocusEvent) => void
  readonly onClick: (event: MouseEvent) => void
  readonly onDoubleClick: (event: MouseEvent) => void
  readonly onContextMenu: (event: MouseEvent) => void
}

/**
 * Handles the pointer and focus: a click expands or collapses, a double click inserts the name, a right click opens the
 * menu.
 */
function usePointer({ rows, choose, showMenu, onToggle, onInsert }: Pointer): PointerHandlers {
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
      // Not on the second click of a double click, which inserts.
      else if (row.expanded !== null && event.detail < 2) onToggle([row.key])
    },
    onDoubleClick(event) {
      const row = rows[rowAt(event)?.index ?? -1]
      const texts = row && !moreAt(event) ? insertedBy(row) : null
      if (!row || texts === null) return
      // Undo what the first click expanded or collapsed.
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

/** The row that an event is about. */
function rowAt({ target }: { readonly target: EventTarget }): { index: number; element: HTMLElement } | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return element ? { index: Number(element.dataset['index']), element } : null
}

function moreAt({ target }: MouseEvent): Element | null {
  return target instanceof Element ? target.closest('[data-more]') : null
}
