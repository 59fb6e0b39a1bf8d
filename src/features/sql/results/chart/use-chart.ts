import { isAbort } from '../../../../lib/abort.ts'
import { asError } from '../../../../lib/errors.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { SqlSession } from '../../../../engine/client.ts'
import type { ChartSpec } from '../../types.ts'
import type { HeldRun } from '../types.ts'
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

/** A request for a drawing. Results of other requests aren't shown for it. */
interface Job extends Reading {
  readonly attempt: number
}

/** Reads a chart's data again for each spec and run, and cancels obsolete requests. */
export function useChart(
  run: HeldRun,
  session: SqlSession | null,
  spec: ChartSpec | null,
  fields: readonly Field[],
): UseChart {
  const [outcome, setOutcome] = useState<{ readonly job: Job; readonly state: ChartState } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const running = useRef<AbortController | null>(null)
  // Compare by content, and without the style, which needs no new data.
  const key = spec && JSON.stringify({ ...spec, style: undefined })
  const job = useMemo<Job | null>(
    () => (key ? { run, session, spec: JSON.parse(key) as ChartSpec, fields, attempt } : null),
    [run, session, key, fields, attempt],
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
        setOutcome({ job, state: isAbort(error) ? { status: 'stopped' } : { status: 'failed', error: asError(error) } })
      },
    )
    return () => controller.abort()
  }, [job])
  const before = outcome?.state.status === 'ready' && outcome.job.run.result === run.result ? outcome.state.data : null
  return {
    state: outcome && outcome.job === job ? outcome.state : { status: 'loading', data: before },
    stop: () => running.current?.abort(STOPPED),
    retry: () => setAttempt((count) => count + 1),
  }
}

const STOPPED = new DOMException('Drawing was stopped.', 'AbortError')
