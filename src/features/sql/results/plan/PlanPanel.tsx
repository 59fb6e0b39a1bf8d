import { useMemo } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { plural } from '../../../../ui/format.ts'
import {
  measured,
  totalTime,
  visibleNodes,
  type PlanNode,
  operatorWords,
  planText,
  shareText,
  timeText,
} from './plan.ts'
import { PlanTree } from './PlanTree.tsx'
import css from './PlanPanel.module.css'
import type { PlanOperator } from '../../../../engine/client.ts'

interface PlanPanelProps {
  readonly plan: PlanOperator
  /** Whether it has actual rows and times, because the statement was run. */
  readonly analyzed: boolean
  /** Switches to the rows; null if there are none. */
  readonly onRows: (() => void) | null
}

/** A query plan as a tree, to be read from the bottom up. */
export function PlanPanel({ plan, analyzed, onRows }: PlanPanelProps) {
  const root = useMemo(() => measured(plan), [plan])
  return (
    <section aria-label="Plan" className={css.panel}>
      <div className={css.head}>
        <p className={css.about}>{about(root, analyzed)}</p>
        {onRows ? (
          <Button size="small" onClick={onRows}>
            Show the rows
          </Button>
        ) : null}
        <CopyButton label="Copy as text" text={() => planText(plan)} />
      </div>
      {/* The key resets the tree for another plan. */}
      <PlanTree key={planText(plan)} root={root} />
    </section>
  )
}

function about(root: PlanNode, analyzed: boolean): string {
  const all = visibleNodes(root, new Set())
  const steps = plural(all.length, 'step')
  if (!analyzed) {
    return `${steps}, as the optimizer plans them: nothing was run. Rows flow from the innermost steps to the first. “Explain and run” also shows true rows and times.`
  }
  const time = totalTime(root.operator)
  const slowest = all.find((node) => node.slowest)
  const most = slowest
    ? ` Most of it went into “${operatorWords(slowest.operator).title}” (${shareText(slowest.share ?? 0)}).`
    : ''
  const wrong = all.filter((node) => node.misestimate).length
  const guesses =
    wrong > 0 ? ` ${plural(wrong, 'step')} had more than ten times as many or as few rows as expected.` : ''
  return `${steps}, run in ${timeText(time ?? 0)} of the engine’s time.${most}${guesses}`
}
