import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { openResultTools, type ColumnStats, type ResultSet, type ResultTools } from '../../../../engine/client.ts'
import { isAbort } from '../../../../lib/abort.ts'
import type { Span } from '../../../../ui/use-span.ts'

export interface ResultState {
  readonly rowCount: number
  readonly status: ResultSet['status']
}

/** What a result holds so far. */
export function useResult(set: ResultSet): ResultState {
  const rowCount = useSyncExternalStore(
    useCallback((listener: () => void) => set.subscribe(listener), [set]),
    () => set.rowCount,
  )
  const status = useSyncExternalStore(
    useCallback((listener: () => void) => set.subscribe(listener), [set]),
    () => set.status,
  )
  return { rowCount, status }
}

/** Null until they're loaded, which they are as soon as there's a result. */
export function useTools(): ResultTools | null {
  const [tools, setTools] = useState<ResultTools | null>(null)
  useEffect(() => {
    let here = true
    void openResultTools().then((loaded) => (here ? setTools(loaded) : undefined))
    return () => {
      here = false
    }
  }, [])
  return tools
}

/** Milliseconds that columns have to be in view before they're looked at. */
const REST = 150

/**
 * Statistics of the columns in view, one after the other, once all rows are here. What goes out of view before its
 * turn isn't looked at.
 * @param shown columns of the result in view
 */
export function useStats(
  set: ResultSet,
  complete: boolean,
  tools: ResultTools | null,
): { readonly stats: ReadonlyMap<number, ColumnStats>; readonly want: (columns: readonly number[]) => void } {
  const [known, setKnown] = useState<{ set: ResultSet; stats: ReadonlyMap<number, ColumnStats> }>({
    set,
    stats: new Map(),
  })
  const stats = known.set === set ? known.stats : NONE
  const [wanted, want] = useState<readonly number[]>([])
  useEffect(() => {
    if (!complete || !tools || set.rowCount === 0) return
    // Until the columns of another result are in view, those of the one before it are wanted.
    const next = wanted.find((column) => column < set.columns.length && !stats.has(column))
    if (next === undefined) return
    const abort = new AbortController()
    const look = async (): Promise<void> => {
      try {
        const found = await tools.columnStats(set, next, abort.signal)
        setKnown((old) => ({ set, stats: new Map([...(old.set === set ? old.stats : NONE), [next, found]]) }))
      } catch (error) {
        if (!isAbort(error)) throw error
      }
    }
    const timer = setTimeout(() => void look(), stats.size === 0 ? 0 : REST / 10)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [set, complete, tools, stats, wanted])
  return { stats, want }
}

const NONE: ReadonlyMap<number, ColumnStats> = new Map()

/** Calls back with the columns in view once they've been there for a moment. */
export function useSettledColumns(shown: readonly number[], want: (columns: readonly number[]) => void) {
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (_rows: Span, columns: Span, pinned = 0) => {
      clearTimeout(timer.current)
      timer.current = window.setTimeout(
        () => want([...shown.slice(0, pinned), ...shown.slice(columns.start, columns.end)]),
        REST,
      )
    },
    [shown, want],
  )
}
