import { useDeferredValue, useMemo, useRef } from 'react'
import { ErrorBoundary } from '../../../ui/ErrorBoundary.tsx'
import type { StoredJob } from '../context.tsx'
import type { Job } from '../model/job.ts'
import { JobCard } from './JobCard.tsx'
import { StoredCard } from './StoredCard.tsx'
import { useSteadyPointer } from '../use-steady-pointer.ts'
import css from '../ConvertScreen.module.css'

interface Props {
  readonly live: readonly Job[]
  readonly stored: readonly StoredJob[]
  /** Whether cards begin unfolded. */
  readonly open: boolean
}

/** The files of this tab, then those of earlier visits and other tabs. */
export default function Cards({ live, stored, open }: Props) {
  const list = useRef<HTMLDivElement>(null)
  // Hundreds of new cards are rendered in slices that never hold up the page. What is typed into those that are there is
  // shown at once: a field that lags behind loses letters.
  const known = useDeferredValue(live)
  const there = useMemo(() => new Set(known.map(({ id }) => id)), [known])
  const shown = known === live ? live : live.filter(({ id }) => there.has(id))
  useSteadyPointer(list)
  return (
    <div ref={list} className={css.lists}>
      <div className={css.cards}>
        {shown.map((job) => (
          <ErrorBoundary key={job.id} what={`The card of “${job.file.name}”`}>
            <JobCard job={job} startOpen={open} />
          </ErrorBoundary>
        ))}
      </div>
      {stored.length > 0 && live.length > 0 ? <h2 className={css.section}>Earlier</h2> : null}
      <div className={css.cards}>
        {stored.map(({ record, state, reopens }) => (
          <ErrorBoundary key={record.id} what={`The card of “${record.fileName}”`}>
            <StoredCard record={record} state={state} reopens={reopens} startOpen={open} />
          </ErrorBoundary>
        ))}
      </div>
    </div>
  )
}
