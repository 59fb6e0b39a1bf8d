import { type TreeRow, hasMenu, insertedBy } from './nodes.ts'
import { useState, type KeyboardEvent } from 'react'
import { treeMove } from '../../../../ui/tree-keys.ts'
import type { MenuItem, MenuPlace } from '../../../../ui/overlays/Menu.tsx'

/** Milliseconds after which typing starts a new search. */
const PAUSE = 700

/** Type-ahead: moves to the next row that begins with the typed letters. */
export class TypeAhead {
  private typed = ''
  private last = -Infinity

  /** Whether a search is going on, so that a space is part of it. */
  isTyping(now: number): boolean {
    return this.typed !== '' && now - this.last < PAUSE
  }

  /** Index of the row to move to; null if none begins with the typed letters. */
  find(letter: string, rows: readonly { readonly label: string }[], at: number, now: number): number | null {
    const going = this.isTyping(now)
    const folded = letter.toLowerCase()
    // Repeating a letter cycles through the rows that begin with it.
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
  /** Expands or collapses nodes. */
  readonly onToggle: (keys: readonly string[]) => void
  readonly onInsert: (name: string, alone?: string) => void
  readonly active: number
  /** Number of visible rows. */
  readonly pageSize: () => number
  /** Moves the focus to a row. */
  readonly go: (index: number) => void
  readonly showMenu: (row: TreeRow, anchor: MenuPlace['anchor']) => void
}

/** Keyboard handling of the tree. */
export function useKeyboard(options: Keyboard): (event: KeyboardEvent) => void {
  const [typing] = useState(() => new TypeAhead())
  const { rows, active, go, onToggle } = options
  return (event) => {
    const row = rows[active]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const going = typing.isTyping(event.timeStamp)
    const move = treeMove(event.key, rows, active, Math.max(1, options.pageSize()))
    if (move && 'go' in move) go(move.go)
    else if (move) onToggle(move.toggle)
    else if (!press(event, row, going, options)) {
      if (event.key.length !== 1 || (event.key === ' ' && !going)) return
      const found = typing.find(event.key, rows, active, event.timeStamp)
      if (found !== null) go(found)
    }
    event.preventDefault()
  }
}

/** Handles a key for the focused row, other than movement. Returns whether it did something. */
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
