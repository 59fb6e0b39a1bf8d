/** A line of a tree, as far as keys need it. */
export interface TreeLine {
  /** Unique in the tree. */
  readonly key: string
  /** Null if it can't have children. */
  readonly expanded: boolean | null
  /** Index of its parent's line; -1 at the top. */
  readonly parent: number
}

/** What a key does in a tree, by the ARIA practices: moves the focus, or opens or closes lines. */
type TreeMove = { readonly go: number } | { readonly toggle: readonly string[] }

/**
 * What a key does; null for other keys, or if there's nowhere to go.
 * @param lines the visible lines
 * @param page number of lines in view
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
