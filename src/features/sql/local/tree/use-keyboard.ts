import { useState, type KeyboardEvent } from 'react'
import { moveOf, TypeAhead } from './keyboard.ts'
import type { TreeRow } from './nodes.ts'
import { hasMenu, insertedBy } from './nodes.ts'
import type { OpenMenu } from './RowMenu.tsx'
import type { TreeListProps } from './TreeList.tsx'

export interface Keyboard extends Pick<TreeListProps, 'rows' | 'actionsOf' | 'onToggle' | 'onInsert'> {
  readonly active: number
  /** Lines that are in view. */
  readonly pageSize: () => number
  /** Takes the focus to a line. */
  readonly go: (index: number) => void
  readonly showMenu: (row: TreeRow, anchor: OpenMenu['anchor']) => void
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
    action?.run()
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
