import { useEffect, useState } from 'react'
import type { CellSummary, CopySelection, ResultSet, ResultTools } from '../../../../engine/client.ts'
import { isAbort } from '../../../../lib/abort.ts'
import { formatExact, plural } from '../../../../ui/format.ts'
import type { ResultState } from './use-result.ts'
import css from './Result.module.css'

interface Props {
  readonly set: ResultSet
  readonly tools: ResultTools | null
  readonly state: ResultState
  /** What was copied just now, in words. */
  readonly copied: string | null
  /** The cells that are chosen; null where it's none, or the active one alone. */
  readonly chosen: CopySelection | null
}

/** What is chosen and what it adds up to, or how to go on. */
export function Hint({ set, tools, state, copied, chosen }: Props) {
  const summary = useSummary(set, tools, chosen)
  if (copied !== null) return <p className={css.chosen}>{copied}</p>
  if (state.rowCount === 0) return state.status === 'running' ? null : <p className={css.hint}>No rows</p>
  if (!chosen) return <p className={css.hint}>Press Enter on a cell for details</p>
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

/** Milliseconds that a choice has to rest before its cells are added up, and the most cells that are. */
const REST = 120
const MOST = 2_000_000

function useSummary(set: ResultSet, tools: ResultTools | null, chosen: CopySelection | null): CellSummary | null {
  const key = chosen && `${chosen.rows.from}-${chosen.rows.to} ${chosen.columns.join(' ')}`
  const [known, setKnown] = useState<{ readonly set: ResultSet; readonly key: string; readonly summary: CellSummary }>()
  useEffect(() => {
    if (!chosen || !tools || (chosen.rows.to - chosen.rows.from) * chosen.columns.length > MOST) return
    const abort = new AbortController()
    const look = async (): Promise<void> => {
      try {
        const summary = await tools.summarizeCells(set, chosen, abort.signal)
        setKnown({ set, key: key ?? '', summary })
      } catch (error) {
        if (!isAbort(error)) throw error
      }
    }
    const timer = setTimeout(() => void look(), REST)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `chosen` is another object with each render; its key isn't
  }, [set, tools, key])
  return known?.set === set && known.key === key ? known.summary : null
}
