import { lazy, Suspense, type CSSProperties } from 'react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { ProblemNotice } from '../../shared/ProblemNotice.tsx'
import { useSql } from '../context.tsx'
import type { Runner } from '../results/runner.ts'
import { Notes } from '../results/Notes.tsx'
import { StatusLine } from '../results/StatusLine.tsx'
import { shownRows, type RunState } from '../results/types.ts'
import type { SavedQuery } from '../types.ts'
import { pageRunner } from './use-page-run.ts'
import css from './Saved.module.css'

const ResultPanel = lazy(() => import('../results/grid/ResultPanel.tsx'))
const ChartPanel = lazy(async () => ({ default: (await import('../results/chart/ChartPanel.tsx')).ChartPanel }))

interface Props {
  readonly query: SavedQuery
  readonly runner: Runner
}

/** The query's result: status or error, chart and rows. */
export function PageResult({ query, runner }: Props) {
  const { saved } = useSql()
  const run = useStore(runner)
  const rows = shownRows(run)
  const busy = run.stage !== 'idle'
  const session = rows?.where === 'browser' ? runner.current : null
  const tab = { id: pageRunner(query.id), text: query.text, view: 'grid' } as const
  return (
    <section aria-label="Result of the query" aria-busy={busy} className={css.result}>
      <StatusLine run={run} tab={tab} canPin={false} />
      <Notes run={rows ?? run.run} />
      {run.problem ? (
        <div className={css.problem}>
          <ProblemNotice problem={run.problem} />
        </div>
      ) : null}
      <Suspense fallback={<div aria-busy className={css.rows} />}>
        {rows && query.chart !== undefined ? (
          <div className={css.chart} data-stale={(busy && rows !== run.run) || undefined}>
            <ChartPanel
              run={rows}
              session={session}
              spec={query.chart}
              title={query.name}
              onSpec={(chart) => void saved.change(query.id, { chart })}
            />
          </div>
        ) : null}
        {rows ? (
          <div
            className={css.rows}
            style={heightFor(rows.result.rowCount)}
            data-stale={(busy && rows !== run.run) || undefined}
          >
            <ResultPanel
              run={rows}
              title={query.name}
              fixed="The page shows the query as it was saved: edit it in a tab to sort or filter."
            />
          </div>
        ) : (
          <Nothing run={run} />
        )}
      </Suspense>
    </section>
  )
}

/** Height of toolbar, header and rows, up to a maximum set in CSS. */
function heightFor(rows: number): CSSProperties {
  return { '--needed': `${140 + 33 * Math.min(rows, 100)}px` } as CSSProperties
}

function Nothing({ run }: { readonly run: RunState }) {
  if (run.problem || run.stage !== 'idle') return null
  const message = run.run?.summary?.message
  return (
    <EmptyState>
      {message ?? (run.run ? 'It gave no rows.' : 'It changes something, so it wasn’t run by itself. Refresh runs it.')}
    </EmptyState>
  )
}
