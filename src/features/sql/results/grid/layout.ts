import { moved } from '../../../../ui/grid/places.ts'

/** How a result's columns stand in the grid. Columns by their index in the result. */
export interface Layout {
  /** Those that are shown, in order; the first `pinned` of them stay at the left. */
  readonly shown: readonly number[]
  readonly pinned: number
  /** CSS pixels, of those that were given another width. */
  readonly widths: ReadonlyMap<number, number>
}

export type LayoutChange =
  | { readonly type: 'move'; readonly from: number; readonly to: number }
  | { readonly type: 'pin' | 'unpin' | 'hide'; readonly column: number }
  /** Null: the width that fits. */
  | { readonly type: 'resize'; readonly column: number; readonly width: number | null }
  | { readonly type: 'show'; readonly column: number }

export function plainLayout(columns: number): Layout {
  return { shown: Array.from({ length: columns }, (_, i) => i), pinned: 0, widths: new Map() }
}

/** `from` and `to` are places among those shown; `column` is one of the result. */
export function changeLayout(layout: Layout, change: LayoutChange): Layout {
  const { shown, pinned } = layout
  switch (change.type) {
    case 'move': {
      const { from, to } = change
      const joined = from >= pinned && to < pinned ? 1 : 0
      const left = from < pinned && to >= pinned ? 1 : 0
      return { ...layout, shown: moved(shown, from, to), pinned: pinned + joined - left }
    }
    case 'pin': {
      const at = shown.indexOf(change.column)
      if (at < pinned) return layout
      return { ...layout, shown: moved(shown, at, pinned), pinned: pinned + 1 }
    }
    case 'unpin': {
      const at = shown.indexOf(change.column)
      if (at < 0 || at >= pinned) return layout
      return { ...layout, shown: moved(shown, at, pinned - 1), pinned: pinned - 1 }
    }
    case 'hide': {
      const at = shown.indexOf(change.column)
      if (at < 0 || shown.length === 1) return layout
      return {
        ...layout,
        shown: shown.filter((own) => own !== change.column),
        pinned: at < pinned ? pinned - 1 : pinned,
      }
    }
    case 'show': {
      if (shown.includes(change.column)) return layout
      // Behind the nearest shown one that comes before it in the result.
      const before = shown.filter((own, i) => i >= pinned && own < change.column)
      const at = before.length > 0 ? shown.indexOf(Math.max(...before)) + 1 : pinned
      return { ...layout, shown: [...shown.slice(0, at), change.column, ...shown.slice(at)] }
    }
    case 'resize': {
      const widths = new Map(layout.widths)
      if (change.width === null) widths.delete(change.column)
      else widths.set(change.column, Math.round(change.width))
      return { ...layout, widths }
    }
  }
}

export function isPlain(layout: Layout, columns: number): boolean {
  return (
    layout.pinned === 0 &&
    layout.widths.size === 0 &&
    layout.shown.length === columns &&
    layout.shown.every((own, i) => own === i)
  )
}
