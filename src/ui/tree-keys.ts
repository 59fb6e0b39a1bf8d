/** A line of a tree, as its keys see it. */
export interface TreeLine {
  /** Unique in the tree. */
  readonly key: string
  /** Null: there's nothing in it. */
  readonly expanded: boolean | null
  /** Index of the line that it's in; -1 at the top. */
  readonly parent: number
}

/** What a key does in a tree, as the ARIA practices describe it: another line has the focus, or lines open or close. */
type TreeMove = { readonly go: number } | { readonly toggle: readonly string[] }

/**
 * What an arrow key or another key that moves does; null for other keys, and where there's nowhere to go.
 * @param lines those that are shown
 * @param page lines in view
 */
export function treeMove(key: string, lines: readonly TreeLine[], at: number, page = 10): TreeMove | null {
  const line = lines[at]
  if (!line) return null
  const go = (to: number): TreeMove | null => {
    const bound = Math.min(lines.length - 1, Math.max(0, to))
    return bound === at ? null : { go: bound }
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
      return go(lines.length - 1)
    case 'ArrowRight':
      if (line.expanded === false) return { toggle: [line.key] }
      return line.expanded ? go(at + 1) : null
    case 'ArrowLeft':
      if (line.expanded) return { toggle: [line.key] }
      return line.parent < 0 ? null : go(line.parent)
    case '*': {
      const closed = lines.filter(({ parent, expanded }) => parent === line.parent && expanded === false)
      return closed.length > 0 ? { toggle: closed.map((each) => each.key) } : null
    }
    default:
      return null
  }
}
