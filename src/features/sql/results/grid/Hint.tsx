import { useMemo } from 'react'
import type { CellSummary, CopySelection, ResultSet, ResultTools } from '../../../../engine/client.ts'
import { formatExact, plural } from '../../../../ui/format.ts'
import { isTouched } from '../../../../ui/hooks/use-media.ts'
import { useAsync } from '../../../../ui/hooks/use-async.ts'
import type { ResultState } from './use-result.ts'
import css from './Result.module.css'

interface Props {
  readonly set: ResultSet
  readonly tools: ResultTools | null
  readonly state: ResultState
  /** Description of what was just copied. */
  readonly copied: string | null
  /** The selected cells; null if at most the active cell is selected. */
  readonly chosen: CopySelection | null
}

/** Summarizes the selection, or explains how to select. */
export function Hint({ set, tools, state, copied, chosen }: Props) {
  const summary = useSummary(set, tools, chosen)
  if (copied !== null) return <p className={css.chosen}>{copied}</p>
  if (state.rowCount === 0) return state.status === 'running' ? null : <p className={css.hint}>No rows</p>
  if (!chosen) {
    const how = isTouched() ? 'Tap a cell twice' : 'Press Enter on a cell'
    return <p className={css.hint}>{how} for details</p>
  }
  const facts = [
    `${plural(chosen.rows.to - chosen.rows.from, 'row')} × ${plural(chosen.columns.length, 'column')} chosen`,
    ...(summary ? factsOf(summary) : []),
  ]
  const words = facts.join(' · ')
  return (
    <p className={css.chosen} title={words}>
      {words}
    </p>
  )
}

function factsOf({ values, nulls, numbers, sum, mean }: CellSummary): string[] {
  const facts = sum === null || numbers < 2 ? [] : [`Sum ${formatExact(sum)}`, `Average ${rounded(mean ?? 0)}`]
  return [...facts, plural(values, 'value'), ...(nulls > 0 ? [`${plural(nulls, 'cell')} NULL`] : [])]
}

const rounded = (mean: number): string => mean.toLocaleString('en', { maximumSignificantDigits: 6 })

/** Delay before a selection is summarized, in milliseconds, and the largest selection that is. */
const REST = 120
const MOST = 2_000_000

function useSummary(set: ResultSet, tools: ResultTools | null, chosen: CopySelection | null): CellSummary | null {
  const work = useMemo(() => {
    if (!chosen || !tools || (chosen.rows.to - chosen.rows.from) * chosen.columns.length > MOST) return null
    return (signal: AbortSignal) => tools.summarizeCells(set, chosen, signal)
  }, [set, tools, chosen])
  return useAsync(work, REST)
}
