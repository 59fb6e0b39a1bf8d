import { type TreeRow, hasMenu, insertedBy } from './nodes.ts'
import { useState, type KeyboardEvent } from 'react'
import type { MenuItem, MenuPlace } from '../../../../ui/overlays/Menu.tsx'

/** What a key does in a tree, as the ARIA practices describe it. */
type Move =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'open'; readonly keys: readonly string[] }
  | { readonly kind: 'close'; readonly keys: readonly string[] }

/**
 * What an arrow or another key that moves does; null when it's none of those, or there's nowhere to go.
 * @param page lines that are in view
 */
export function moveOf(key: string, rows: readonly TreeRow[], at: number, page = 10): Move | null {
  const row = rows[at]
  if (!row) return null
  const go = (to: number): Move | null => {
    const bound = Math.min(rows.length - 1, Math.max(0, to))
    return bound === at ? null : { kind: 'go', to: bound }
  }
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at - 1)
    case 'PageDown':
      return go(at + page)
    case 'PageUp':
      return go(at - page)
    case 'Home':
      return go(0)
    case 'End':
      return go(rows.length - 1)
    case 'ArrowRight':
      if (row.expanded === false) return { kind: 'open', keys: [row.key] }
      return row.expanded ? go(at + 1) : null
    case 'ArrowLeft':
      if (row.expanded) return { kind: 'close', keys: [row.key] }
      return row.parent < 0 ? null : go(row.parent)
    case '*': {
      const keys = rows
        .filter(({ parent, expanded }) => parent === row.parent && expanded === false)
        .map((each) => each.key)
      return keys.length > 0 ? { kind: 'open', keys } : null
    }
    default:
      return null
  }
}

/** Milliseconds after which letters begin a new name. */
const PAUSE = 700

/** Letters that are typed one after the other go to the next line that begins with them. */
export class TypeAhead {
  private typed = ''
  private last = -Infinity

  /** Whether letters are being typed, so that a space is one of them. */
  isTyping(now: number): boolean {
    return this.typed !== '' && now - this.last < PAUSE
  }

  /** The line to go to; null when none begins with what was typed. */
  find(letter: string, rows: readonly { readonly label: string }[], at: number, now: number): number | null {
    const going = this.isTyping(now)
    const folded = letter.toLowerCase()
    // One letter again and again goes through all that begin with it.
    const again = going && this.typed === folded
    this.typed = going && !again ? this.typed + folded : folded
    this.last = now
    const first = this.typed.length > 1 ? at : at + 1
    for (let i = 0; i < rows.length; i++) {
      const index = (first + i) % rows.length
      if (rows[index]?.label.toLowerCase().startsWith(this.typed)) return index
    }
    return null
  }
}

interface Keyboard {
  readonly rows: readonly TreeRow[]
  readonly actionsOf: (row: TreeRow) => readonly (readonly MenuItem[])[]
  /** These lines are opened, or closed. */
  readonly onToggle: (keys: readonly string[]) => void
  readonly onInsert: (name: string, alone?: string) => void
  readonly active: number
  /** Lines that are in view. */
  readonly pageSize: () => number
  /** Takes the focus to a line. */
  readonly go: (index: number) => void
  readonly showMenu: (row: TreeRow, anchor: MenuPlace['anchor']) => void
}

/** What keys do in the tree. */
export function useKeyboard(options: Keyboard): (event: KeyboardEvent) => void {
  const [typing] = useState(() => new TypeAhead())
  const { rows, active, go, onToggle } = options
  return (event) => {
    const row = rows[active]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const going = typing.isTyping(event.timeStamp)
    const move = moveOf(event.key, rows, active, Math.max(1, options.pageSize()))
    if (move?.kind === 'go') go(move.to)
    else if (move) onToggle(move.keys)
    else if (!press(event, row, going, options)) {
      if (event.key.length !== 1 || (event.key === ' ' && !going)) return
      const found = typing.find(event.key, rows, active, event.timeStamp)
      if (found !== null) go(found)
    }
    event.preventDefault()
  }
}

/** What a key does to the line that has the focus, beside moving. Whether it does something. */
function press(event: KeyboardEvent, row: TreeRow, typing: boolean, options: Keyboard): boolean {
  const act = (key: string): boolean => {
    const action = options
      .actionsOf(row)
      .flat()
      .find((each) => each.key === key)
    action?.onSelect()
    return action !== undefined
  }
  switch (event.key) {
    case 'Enter': {
      const texts = insertedBy(row)
      if (texts !== null) options.onInsert(...texts)
      else if (row.expanded !== null) options.onToggle([row.key])
      return true
    }
    case ' ':
      if (!typing && row.expanded !== null) options.onToggle([row.key])
      return !typing
    case 'ContextMenu':
    case 'F10':
      if (event.key === 'F10' && !event.shiftKey) return false
      if (hasMenu(row) && event.target instanceof Element) options.showMenu(row, event.target)
      return true
    case 'F2':
      return act('rename')
    case 'Delete':
      return act('remove')
    default:
      return false
  }
}
