import CornerDownLeft from 'lucide-react/icons/corner-down-left'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { isTouched } from '../../../ui/hooks/use-media.ts'
import { MOD } from '../../../ui/overlays/Menu.tsx'
import { useSql } from '../context.tsx'
import type { ChartSpec, SqlTab } from '../types.ts'
import type { ResultPanelProps } from './grid/ResultPanel.tsx'
import type { StatementProblem } from './problem.ts'
import { resultName, Sides } from './pinned/Sides.tsx'
import { useBeside, useRamps, type Ramps } from './chart/use-ramps.ts'
import { useComparison } from './pinned/use-comparison.ts'
import { shownRows, type HeldRun, type RunState } from './types.ts'
import { Lost } from './Lost.tsx'
import { Notes } from './Notes.tsx'
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
  /** Selects a range in the editor. */
  readonly onGoTo: (range: { readonly from: number; readonly to: number }) => void
  /** Replaces the statement that was run. */
  readonly onStatement: (statement: string) => void
}

/** The result of the tab's last run: status, errors, and rows, chart or plan. */
export function ResultArea({ tab, run, onGoTo, onStatement }: Props) {
  const { tabs } = useSql()
  const rows = shownRows(run)
  const plan = tab.view === 'plan' ? run.plan : null
  return (
    <section aria-label="Result of the query" className={css.area} aria-busy={run.stage !== 'idle'}>
      <StatusLine run={run} tab={tab} />
      <Notes run={rows ?? run.run} />
      {run.problem ? (
        <div className={css.problem}>
          <ProblemNotice problem={run.problem} actions={goTo(run.problem, tab.text, onGoTo)} />
        </div>
      ) : null}
      {run.lost && run.stage === 'idle' ? (
        <div className={css.problem}>
          <Lost lost={run.lost} tabId={tab.id} />
        </div>
      ) : null}
      {run.steps.length > 0 ? <Steps steps={run.steps} text={tab.text} onGoTo={onGoTo} /> : null}
      <Suspense fallback={<div className={css.body} aria-busy />}>
        {plan ? (
          <div className={css.body}>
            <PlanPanel
              plan={plan.plan}
              analyzed={plan.analyzed}
              onRows={rows ? () => tabs.change(tab.id, { view: 'grid' }) : null}
            />
          </div>
        ) : (
          <Results tab={tab} run={run} rows={rows} onStatement={onStatement} />
        )}
      </Suspense>
    </section>
  )
}

interface ResultsProps extends Pick<Props, 'tab' | 'run' | 'onStatement'> {
  readonly rows: HeldRun | null
}

/** The current result, and the pinned ones beside it. */
function Results({ tab, run, rows, onStatement }: ResultsProps) {
  const { runner } = useSql()
  const [chosen, setChosen] = useState<HeldRun | null>(null)
  const others = run.pinned.filter(({ result }) => result !== rows?.result)
  const compared = others.find((each) => each === chosen) ?? others.at(-1) ?? null
  const comparison = useComparison(rows, compared, tab.view === 'chart')
  const ramps = useRamps()
  if (!rows && !compared) return <Nothing run={run} />
  const pinned = others.map((each) => {
    const name = run.pinned.length === 1 ? 'Pinned' : `Pinned ${run.pinned.indexOf(each) + 1}`
    const marked = each === compared ? comparison.pinned : null
    return { run: each, name, rows: <PinnedRows tab={tab} rows={each} name={name} marked={marked} ramps={ramps} /> }
  })
  return (
    <Sides
      current={
        rows ? (
          <Rows tab={tab} rows={rows} marked={comparison.current} ramps={ramps} onStatement={onStatement} />
        ) : (
          <Nothing run={run} />
        )
      }
      stale={run.stage !== 'idle' && rows !== run.run}
      pinned={pinned}
      compared={compared}
      comparison={comparison.words}
      onCompare={setChosen}
      onUnpin={(each) => runner(tab.id).unpin(each)}
    />
  )
}

interface RowsProps extends Pick<ResultPanelProps, 'marked'> {
  readonly tab: SqlTab
  readonly rows: HeldRun
  /** Shared by the charts that are shown. */
  readonly ramps: Ramps
}

interface PinnedRowsProps extends RowsProps {
  /** “Pinned” or “Pinned 2”. */
  readonly name: string
}

/** Identifies the current result's chart, whatever its rows. */
const CURRENT = {}

/**
 * A pinned result can only be viewed, since its statement isn't the tab's. Its chart is drawn from the rows in the
 * page.
 */
function PinnedRows({ tab, rows, name, marked, ramps }: PinnedRowsProps) {
  const [chart, setChart] = useState<ChartSpec | null>(tab.chart)
  const beside = useBeside(ramps, rows)
  const title = `${tab.title} (${name.toLowerCase()})`
  if (tab.view === 'chart') {
    return <ChartPanel run={rows} session={null} spec={chart} title={title} beside={beside} onSpec={setChart} />
  }
  return (
    <ResultPanel
      run={rows}
      marked={marked}
      label={resultName(name)}
      fixed="A pinned result stays as it is: sort or filter the current one."
      title={title}
    />
  )
}

function Rows({ tab, rows, marked, ramps, onStatement }: RowsProps & Pick<Props, 'onStatement'>) {
  const { runner, tabs } = useSql()
  const beside = useBeside(ramps, CURRENT)
  const session = rows.where === 'browser' ? runner(tab.id).current : null
  if (tab.view === 'chart') {
    return (
      <ChartPanel
        run={rows}
        session={session}
        spec={tab.chart}
        title={tab.title}
        beside={beside}
        onSpec={(chart) => tabs.change(tab.id, { chart })}
      />
    )
  }
  return <ResultPanel run={rows} marked={marked} title={tab.title} onStatement={onStatement} />
}

function Nothing({ run }: { readonly run: RunState }) {
  if (run.problem || run.stage !== 'idle' || run.steps.length > 0) return <div className={css.body} />
  const message = run.run?.summary?.message
  if (message) return <EmptyState className={css.nothing}>{message}</EmptyState>
  if (run.run) return <div className={css.body} />
  return (
    <EmptyState className={css.nothing} icon={<CornerDownLeft aria-hidden />}>
      Rows appear here. Write a statement and run it with {isTouched() ? <strong>Run</strong> : <kbd>{MOD}Enter</kbd>}.
    </EmptyState>
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
