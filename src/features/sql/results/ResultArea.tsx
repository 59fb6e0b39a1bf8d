import CornerDownLeft from 'lucide-react/icons/corner-down-left'
import { lazy, Suspense } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { MOD } from '../../../ui/overlays/Menu.tsx'
import { useSql } from '../context.tsx'
import type { SqlTab } from '../types.ts'
import type { StatementProblem } from './problem.ts'
import { shownRows, type RunState, type ShownRun } from './types.ts'
import { StatusLine } from './StatusLine.tsx'
import { Steps } from './Steps.tsx'
import { lineOf } from './text.ts'
import css from './ResultArea.module.css'

const ResultPanel = lazy(() => import('./grid/ResultPanel.tsx'))
const ChartPanel = lazy(async () => ({ default: (await import('./chart/ChartPanel.tsx')).ChartPanel }))
const PlanPanel = lazy(async () => ({ default: (await import('./plan/PlanPanel.tsx')).PlanPanel }))

interface Props {
  readonly tab: SqlTab
  readonly run: RunState
  /** Selects a place in the editor. */
  readonly onGoTo: (range: { readonly from: number; readonly to: number }) => void
  /** Another statement in place of the one that was run. */
  readonly onStatement: (statement: string) => void
}

/** What came of the tab's last run: where and how long, what went wrong, and its rows, its chart or its plan. */
export function ResultArea({ tab, run, onGoTo, onStatement }: Props) {
  const rows = shownRows(run)
  const plan = tab.view === 'plan' ? run.plan : null
  return (
    <section aria-label="Result of the query" className={css.area} aria-busy={run.stage !== 'idle'}>
      <StatusLine run={run} tab={tab} />
      {(rows ?? run.run)?.summary?.notes?.map((note) => (
        <p key={note} className={css.note}>
          {note}
        </p>
      ))}
      {run.problem ? (
        <div className={css.problem}>
          <ProblemNotice problem={run.problem} actions={goTo(run.problem, tab.text, onGoTo)} />
        </div>
      ) : null}
      {run.steps.length > 0 ? <Steps steps={run.steps} text={tab.text} onGoTo={onGoTo} /> : null}
      <Suspense fallback={<div className={css.body} aria-busy />}>
        {plan ? (
          <div className={css.body}>
            <PlanPanel plan={plan.plan} analyzed={plan.analyzed} />
          </div>
        ) : rows ? (
          <div className={css.body} data-stale={(run.stage !== 'idle' && rows !== run.run) || undefined}>
            <Rows tab={tab} rows={rows} onStatement={onStatement} />
          </div>
        ) : (
          <Nothing run={run} />
        )}
      </Suspense>
    </section>
  )
}

function Rows({
  tab,
  rows,
  onStatement,
}: {
  readonly tab: SqlTab
  readonly rows: ShownRun
  readonly onStatement: (statement: string) => void
}) {
  const { engine, runner, tabs, publish } = useSql()
  const session = rows.where === 'browser' ? runner(tab.id).current : null
  if (tab.view === 'chart') {
    return (
      <ChartPanel
        run={rows}
        session={session}
        spec={tab.chart}
        title={tab.title}
        onSpec={(chart) => tabs.change(tab.id, { chart })}
      />
    )
  }
  return (
    <ResultPanel
      run={rows}
      session={session}
      engine={engine}
      title={tab.title}
      bar={null}
      onStatement={onStatement}
      onPublish={publish}
    />
  )
}

function Nothing({ run }: { readonly run: RunState }) {
  if (run.problem || run.stage !== 'idle' || run.steps.length > 0) return <div className={css.body} />
  const message = run.run?.summary?.message
  if (message) return <p className={css.nothing}>{message}</p>
  if (run.run) return <div className={css.body} />
  return (
    <p className={css.nothing}>
      <CornerDownLeft aria-hidden />
      <span>
        Rows appear here. Write a statement and run it with <kbd>{MOD}Enter</kbd>.
      </span>
    </p>
  )
}

function goTo({ range }: StatementProblem, text: string, onGoTo: Props['onGoTo']) {
  if (!range || range.to > text.length) return null
  return (
    <Button size="small" onClick={() => onGoTo(range)}>
      Go to line {lineOf(text, range.from)}
    </Button>
  )
}
