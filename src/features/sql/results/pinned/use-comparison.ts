import { useMemo } from 'react'
import type { ResultSet, RowComparison } from '../../../../engine/client.ts'
import { useAsync } from '../../../../ui/hooks/use-async.ts'
import { useResult, useTools } from '../grid/use-result.ts'
import type { HeldRun } from '../types.ts'
import { columnWords, countWords, haveSameColumns, isComparable, rowWords } from './comparison.ts'

interface Marks {
  readonly rows: ReadonlySet<number>
  readonly meaning: string
}

interface Comparison {
  readonly words: string
  readonly current: Marks | null
  readonly pinned: Marks | null
}

/** Compares the current result with the pinned one, once all rows have arrived. */
export function useComparison(current: HeldRun | null, pinned: HeldRun | null, isChart: boolean): Comparison {
  const here = current?.result ?? null
  const there = pinned?.result ?? null
  const isDone = useResult(here).status !== 'running'
  const compared = useRows(here, there, isDone)
  return useMemo(() => {
    if (!current || !pinned) return nothing('No rows')
    if (!isDone) return nothing('Compared once all rows are here')
    const counts = countWords(current.result.rowCount, pinned.result.rowCount)
    const words = !haveSameColumns(current.result, pinned.result)
      ? `${counts}; ${columnWords(current.result.columns, pinned.result.columns)}`
      : !isComparable(current.result, pinned.result)
        ? `${counts}; too many values to compare row by row`
        : compared
          ? `${counts} · ${rowWords(compared, !isChart)}`
          : `${counts} · comparing …`
    const partial = [current, pinned].some(({ result, summary }) => result.status !== 'complete' || summary?.leftOut)
    return {
      words: partial ? `Of the rows that are here: ${words}` : words,
      current: compared && marks(compared.onlyInOne, 'Not in the pinned result'),
      pinned: compared && marks(compared.onlyInOther, 'Not in the current result'),
    }
  }, [isDone, current, pinned, compared, isChart])
}

const nothing = (words: string): Comparison => ({ words, current: null, pinned: null })

const marks = (rows: readonly number[], meaning: string): Marks | null =>
  rows.length > 0 ? { rows: new Set(rows), meaning } : null

/** Null if rows can't be compared, or not yet. */
function useRows(current: ResultSet | null, pinned: ResultSet | null, isDone: boolean): RowComparison | null {
  const tools = useTools()
  const work = useMemo(() => {
    if (!tools || !isDone || !current || !pinned) return null
    if (!haveSameColumns(current, pinned) || !isComparable(current, pinned)) return null
    return (signal: AbortSignal) => tools.compareRows(current, pinned, signal)
  }, [tools, current, pinned, isDone])
  return useAsync(work)
}
