import { moved } from '../../../../ui/grid/places.ts'
import { useCallback, useMemo, useState } from 'react'
import type { ResultColumn, ResultSet } from '../../../../engine/client.ts'
import { shortType } from '../../../../tables/labels.ts'
import { cellText } from '../../../shared/value/Cell.tsx'

/** Layout of a result's columns, by their indexes in the result. */
export interface Layout {
  /** Visible columns in order; the first `pinned` ones stay on the left. */
  readonly shown: readonly number[]
  readonly pinned: number
  /** In CSS pixels, for columns that were resized. */
  readonly widths: ReadonlyMap<number, number>
}

export type LayoutChange =
  | { readonly type: 'move'; readonly from: number; readonly to: number }
  | { readonly type: 'pin' | 'unpin' | 'hide'; readonly column: number }
  /** Null resets to the fitting width. */
  | { readonly type: 'resize'; readonly column: number; readonly width: number | null }
  | { readonly type: 'show'; readonly column: number }

export function plainLayout(columns: number): Layout {
  return { shown: Array.from({ length: columns }, (_, i) => i), pinned: 0, widths: new Map() }
}

/** `from` and `to` are positions among the visible columns; `column` is an index in the result. */
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
      // After the nearest visible column that precedes it in the result.
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

const CHARACTER = 7.1
/** Of a cell's sides, of a head's menu, and of the sign that a sorted or filtered column has beside its name. */
const SIDES = 28
const MENU = 21
const SIGN = 17
const NARROWEST = 96
const WIDEST = 340
/** Rows, and total cells, that are measured for column widths. */
const MEASURED = 40
const CELLS = 20_000

/** The columns' layout. It's kept for a result with the same columns, such as after sorting. */
export function useLayout(columns: readonly ResultColumn[]) {
  const key = useMemo(() => JSON.stringify(columns.map(({ name, type }) => [name, type])), [columns])
  const [state, setState] = useState<{ key: string; layout: Layout }>(() => ({
    key,
    layout: plainLayout(columns.length),
  }))
  const layout = useMemo(
    () => (state.key === key ? state.layout : plainLayout(columns.length)),
    [state, key, columns.length],
  )
  const change = useCallback(
    (step: LayoutChange) =>
      setState((old) => ({
        key,
        layout: changeLayout(old.key === key ? old.layout : plainLayout(columns.length), step),
      })),
    [key, columns.length],
  )
  const reset = useCallback(() => setState({ key, layout: plainLayout(columns.length) }), [key, columns.length])
  return { layout, change, reset, plain: isPlain(layout, columns.length) }
}

/**
 * Widths that fit the names and the first values. Computed once, when the first rows have arrived. Each has room for a
 * sign, so that sorting moves no column.
 */
export function useFittingWidths(set: ResultSet, hasRows: boolean): readonly number[] {
  return useMemo(() => {
    const rows = hasRows ? Math.min(set.rowCount, MEASURED, Math.ceil(CELLS / Math.max(1, set.columns.length))) : 0
    return set.columns.map((column, i) => fitting(set, column, i, rows))
  }, [set, hasRows])
}

function fitting(set: ResultSet, { name, type }: ResultColumn, column: number, rows: number): number {
  let longest = Math.min(shortType(type).length, 20) * 0.9
  for (let row = 0; row < rows; row++) {
    const text = set.text(row, column, 100)
    longest = Math.max(longest, text === null ? 4 : drawnLength(text))
  }
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, longest * CHARACTER + SIDES, headWidth(name, 1))))
}

/** The width that a name needs beside so many signs. */
export function headWidth(name: string, signs: number): number {
  return Math.min(WIDEST, Math.ceil(drawnLength(name) * 0.95 * CHARACTER + MENU + signs * SIGN + SIDES))
}

/** Wide characters (CJK, emoji) count as two. */
function drawnLength(text: string): number {
  const shown = cellText(text.slice(0, 80))
  // oxlint-disable-next-line no-control-regex -- everything beyond the first blocks
  return shown.length + (shown.match(/[\u1100-\uffdc]/g)?.length ?? 0) * 0.8
}
