import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import {
  openResultTools,
  type ColumnStats,
  type ResultSet,
  type ResultTools,
  type CopyFormat,
  type CopySelection,
} from '../../../../engine/client.ts'
import { isAbort } from '../../../../lib/abort.ts'
import type { Span } from '../../../../ui/table/use-span.ts'
import { copyText } from '../../../../ui/overlays/copy-text.ts'
import { plural } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toasts.ts'
import { useAsync } from '../../../../ui/hooks/use-async.ts'

export interface ResultState {
  readonly rowCount: number
  readonly status: ResultSet['status']
}

/** The state of a result; empty for null. */
export function useResult(set: ResultSet | null): ResultState {
  const subscribe = useCallback((listener: () => void) => set?.subscribe(listener) ?? (() => undefined), [set])
  const rowCount = useSyncExternalStore(subscribe, () => set?.rowCount ?? 0)
  const status = useSyncExternalStore(subscribe, () => set?.status ?? 'complete')
  return { rowCount, status }
}

/** Loads the tools; null until then. */
export const useTools = (): ResultTools | null => useAsync(openResultTools)

/** How long columns must be visible before their statistics are computed, in milliseconds. */
const REST = 150

/**
 * Computes statistics of visible columns, one by one, once all rows have arrived. Columns that are no longer visible
 * are skipped.
 * @param shown indexes of the visible columns
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
    // The visible columns may still be those of the previous result.
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

/** Calls back with the visible columns once scrolling has paused. */
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

export type CopyCells = (cells: CopySelection, format: CopyFormat, headers: boolean) => void

/** How long the message is shown, in milliseconds. */
const SAID = 1800

/** Copies cells' exact values, and reports it. Another copy cancels the first. */
export function useCopy(
  set: ResultSet,
  tools: ResultTools | null,
): { readonly copy: CopyCells; /** What was copied just now, in words. */ readonly copied: string | null } {
  const [copied, setCopied] = useState<string | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), SAID)
    return () => clearTimeout(timer)
  }, [copied])
  const running = useRef<AbortController | null>(null)
  const copy = useCallback<CopyCells>(
    (cells, format, headers) => {
      running.current?.abort()
      const abort = new AbortController()
      running.current = abort
      const run = async (): Promise<void> => {
        try {
          // A key may be faster than the tools are loaded.
          const text = await (tools ?? (await openResultTools())).formatCells(set, cells, format, {
            headers,
            signal: abort.signal,
          })
          const rows = cells.rows.to - cells.rows.from
          const columns = cells.columns.length
          const said = `Copied ${plural(rows, 'row')}, ${plural(columns, 'column')}`
          if (await copyText(text, 'Click the grid, then try again.', said)) {
            setCopied(`Copied ${plural(rows * columns, 'cell')}`)
          }
        } catch (error) {
          if (isAbort(error)) return
          if (!(error instanceof RangeError)) throw error
          toast({
            title: 'That’s too much to copy',
            description: 'Choose fewer cells, or export the result as a file.',
            tone: 'bad',
          })
        }
      }
      void run()
    },
    [set, tools],
  )
  return { copy, copied }
}
