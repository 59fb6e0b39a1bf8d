import { useCallback, useMemo, useState } from 'react'
import type { ResultColumn, ResultSet } from '../../../../engine/client.ts'
import { shortType } from '../../../../tables/words.ts'
import { cellText } from './cell-text.ts'
import { changeLayout, isPlain, plainLayout, type Layout, type LayoutChange } from './layout.ts'

const CHARACTER = 7.1
const NARROWEST = 96
const WIDEST = 340
/** Rows that are measured to give a column its width, and cells in all. */
const MEASURED = 40
const CELLS = 20_000

/** How the columns stand. A result with the same columns, such as a sorted one, keeps what was done. */
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

/** Widths that fit the names and the first values: set once, when the first rows are there. */
export function useFittingWidths(set: ResultSet, hasRows: boolean): readonly number[] {
  return useMemo(() => {
    const rows = hasRows ? Math.min(set.rowCount, MEASURED, Math.ceil(CELLS / Math.max(1, set.columns.length))) : 0
    return set.columns.map((column, i) => fitting(set, column, i, rows))
  }, [set, hasRows])
}

function fitting(set: ResultSet, { name, type }: ResultColumn, column: number, rows: number): number {
  let longest = Math.max(name.length * 0.95 + 3, Math.min(shortType(type).length, 20) * 0.9)
  for (let row = 0; row < rows; row++) {
    const text = set.text(row, column, 100)
    longest = Math.max(longest, text === null ? 4 : drawnLength(text))
  }
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, longest * CHARACTER + 28)))
}

/** Wide characters (CJK, emoji) take two places. */
function drawnLength(text: string): number {
  const shown = cellText(text.slice(0, 80))
  // oxlint-disable-next-line no-control-regex -- everything beyond the first blocks
  return shown.length + (shown.match(/[\u1100-\uffdc]/g)?.length ?? 0) * 0.8
}
