import { asError } from '../../../../lib/errors.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { SqlSession } from '../../../../engine/client.ts'
import type { ChartSpec, TabRun } from '../../types.ts'
import type { ChartData } from './data/chart-data.ts'
import type { Field } from './model/fields.ts'
import { readChart, type Reading } from './read-chart.ts'

export type ChartState =
  | { readonly status: 'loading'; readonly data: ChartData | null }
  | { readonly status: 'ready'; readonly data: ChartData }
  | { readonly status: 'failed'; readonly error: Error }
  | { readonly status: 'stopped' }

interface UseChart {
  readonly state: ChartState
  readonly stop: () => void
  readonly retry: () => void
}

/** One drawing: of another one, nothing is shown as this one's. */
interface Job extends Reading {
  readonly attempt: number
}

/** Reads what a chart draws, anew with each spec and run; what isn't wanted any more is cancelled. */
export function useChart(
  run: TabRun,
  session: SqlSession | null,
  spec: ChartSpec | null,
  fields: readonly Field[],
): UseChart {
  const [outcome, setOutcome] = useState<{ readonly job: Job; readonly state: ChartState } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const running = useRef<AbortController | null>(null)
  const { result, summary } = run
  const ready = result !== null && (summary !== null || result.status !== 'running')
  // Another object that says the same is no other chart, and another look needs nothing counted again.
  const key = spec && JSON.stringify({ ...spec, style: undefined })
  const job = useMemo<Job | null>(
    () => (ready && key ? { run, result, session, spec: JSON.parse(key) as ChartSpec, fields, attempt } : null),
    [ready, run, result, session, key, fields, attempt],
  )
  useEffect(() => {
    if (!job) return
    const controller = new AbortController()
    running.current = controller
    readChart(job, controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setOutcome({ job, state: { status: 'ready', data } })
      },
      (error: unknown) => {
        if (controller.signal.aborted && controller.signal.reason !== STOPPED) return
        setOutcome({ job, state: error === STOPPED || isAbort(error) ? { status: 'stopped' } : failed(error) })
      },
    )
    return () => controller.abort()
  }, [job])
  const before = outcome?.state.status === 'ready' && outcome.job.result === result ? outcome.state.data : null
  return {
    state: outcome && outcome.job === job ? outcome.state : { status: 'loading', data: before },
    stop: () => running.current?.abort(STOPPED),
    retry: () => setAttempt((count) => count + 1),
  }
}

const STOPPED = new DOMException('Drawing was stopped.', 'AbortError')

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

function failed(error: unknown): ChartState {
  return { status: 'failed', error: asError(error) }
}
