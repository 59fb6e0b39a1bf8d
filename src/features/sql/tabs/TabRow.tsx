import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { IconButton } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql } from '../context.tsx'
import type { SqlTab } from '../types.ts'
import css from './TabRow.module.css'

interface Props {
  readonly tabs: readonly SqlTab[]
  readonly active: string | null
  /** Id of the tab panel. */
  readonly panel: string
  readonly onOpen: (id: string) => void
  readonly onNew: () => void
  readonly onClose: (id: string) => void
  /** Id of the tab that is being renamed. */
  readonly renaming: string | null
  readonly onRenaming: (id: string | null) => void
}

/**
 * The editor's tabs. Arrow keys move along them, F2 renames, Delete closes, Ctrl+Shift+arrows reorders; the tab's menu
 * has the same actions.
 */
export function TabRow({ tabs, active, panel, onOpen, onNew, onClose, renaming, onRenaming }: Props) {
  const { tabs: store } = useSql()
  const list = useRef<HTMLDivElement>(null)
  const closing = useRef(false)
  const [dragged, setDragged] = useState<string | null>(null)
  // Scroll the active tab into view again when tabs are added.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[id="tab-${active}"]`)
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // The focused tab was closed, so focus its successor.
    if (closing.current) tab?.focus()
    closing.current = false
  }, [active])
  const go = (id: string): void => {
    onOpen(id)
    list.current?.querySelector<HTMLElement>(`[id="tab-${id}"]`)?.focus()
  }
  const renamed = tabs.find(({ id }) => id === renaming)
  const press = (event: KeyboardEvent, at: number, tab: SqlTab): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step !== undefined && event.shiftKey && (event.ctrlKey || event.metaKey))
      store.move(tab.id, Math.max(0, at + step))
    else if (step !== undefined) go(tabs.at((at + step) % tabs.length)?.id ?? tab.id)
    else if (event.key === 'Home') go(tabs[0]?.id ?? tab.id)
    else if (event.key === 'End') go(tabs.at(-1)?.id ?? tab.id)
    else if (event.key === 'F2') onRenaming(tab.id)
    else if (event.key === 'Delete') {
      closing.current = true
      onClose(tab.id)
    } else return
    event.preventDefault()
  }
  return (
    <div className={css.row}>
      <div ref={list} role="tablist" aria-label="Queries" className={css.list}>
        {tabs.map((tab, at) => (
          <span
            key={tab.id}
            role="presentation"
            className={cx(css.item, tab.id === active && css.active)}
            data-dragged={dragged === tab.id || undefined}
            draggable={renaming !== tab.id}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              event.dataTransfer.setData('text/x-rowhouse-tab', tab.id)
              setDragged(tab.id)
            }}
            onDragOver={(event) => (dragged ? event.preventDefault() : undefined)}
            onDrop={(event) => {
              if (!dragged) return
              event.preventDefault()
              store.move(dragged, at)
            }}
            onDragEnd={() => setDragged(null)}
          >
            <button
              type="button"
              role="tab"
              id={`tab-${tab.id}`}
              aria-selected={tab.id === active}
              aria-controls={panel}
              tabIndex={tab.id === active ? 0 : -1}
              className={css.tab}
              onClick={() => onOpen(tab.id)}
              onDoubleClick={() => onRenaming(tab.id)}
              onAuxClick={(event) => (event.button === 1 ? onClose(tab.id) : undefined)}
              onKeyDown={(event) => press(event, at, tab)}
            >
              <Busy id={tab.id} />
              <span className={css.title}>{tab.title}</span>
            </button>
            {/* Keyboard users have Delete, and “Close” in the tab's menu. */}
            <button type="button" aria-hidden tabIndex={-1} className={css.close} onClick={() => onClose(tab.id)}>
              <X />
            </button>
          </span>
        ))}
      </div>
      {/* Outside the list, which may contain tabs only. */}
      {renamed ? <Rename key={renamed.id} tab={renamed} onDone={() => onRenaming(null)} /> : null}
      <IconButton label="New query" onClick={onNew}>
        <Plus aria-hidden />
      </IconButton>
    </div>
  )
}

/** A spinner while the tab runs something. */
function Busy({ id }: { readonly id: string }) {
  const { runner } = useSql()
  const busy = useStore(runner(id), ({ stage }) => stage !== 'idle')
  if (!busy) return null
  return (
    <>
      <Spinner className={css.busy} />
      <span className="visually-hidden">runs</span>
    </>
  )
}

/** CSS pixels between the field for a name and the window's edge. */
const ROOM = 16

/** A field over the tab. */
function Rename({ tab, onDone }: { readonly tab: SqlTab; readonly onDone: () => void }) {
  const { tabs } = useSql()
  const [name, setName] = useState(tab.title)
  const input = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  useLayoutEffect(() => {
    const field = input.current
    if (!field) return
    const { left, width } = document.getElementById(`tab-${tab.id}`)?.getBoundingClientRect() ?? new DOMRect()
    field.style.minWidth = `${width}px`
    field.style.left = `${Math.max(0, Math.min(left, innerWidth - field.offsetWidth - ROOM))}px`
    field.focus()
    field.select()
  }, [tab.id])
  const end = (keep: boolean, returns = true): void => {
    if (done.current) return
    done.current = true
    const title = name.trim().slice(0, 100)
    if (keep && title !== '') tabs.change(tab.id, { title })
    onDone()
    if (returns) requestAnimationFrame(() => document.getElementById(`tab-${tab.id}`)?.focus())
  }
  return (
    <input
      ref={input}
      className={css.rename}
      aria-label="Name of the query"
      value={name}
      maxLength={100}
      size={Math.max(8, Math.min(30, name.length))}
      onChange={(event) => setName(event.currentTarget.value)}
      // The focus is elsewhere already, for example in the editor.
      onBlur={() => end(true, false)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(true)
        if (event.key === 'Escape') end(false)
      }}
    />
  )
}
